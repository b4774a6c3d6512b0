import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../base/http/create-app.ts';
import { DEFAULT_LIMITS } from '../../base/limits.ts';
import { checkAnswers } from '../../testing/check-answers.ts';
import { openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';

const operation = z.looseObject({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) });
const apiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

let farm: SmallFarm;
let text: string;
beforeAll(async () => {
  farm = await openSmallFarm();
  text = (await farm.app.inject('/openapi/rookery.json')).body;
});
afterAll(() => farm.close());

test('is valid, and each operation and schema is named once and used', async () => {
  expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
  const { paths, components } = apiDocument.parse(JSON.parse(text));
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const name of Object.keys(components.schemas)) expect(text).toContain(`#/components/schemas/${name}"`);
});

test('has what a harness and an agent program against', () => {
  const { paths } = apiDocument.parse(JSON.parse(text));
  for (const path of [
    '/',
    '/health/ready',
    '/tasks',
    '/runs',
    '/runs/{id}',
    '/runs/{id}/answer',
    '/lists/{id}',
  ])
    expect(paths, path).toHaveProperty([path]);
  // Endpoints are data: they are in the documents of their domains.
  expect(Object.keys(paths).filter((path) => path.startsWith('/v1'))).toEqual([]);
});

test('is confirmed without being sent again', async () => {
  const first = await farm.app.inject('/openapi/rookery.json');
  const headers = { 'if-none-match': first.headers.etag };
  expect((await farm.app.inject({ url: '/openapi/rookery.json', headers })).statusCode).toBe(304);
});

test('an answer that is not as it is described does not get past the tests', async () => {
  const app = await createApp(DEFAULT_LIMITS, false);
  checkAnswers(app);
  const schema = { response: { 200: z.object({ a: z.number() }) } };
  app.get('/wrong', { schema }, (_request, reply) => reply.send({ a: 'x' }));
  const answer = await app.inject('/wrong');
  await app.close();
  expect(answer.statusCode).toBe(500);
  expect(answer.body).toContain('does not answer as it is described');
});
