import { expect, test } from 'vitest';
import { readReply, replySchema } from './structured.ts';

const tool = {
  name: 'query_database',
  description: 'Queries.',
  parameters: {
    type: 'object',
    properties: {
      collection_name: { type: 'string', enum: ['pubs'], description: 'The collection.' },
      integer_property_filter: {
        type: 'object',
        properties: { description: { type: 'string' }, value: { type: 'number' } },
        required: ['description', 'value'],
        additionalProperties: false,
        description: 'A filter.',
      },
    },
    required: ['collection_name'],
  },
};

test('the schema of a reply requires all, lets what is optional be null, and describes nothing', () => {
  const args = {
    type: 'object',
    properties: {
      collection_name: { type: 'string', enum: ['pubs'] },
      integer_property_filter: {
        anyOf: [
          {
            type: 'object',
            properties: { description: { type: 'string' }, value: { type: 'number' } },
            required: ['description', 'value'],
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
    },
    required: ['collection_name', 'integer_property_filter'],
    additionalProperties: false,
  };
  const { properties } = replySchema([tool]) as {
    properties: { tool_calls: { anyOf: { items: unknown }[] } };
  };
  expect(properties.tool_calls.anyOf[0]?.items).toMatchObject({
    properties: { function_name: { enum: ['query_database'] }, arguments: args },
    required: ['function_name', 'arguments'],
    additionalProperties: false,
  });
});

test('a call names one of the tools, with that tool’s arguments', () => {
  const text = JSON.stringify(replySchema([tool, { ...tool, name: 'other' }]));
  expect(text).toContain('"items":{"anyOf":[{"type":"object","properties":{"function_name"');
});

const call = (args: object) => ({ function_name: 'query_database', arguments: args });

test.each<[string, unknown, unknown]>([
  [
    'calls, without optional arguments that are null',
    {
      use_tools: true,
      tool_calls: [call({ collection_name: 'pubs', integer_property_filter: null })],
    },
    [{ name: 'query_database', arguments: { collection_name: 'pubs' } }],
  ],
  ['no calls where no tool is wanted', { use_tools: false, tool_calls: [call({})], response: 'No.' }, []],
  ['no calls where there are none', { use_tools: true, tool_calls: null }, []],
  ['nothing of another object', { calls: [] }, null],
])('a reply is read as %s', (_, given, expected) => {
  expect(readReply(JSON.stringify(given), [tool])).toEqual(expected);
});

test('text is not a reply', () => {
  expect(readReply('I would query the pubs.', [tool])).toBeNull();
});
