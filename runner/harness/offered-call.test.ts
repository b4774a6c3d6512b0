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
  const offered = { tools: [toolOf(QUERY_TOOL, 'query')], real: new Map() };
  expect(offeredCall(call, offered)).toEqual({
    name: QUERY_TOOL,
    arguments: { query: 'pubs WHERE open = true' },
  });
});

test('a query text may have a hidden name', () => {
  const real = new Map([['FUNC_0', { name: QUERY_TOOL, args: new Map([['ARG_0', 'query']]) }]]);
  expect(offeredCall(call, { tools: [toolOf('FUNC_0', 'ARG_0')], real })).toEqual({
    name: 'FUNC_0',
    arguments: { ARG_0: 'pubs WHERE open = true' },
  });
});

test('an argument called query makes no query text of a call of another tool', () => {
  const search = { name: 'search', arguments: { query: 'pubs' } };
  expect(offeredCall(search, { tools: [toolOf('search', 'query')], real: new Map() })).toEqual(search);
});
