import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { parseExactJson } from '../../contracts/exact-json.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { TINY_SAMPLES, TINY_UNIVERSE } from '../../tests/support/tiny-farm.ts';
import { ARGUMENT_CASES, file, REST, schemaOf } from '../testing/exported.ts';
import { exportPromptfoo } from './promptfoo.ts';

describe('compares arguments as scoring does', () => {
  test.each(ARGUMENT_CASES)('gold %s, given %s (%s)', (gold, given, type, same) => {
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
    const assertCall = createRequire(import.meta.url)('./assert-call.cjs');
    const args = `{"x": ${given}}`;
    for (const output of [
      [{ type: 'function', function: { name, arguments: args } }],
      `Let me see.\n\n{"type":"tool_use","name":"${name}","input":${args}}`,
    ])
      expect(assertCall(output, { config })).toMatchObject({ pass: same });
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

  const assertCall = createRequire(import.meta.url)('./assert-call.cjs');
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
