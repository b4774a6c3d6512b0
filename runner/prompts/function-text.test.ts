import { expect, test } from 'vitest';
import { functionText } from './function-text.ts';

const tool = {
  name: 'get_boats',
  description: 'Boats of a port.',
  parameters: {
    type: 'object',
    properties: { port: { type: 'string', description: 'a port', enum: ['Porto', 'Faro'] } },
    required: ['port'],
  },
  output: { type: 'object', properties: { data: { type: 'array', description: 'the boats' } } },
};

test('formats a tool as in the paper’s listings, with its output schema', () => {
  expect(JSON.parse(functionText([tool], 'openapi'))).toEqual([
    {
      name: 'get_boats',
      description: 'Boats of a port.',
      parameters: {
        properties: { port: { description: 'a port', schema: { type: 'string', enum: ['Porto', 'Faro'] } } },
        required: ['port'],
      },
      output_parameters: { properties: { data: { description: 'the boats', schema: { type: 'array' } } } },
    },
  ]);
});

test('formats a tool as in the authors’ runner and in the tools field', () => {
  expect(JSON.parse(functionText([tool], 'authors'))).toEqual([
    {
      name: 'get_boats',
      description: 'Boats of a port.',
      arguments: { port: { description: 'a port', type: 'string', enum: ['Porto', 'Faro'] } },
    },
  ]);
  expect(functionText([tool], 'openai')).not.toContain('the boats');
});
