import { describe, expect, it } from 'vitest';
import { aggregate, rowsOf, run } from '../../../testing/tools/small-bench.ts';

describe('calculate', () => {
  it('divides results', async () => {
    const rows = await run(
      aggregate('person', 'person_age', 'sum'),
      aggregate('person', '*', 'count'),
      ['calculate', { input: '$0$', operation_type: 'multiply', operation_args: { operand: '100.0' } }],
      ['calculate', { input: '$2$', operation_type: 'divide', operation_args: { operand: '$1$' } }],
    );
    expect(rows).toEqual(rowsOf('SELECT SUM(age) * 100.0 / COUNT(*) FROM person'));
  });
});
