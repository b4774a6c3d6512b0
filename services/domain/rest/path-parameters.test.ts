import { join } from 'node:path';
import { LosslessNumber } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf } from '../../../contracts/formulations/call-request.ts';
import { rest } from '../../../contracts/formulations/rest.ts';
import { endpoint, makeZoo, parameter, temporaryFolder, zooService } from '../../testing/zoo.ts';
import { buildApp } from '../app/app.ts';

const echo = endpoint(
  'echo_by_name_and_weight',
  'SELECT :name AS name, :weight AS weight, :most AS most',
  ['name', 'weight', 'most'],
  {
    path: '/v1/test/zoo/animals/{name}/{weight}/echo_by_name_and_weight',
    parameters: [
      parameter('name', 'string', { in: 'path' }),
      parameter('weight', 'integer', { in: 'path' }),
      parameter('most', 'number'),
    ],
  },
);
const service = zooService([echo]);
const folder = temporaryFolder();
const database = join(folder.path, 'zoo.sqlite');
let app: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  makeZoo(database);
  app = await buildApp({ domains: [{ service, database }], logger: false });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const ask = async (url: string) => {
  const answer = await app.inject(url);
  return { status: answer.statusCode, body: answer.body };
};
const call = (args: Record<string, unknown>) =>
  addressOf(rest.requestOf(service, { name: echo.operation_id, arguments: args }));

describe('an endpoint with parameters in its path', () => {
  test.each(['Ada', 'a/b', '../b', '...', ' ', 'a?b=c#d', '100%', '%2F', '+', 'Zoë 🐘', 'x'.repeat(900)])(
    'gets the text %s as it is',
    async (name) => {
      const address = call({ name, weight: 12, most: 1.5 });
      expect(address).toContain(`/animals/${encodeURIComponent(name)}/12/`);
      const { body } = await ask(address);
      expect(JSON.parse(body).data).toEqual([{ name, weight: 12, most: 1.5 }]);
    },
  );

  test('gets every digit of an integer', async () => {
    const address = call({ name: 'a', weight: new LosslessNumber('-9223372036854775808'), most: 0 });
    expect(address).toContain('/a/-9223372036854775808/');
    expect((await ask(address)).body).toContain('"weight":-9223372036854775808');
  });

  test.each(['', '.', '..', 'x'.repeat(1100)])(
    'gets "%s", which no path can hold, in the query',
    async (name) => {
      const address = call({ name, weight: 12, most: 1 });
      expect(address).toMatch(/^\/v1\/test\/zoo\/echo_by_name_and_weight\?/);
      expect(JSON.parse((await ask(address)).body).data).toEqual([{ name, weight: 12, most: 1 }]);
    },
  );

  test('says what is wrong, wherever it stands', async () => {
    expect(await ask('/v1/test/zoo/animals/Ada/heavy/echo_by_name_and_weight?most=1')).toMatchObject({
      status: 400,
      body: expect.stringContaining('weight must be an integer'),
    });
    expect(await ask('/v1/test/zoo/animals/Ada/1/echo_by_name_and_weight?most=1&name=Bob')).toMatchObject({
      status: 400,
      body: expect.stringContaining('name is given 2 times'),
    });
    expect(await ask(call({ name: ['Ada', 'Bob'], weight: 1, most: 1 }))).toMatchObject({
      status: 400,
      body: expect.stringContaining('name is given 2 times'),
    });
    expect(await ask(call({ weight: 1, most: 1 }))).toMatchObject({
      status: 400,
      body: expect.stringContaining('name is missing'),
    });
  });

  test.each([
    ['/v1/test/zoo/beasts/Ada/1/echo_by_name_and_weight?most=1', 'UNKNOWN_ROUTE'],
    ['/v1/test/zoo/animals/Ada/echo_by_name_and_weight?most=1', 'UNKNOWN_ROUTE'],
    ['/v1/test/zoo/animals/Ada/1/echo?most=1', 'UNKNOWN_ENDPOINT'],
  ])('has no other address: %s', async (url, code) => {
    expect(await ask(url)).toMatchObject({ status: 404, body: expect.stringContaining(code) });
  });
});
