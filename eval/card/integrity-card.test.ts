import { expect, test } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import { integrityCard } from './integrity-card.ts';

function sampleOf(fields: Partial<Sample>): Sample {
  return {
    sample_id: 's/d/1/rest',
    dataset_name: 'd',
    question_id: 1,
    formulation: 'rest',
    input: '',
    evidence: '',
    difficulty: null,
    query: '',
    gold_answer: [[1]],
    gold_columns: ['n'],
    ordered: false,
    order_groups: null,
    initialization_step: null,
    output: [{ name: 'get_n', arguments: { id: 1 } }],
    output_after_executing_api: {},
    toolset: { path: '/openapi/d.rest.json', size: 4 },
    flags: [],
    ...fields,
  };
}

test('the card says what passes without a thought, with and without gold that says nothing', () => {
  const samples = [
    sampleOf({ gold_answer: [], flags: ['empty_gold'] }),
    sampleOf({ gold_answer: [[0]], flags: ['zero_gold'] }),
    sampleOf({ gold_answer: [[0]], flags: ['zero_gold'] }),
    sampleOf({ gold_answer: [['a'], ['b']] }),
    sampleOf({ gold_answer: [[7]], output: [{ name: 'get_all', arguments: {} }] }),
    sampleOf({ formulation: 'slot' }),
  ];
  const { all, telling } = integrityCard(samples, (db, rows) => db === 'd' && rows.length === 2);
  expect(all).toEqual([
    { formulation: 'rest', samples: 5, passes: { nothing: 1, constant: 2, dump: 1, bare_call: 0.25 } },
    { formulation: 'slot', samples: 1, passes: { nothing: 0, constant: 1, dump: 0, bare_call: 0 } },
  ]);
  expect(telling[0]).toEqual({
    formulation: 'rest',
    samples: 2,
    passes: { nothing: 0, constant: 1, dump: 1, bare_call: 0.25 },
  });
});
