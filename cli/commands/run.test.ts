import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { initSplit } from '../../generator/init-split.ts';
import type { SampleRecord } from '../../runner/files/run-records.ts';
import { farmOfDomains } from '../../tests/support/farms.ts';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { createProgram } from '../program.ts';
import { failureNotes } from './run.ts';

const folder = scratchFolder();

const failed = (kind: string, message: string) =>
  ({ outcome: 'error', error: { kind, message }, reason: message }) as SampleRecord;
const done = { outcome: 'answered', error: null, reason: null } as SampleRecord;

test('lists each distinct failure once, the most frequent first, with advice', () => {
  const records = [
    done,
    failed('overloaded', '500: no'),
    failed('bad_request', "400: Invalid 'tools': array too long, got an array with length 154."),
    failed('bad_request', "400: Invalid 'tools': array too long, got an array with length 130."),
  ];
  expect(failureNotes(records, { model: 'openai/x', baseUrl: null })).toEqual([
    "2 × bad_request: 400: Invalid 'tools': array too long, got an array with length 154; offer as many tools as the provider takes: --tools fit:openai, or --via search",
    '1 × overloaded: 500: no',
  ]);
});

test('prints nothing for a run without failures', () => {
  expect(failureNotes([done], { model: null, baseUrl: null })).toEqual([]);
});

async function run(args: readonly string[]): Promise<string> {
  let text = '';
  const written = [process.stdout, process.stderr].map((to) =>
    vi.spyOn(to, 'write').mockImplementation((line) => {
      text += line;
      return true;
    }),
  );
  try {
    await (await createProgram(args)).parseAsync([...args], { from: 'user' });
  } finally {
    for (const each of written) each.mockRestore();
  }
  return text;
}

test('--suite siwarex makes a farm of a split at its shares, once', async () => {
  const [split, out] = [join(folder, 'split'), join(folder, 'siwarex')];
  await initSplit(split);
  const args = ['run', split, '--suite', 'siwarex', '--model', 'mock/gold', '--sample', '1', '--out', out];
  expect(await run(args)).toContain('Execution accuracy by the share of tables behind APIs');
  const shares = readFarm(join(out, 'farm')).samples.map(({ plan }) => plan?.share);
  expect(new Set(shares)).toEqual(new Set([undefined, 0, 20, 40, 60, 80, 100]));
  const madeAt = () => statSync(join(out, 'farm', 'farm.json')).mtimeMs;
  const before = madeAt();
  await run(args);
  expect(madeAt()).toBe(before);
});

test('--until attempts tasks in random order until completion is known closely enough', async () => {
  const farm = await farmOfDomains('payroll');
  const args = `run ${farm} --agent oracle --formulation rest --until 5pp --out ${folder}/run`.split(' ');
  const text = await run(args);
  expect(text).toMatch(/after 40 of 115 tasks, completion over all of them is .* – 100.0 %; going on\n/);
  const [, ...attempts] = readFileSync(join(folder, 'run', 'predictions.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(attempts.length).toBeGreaterThan(40);
  expect(attempts.length).toBeLessThan(115);
  expect(text).toContain(`after ${attempts.length} of 115 tasks`);
});
