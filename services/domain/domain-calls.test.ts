import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf } from '../../contracts/formulation.ts';
import { EXECUTE_SQL, FORMULATIONS, RUN_SQL } from '../../contracts/formulations.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import type { Formulation } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { readJson, writeJson } from '../base/http/json.ts';
import { openSmallFarm, type SmallFarm } from '../testing/small-farm.ts';
import { buildApp } from './app.ts';
import type { DomainCalls } from './domain-calls.ts';

type Line = Readonly<Record<string, unknown>>;

let farm: SmallFarm;
let app: FastifyInstance;
let service: Service;
const lines: Line[] = [];

beforeAll(async () => {
  farm = await openSmallFarm();
  service = { ...farm.service, hidden: [{ share: 50, seed: 1 }] };
  const database = join(farm.folder, 'small.sqlite');
  app = await buildApp({
    domains: [
      { service, database },
      { service: { ...service, db: 'gone' }, database: join(farm.folder, 'gone.sqlite') },
    ],
    logger: false,
    // Disables the cache, so that each answer is computed.
    cache: { bytes: 0 },
    watch: { accessLog: { share: 1, write: (line) => lines.push(JSON.parse(line)) } },
  });
});
afterAll(async () => {
  await app.close();
  await farm.close();
});

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const filter = (value: string) =>
  `{"data_source":"START","key_name":"person_age","condition":"greater_than","value":${value}}`;
const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
const CALLS: [Formulation, string, string, string?][] = [
  ...['40', '5.0', '-0', '1e3', '1e400', '"\\ud800"', '[1]', '9007199254740992', '9007199254740993'].map(
    (value): [Formulation, string, string] => ['slot', 'filter_data', filter(value)],
  ),
  ['slot', 'filter_data', filter('18446744073709551616')],
  ['slot', 'filter_data', filter('40'), 'preview=1'],
  ['slot', 'filter_data', filter('40'), 'limit=2&limit=3&other=%2B'],
  ['slot', 'filter_data', filter('40').replace('START', 'filtered_000000000000')],
  ['slot', 'filter_data', filter('40').replace('person_age', 'person_aeg')],
  ['slot', 'filter_date', filter('40')],
  ['slot', 'filter_data', '[1]'],
  ['slot', 'filter_data', 'null'],
  ['slot', 'filter_data', deep(100)],
  ['slot', 'filter_data', '{"__proto__":{"a":1}}'],
  ['slot', 'filter_data', '{"a":[{"constructor":{"prototype":1}}]}'],
  ['slot', 'filter_data', '{"constructor":1}'],
  ['sel', 'select_data_greater_than', '{"data_source":"START","key_name":"person_age","value":30}'],
  ['sel', 'get_person_names', '{"data_source":"START"}'],
  ['rest', PEOPLE, '{"min_age":30}'],
  ['rest', PEOPLE, '{"min_age":5.0}'],
  ['rest', PEOPLE, '{"min_age":9007199254740993}'],
  ['rest', PEOPLE, '{"min_age":[1,2]}'],
  ['rest', PEOPLE, '{"min_age":"old","x":{"y":1.50}}'],
  ['rest', 'get_nothing', '{}'],
  ['rest', PEOPLE, JSON.stringify({ min_age: Array.from({ length: 20_000 }, (_, i) => i) })],
  ['query', QUERY_TOOL, '{"collection_name":"person"}'],
  ['query', QUERY_TOOL, '{"collection_name":"persons","limit":1e400}'],
  ['query', 'query_nothing', '{}'],
  ['hybrid', EXECUTE_SQL, '{"sql":"SELECT 9007199254740993 AS n","limit":2}'],
  ['hybrid', RUN_SQL, '{"sql":"SELECT count(*) AS n FROM person JOIN city ON person.city_id = city.id"}'],
  ['hybrid', RUN_SQL, '{"sql":5}'],
  ['hybrid', 'get_nothing', '{}'],
];

test.each(CALLS)(
  '%s: %s %.120s %s is answered, counted and logged as over HTTP',
  async (kind, name, text, view = '') => {
    await expectSame(service, kind, name, text, view);
  },
);

test('answers for an unknown domain, and for one whose database does not open', async () => {
  for (const db of ['nowhere', 'gone'])
    await expectSame({ ...service, db }, 'query', QUERY_TOOL, '{"collection_name":"person"}', '');
});

async function expectSame(of: Service, kind: Formulation, name: string, text: string, view: string) {
  const args = readJson(text.replace('START', of.start_tables[0]?.handle ?? ''));
  const request = FORMULATIONS[kind].requestOf(of, { name, arguments: args });
  const address = addressOf(request);
  const overHttp = await watched(kind, async () => {
    const { statusCode, headers, body } = await app.inject({
      method: request.method,
      url: view === '' ? address : `${address}?${view}`,
      headers: { 'x-request-id': 'r1', ...(request.body === undefined ? {} : JSON_BODY) },
      ...(request.body === undefined ? {} : { payload: writeJson(request.body) }),
    });
    const { 'content-type': contentType, 'retry-after': retryAfter } = headers;
    return { status: statusCode, contentType, ...(retryAfter === undefined ? {} : { retryAfter }), body };
  });
  const inProcess = await watched(kind, () =>
    (app.domainCalls as DomainCalls).call(
      kind,
      { service: of, name, arguments: args, view },
      { caller: '127.0.0.1', requestId: 'r1' },
    ),
  );
  expect(inProcess).toEqual(overHttp);
  expect(overHttp.logged).toHaveLength(1);
  expect(overHttp.counted).toHaveLength(1);
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Response of a request, its log line, and by how much it increments the counter of its kind. */
async function watched(kind: Formulation, ask: () => Promise<{ status: number }>) {
  lines.length = 0;
  const before = await counters();
  const answer = await ask();
  const after = await counters();
  const logged = lines
    .filter((line) => line.kind === kind)
    .map(({ time: _time, ms: _ms, bytes: _bytes, ...line }) => line);
  const grown = [...after].filter(
    ([label, count]) => label.includes(`kind="${kind}"`) && before.get(label) !== count,
  );
  const counted = grown.map(([label, count]) => [label, count - (before.get(label) ?? 0)]);
  return { answer, logged, counted };
}

async function counters(): Promise<Map<string, number>> {
  const { body } = await app.inject('/metrics');
  const found = body.matchAll(/^rookery_http_requests_total\{(.*)\} (\d+)$/gm);
  return new Map([...found].map(([, label = '', count]) => [label, Number(count)]));
}
