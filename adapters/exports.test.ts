import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { sameRows } from '../contracts/answer-rows.ts';
import type { Cell } from '../contracts/catalog.ts';
import { parseExactJson, printExactJson } from '../contracts/exact-json.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { checkBfcl } from '../eval/bfcl/check.ts';
import { type BfclFunction, bfclType } from '../eval/bfcl/convert.ts';
import { sameValue, type ToolUniverse } from '../eval/calls/tool-universe.ts';
import { type Json, type JsonObject, numberText, parseJson } from '../eval/json/lossless.ts';
import { TINY_SAMPLES, TINY_UNIVERSE } from '../tests/support/tiny-farm.ts';
import { exportBfcl, importBfcl, pythonSafe, pythonUnsafe } from './bfcl/export.ts';
import { chooseTools, type ExportedFile } from './exports.ts';
import { emitPredictions } from './imports.ts';
import { exportInspect } from './inspect/inspect.ts';
import { exportPromptfoo } from './promptfoo/promptfoo.ts';

const REST = TINY_SAMPLES.filter(({ formulation }) => formulation === 'rest');
const file = (files: readonly ExportedFile[], path: string) =>
  files.find((f) => f.path === path)?.content ?? '';
const truth = (answer: JsonObject | undefined) => (answer as { ground_truth: [JsonObject] }).ground_truth[0];
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as JsonObject);

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function writeTo(files: readonly ExportedFile[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'export-'));
  folders.push(folder);
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

describe('BFCL', () => {
  const files = exportBfcl(TINY_SAMPLES, TINY_UNIVERSE, { size: null, seed: 1, evidence: false });
  const questions = lines(file(files, 'BFCL_v4_farm_multiple.json'));
  const answers = lines(file(files, 'possible_answer/BFCL_v4_farm_multiple.json'));
  const irrelevant = lines(file(files, 'BFCL_v4_farm_irrelevance.json'));

  test('questions and answers are on the same lines, with ids of category and number', () => {
    expect(questions).toHaveLength(REST.length);
    expect(answers.map(({ id }) => id)).toEqual(questions.map(({ id }) => id));
    expect(questions.map(({ id }) => id)).toEqual(REST.map((_, i) => `farm_multiple_${i}`));
    expect(questions[0]?.question).toEqual([[{ role: 'user', content: 'What lights are there?' }]]);
  });

  test('category names choose the right checker and are not skipped', () => {
    for (const { path } of files.filter(({ path }) => path.includes('BFCL_'))) {
      expect(path).not.toMatch(
        /exec|rest|sql|chatable|prereq|java|memory|web_search|multi_turn|format_sensitivity|parallel/,
      );
      expect(path).toMatch(/BFCL_v4_farm_(multiple|irrelevance)\.json$/);
    }
    expect(files.filter(({ path }) => path.startsWith('possible_answer/'))).toHaveLength(1);
  });

  test('function documents follow the published format', () => {
    for (const { function: functions } of [...questions, ...irrelevant]) {
      for (const fn of functions as unknown as BfclFunction[]) {
        expect(Object.keys(fn).sort()).toEqual(['description', 'name', 'parameters']);
        expect(fn.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(fn.parameters.type).toBe('dict');
        expect(fn.parameters.required.every((name) => Object.hasOwn(fn.parameters.properties, name))).toBe(
          true,
        );
        for (const property of Object.values(fn.parameters.properties)) {
          expect(bfclType(property.type, 'python')).not.toBeNull();
          expect(property.description).toBeTruthy();
          if (property.type === 'array')
            expect(bfclType(property.items?.type ?? '', 'python')).not.toBeNull();
        }
      }
    }
  });

  test("the gold call passes BFCL's checker", () => {
    for (const [i, sample] of REST.entries()) {
      const [[name, parameters] = ['', {}]] = Object.entries(truth(answers[i]));
      const verdict = checkBfcl({
        functions: questions[i]?.function as unknown as BfclFunction[],
        calls: sample.output.map((call) => ({
          name: call.name,
          arguments: call.arguments as JsonObject,
          label: null,
        })),
        answers: [{ name, parameters: parameters as Record<string, Json[]> }],
        category: 'multiple',
      });
      expect(verdict).toEqual({ valid: true });
    }
  });

  test('the gold function is among those of a question, but not of an irrelevance question', () => {
    const names = (q: JsonObject | undefined) =>
      (q as unknown as { function: BfclFunction[] }).function.map(({ name }) => name);
    for (const [i, sample] of REST.entries()) {
      expect(names(questions[i])).toContain(sample.output[0]?.name);
      expect(names(irrelevant[i])).not.toContain(sample.output[0]?.name);
    }
  });

  test('writes floats as floats', () => {
    const universe: ToolUniverse = {
      toolsFor: () =>
        new Map([
          [
            'f',
            {
              required: ['x', 'class'],
              properties: { x: { type: 'number' }, class: { type: 'array', items: { type: 'number' } } },
            },
          ],
        ]),
    };
    const sample = {
      ...REST[0],
      output: [{ name: 'f', path: '/v1/x/y/f', arguments: { x: 5, class: [1, 2.5] } }],
    } as (typeof REST)[number];
    const [answer] = lines(
      file(
        exportBfcl([sample], universe, { size: null, seed: 1, evidence: false }),
        'possible_answer/BFCL_v4_farm_multiple.json',
      ),
    );
    const { x, class_ } = (truth(answer) as unknown as { f: { x: number[]; class_: number[][] } }).f;
    expect(numberText(x[0] as number)).toBe('5.0');
    expect(class_[0]?.map(numberText)).toEqual(['1.0', '2.5']);
  });

  test("imports BFCL's results as predictions", () => {
    const folder = writeTo(files);
    const results = [
      {
        id: 'farm_multiple_0',
        result: [{ get_items_by_kind: '{"kind":"light"}' }],
        input_token_count: 10,
        output_token_count: 5,
        latency: 0.5,
      },
      { id: 'farm_multiple_1', result: '[get_items_by_min_price(min_price=40.1)]', latency: 1 },
      { id: 'farm_multiple_2', result: 'Error during inference: rate limit' },
      { id: 'farm_irrelevance_0', result: [] },
      { id: 'simple_python_0', result: [] },
    ];
    const result = join(folder, 'BFCL_v4_farm_multiple_result.json');
    writeFileSync(result, results.map((r) => JSON.stringify(r)).join('\n'));
    const { predictions, unmatched } = importBfcl(result, join(folder, 'farm_samples.jsonl'));
    expect(predictions).toMatchObject([
      {
        sample_id: 'tiny/shop/0/rest',
        calls: [{ name: 'get_items_by_kind', arguments: { kind: 'light' } }],
        input_tokens: 10,
        latency_s: 0.5,
      },
      { sample_id: 'tiny/shop/1/rest', raw_output: '[get_items_by_min_price(min_price=40.1)]' },
      { sample_id: 'tiny/shop/2/rest', error: 'Error during inference: rate limit' },
      { sample_id: 'tiny/shop/0/rest', withheld: true, calls: [] },
    ]);
    expect(unmatched).toEqual(['simple_python_0']);
    expect(emitPredictions({ model: 'm' }, predictions).split('\n')[0]).toBe(
      '{"format":"rookery-predictions/1","model":"m"}',
    );
  });

  test.each(['{"id":"farm_multiple_0"}', '[]', '{', '{"id":"farm_multiple_0","result":[[{"f":"{}"}]]}'])(
    'rejects the result file %s',
    (text) => {
      const folder = writeTo(files);
      writeFileSync(join(folder, 'r.json'), text);
      expect(() => importBfcl(join(folder, 'r.json'), join(folder, 'farm_samples.jsonl'))).toThrow(
        expect.objectContaining({ code: 'IMPORT_INVALID', file: expect.stringMatching(/:1$/) }),
      );
    },
  );
});

describe('a shortlist', () => {
  const [sample] = REST as [(typeof REST)[number]];
  const draw = (size: number, seed: number) =>
    chooseTools(sample, TINY_UNIVERSE, { size, seed }).map(([name]) => name);

  test('has the gold tool and others, determined by the seed', () => {
    expect(draw(1, 1)).toEqual(['get_items_by_kind']);
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      expect(draw(2, seed)).toContain('get_items_by_kind');
      expect(new Set(draw(2, seed)).size).toBe(2);
      expect(draw(2, seed)).toEqual(draw(2, seed));
    }
    expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => draw(2, seed).join())).size).toBeGreaterThan(1);
    expect(draw(99, 1)).toHaveLength(3);
  });
});

test.each(['from', 'class', 'kind', 'from_', '_'])('the argument name %s survives Python', (name) => {
  if (name !== 'from_') expect(pythonUnsafe(pythonSafe(name))).toBe(name);
  expect(pythonSafe(name)).toBe({ from: 'from_', class: 'class_' }[name] ?? name);
});

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

describe('compares arguments as scoring does', () => {
  const cases: [gold: string, given: string, type: string, same: boolean][] = [
    ['1420070400', '1420070401', 'integer', false],
    ['1420070400', '1420070400.5', 'integer', false],
    ['1420070400', '"1420070400"', 'integer', true],
    ['1420070400', '"1420070401"', 'integer', false],
    ['9007199254740993', '9007199254740993', 'integer', true],
    ['9007199254740993', '"9007199254740993"', 'integer', true],
    ['9007199254740993', '"9007199254740993.0"', 'integer', true],
    // JSON numbers with a point are doubles for every parser.
    ['9007199254740993', '9007199254740993.0', 'integer', false],
    ['9007199254740993', '9007199254740992.0', 'integer', false],
    ['9007199254740993', '9007199254740992', 'integer', false],
    ['9007199254740993', '9007199254740994', 'integer', false],
    ['16', '"0x10"', 'integer', false],
    ['5', '5.0', 'integer', true],
    ['5', '"five"', 'integer', false],
    ['1000', '1e3', 'integer', true],
    ['1000', '"1e3"', 'integer', false],
    ['1000', '"1e3"', 'number', true],
    ['5', '5.0000000000001', 'number', true],
    ['5', '5.0000000000001', 'integer', false],
    ['1420070400', '1420070401', 'number', false],
    ['0', '""', 'integer', false],
    ['0', 'null', 'integer', false],
    ['0', 'false', 'integer', false],
    ['0.1', '0.10000000000000001', 'number', true],
    ['0.1', '0.1000001', 'number', false],
    ['0.1', '"0.10"', 'number', true],
    ['2.5', '"2.5 kg"', 'number', false],
    ['"007"', '7', 'string', false],
    ['"7"', '7', 'string', true],
    ['"7"', '7.0', 'string', true],
    ['"0000000000000123"', '"123"', 'string', false],
    ['"0000000000000123"', '"0000000000000123"', 'string', true],
    ['"a"', '"A"', 'string', false],
    ['"null"', 'null', 'string', false],
    ['true', '"true"', 'boolean', true],
    ['true', 'false', 'boolean', false],
    ['[1, 2]', '["1", 2.0]', 'array', true],
    ['[1, 2]', '[2, 1]', 'array', false],
    ['[1]', '1', 'array', true],
  ];
  const schemaOf = (type: string) => (type === 'array' ? { type, items: { type: 'integer' } } : { type });

  test.each(cases)('gold %s, given %s (%s)', (gold, given, type, same) => {
    expect(sameValue(parseJson(gold), parseJson(given), schemaOf(type), 'query')).toBe(same);
  });

  test.each(cases)('by promptfoo: gold %s, given %s (%s)', (gold, given, type, same) => {
    const [sample] = REST;
    if (sample === undefined) throw new Error('there is no REST sample');
    const [call] = sample.output;
    if (call === undefined) throw new Error('it has no call');
    const { name } = call;
    const asked = { ...sample, output: [{ ...call, arguments: { x: parseExactJson(gold) } }] };
    const options = { size: null, seed: 1, evidence: false, providers: ['openai:chat:x'] };
    const tool = { required: ['x'], properties: { x: schemaOf(type) } };
    const universe: ToolUniverse = { toolsFor: () => new Map([[name, tool]]) };
    const text = file(exportPromptfoo([asked], universe, options), `${sample.dataset_name}.yaml`);
    // As promptfoo parses its configuration, without exact integers.
    const [{ config }] = parseYaml(text).tests[0].assert;
    const assertCall = createRequire(import.meta.url)('./promptfoo/assert-call.cjs');
    const args = `{"x": ${given}}`;
    for (const output of [
      [{ type: 'function', function: { name, arguments: args } }],
      `Let me see.\n\n{"type":"tool_use","name":"${name}","input":${args}}`,
    ])
      expect(assertCall(output, { config })).toMatchObject({ pass: same });
  });

  test.skipIf(PYTHON === undefined)('by Inspect', () => {
    const code = `
import json, sys
sys.path.insert(0, ${JSON.stringify(join(packageRoot, 'adapters', 'inspect', 'package'))})
sys.dont_write_bytecode = True
from rows import arguments_equal
print(json.dumps([arguments_equal(json.loads(a), json.loads(b), t) for a, b, t in json.loads(sys.stdin.read())]))`;
    const input = JSON.stringify(
      cases.map(([gold, given, type]) => [gold, given, type === 'array' ? 'integer' : type]),
    );
    const output = execFileSync(PYTHON as string, ['-c', code], { encoding: 'utf8', input });
    expect(JSON.parse(output)).toEqual(cases.map(([, , , same]) => same));
  });
});

describe('promptfoo', () => {
  const files = exportPromptfoo(TINY_SAMPLES, TINY_UNIVERSE, {
    size: null,
    seed: 1,
    evidence: false,
    providers: ['openai:chat:x', 'anthropic:y'],
  });
  const config = parseYaml(file(files, 'shop.yaml'));

  test('the configuration has the keys and types of the published schema', () => {
    expect(Object.keys(config)).toEqual(['description', 'prompts', 'providers', 'tests']);
    expect(config.prompts).toEqual(['{{question}}']);
    expect(config.providers.map((p: { id: string }) => p.id)).toEqual(['openai:chat:x', 'anthropic:y']);
    for (const test of config.tests) {
      // A list among the variables would expand into one test per element.
      expect(Object.values(test.vars).every((value) => typeof value === 'string')).toBe(true);
      expect(
        Object.keys(test).every((key) => ['description', 'vars', 'metadata', 'assert'].includes(key)),
      ).toBe(true);
      expect(test.assert).toEqual([
        expect.objectContaining({ type: 'javascript', value: 'file://assert-call.cjs' }),
      ]);
    }
    expect(config.tests.map((t: { description: string }) => t.description)).toEqual(
      REST.map(({ sample_id }) => sample_id),
    );
  });

  test("tools are the domain's, in OpenAI's format", () => {
    const tools = JSON.parse(file(files, 'tools/shop.openai.json'));
    expect(tools.map((t: { function: { name: string } }) => t.function.name)).toEqual([
      ...TINY_UNIVERSE.toolsFor(REST[0] as never).keys(),
    ]);
    expect(tools[1].function.parameters).toMatchObject({
      type: 'object',
      required: ['min_price'],
      properties: { min_price: { type: 'number' } },
    });
  });

  test("tools are in Anthropic's format for its providers", () => {
    const [, anthropic] = config.providers;
    expect(anthropic.config).toEqual({
      tools: 'file://tools/shop.anthropic.json',
      tool_choice: { type: 'auto' },
    });
    const [tool] = JSON.parse(file(files, 'tools/shop.anthropic.json'));
    expect(tool).toMatchObject({
      name: 'get_items_by_kind',
      input_schema: { type: 'object', required: ['kind'] },
    });
  });

  test('escapes templates in questions', () => {
    const sample = { ...REST[0], input: 'What is {{ 7 * 7 }}?' } as (typeof REST)[number];
    const text = file(
      exportPromptfoo([sample], TINY_UNIVERSE, { size: null, seed: 1, evidence: false, providers: ['x'] }),
      'shop.yaml',
    );
    expect(parseYaml(text).tests[0].vars.question).toBe('{% raw %}What is {{ 7 * 7 }}?{% endraw %}');
  });

  test('text that looks like a date or a number stays text in any YAML parser', () => {
    const [first] = REST;
    const dated = { day: '2012-08-25', code: '007', word: 'no', time: '12:30:00' };
    const sample = { ...first, output: [{ ...first?.output[0], arguments: dated }] } as (typeof REST)[number];
    const options = { size: null, seed: 1, evidence: false, providers: ['x'] };
    const text = file(exportPromptfoo([sample], TINY_UNIVERSE, options), 'shop.yaml');
    for (const schema of ['core', 'yaml-1.1'])
      expect(parseYaml(text, { schema }).tests[0].assert[0].config.arguments).toEqual(dated);
  });

  test('with a number of tools, each test has its own, including the gold one', () => {
    const chosen = exportPromptfoo(TINY_SAMPLES, TINY_UNIVERSE, {
      size: 1,
      seed: 1,
      evidence: false,
      providers: ['openai:chat:x'],
    });
    const { providers, tests } = parseYaml(file(chosen, 'shop.yaml'));
    expect(providers[0].config.tools).toBe('file://tools/shop.openai/{{task}}.json');
    for (const { vars, assert } of tests) {
      const tools = JSON.parse(file(chosen, `tools/shop.openai/${vars.task}.json`));
      expect(tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
        assert[0].config.name,
      ]);
    }
  });

  const assertCall = createRequire(import.meta.url)('./promptfoo/assert-call.cjs');
  const gold = {
    name: 'f',
    arguments: { x: 1.5, s: 'a', l: [1, 2] },
    types: { x: 'number', s: 'string', l: 'integer' },
  };
  const right = '{"x":1.5,"s":"a","l":[1,2]}';
  test.each<[string, unknown, boolean]>([
    ['OpenAI tool calls', [{ type: 'function', function: { name: 'f', arguments: right } }], true],
    ['the same as text', JSON.stringify([{ function: { name: 'f', arguments: right } }]), true],
    ['Anthropic blocks', `Let me see.\n\n{"type":"tool_use","name":"f","input":${right}}`, true],
    ['numbers as text', [{ function: { name: 'f', arguments: '{"x":"1.50","s":"a","l":["1",2]}' } }], true],
    ['another value', [{ function: { name: 'f', arguments: '{"x":1.6,"s":"a","l":[1,2]}' } }], false],
    [
      'another order in a list',
      [{ function: { name: 'f', arguments: '{"x":1.5,"s":"a","l":[2,1]}' } }],
      false,
    ],
    ['a missing argument', [{ function: { name: 'f', arguments: '{"x":1.5,"s":"a"}' } }], false],
    ['one too many', [{ function: { name: 'f', arguments: '{"x":1.5,"s":"a","l":[1,2],"z":0}' } }], false],
    ['another tool', [{ function: { name: 'g', arguments: right } }], false],
    ['two calls', [1, 2].map(() => ({ function: { name: 'f', arguments: right } })), false],
    ['prose', 'I do not know.', false],
    ['null', null, false],
  ])('the assertion on %s', (_, output, pass) => {
    expect(assertCall(output, { config: gold })).toMatchObject({ pass, score: pass ? 1 : 0 });
  });
});

describe('Inspect AI', () => {
  const files = exportInspect(TINY_SAMPLES, TINY_UNIVERSE, {
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
    const chosen = exportInspect(TINY_SAMPLES, TINY_UNIVERSE, {
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

  describe.skipIf(PYTHON === undefined)('the task file', () => {
    const folder = writeTo(files);
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
