import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../tests/support/split-fixture.ts';
import { TINY_SAMPLES } from '../tests/support/tiny-farm.ts';
import { importVakra } from './vakra.ts';

function submission(records: unknown): string {
  const folder = temporaryFolder();
  const file = join(folder, 'shop.json');
  writeFileSync(file, typeof records === 'string' ? records : JSON.stringify(records));
  return file;
}

const CALL = { name: 'filter_data', arguments: { data_source: 'x' } };
const turn = (query: string, sequence: unknown, answer: unknown = '') => ({
  turn_id: 1,
  query,
  answer,
  sequence,
});
const record = (uuid: string, output: unknown, rest = {}) => ({
  uuid,
  domain: 'shop',
  status: 'success',
  error: '',
  duration_s: 2.5,
  output,
  ...rest,
});

describe('a VAKRA submission', () => {
  test('is matched by question, with calls in a dict or a list, using the last turn', () => {
    const file = submission([
      record('u1', [turn('What lights  are there?', { tool_call: [CALL] }, 'lamp')]),
      record('u2', [turn('What does the lamp cost?', [CALL])]),
      record('u3', [
        turn('Earlier?', { tool_call: [] }),
        turn('What lights are for sale?', { tool_call: [CALL, CALL] }, ['lamp']),
      ]),
    ]);
    expect(importVakra(file, TINY_SAMPLES, 'slot')).toEqual({
      predictions: [
        { sample_id: 'tiny/shop/0/slot', latency_s: 2.5, calls: [CALL], answer: 'lamp' },
        { sample_id: 'tiny/shop/2/slot', latency_s: 2.5, calls: [CALL] },
        { sample_id: 'tiny/shop/3/slot', latency_s: 2.5, calls: [CALL, CALL], answer: ['lamp'] },
      ],
      unmatched: [],
    });
  });

  test('is matched by uuid if that is a sample id; keeps errors and reports unmatched records', () => {
    const file = submission([
      record('tiny/shop/1/sel', [turn('whatever', { tool_call: [CALL] })]),
      record('u2', [turn('What does the lamp cost?', null)], {
        status: 'error',
        error: 'timeout',
        duration_s: null,
      }),
      record('u3', [turn('Unknown?', { tool_call: [] })]),
      record('u4', null, { status: 'error' }),
    ]);
    expect(importVakra(file, TINY_SAMPLES, 'sel')).toEqual({
      predictions: [
        { sample_id: 'tiny/shop/1/sel', latency_s: 2.5, calls: [CALL] },
        { sample_id: 'tiny/shop/2/sel', latency_s: null, error: 'timeout' },
      ],
      unmatched: ['u3', 'u4'],
    });
  });

  test('gives each sample with the same question its own record', () => {
    const [first] = TINY_SAMPLES;
    const twins = [first, { ...first, sample_id: 'twin' }] as typeof TINY_SAMPLES;
    const again = turn('What lights are there?', { tool_call: [] });
    const { predictions, unmatched } = importVakra(
      submission([record('a', [again]), record('b', [again]), record('c', [again])]),
      twins,
      'rest',
    );
    expect(predictions.map(({ sample_id }) => sample_id)).toEqual(['tiny/shop/0/rest', 'twin']);
    expect(unmatched).toEqual(['c']);
  });

  test.each(['{', '{}', '[1]', '[{"uuid":"u"}]', '[{"uuid":"u","domain":"shop","output":{}}]'])(
    'rejects %s',
    (text) => {
      expect(() => importVakra(submission(text), TINY_SAMPLES, 'slot')).toThrow(
        expect.objectContaining({ code: 'IMPORT_INVALID' }),
      );
    },
  );
});
