import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { exampleShop } from '../../../../scripts/tools-page/example-shop.ts';
import { openapiOfTools } from '../../live-tools/toolset/openapi.ts';
import { generalTools, toolsetFor } from '../../live-tools/toolset/toolset-for.ts';
import { SLOT_TOOLS } from '../../tools/registry.ts';
import { SEL_TOOLS } from '../../tools/sel/sel-tools.ts';

const { service } = exampleShop();
const documentOf = (kind: 'slot' | 'sel') => openapiOfTools(service, kind, generalTools(service, kind));

describe.each([
  ['SLOT', () => documentOf('slot')],
  ['SEL', () => documentOf('sel')],
  [
    'one task',
    () => openapiOfTools(service, 'slot', toolsetFor(service, 'slot', service.start_tables.slice(0, 1))),
  ],
])('the document of %s', (_name, emit) => {
  const copy = () => JSON.parse(JSON.stringify(emit()));

  test('is valid', async () => {
    expect(await new Validator().validate(copy())).toMatchObject({ valid: true });
  });

  test('is the same for the same service', () => {
    expect(JSON.stringify(emit())).toBe(JSON.stringify(emit()));
  });

  test('has operation IDs that are tool names, each once', () => {
    const ids = Object.values(emit().paths).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});

test('each document has every tool, and how a task is prepared', () => {
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
