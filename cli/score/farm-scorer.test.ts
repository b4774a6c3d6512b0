import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/split-fixture.ts';
import { farmScorer } from './farm-scorer.ts';

const { verifier, close } = farmScorer(
  'no-farm',
  [],
  new URL('./testing/scorer-child-fixture.ts', import.meta.url),
);
afterAll(close);

test('a run that crashes the scoring process fails, and others are judged as usual', async () => {
  const lines = [
    { model: 'm' },
    { sample_id: 'one', calls: [], answer: [[1]] },
    { sample_id: 'two', calls: [{ name: 'f', arguments: {} }], raw_output: 'die', loops: 3 },
    { sample_id: 'three', calls: [], answer: 'no' },
  ];
  const judged = await verifier(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  expect(judged).toEqual([
    lines[0],
    lines[1],
    { sample_id: 'two', calls: [], loops: 3, out_of_budget: true, end_reason: expect.any(String) },
    lines[3],
  ]);
});

test('a run is judged again if the process died for another reason', async () => {
  const file = join(temporaryFolder('scorer'), 'died');
  const line = JSON.stringify({ sample_id: 'one', calls: [], raw_output: `die once ${file}` });
  expect(await verifier(line)).toEqual([file]);
});
