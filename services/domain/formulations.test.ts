import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../contracts/formulation.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { readRecordTool } from '../../contracts/records.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { exampleShop } from '../../scripts/tools-page.ts';
import { SERVED_FORMULATIONS } from './formulations.ts';
import { SEL_TOOLS, SLOT_TOOLS } from './tools/toolboxes.ts';
import { generalTools, toolsetFor } from './tools/toolset-for.ts';
import { openapiOfTools } from './tools/toolset-routes.ts';

const shop = exampleShop().service;
const service: Service = {
  ...shop,
  hidden: [{ share: 50, seed: 0 }],
  endpoints: [
    {
      name: 'pets_of',
      operation_id: 'get_pets_of',
      path: `/v1/${shop.split}/${shop.db}/pets_of`,
      summary: '',
      description: '',
      sql: 'SELECT 1 AS one WHERE :owner = 1',
      parameters: [
        { name: 'owner', type: 'integer', array: false, description: '', required: true },
        { name: 'kinds', type: 'string', array: true, description: '', required: true },
      ],
      columns: [{ name: 'one', type: 'integer', nullable: false, description: '' }],
      speed: 'quick',
    },
  ],
  actions: [
    {
      name: 'set_status_of_pets',
      summary: '',
      description: '',
      sql: 'UPDATE pet SET status = 1 WHERE owner = :owner',
      parameters: [
        { name: 'owner', type: 'integer', array: false, description: '', required: true },
        { name: 'kinds', type: 'string', array: true, description: '', required: true },
      ],
      table: 'pet',
      idempotent: true,
    },
  ],
};

describe.each(formulation.options)('%s', (kind) => {
  const contract = FORMULATIONS[kind];
  const served = SERVED_FORMULATIONS[kind];

  test('is registered under its own name', () => {
    expect(contract.name).toBe(kind);
    expect(contract.title.toLowerCase()).toBe(kind);
  });

  test('reads back every call that it turns into a request, and no other formulation does', () => {
    const given = { owner: 7, kinds: ['cat', 'dog'] };
    for (const { name } of served.tools(service, [])) {
      const verb = isOfChanges(kind) ? readRecordTool(name)?.verb : undefined;
      const key = verb !== undefined && verb !== 'list' && verb !== 'create' ? { key: 'a/b' } : {};
      const args = verb === 'delete' ? key : { ...given, ...key };
      const request = contract.requestOf(service, { name, arguments: args });
      const url = new URL(addressOf(request), 'http://farm');
      const path = url.pathname.split('/').slice(4).map(decodeURIComponent);
      const address = { method: request.method, path, query: url.searchParams, readBody: () => request.body };
      const call = served.readCall(service, address);
      expect(call).toMatchObject({ method: request.method, name });
      // The record API reads numbers in an address by the type of their column.
      const read = verb === 'list' || verb === 'get' ? { ...args, owner: '7' } : args;
      expect(call?.arguments()).toEqual(read);
      // Records are read in the same way beside actions.
      const isRead = (other: Formulation) =>
        isOfChanges(kind) && isOfChanges(other) && call?.method === 'GET';
      for (const other of formulation.options.filter((each) => each !== kind && !isRead(each))) {
        expect(SERVED_FORMULATIONS[other].readCall(service, address)).toBeNull();
      }
    }
  });

  test('offers as many tools as its toolset states, and describes each in its document', () => {
    const starts = contract.calls === 'chain' ? service.start_tables.slice(0, 1) : [];
    expect(served.toolset(service, starts).size).toBe(served.tools(service, starts).length);
    const { paths } = served.openapi(service) as { paths: Record<string, Record<string, unknown>> };
    const documented = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => (operation as { operationId: string }).operationId),
    );
    expect(documented).toEqual(served.tools(service, []).map(({ name }) => name));
  });

  test('counts the rows of an answer without parsing it', () => {
    const rows =
      contract.calls === 'single' ? '{"data":[{"row_count":9}],"row_count":1,"truncated":false}' : null;
    const table = '{"kind":"table","handle":"h1","columns":["row_count"],"row_count":12,"preview":[]}';
    expect(contract.factsOf(rows ?? table)).toEqual(
      rows ? { rows: 1, handle: null } : { rows: 12, handle: 'h1' },
    );
  });
});

const { service: toolsOpenapiService } = exampleShop();
const documentOf = (kind: 'slot' | 'sel') =>
  openapiOfTools(toolsOpenapiService, kind, generalTools(toolsOpenapiService, kind));

describe.each([
  ['SLOT', () => documentOf('slot')],
  ['SEL', () => documentOf('sel')],
  [
    'one task',
    () =>
      openapiOfTools(
        toolsOpenapiService,
        'slot',
        toolsetFor(toolsOpenapiService, 'slot', toolsOpenapiService.start_tables.slice(0, 1)),
      ),
  ],
])('the document of %s', (_name, emit) => {
  const copy = () => JSON.parse(JSON.stringify(emit()));

  test('is valid', async () => {
    expect(await new Validator().validate(copy())).toMatchObject({ valid: true });
  });

  test('is the same for the same service', () => {
    expect(JSON.stringify(emit())).toBe(JSON.stringify(emit()));
  });

  test('uses each tool name once as an operation ID', () => {
    const ids = Object.values(emit().paths).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});

test('each document has every tool and the preparation of a task', () => {
  const ids = (document: ReturnType<typeof documentOf>) =>
    Object.values(document.paths).map(({ post }) => post.operationId);
  expect(ids(documentOf('slot'))).toEqual(['initialize_active_data', ...Object.keys(SLOT_TOOLS)]);
  expect(ids(documentOf('sel'))).toEqual(
    expect.arrayContaining([
      'initialize_active_data',
      ...Object.keys(SEL_TOOLS),
      'get_pet_names',
      'get_owner_towns',
    ]),
  );
});
