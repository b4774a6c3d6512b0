import { describe, expect, it } from 'vitest';
import { bench, starts } from './tool-bench.ts';

describe('handles', () => {
  it('are equal for equal calls, and differ for different ones', async () => {
    const make = (value: unknown) =>
      bench.call('filter_data', {
        data_source: starts.person,
        key_name: 'person_age',
        condition: 'equal_to',
        value,
      });
    expect((await make(30)).handle).toBe((await make(30)).handle);
    expect((await make(30)).handle).not.toBe((await make('30')).handle);
    expect((await make(30)).handle).toMatch(/^filtered_[0-9a-f]{12}$/);
  });
  it('give a preview and a row count', async () => {
    const answer = await bench.call(
      'filter_data',
      { data_source: starts.person, key_name: 'person_age', condition: 'equal_to', value: 30 },
      2,
    );
    expect(answer).toMatchObject({ kind: 'table', row_count: 3 });
    expect(answer.kind === 'table' && answer.preview.length).toBe(2);
  });
});
