import { expect, test } from 'vitest';
import type { ClientTask, Rookery } from '../../client/index.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import { listOptions } from '../../contracts/toolset-options.ts';
import { OfferedLists, offeredCall } from './offered-tools.ts';

const call = {
  name: QUERY_TOOL,
  arguments: {
    collection_name: 'pubs',
    boolean_property_filter: { property_name: 'open', operator: '=', value: true },
  },
};
const toolOf = (name: string, argument: string) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: { [argument]: { type: 'string' } } },
});

test('a call becomes a query text if the tool takes one', () => {
  const offered = { callable: [toolOf(QUERY_TOOL, 'query')], real: new Map(), hasPaths: true };
  expect(offeredCall(call, offered)).toEqual({
    name: QUERY_TOOL,
    arguments: { query: 'pubs WHERE open = true' },
  });
});

test('a query text may have a hidden name', () => {
  const real = new Map([['FUNC_0', { name: QUERY_TOOL, args: new Map([['ARG_0', 'query']]) }]]);
  expect(offeredCall(call, { callable: [toolOf('FUNC_0', 'ARG_0')], real, hasPaths: false })).toEqual({
    name: 'FUNC_0',
    arguments: { ARG_0: 'pubs WHERE open = true' },
  });
});

test('a call becomes one of its collection’s tool, whatever its name', () => {
  const filter = { boolean_property_filter: { property_name: 'open', operator: '=', value: true } };
  const own = toolOf('query_pubs', 'boolean_property_filter');
  expect(
    offeredCall(call, { callable: [toolOf('query_beers', 'x'), own], real: new Map(), hasPaths: true }),
  ).toEqual({
    name: 'query_pubs',
    arguments: filter,
  });
  const args = new Map([
    ['ARG_0', 'boolean_property_filter'],
    ['ARG_1', 'value'],
  ]);
  const real = new Map([
    // Of another domain, which has a collection of this name too.
    ['FUNC_0', { name: 'other/query_pubs', args: new Map() }],
    ['FUNC_1', { name: 'query_pubs', args }],
  ]);
  expect(
    offeredCall(call, {
      callable: [toolOf('FUNC_0', 'ARG_0'), toolOf('FUNC_1', 'ARG_0')],
      real,
      hasPaths: false,
    }),
  ).toEqual({
    name: 'FUNC_1',
    arguments: { ARG_0: { property_name: 'open', operator: '=', ARG_1: true } },
  });
});

test('an endpoint keeps its address under another name, unless names are hidden', () => {
  const gold = { name: 'count_pets', arguments: {}, path: '/v1/split/shop/count_pets' };
  const listed = {
    callable: [toolOf('count_pets_2', 'kind')],
    real: new Map([['count_pets_2', { name: 'count_pets', args: new Map() }]]),
  };
  const shown = { name: 'count_pets_2', arguments: {} };
  expect(offeredCall(gold, { ...listed, hasPaths: true })).toEqual({ ...shown, path: gold.path });
  expect(offeredCall(gold, { ...listed, hasPaths: false })).toEqual(shown);
});

test('an argument called query does not turn other tools’ calls into query texts', () => {
  const search = { name: 'search', arguments: { query: 'pubs' } };
  expect(
    offeredCall(search, { callable: [toolOf('search', 'query')], real: new Map(), hasPaths: true }),
  ).toEqual(search);
});

test('names are hidden in lists of objects and in alternatives too', async () => {
  const listOf = (names: readonly [string, string, string, string]) => {
    const [order, ascending, frame, rows] = names;
    const inner = { anyOf: [{ type: 'object', properties: { [rows]: {} } }, { type: 'null' }] };
    const items = { type: 'object', properties: { [ascending]: { type: 'boolean' } } };
    const properties = { [order]: { type: 'array', items }, [frame]: inner };
    return { description: '', parameters: { type: 'object', properties } };
  };
  const plain = { name: 'rank', ...listOf(['order_by', 'ascending', 'frame', 'rows']) };
  const hidden = { name: 'FUNC_0', ...listOf(['ARG_0', 'ARG_2', 'ARG_1', 'ARG_3']) };
  const of = { checksum: '', size: 1, toolset_size: 1 };
  const farm = {
    tools: async (_id: string, _format: string, { obfuscate }: { readonly obfuscate?: boolean }) =>
      obfuscate ? { ...of, tools: [hidden], real_names: ['rank'] } : { ...of, tools: [plain] },
  };
  const lists = new OfferedLists(farm as unknown as Rookery, listOptions.parse({ obfuscate: true }));
  const task = { sample_id: 's', db: 'd', formulation: 'slot', start_tables: [] };
  const offered = await lists.of(task as unknown as ClientTask);
  const gold = { name: 'rank', arguments: { order_by: [{ ascending: false }], frame: { rows: 2 } } };
  expect(offeredCall(gold, offered)).toEqual({
    name: 'FUNC_0',
    arguments: { ARG_0: [{ ARG_2: false }], ARG_1: { ARG_3: 2 } },
  });
});
