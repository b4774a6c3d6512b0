import { describe, expect, test } from 'vitest';
import { type AgentCall, type CallElement, toCallElement } from '../calls/calls.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { parseJson } from '../json/lossless.ts';
import { classifyError } from './failures.ts';

const tools = new Map<string, ToolSchema>([
  ['f', { required: ['x'], properties: { x: { type: 'integer' }, limit: { type: 'integer', default: -1 } } }],
  ['g', { required: [], properties: { y: { type: 'string' } } }],
  ['h', { required: [], properties: {} }],
]);

const read = (text: string): CallElement[] => (parseJson(text) as never[]).map(toCallElement);
const classify = (gold: string, predicted: string | null, offered: string[] | null = null) =>
  classifyError({
    gold: read(gold) as AgentCall[],
    predicted: predicted === null ? null : read(predicted),
    tools,
    offered: offered === null ? null : new Set(offered),
  });

const F = '{"name":"f","arguments":{"x":1}}';
const G = '{"name":"g","arguments":{"y":"a"}}';

describe('one class a failing sample', () => {
  test.each([
    ['instruction_alignment_failure', null],
    ['wrong_func_count', `[]`],
    ['wrong_func_count', `[${F}]`],
    ['wrong_func_count', `[${F},${G},"third"]`],
    ['wrong_func_format', `[${F},"g"]`],
    ['wrong_func_format', `[${F},{"name":"g"}]`],
    ['wrong_func_format', `[${F},{"name":"g","arguments":"{}"}]`],
    ['wrong_func_format', `[{"name":"made_up","arguments":{}},7]`],
    ['hallucinated_func_name', `[${F},{"name":"made_up","arguments":{}}]`],
    ['wrong_func_name', `[${F},{"name":"h","arguments":{}}]`],
    ['wrong_func_name', `[${G},${F}]`],
    ['missing_required_parameter', `[{"name":"f","arguments":{"y":1}},${G}]`],
    ['unexpected_param', `[{"name":"f","arguments":{"x":1,"y":1}},${G}]`],
    ['value_error', `[{"name":"f","arguments":{"x":2}},${G}]`],
    ['value_error', `[{"name":"f","arguments":{"x":1,"limit":3}},${G}]`],
    ['value_error', `[${F},{"name":"g","arguments":{}}]`],
    ['right_calls_wrong_answer', `[${F},${G}]`],
    ['right_calls_wrong_answer', `[{"name":"f","arguments":{"x":1,"limit":-1}},${G}]`],
    ['value_error', `[{"name":"f","arguments":{"x":"1"}},${G}]`],
  ])('%s for %s', (expected, predicted) => {
    expect(classify(`[${F},${G}]`, predicted)).toBe(expected);
  });

  test('each stage looks at all calls before the next: a made-up name in call 2 beats a wrong value in call 1', () => {
    expect(classify(`[${F},${G}]`, `[{"name":"f","arguments":{"x":9}},{"name":"nope","arguments":{}}]`)).toBe(
      'hallucinated_func_name',
    );
    expect(classify(`[${F},${G}]`, `[{"name":"f","arguments":{"x":9,"z":1}},${F}]`)).toBe('wrong_func_name');
  });

  test('a tool that exists but was not offered is made up', () => {
    expect(classify(`[${F}]`, `[{"name":"h","arguments":{}}]`, ['f', 'g'])).toBe('hallucinated_func_name');
    expect(classify(`[${F}]`, `[{"name":"h","arguments":{}}]`, ['f', 'h'])).toBe('wrong_func_name');
  });

  test("names of an object's prototype are not parameters", () => {
    expect(classify(`[${F}]`, '[{"name":"f","arguments":{"x":1,"constructor":1}}]')).toBe('unexpected_param');
    expect(classify(`[${F}]`, '[{"name":"toString","arguments":{"x":1}}]')).toBe('hallucinated_func_name');
  });
});
