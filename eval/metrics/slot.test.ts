import { describe, expect, test } from 'vitest';
import { type AgentCall, replaceReferences } from '../calls/calls.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { type JsonObject, parseJson } from '../json/lossless.ts';
import type { Counts } from './figures.ts';
import { scoreSlots } from './trajectory.ts';

const triple = ({ tp, fp, fn }: Counts) => [tp, fp, fn];
const NO_TOOLS: ReadonlyMap<string, ToolSchema> = new Map();
const NAMES = { startLabels: ['start'], startHandles: new Map([['start', 'people']]), handles: [] };

function call(name: string, args: string, label: string | null = null): AgentCall {
  return { name, arguments: parseJson(args) as JsonObject, label };
}

function score(gold: AgentCall[], predicted: AgentCall[], tools = NO_TOOLS, handles: (string | null)[] = []) {
  return scoreSlots(
    { raw: gold, canonical: replaceReferences(gold, NAMES) },
    { raw: predicted, canonical: replaceReferences(predicted, { ...NAMES, handles }) },
    tools,
  );
}

describe('slots of one pair', () => {
  test.each([
    // gold, predicted, raw, canonical
    ['{"x":1}', '{"x":1}', [1, 0, 0], [1, 0, 0]],
    ['{"x":1}', '{"x":1,"y":2}', [1, 1, 0], [1, 1, 0]],
    ['{"x":1,"y":2}', '{"x":1}', [1, 0, 1], [1, 0, 1]],
    ['{}', '{}', [1, 0, 0], [1, 0, 0]],
    ['{"x":1}', '{}', [0, 0, 1], [0, 0, 1]],
    ['{"x":1}', '{"x":1.0}', [0, 1, 1], [1, 0, 0]],
    ['{"x":1}', '{"x":"1"}', [1, 0, 0], [0, 1, 1]],
    ['{"x":true}', '{"x":"True"}', [1, 0, 0], [0, 1, 1]],
    ['{"x":{"a":1,"b":2}}', '{"x":{"b":2,"a":1}}', [0, 1, 1], [1, 0, 0]],
    ['{"x":0.5}', '{"x":0.5000000000001}', [0, 1, 1], [1, 0, 0]],
    ['{"x":0.5}', '{"x":0.501}', [0, 1, 1], [0, 1, 1]],
    ['{"x":[1,2]}', '{"x":[2,1]}', [0, 1, 1], [0, 1, 1]],
  ])('%s against %s', (gold, predicted, raw, canonical) => {
    const counts = score([call('f', gold)], [call('f', predicted)]);
    expect(triple(counts.raw)).toEqual(raw);
    expect(triple(counts.canonical)).toEqual(canonical);
    expect(counts.pairs).toBe(1);
  });
});

describe('pairing', () => {
  test('the k-th gold call of a name pairs with the k-th predicted one at any position', () => {
    const counts = score(
      [call('f', '{"x":1}'), call('g', '{"y":1}'), call('f', '{"x":2}')],
      [call('f', '{"x":1}'), call('f', '{"x":2}'), call('g', '{"y":1}'), call('f', '{"x":3}')],
    );
    expect(triple(counts.raw)).toEqual([3, 0, 0]);
    expect(counts.pairs).toBe(3);
  });

  test('calls without a partner are ignored', () => {
    const counts = score([call('f', '{"x":1}')], [call('g', '{"x":1}')]);
    expect(triple(counts.raw)).toEqual([0, 0, 0]);
    expect(counts.pairs).toBe(0);
  });
});

describe('canonical references', () => {
  const gold = [call('f', '{"data":"$start$"}', 'A'), call('g', '{"data":"$A$"}', 'B')];

  test('labels of other names are equal when the same call made the result', () => {
    const counts = score(gold, [call('f', '{"data":"$start$"}', 'q'), call('g', '{"data":"$q$"}')]);
    expect(triple(counts.raw)).toEqual([1, 1, 1]);
    expect(triple(counts.canonical)).toEqual([2, 0, 0]);
  });

  test('handles of a live farm are equal to labels', () => {
    const predicted = [call('f', '{"data":"people"}'), call('g', '{"data":"people_7f"}')];
    expect(triple(score(gold, predicted, NO_TOOLS, ['people_7f', null]).canonical)).toEqual([2, 0, 0]);
    expect(triple(score(gold, predicted).canonical)).toEqual([1, 1, 1]);
  });

  test('a reference to another call is wrong, and so is one to nothing', () => {
    expect(
      triple(score(gold, [call('f', '{"data":"$start$"}'), call('g', '{"data":"$start$"}')]).canonical),
    ).toEqual([1, 1, 1]);
    expect(
      triple(score(gold, [call('f', '{"data":"$start$"}'), call('g', '{"data":"$A$"}')]).canonical),
    ).toEqual([1, 1, 1]);
  });

  test('a path into a result may be inside or outside the dollar signs', () => {
    const one = [call('f', '{}', 'A'), call('g', '{"v":"$A.rows[0].x$"}')];
    const other = [call('f', '{}', 'b'), call('g', '{"v":"$b$.rows[0].x"}')];
    expect(triple(score(one, other).canonical)).toEqual([2, 0, 0]);
    expect(triple(score(one, [call('f', '{}', 'b'), call('g', '{"v":"$b$.rows[1].x"}')]).canonical)).toEqual([
      1, 1, 1,
    ]);
  });
});

describe('canonical values know the schema', () => {
  const tool: ToolSchema = {
    required: ['n'],
    properties: {
      n: { type: 'integer' },
      zip: { type: 'string' },
      limit: { type: 'integer', default: -1 },
      ids: { type: 'array', items: { type: 'integer' } },
      keys: {
        anyOf: [
          { type: 'string', 'x-key-name': true },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    },
  };
  const tools = new Map([['f', tool]]);
  const endpoints = new Map([['f', { ...tool, path: '/v1/x/y/f' }]]);

  // What a service answers to these is tested in cli/score/argument-types.test.ts.
  test.each([
    ['{"n":5}', '{"n":"5"}', [0, 1, 1], [1, 0, 0]],
    ['{"n":5}', '{"n":5.0}', [1, 0, 0], [1, 0, 0]],
    ['{"n":5}', '{"n":"5.0"}', [0, 1, 1], [1, 0, 0]],
    ['{"n":5}', '{"n":"5.5"}', [0, 1, 1], [0, 1, 1]],
    ['{"n":5}', '{"n":"five"}', [0, 1, 1], [0, 1, 1]],
    ['{"n":1}', '{"n":true}', [0, 1, 1], [0, 1, 1]],
    ['{"n":9007199254740993}', '{"n":9007199254740992}', [0, 1, 1], [0, 1, 1]],
    ['{"n":5,"zip":"94501"}', '{"n":5,"zip":94501}', [1, 1, 1], [2, 0, 0]],
    ['{"n":5,"zip":"5"}', '{"n":5,"zip":5.0}', [1, 1, 1], [2, 0, 0]],
    ['{"n":5,"ids":[7]}', '{"n":5,"ids":7}', [1, 1, 1], [2, 0, 0]],
    ['{"n":5,"keys":"a"}', '{"n":5,"keys":["a"]}', [2, 0, 0], [1, 1, 1]],
    ['{"n":5}', '{"n":5,"limit":null}', [1, 0, 0], [1, 0, 0]],
    ['{"n":5}', '{"n":null}', [0, 1, 1], [0, 1, 1]],
  ])('%s against %s, in a body and in a query string', (gold, predicted, body, query) => {
    const canonical = (of: ReadonlyMap<string, ToolSchema>) =>
      triple(score([call('f', gold)], [call('f', predicted)], of).canonical);
    expect(canonical(tools)).toEqual(body);
    expect(canonical(endpoints)).toEqual(query);
  });

  test.each([
    ['{"n":5}', '{"n":5,"limit":-1}', [1, 0, 0]],
    ['{"n":5,"limit":-1}', '{"n":5}', [2, 0, 0]],
    ['{"n":5}', '{"n":5,"limit":3}', [1, 1, 0]],
  ])('%s against %s', (gold, predicted, canonical) => {
    expect(triple(score([call('f', gold)], [call('f', predicted)], tools).canonical)).toEqual(canonical);
  });
});
