import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkBfcl } from '../../eval/bfcl/check.ts';
import type { BfclFunction } from '../../eval/bfcl/convert.ts';
import type { AgentCall } from '../../eval/calls/calls.ts';
import type { Json, JsonObject } from '../../eval/json/lossless.ts';
import type { RunTask } from '../../runner/categories/composition.ts';
import { TINY_UNIVERSE } from '../../tests/support/tiny-farm.ts';
import type { FarmTasks } from '../exports.ts';
import { file, lines, REST, writeTo } from '../testing/exported.ts';
import { importBfcl } from './export.ts';
import { exportParallel } from './export-parallel.ts';

const [first, second] = REST;
const task = (id: string, parts: { sample_id: string; arguments?: JsonObject }[]) =>
  ({
    sample_id: `tiny/shop/${id}`,
    question: `1. One for ${id}?\n2. Another?`,
    composition: { parts: parts.map((part) => ({ ...part, tools: [] })) },
  }) as unknown as RunTask;
const TASKS = {
  parallel: task('0x2/parallel', [
    { sample_id: first!.sample_id },
    { sample_id: first!.sample_id, arguments: { kind: 'wood' } },
  ]),
  parallel_multiple: task('0+1/parallel_multiple', [
    { sample_id: first!.sample_id },
    { sample_id: second!.sample_id },
  ]),
};
const composed: FarmTasks['composed'] = async () => ({
  parallel: [TASKS.parallel],
  parallel_multiple: [TASKS.parallel_multiple],
});
const samples = REST.map((sample) => ({ ...sample, accepted_values: { kind: ['lights'] } }));
const options = { size: null, seed: 1, evidence: false };
const files = await exportParallel(samples, TINY_UNIVERSE, composed, options);
const written = (kind: keyof typeof TASKS) => {
  const [question] = lines(file(files, `BFCL_v4_farm_${kind}.json`));
  const [answer] = lines(file(files, `possible_answer/BFCL_v4_farm_${kind}.json`));
  return { question, truth: (answer as unknown as { ground_truth: Record<string, object>[] }).ground_truth };
};

test('a request has one function, or several, and a call for each question', () => {
  const one = written('parallel');
  expect(one.question).toMatchObject({
    id: 'farm_parallel_0',
    question: [[{ role: 'user', content: TASKS.parallel.question }]],
    function: [{ name: 'get_items_by_kind' }],
  });
  expect(one.truth).toEqual([
    { get_items_by_kind: { kind: ['light', 'lights'] } },
    { get_items_by_kind: { kind: ['wood'] } },
  ]);
  const several = written('parallel_multiple');
  expect(several.question?.function).toHaveLength(3);
  expect(several.truth.map((call) => Object.keys(call)[0])).toEqual([
    'get_items_by_kind',
    'get_items_by_min_price',
  ]);
});

test.each(['parallel', 'parallel_multiple'] as const)("gold calls of %s pass BFCL's checker", (kind) => {
  const { question, truth } = written(kind);
  const answers = truth.flatMap((call) =>
    Object.entries(call).map(([name, parameters]) => ({
      name,
      parameters: parameters as Record<string, Json[]>,
    })),
  );
  const calls = answers.map(
    ({ name, parameters }): AgentCall => ({
      name,
      arguments: Object.fromEntries(Object.entries(parameters).map(([key, [value]]) => [key, value as Json])),
      label: null,
    }),
  );
  const input = { functions: question?.function as unknown as BfclFunction[], answers, category: 'parallel' };
  expect(checkBfcl({ ...input, calls: calls.toReversed(), category: 'parallel' })).toEqual({ valid: true });
  expect(checkBfcl({ ...input, calls: calls.slice(1), category: 'parallel' })).toMatchObject({
    valid: false,
  });
});

test('results come back as predictions with their parts', () => {
  const folder = writeTo([
    {
      path: 'farm_samples.jsonl',
      content: files.map((each) => (each.path === 'farm_samples.jsonl' ? each.content : '')).join(''),
    },
  ]);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const result = { id: 'farm_parallel_0', result: [{ get_items_by_kind: '{"kind":"wood"}' }] };
  writeFileSync(join(folder, 'r.json'), JSON.stringify(result));
  const { predictions } = importBfcl(join(folder, 'r.json'), join(folder, 'farm_samples.jsonl'));
  expect(predictions).toMatchObject([
    {
      sample_id: 'tiny/shop/0x2/parallel',
      parts: [
        { sample_id: 'tiny/shop/0/rest' },
        { sample_id: 'tiny/shop/0/rest', arguments: { kind: 'wood' } },
      ],
      calls: [{ name: 'get_items_by_kind', arguments: { kind: 'wood' } }],
    },
  ]);
});
