import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnAnswer } from '../../../contracts/tools.ts';
import { makeSmallDomain, post } from '../../testing/small-farm.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { buildApp } from '../app.ts';
import { strictSchema } from './provider-formats.ts';
import { type JsonSchema, mapSchema } from './tool-spec.ts';
import { estimateTokens, generalTools, toolsetFor, toolsetPath, toolsetSize } from './toolset-for.ts';

const folder = temporaryFolder();
const database = join(folder.path, 'small.sqlite');
const service = makeSmallDomain(database);
const [person, lived] = service.start_tables as [
  (typeof service.start_tables)[0],
  (typeof service.start_tables)[0],
];
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp({ domains: [{ service, database }], logger: false });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const FORMULATIONS = ['slot', 'sel'] as const;
const keywords = (schema: JsonSchema): Set<string> => {
  const found = new Set<string>();
  mapSchema(schema, (each) => {
    for (const keyword of Object.keys(each)) found.add(keyword);
    return each;
  });
  return found;
};
const get = async (url: string) => {
  const answer = await app.inject({ method: 'GET', url });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
};

describe.each(FORMULATIONS)('the tools of %s', (formulation) => {
  const tools = toolsetFor(service, formulation, [lived]);

  test('have unique names that every provider accepts', () => {
    for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(tools.map(({ name }) => name.toLowerCase())).size).toBe(tools.length);
    expect(toolsetSize(service, formulation, [lived])).toBe(tools.length);
  });

  test('have descriptions of at most 1,024 characters and schemas that are valid and plain', () => {
    const plain = new Set(
      'type description properties required additionalProperties items anyOf enum default minimum minItems maxItems pattern'.split(
        ' ',
      ),
    );
    for (const { name, description, parameters } of tools) {
      expect(description.length, name).toBeLessThanOrEqual(1024);
      ajv.compile(parameters);
      expect(
        [...keywords(parameters)].filter((keyword) => !plain.has(keyword)),
        name,
      ).toEqual([]);
    }
  });

  test("fit OpenAI's strict mode: everything required, only types, enums and unions", () => {
    const allowed = new Set(
      'type description properties required additionalProperties items anyOf enum'.split(' '),
    );
    for (const { name, parameters } of tools) {
      const strict = strictSchema(parameters);
      expect(strict, name).not.toBeNull();
      expect(
        [...keywords(strict ?? {})].filter((keyword) => !allowed.has(keyword)),
        name,
      ).toEqual([]);
      mapSchema(strict ?? {}, (each) => {
        if (each.properties) expect(each.required).toEqual(Object.keys(each.properties));
        if (each.properties) expect(each.additionalProperties).toBe(false);
        return each;
      });
    }
  });
});

test('SLOT arguments list and describe the columns of the start table', () => {
  const described = structuredClone(service);
  const age = described.catalog.tables
    .find(({ name }) => name === 'person')
    ?.columns.find(({ name }) => name === 'age');
  Object.assign(age ?? {}, { friendly_name: 'Age', description: 'years since birth' });
  const filter = toolsetFor(described, 'slot', [person]).find(({ name }) => name === 'filter_data');
  expect(filter?.parameters.properties.key_name?.anyOf?.[0]?.enum).toEqual([
    'person_id',
    'person_name',
    'person_age',
    'person_score',
    'person_born',
    'person_code',
    'person_city_id',
  ]);
  expect(filter?.parameters.properties.key_name?.description).toContain(
    '- person_age (integer): years since birth',
  );
  expect(filter?.parameters.properties.data_source?.description).toContain(person.handle);
  const aggregate = toolsetFor(service, 'slot', [person]).find(({ name }) => name === 'aggregate_data');
  expect(aggregate?.parameters.properties.key_name?.anyOf?.[0]?.enum).toContain('*');
});

test('columns are described in the words of the vocabulary', () => {
  const described = structuredClone(service);
  const columns = described.catalog.tables.find(({ name }) => name === 'person')?.columns;
  const words = {
    age: { noun: 'length of life', unit: 'years' },
    code: { noun: 'level', codes: { a: 'beginner', b: 'expert' } },
  };
  for (const column of columns ?? []) column.words = words[column.name as 'age'];
  const filter = toolsetFor(described, 'slot', [person]).find(({ name }) => name === 'filter_data');
  const text = filter?.parameters.properties.key_name?.description;
  expect(text).toContain('- person_age (integer): length of life (in years)\n');
  expect(text).toContain('- person_code (string): level (a = beginner, b = expert)\n');
  const getters = toolsetFor(described, 'sel', [person]).map(({ description }) => description);
  expect(getters).toContain(
    'Returns the column person_age: length of life (in years). Values come in row order.',
  );
});

describe('the toolset of a very wide table', () => {
  const wide = structuredClone(service);
  const table = wide.catalog.tables.find(({ name }) => name === 'person');
  const [id] = table?.columns ?? [];
  if (!table || !id) throw new Error('no table to widen');
  table.columns.push(
    ...Array.from({ length: 300 }, (_, i) => ({
      ...id,
      name: `ZZ_FLD_${i}`,
      primary_key: 0,
      description: i === 77 ? 'delivery block' : null,
    })),
  );

  test.each([
    ['slot', 8_500],
    ['sel', 40_000],
  ] as const)('of %s has at most %i tokens, and a tool that describes the columns', (formulation, most) => {
    const tools = toolsetFor(wide, formulation, [person]);
    expect(estimateTokens(JSON.stringify(tools))).toBeLessThanOrEqual(most);
    const names = tools.map(({ name }) => name);
    expect(names.at(-1)).toBe('describe_columns');
    expect(names).not.toContain('get_person_ids');
    expect(toolsetSize(wide, formulation, [person])).toBe(tools.length);
  });

  test('describes columns in less detail the more there are', () => {
    const textOf = (count: number) => {
      const some = structuredClone(wide);
      some.catalog.tables.find(({ name }) => name === 'person')?.columns.splice(count);
      return JSON.stringify(toolsetFor(some, 'slot', [person]));
    };
    const mentions = [1, 10, 40, 300].map((count) => textOf(count).split('"person_id"').length - 1);
    expect(mentions[0]).toBeGreaterThan(5);
    expect(mentions.at(-1)).toBe(0);
    expect(textOf(40)).toContain('- person_ZZ_FLD_20 (integer)');
  });

  test('returns columns by name and meaning, page by page', async () => {
    const open = await buildApp({ domains: [{ service: wide, database }], logger: false });
    const ask = async (args: object) =>
      columnAnswer.parse(
        (await post(open, 'slot/describe_columns', { data_source: person.handle, ...args })).json(),
      );
    expect(await ask({ search: 'delivery' })).toMatchObject({
      kind: 'column',
      values: ['person_ZZ_FLD_77 (integer): delivery block'],
    });
    const first = await ask({});
    expect(first).toMatchObject({
      row_count: 307,
      truncated: true,
      more: expect.stringContaining('leave out 100 more'),
    });
    expect((await ask({ offset: 100 })).values[0]).toBe('person_ZZ_FLD_93 (integer)');
    await open.close();
  });
});

test('SEL getters exist for the columns of the start table only', () => {
  const getters = (table: typeof person) =>
    toolsetFor(service, 'sel', [table]).flatMap(({ name }) => (/^get_(?!computed)/.test(name) ? [name] : []));
  expect(getters(person)).toHaveLength(7);
  expect(getters(lived)).toEqual([
    ...getters(person),
    'get_city_ids',
    'get_city_names',
    'get_city_sizes',
    'get_city_zips',
  ]);
});

test('the schemas accept what the service accepts, including columns made by earlier calls', async () => {
  const accepts = (formulation: 'slot' | 'sel', name: string, args: unknown) => {
    const tool = toolsetFor(service, formulation, [person]).find((each) => each.name === name);
    return ajv.validate(tool?.parameters ?? false, args);
  };
  const calls = [
    [
      'slot',
      'filter_data',
      {
        data_source: person.handle,
        key_name: 'person_age',
        condition: 'in',
        value: [25, '30', null, { key_name: 'person_id' }],
      },
    ],
    ['slot', 'filter_data', { data_source: person.handle, key_name: 'person_age', condition: 'is_null' }],
    ['slot', 'group_data_by', { data_source: person.handle, key_name: ['person_age', 'person_name'] }],
    ['slot', 'aggregate_data', { data_source: person.handle, key_name: '*', aggregation_type: 'count' }],
    [
      'slot',
      'transform_data',
      {
        data_source: person.handle,
        key_name: 'person_age',
        operation_type: 'add',
        operation_args: { operand: 1 },
        new_key_name: 'next_age',
      },
    ],
    [
      'sel',
      'transform_data_to_add',
      { data_source: person.handle, key_name: 'person_age', operand: { key_name: 'person_id' } },
    ],
    ['sel', 'get_person_names', { data_source: person.handle }],
  ] as const;
  for (const [formulation, name, args] of calls) {
    expect(accepts(formulation, name, args), `${name}: ${ajv.errorsText()}`).toBe(true);
    expect((await post(app, `${formulation}/${name}`, args)).status, name).toBe(200);
  }
  expect(accepts('slot', 'sort_data', { data_source: 'x', key_name: 'next_age', ascending: true })).toBe(
    true,
  );
  expect(accepts('slot', 'sort_data', { data_source: 'x', ascending: true })).toBe(false);
  expect(accepts('slot', 'sort_data', { data_source: 'x', key_name: 'a', ascending: true, more: 1 })).toBe(
    false,
  );
  expect(
    accepts('slot', 'filter_data', { data_source: 'x', key_name: 'a', condition: 'equals', value: 1 }),
  ).toBe(false);
});

test('accepts null for absent arguments, as strict tool calling sends them', async () => {
  const openai = (await get(`${toolsetPath(service, 'slot', [person])}&format=openai`)).body;
  const transform = openai.find(
    (tool: { function: { name: string } }) => tool.function.name === 'transform_data',
  ).function;
  expect(transform.strict).toBe(true);
  const names = Object.keys(transform.parameters.properties.operation_args.properties);
  const operation_args = {
    ...Object.fromEntries(names.map((name) => [name, null])),
    start_index: 0,
    end_index: 2,
  };
  const call = {
    data_source: person.handle,
    key_name: 'person_name',
    operation_type: 'substring',
    operation_args,
    new_key_name: null,
  };
  expect(ajv.validate(transform.parameters, call), ajv.errorsText()).toBe(true);
  const sparse = { ...call, operation_args: { start_index: 0, end_index: 2 }, new_key_name: undefined };
  const answer = await post(app, 'slot/transform_data', call);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json()).toEqual((await post(app, 'slot/transform_data', sparse)).json());
});

test('a toolset comes in four formats, with an ETag', async () => {
  const path = toolsetPath(service, 'slot', [person, lived]);
  const { body: openapi, headers } = await get(path);
  expect(openapi.openapi).toBe('3.1.0');
  expect(openapi.paths['/v1/test/small/slot/filter_data'].post.operationId).toBe('filter_data');
  expect(Object.keys(openapi.paths)).toHaveLength(toolsetSize(service, 'slot', [person, lived]));
  expect((await get(`${path}&format=openai`)).body[0]).toMatchObject({
    type: 'function',
    function: { name: 'filter_data' },
  });
  expect((await get(`${path}&format=anthropic`)).body[0]).toMatchObject({
    name: 'filter_data',
    input_schema: { type: 'object' },
  });
  expect((await get(`${path}&format=mcp`)).body.tools[0]).toMatchObject({
    name: 'filter_data',
    inputSchema: { type: 'object' },
  });
  const again = await app.inject({
    method: 'GET',
    url: path,
    headers: { 'if-none-match': String(headers.etag) },
  });
  expect(again.statusCode).toBe(304);
});

test('a toolset of unknown start tables is a problem', async () => {
  expect((await get('/v1/test/small/slot/toolset?start_table=start_persn_0')).body).toMatchObject({
    code: 'UNKNOWN_HANDLE',
  });
  expect((await get('/v1/test/small/slot/toolset?format=opnai')).body).toMatchObject({
    code: 'INVALID_PARAMETERS',
    errors: [{ field: 'format', code: 'not_one_of', suggestions: expect.arrayContaining(['openai']) }],
  });
  expect((await get('/v1/test/small/slot/toolset?start_tabel=x')).body).toMatchObject({
    errors: [{ field: 'start_tabel', suggestions: ['start_table'] }],
  });
});

test('lists start tables with their columns', async () => {
  const { body } = await get('/v1/test/small/sel/start_tables');
  expect(body.start_tables.map((table: { handle: string }) => table.handle)).toEqual([
    person.handle,
    lived.handle,
  ]);
  expect(body.start_tables[1].columns).toHaveLength(11);
});

test('the general tools have the preparation of a task, open columns, and the getters of all start tables', () => {
  const slot = generalTools(service, 'slot');
  expect(slot[0]?.name).toBe('initialize_active_data');
  expect(slot.find(({ name }) => name === 'sort_data')?.parameters.properties.key_name).not.toHaveProperty(
    'anyOf',
  );
  expect(generalTools(service, 'sel').map(({ name }) => name)).toContain('get_city_zips');
  for (const { parameters } of slot) ajv.compile(parameters);
});
