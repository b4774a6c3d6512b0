import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import type { Service } from '../../../contracts/service.ts';
import { restFixture } from '../../../generator/lower/testing/rest-fixture.ts';
import { restOpenapi } from './rest.ts';

const films = restFixture();

function serviceOf(...queries: readonly string[]): Service {
  return {
    format_version: 1,
    split: 'test',
    db: 'films',
    title: 'Films',
    reference_time: '2024-01-01 00:00:00',
    endpoints: films.lower(...queries).endpoints,
    start_tables: [],
    catalog: films.catalog,
  };
}

const service = serviceOf(
  "SELECT title, score, anything FROM film WHERE type IN ('short', 'feature') AND NumTstScr > 5",
  'SELECT s.studio_name, COUNT(*) FROM studio s JOIN film f ON f.studio_id = s.id WHERE f.score > 7.5 GROUP BY s.id',
  'SELECT COUNT(*) FROM film',
);
const document = restOpenapi(service);

test('is valid', async () => {
  const copy = () => JSON.parse(JSON.stringify(document));
  expect(await new Validator().validate(copy())).toMatchObject({ valid: true });
});

test('exists for a service without endpoints', async () => {
  expect(await new Validator().validate(JSON.parse(JSON.stringify(restOpenapi(serviceOf()))))).toMatchObject({
    valid: true,
  });
});

test('is the same bytes for the same service', () => {
  expect(JSON.stringify(restOpenapi(structuredClone(service)))).toBe(JSON.stringify(document));
});

test('every endpoint is one operation with a unique ID, tagged with its main table', () => {
  const operations = Object.values(document.paths).map(({ get }) => get);
  expect(Object.keys(document.paths)).toEqual(service.endpoints.map(({ path }) => path));
  expect(operations.map(({ operationId }) => operationId)).toEqual(
    service.endpoints.map(({ operation_id }) => operation_id),
  );
  expect(operations.map(({ tags }) => tags)).toEqual([['film'], ['studio'], ['film']]);
  expect(document.tags.map(({ name }) => name)).toEqual(['film', 'studio']);
});

test('parameters and result columns are typed', () => {
  const [first] = service.endpoints;
  const { parameters, responses } = document.paths[first?.path ?? '']?.get ?? {};
  expect(parameters).toMatchObject([
    {
      name: 'film_types',
      in: 'query',
      required: true,
      style: 'form',
      explode: true,
      schema: { type: 'array', items: { type: 'string' } },
    },
    { name: 'above_num_test_screenings', schema: { type: 'integer', format: 'int64' } },
  ]);
  expect(responses?.[200]).toMatchObject({
    content: {
      'application/json': {
        schema: {
          required: ['data', 'row_count', 'truncated'],
          properties: {
            data: {
              items: {
                required: ['title', 'score', 'anything'],
                properties: {
                  title: { type: 'string' },
                  score: { type: ['number', 'null'] },
                  anything: { type: ['string', 'number', 'null'] },
                },
              },
            },
          },
        },
      },
    },
  });
});

test('every error response is a problem', () => {
  const [operation] = Object.values(document.paths).map(({ get }) => get);
  for (const [status, response] of Object.entries(operation?.responses ?? {})) {
    if (Number(status) < 400) continue;
    const name = '$ref' in response ? (response.$ref.split('/').at(-1) ?? '') : '';
    expect(Object.keys(document.components.responses[name]?.content ?? {}), status).toEqual([
      'application/problem+json',
    ]);
  }
});
