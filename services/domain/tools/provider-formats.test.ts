import { describe, expect, test } from 'vitest';
import { exampleShop } from '../../../scripts/tools-page.ts';
import { anthropicStrictTools, type GeminiSchema, geminiSchema, geminiTools } from './provider-formats.ts';
import type { ToolSpec } from './tool-spec.ts';
import { generalTools, toolsetFor } from './toolset-for.ts';

const { service } = exampleShop();
const [table] = service.start_tables;
const offered = (kind: 'slot' | 'sel') => toolsetFor(service, kind, table ? [table] : []);

/** Of https://ai.google.dev/api/caching#Schema, which refuses others. */
const GEMINI_FIELDS = new Set(
  'type format title description nullable enum items minItems maxItems minimum maximum properties required anyOf'.split(
    ' ',
  ),
);
const GEMINI_TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT'];

/** All nested schemas, with the path to each. */
function* parts(schema: GeminiSchema, path = ''): Iterable<readonly [string, GeminiSchema]> {
  yield [path, schema];
  if (schema.items) yield* parts(schema.items, `${path}[]`);
  for (const [i, each] of (schema.anyOf ?? []).entries()) yield* parts(each, `${path}|${i}`);
  for (const [name, each] of Object.entries(schema.properties ?? {})) yield* parts(each, `${path}.${name}`);
}

describe.each([
  ['SLOT', () => offered('slot')],
  ['SEL', () => offered('sel')],
  ['all of SLOT', () => generalTools(service, 'slot')],
])('the %s tools in Gemini format', (_name, tools) => {
  test('have only the fields and types of its published API', () => {
    for (const { name, parameters } of geminiTools(tools())) {
      expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/);
      for (const [path, schema] of parameters ? parts(parameters as GeminiSchema) : []) {
        expect(
          Object.keys(schema).filter((field) => !GEMINI_FIELDS.has(field)),
          `${name}${path}`,
        ).toEqual([]);
        if (schema.type) expect(GEMINI_TYPES).toContain(schema.type);
        if (schema.type === 'ARRAY') expect(schema.items, `${name}${path}`).toBeDefined();
        for (const required of schema.required ?? []) expect(schema.properties).toHaveProperty([required]);
        if (schema.enum) expect(schema.type).toBe('STRING');
      }
    }
  });
});

test('maps a null type to nullable and several types to alternatives, and omits an empty object', () => {
  expect(geminiSchema({ type: ['string', 'null'], description: 'a' })).toEqual({
    type: 'STRING',
    description: 'a',
    nullable: true,
  });
  expect(geminiSchema({ type: ['string', 'number', 'null'], description: 'b' })).toEqual({
    description: 'b',
    nullable: true,
    anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }],
  });
  expect(geminiSchema({ anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'c' })).toEqual({
    type: 'INTEGER',
    description: 'c',
    nullable: true,
  });
  const nothing: ToolSpec = {
    name: 'now',
    description: '',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  };
  expect(geminiTools([nothing])).toEqual([{ name: 'now', description: '' }]);
});

const endpoint = (i: number, more: Partial<ToolSpec['parameters']> = {}): ToolSpec => ({
  name: `get_${i}`,
  description: '',
  parameters: {
    type: 'object',
    properties: { a: { type: 'integer', minimum: 1 } },
    required: ['a'],
    additionalProperties: false,
    ...more,
  },
});

test('sets strict for Anthropic if the whole list keeps its limits', () => {
  const twenty = Array.from({ length: 20 }, (_, i) => endpoint(i));
  for (const { strict, input_schema } of anthropicStrictTools(twenty)) {
    expect(strict).toBe(true);
    expect(input_schema.properties).toEqual({ a: { type: 'integer' } });
  }
  expect(anthropicStrictTools([...twenty, endpoint(20)])[0]).toMatchObject({
    strict: false,
    input_schema: { properties: { a: { minimum: 1 } } },
  });
  expect(anthropicStrictTools(offered('slot')).every(({ strict }) => !strict)).toBe(true);
  expect(anthropicStrictTools([endpoint(0, { required: [] })])[0]?.strict).toBe(true);
});
