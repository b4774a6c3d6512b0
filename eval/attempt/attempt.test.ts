import { expect, test } from 'vitest';
import { QUERY_TOOL, RATIONALE } from '../../contracts/query-tool.ts';
import type { Sample } from '../../contracts/sample.ts';
import { TINY_SAMPLES } from '../../tests/support/tiny-farm.ts';
import { toCallElement } from '../calls/calls.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import type { Json } from '../json/lossless.ts';
import { scoreQueryTool } from '../metrics/query-tool.ts';
import { inBaseCalls } from './attempt.ts';

const GOLD = { collection_name: 'order lines', groupby_property: 'status' };
const sample = {
  ...(TINY_SAMPLES[0] as Sample),
  formulation: 'query' as const,
  output: [{ name: QUERY_TOOL, arguments: GOLD }],
};
const tools = new Map<string, ToolSchema>([
  [QUERY_TOOL, { required: [], properties: { collection_name: { enum: ['orders', 'order lines'] } } }],
]);

function scored(...calls: object[]) {
  const attempt = {
    calls: calls.map((call) => toCallElement(call as Json)),
    rung: null,
    strict: null,
    answer: undefined,
    nested: false,
    unparseable: false,
  };
  return scoreQueryTool(sample, inBaseCalls(attempt, sample, tools).calls ?? [], tools);
}

test.each([
  ['the base tool', { name: QUERY_TOOL, arguments: GOLD }],
  ['with a rationale', { name: QUERY_TOOL, arguments: { [RATIONALE]: 'So.', ...GOLD } }],
  ['with a query text', { name: QUERY_TOOL, arguments: { query: '"order lines" GROUP BY status' } }],
  ['of one collection', { name: 'query_order_lines', arguments: { groupby_property: 'status' } }],
])('a call %s is the gold call', (_, call) => {
  expect(scored(call)).toMatchObject({ call: 'valid', exact_strict: true, ast: 1, routed: true });
});

test('a call of another collection’s tool names that collection', () => {
  const call = { name: 'query_orders', arguments: { groupby_property: 'status' } };
  expect(scored(call)).toMatchObject({ call: 'valid', exact: false, ast: 0, routed: false });
});

test('an unknown tool is kept', () => {
  expect(scored({ name: 'query_pubs', arguments: { groupby_property: 'status' } })).toMatchObject({
    call: 'none',
  });
});

test('an unreadable query text is an invalid call', () => {
  const call = { name: QUERY_TOOL, arguments: { query: '"order lines" GROUP status' } };
  expect(scored(call)).toMatchObject({ call: 'invalid', exact: false, ast: 0 });
});
