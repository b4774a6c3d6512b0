import { expect, test } from 'vitest';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import { offeredCall } from './offered-call.ts';

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

test('a call is a query text where the tool takes one', () => {
  const offered = { callable: [toolOf(QUERY_TOOL, 'query')], real: new Map() };
  expect(offeredCall(call, offered)).toEqual({
    name: QUERY_TOOL,
    arguments: { query: 'pubs WHERE open = true' },
  });
});

test('a query text may have a hidden name', () => {
  const real = new Map([['FUNC_0', { name: QUERY_TOOL, args: new Map([['ARG_0', 'query']]) }]]);
  expect(offeredCall(call, { callable: [toolOf('FUNC_0', 'ARG_0')], real })).toEqual({
    name: 'FUNC_0',
    arguments: { ARG_0: 'pubs WHERE open = true' },
  });
});

test('a call is one of the tool of its collection where there is one for each, whatever it is called', () => {
  const filter = { boolean_property_filter: { property_name: 'open', operator: '=', value: true } };
  const own = toolOf('query_pubs', 'boolean_property_filter');
  expect(offeredCall(call, { callable: [toolOf('query_beers', 'x'), own], real: new Map() })).toEqual({
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
    offeredCall(call, { callable: [toolOf('FUNC_0', 'ARG_0'), toolOf('FUNC_1', 'ARG_0')], real }),
  ).toEqual({
    name: 'FUNC_1',
    arguments: { ARG_0: { property_name: 'open', operator: '=', ARG_1: true } },
  });
});

test('an argument called query makes no query text of a call of another tool', () => {
  const search = { name: 'search', arguments: { query: 'pubs' } };
  expect(offeredCall(search, { callable: [toolOf('search', 'query')], real: new Map() })).toEqual(search);
});
