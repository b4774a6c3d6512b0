import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Cell } from '../../contracts/catalog.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import type { JsonObject } from '../../eval/json/lossless.ts';
import { TINY_SAMPLES } from '../../tests/support/tiny-farm.ts';
import { ARGUMENT_CASES, file, lines, REST, TASKS, writeTo } from '../testing/exported.ts';
import { exportInspect } from './inspect.ts';

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

test.skipIf(PYTHON === undefined)('compares arguments as scoring does', () => {
  const code = `
import json, sys
sys.path.insert(0, ${JSON.stringify(join(packageRoot, 'adapters'))})
sys.dont_write_bytecode = True
from rows import arguments_equal
print(json.dumps([arguments_equal(json.loads(a), json.loads(b), t) for a, b, t in json.loads(sys.stdin.read())]))`;
  const input = JSON.stringify(
    ARGUMENT_CASES.map(([gold, given, type]) => [gold, given, type === 'array' ? 'integer' : type]),
  );
  const output = execFileSync(PYTHON as string, ['-c', code], { encoding: 'utf8', input });
  expect(JSON.parse(output)).toEqual(ARGUMENT_CASES.map(([, , , same]) => same));
});

describe('Inspect AI', () => {
  const files = exportInspect(TINY_SAMPLES, TASKS, {
    formulation: 'rest',
    size: null,
    seed: 1,
    evidence: true,
  });

  test('records have the fields of json_dataset', () => {
    const records = file(files, 'rookery_farm/data/samples.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toHaveLength(REST.length);
    for (const [i, record] of records.entries()) {
      expect(Object.keys(record)).toEqual(['id', 'input', 'target', 'metadata']);
      expect([typeof record.id, typeof record.input, typeof record.target, typeof record.metadata]).toEqual([
        'string',
        'string',
        'string',
        'object',
      ]);
      expect(JSON.parse(record.target)).toEqual(REST[i]?.gold_answer);
    }
  });

  test('with a number of tools, each record names its own, including the gold one', () => {
    const chosen = exportInspect(TINY_SAMPLES, TASKS, {
      formulation: 'rest',
      size: 1,
      seed: 1,
      evidence: false,
    });
    for (const { metadata } of lines(file(chosen, 'rookery_farm/data/samples.jsonl')) as JsonObject[]) {
      const { tools, gold_calls } = metadata as { tools: string[]; gold_calls: { name: string }[] };
      expect(tools).toEqual(gold_calls.map(({ name }) => name));
    }
  });

  test('tools have everything that a request needs', () => {
    const [tool] = JSON.parse(file(files, 'rookery_farm/data/tools.json')).shop;
    expect(tool).toMatchObject({
      name: 'get_items_by_kind',
      path: '/v1/tiny/shop/get_items_by_kind',
      columns: ['name'],
      parameters: { type: 'object', required: ['kind'] },
    });
  });

  test('the model is given the format of answers', () => {
    expect(JSON.parse(file(files, 'rookery_farm/data/farm.json'))).toMatchObject({
      answer_format: ANSWER_FORMAT,
    });
    expect(readFileSync(join(import.meta.dirname, 'package/task.py'), 'utf8')).toContain('answer_format');
  });

  describe.skipIf(PYTHON === undefined)('the task file', () => {
    const folder = writeTo(files);
    afterAll(() => rmSync(folder, { recursive: true }));
    const python = (code: string, input = '') =>
      execFileSync(PYTHON as string, ['-c', code], { encoding: 'utf8', cwd: folder, input });

    test('is a package that Python compiles, with its data', () => {
      expect(files.map(({ path }) => path)).toEqual([
        'pyproject.toml',
        'rookery_farm/__init__.py',
        'rookery_farm/task.py',
        'rookery_farm/farm.py',
        'rookery_farm/rows.py',
        'rookery_farm/data/farm.json',
        'rookery_farm/data/samples.jsonl',
        'rookery_farm/data/tools.json',
      ]);
      execFileSync(PYTHON as string, ['-m', 'compileall', '-q', '-f', 'rookery_farm'], { cwd: folder });
      // Inspect's default limit of 16 KiB would truncate right answers.
      expect(file(files, 'rookery_farm/task.py')).toContain('max_tool_output=MAX_TOOL_OUTPUT');
    });

    test('compares rows as rookery does', () => {
      const cell = fc.oneof(
        fc.constantFrom<Cell>(
          null,
          'a',
          'b',
          '1',
          1420070400,
          1420070401,
          9007199254740993n,
          9007199254740992n,
          1e20,
        ),
        // Nearly equal numbers: near-equality is not transitive.
        fc.integer({ min: 0, max: 5 }).map((n) => 0.3 * (1 + n * 4e-10)),
        fc.integer({ min: 0, max: 2 }),
      );
      const table = fc.integer({ min: 1, max: 2 }).chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }).chain((gold) => {
          const moved = fc.shuffledSubarray(gold, { minLength: gold.length });
          const nudged = moved.map((rows) =>
            rows.map((row) => row.map((x) => (typeof x === 'number' && x < 1 ? x * (1 + 3e-10) : x))),
          );
          const rows = fc.oneof(
            fc.constant(gold),
            moved,
            nudged,
            fc.constant([...gold, ...gold.slice(0, 1)]),
          );
          const groups = fc.constantFrom(
            null,
            gold.map((_, i) => i),
            gold.map((_, i) => i >> 1),
          );
          return fc.tuple(fc.constant(gold), rows, groups);
        }),
      );
      const cases = fc.sample(table, { numRuns: 500, seed: 29 });
      const same = cases.map((each) => sameRows(...each));
      expect(new Set(same)).toEqual(new Set([true, false]));
      // Imports the module alone, since the whole package needs Inspect.
      const code = `
import json, sys
sys.path.insert(0, "rookery_farm")
from rows import rows_equal
print(json.dumps([rows_equal(*case) for case in json.load(sys.stdin)]))`;
      expect(JSON.parse(python(code, printExactJson(cases)))).toEqual(same);
    });
  });
});
