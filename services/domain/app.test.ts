import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { problem as problemSchema } from '../../contracts/api.ts';
import { bareTable } from '../../contracts/catalog.ts';
import { type Endpoint, restAnswer } from '../../contracts/service.ts';
import { all, endpoint, makeZoo, parameter, RUNAWAY, temporaryFolder, zooService } from '../testing/zoo.ts';
import { type AppOptions, aboutDomain, buildApp } from './app.ts';

const folder = temporaryFolder();
const database = join(folder.path, 'zoo.sqlite');
const open: FastifyInstance[] = [];

beforeAll(() => makeZoo(database));
afterAll(() => folder.remove());
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

const byOrder = endpoint(
  'animals_by_order',
  'SELECT name FROM animal WHERE "order" = :animal_order ORDER BY id',
  ['name'],
  {
    parameters: [parameter('animal_order', 'string')],
  },
);
const byIds = endpoint(
  'animals_by_ids',
  'SELECT id FROM animal WHERE id IN (SELECT value FROM json_each(:ids))',
  ['id'],
  {
    parameters: [parameter('ids', 'integer', { array: true })],
  },
);
const heavier = endpoint('heavier_than', 'SELECT id FROM animal WHERE weight > :weight', ['id'], {
  parameters: [parameter('weight', 'integer')],
});
const runaway = endpoint('runaway', RUNAWAY, ['n'], { speed: 'slow' });
/** Runs for `steps` steps. */
const counting = endpoint('counting', `${RUNAWAY.replace('FROM n)', 'FROM n WHERE i < :steps)')}`, ['n'], {
  parameters: [parameter('steps', 'integer')],
});

async function app(endpoints: Endpoint[], options: Partial<AppOptions> = {}): Promise<FastifyInstance> {
  const built = await buildApp({
    domains: [{ service: zooService(endpoints), database }],
    logger: false,
    ...options,
  });
  open.push(built);
  return built;
}

async function get(served: FastifyInstance, url: string, more: InjectOptions = {}) {
  const answer = await served.inject({ method: 'GET', url, ...more });
  return Object.assign(answer, { status: answer.statusCode });
}

/** Checks the form that every problem shares and returns its body. */
function problemOf(answer: Awaited<ReturnType<typeof get>>) {
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  const body = problemSchema.strict().parse(answer.json());
  expect(body.status).toBe(answer.status);
  return body;
}

test('returns every kind of value under the described column names', async () => {
  const answer = await get(await app([all]), '/v1/test/zoo/animals');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = restAnswer.strict().parse(answer.json());
  expect(body).toMatchObject({ row_count: 5, truncated: false });
  expect(body.data.map((row) => row.fed)).toEqual([0.5, 1, null, -0.1, null]);
  expect(body.data[2]).toMatchObject({ name: 'c\uFFFD', photo: '' });
  expect(body.data[0]).toMatchObject({ photo: '00FF10', note: null });
  expect(answer.body).toContain('"weight":9007199254740993');
  expect(answer.body).toContain('"note":9223372036854775807');
});

test('a child process answers the same bytes as the main thread', async () => {
  const slow = { ...all, name: 'animals_slowly', speed: 'slow' as const };
  const served = await app([all, slow]);
  const here = await get(served, '/v1/test/zoo/animals');
  const there = await get(served, '/v1/test/zoo/animals_slowly');
  expect(there.status).toBe(200);
  expect(there.body).toBe(here.body);
});

test('nothing found is an empty list, not an error', async () => {
  const answer = await get(await app([byOrder]), '/v1/test/zoo/animals_by_order?animal_order=');
  expect(answer.body).toBe('{"data":[],"row_count":0,"truncated":false}');
});

test('text arrives unchanged, and only as a value', async () => {
  const served = await app([byOrder, byIds]);
  const injected = encodeURIComponent(`cats' OR '1'='1`);
  expect((await get(served, `/v1/test/zoo/animals_by_order?animal_order=${injected}`)).json().data).toEqual(
    [],
  );
  expect((await get(served, '/v1/test/zoo/animals_by_order?animal_order=cats')).json().data).toEqual([
    { name: 'Ada' },
    { name: '' },
  ]);
  expect((await get(served, '/v1/test/zoo/animals_by_ids?ids=4&ids=2')).json().data).toEqual([
    { id: 2 },
    { id: 4 },
  ]);
});

test('integers compare to the last digit', async () => {
  const served = await app([heavier]);
  expect((await get(served, '/v1/test/zoo/heavier_than?weight=9007199254740992')).json().data).toEqual([
    { id: 4 },
  ]);
  expect((await get(served, '/v1/test/zoo/heavier_than?weight=9007199254740993')).json().data).toEqual([]);
});

test('rows and bytes are capped, and `truncated` reports it', async () => {
  const rows = await get(await app([all], { limits: { maxRows: 2 } }), '/v1/test/zoo/animals');
  expect(rows.json()).toMatchObject({ row_count: 2, truncated: true, data: [{ id: 1 }, { id: 2 }] });
  const bytes = await get(await app([all], { limits: { maxBytes: 200 } }), '/v1/test/zoo/animals');
  expect(bytes.json()).toMatchObject({ row_count: 1, truncated: true });
});

test('bad parameters give one entry per field', async () => {
  const answer = await get(await app([heavier]), '/v1/test/zoo/heavier_than?wieght=3');
  expect(answer.status).toBe(400);
  expect(problemOf(answer)).toMatchObject({
    type: 'urn:rookery:problem:invalid-parameters',
    code: 'INVALID_PARAMETERS',
    errors: [
      { field: 'weight', code: 'missing' },
      { field: 'wieght', code: 'unknown_parameter', suggestions: ['weight'] },
    ],
  });
});

test.each([
  ['/v1/test/zoo/animal', 404, 'UNKNOWN_ENDPOINT', ['animals']],
  ['/v1/test/zo/animals', 404, 'UNKNOWN_DOMAIN', ['test/zoo']],
  ['/v1/tset/zoo/animals', 404, 'UNKNOWN_DOMAIN', ['test/zoo']],
])('%s is a %i with the nearest names', async (url, status, code, suggestions) => {
  const answer = await get(await app([all, runaway]), url);
  expect(answer.status).toBe(status);
  const body = problemOf(answer);
  expect(body.code).toBe(code);
  expect(body.errors?.[0]?.suggestions).toEqual(suggestions);
  expect(body.detail).toContain(`did you mean ${suggestions[0]}`);
});

test.each([
  '/v1',
  '/v1/test/zoo',
  '/v1/test/zoo/animals/x',
  '/eval/zoo.jsonl',
  '/farm.json',
  '/v1/../farm.json',
  '//',
])('%s is an unknown route', async (url) => {
  const answer = await get(await app([all]), url);
  expect(answer.status).toBe(404);
  expect(problemOf(answer).code).toBe('UNKNOWN_ROUTE');
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  '%s gets 405 with the allowed methods',
  async (method) => {
    const served = await app([all]);
    for (const url of ['/v1/test/zoo/animals', '/', '/metrics', '/docs/zoo', '/openapi/zoo.rest.json']) {
      const answer = await get(served, url, {
        method,
        payload: 'x'.repeat(2_000_000),
        headers: { 'content-type': 'x/y' },
      });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
      expect(problemOf(answer).code).toBe('METHOD_NOT_ALLOWED');
    }
  },
);

test('OPTIONS lists the methods, and HEAD is GET without the body', async () => {
  const served = await app([all]);
  const options = await get(served, '/v1/test/zoo/animals', { method: 'OPTIONS' });
  expect([options.status, options.headers.allow, options.body]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
  const full = await get(served, '/v1/test/zoo/animals');
  const head = await get(served, '/v1/test/zoo/animals', { method: 'HEAD' });
  expect([head.status, head.body, head.headers['content-length']]).toEqual([
    200,
    '',
    full.headers['content-length'],
  ]);
});

test('rejects overlong URLs, oversized bodies and malformed URLs', async () => {
  const served = await app([all], {
    limits: { maxBodyBytes: 10 },
    plugins: [(more) => void more.post('/echo', (request) => request.body)],
  });
  const long = await get(served, `/v1/test/zoo/animals?x=${'y'.repeat(20_000)}`);
  expect([long.status, problemOf(long).code]).toEqual([414, 'URI_TOO_LONG']);
  const large = await get(served, '/echo', { method: 'POST', payload: { a: 'more than ten bytes' } });
  expect([large.status, problemOf(large).code]).toEqual([413, 'REQUEST_TOO_LARGE']);
  const bad = await get(served, '/v1/%E0%A4%A/zoo/animals');
  expect([bad.status, problemOf(bad).code]).toEqual([400, 'BAD_REQUEST']);
  const json = await get(served, '/echo', {
    method: 'POST',
    payload: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect([json.status, problemOf(json).code]).toEqual([400, 'BAD_REQUEST']);
  const type = await get(served, '/echo', {
    method: 'POST',
    payload: 'x',
    headers: { 'content-type': 'image/png' },
  });
  expect([type.status, problemOf(type).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('an unexpected error hides its details, but the log has them', async () => {
  const lines: string[] = [];
  const broken = endpoint('broken', 'SELECT secret_column FROM secret_table', ['x']);
  for (const speed of ['quick', 'slow'] as const) {
    const served = await app([{ ...broken, speed }], {
      logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
    });
    const answer = await get(served, '/v1/test/zoo/broken', { headers: { 'x-request-id': 'mine-1' } });
    expect(answer.status).toBe(500);
    expect(problemOf(answer).detail).toContain('mine-1');
    expect(answer.body).not.toMatch(/secret|SELECT|sqlite|\.ts/i);
    expect(lines.pop()).toMatch(/no such table: secret_table.*mine-1/s);
  }
});

test('values that SQLite cannot compute with make the request invalid', async () => {
  const overflow = endpoint('overflow', 'SELECT abs(:n)', ['x'], { parameters: [parameter('n', 'integer')] });
  for (const speed of ['quick', 'slow'] as const) {
    const answer = await get(
      await app([{ ...overflow, speed }]),
      '/v1/test/zoo/overflow?n=-9223372036854775808',
    );
    expect(answer.status).toBe(422);
    expect(problemOf(answer).code).toBe('QUERY_FAILED');
  }
});

test('a runaway query is stopped at the limit, and the next one is answered', async () => {
  const slow = { ...byOrder, speed: 'slow' as const };
  const served = await app([runaway, slow], { limits: { timeoutMs: 300 }, pool: { size: 1 } });
  expect((await get(served, '/v1/test/zoo/animals_by_order?animal_order=dogs')).status).toBe(200);
  const began = performance.now();
  const answer = await get(served, '/v1/test/zoo/runaway');
  expect(performance.now() - began).toBeLessThan(60_000);
  expect(answer.status).toBe(504);
  expect(problemOf(answer).code).toBe('QUERY_TIMEOUT');
  expect((await get(served, '/v1/test/zoo/animals_by_order?animal_order=cats')).json().row_count).toBe(2);
  expect((await get(served, '/metrics')).body).toContain('rookery_query_timeouts_total 1');
});

test('a slow query does not delay a quick one', async () => {
  const served = await app([runaway, byOrder], { limits: { timeoutMs: 3000 } });
  let stopped = false;
  const slow = get(served, '/v1/test/zoo/runaway').finally(() => {
    stopped = true;
  });
  for (let i = 0; i < 20; i++) await get(served, `/v1/test/zoo/animals_by_order?animal_order=${i}`);
  expect(stopped).toBe(false);
  expect((await slow).status).toBe(504);
});

test('when the queue is full, the next query gets Retry-After', async () => {
  const served = await app([counting, runaway], {
    limits: { timeoutMs: 400 },
    pool: { size: 1, maxQueue: 1 },
  });
  const urls = [1, 2, 3, 4].map((n) => `/v1/test/zoo/counting?steps=${n}`);
  const slow = await app([{ ...counting, speed: 'slow' }, runaway], {
    pool: { size: 1, maxQueue: 1 },
    limits: { timeoutMs: 400 },
  });
  const [running] = [get(slow, '/v1/test/zoo/runaway')];
  const answers = await Promise.all(urls.map((url) => get(slow, url)));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(answer.headers['retry-after']).toBe('1');
    expect(problemOf(answer).code).toBe('OVERLOADED');
  }
  expect((await running)?.status).toBe(504);
  // An overloaded service still answers its quick endpoints.
  expect((await get(served, urls[0] as string)).status).toBe(200);
});

test('concurrent identical slow queries run once', async () => {
  const slow = { ...counting, speed: 'slow' as const };
  const served = await app([slow], { pool: { size: 1, maxQueue: 0 } });
  await get(served, '/v1/test/zoo/counting?steps=1');
  const answers = await Promise.all([1, 2, 3].map(() => get(served, '/v1/test/zoo/counting?steps=100000')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('an endpoint that turns out slow moves to the children, where it can be stopped', async () => {
  const served = await app([counting], { limits: { quickMs: 5, timeoutMs: 300 } });
  expect((await get(served, '/v1/test/zoo/counting?steps=2000000')).status).toBe(200);
  expect((await get(served, '/metrics')).body).toContain('rookery_endpoints_demoted_total 1');
  expect((await get(served, '/v1/test/zoo/counting?steps=900000000000')).status).toBe(504);
});

test('a quick endpoint that yields rows too slowly restarts in a child', async () => {
  const rows = endpoint('rows', `${RUNAWAY.replace('count(*)', 'i')} LIMIT :many`, ['i'], {
    parameters: [parameter('many', 'integer')],
  });
  const served = await app([rows], { limits: { quickMs: 5, maxRows: 1_000_000, maxBytes: 1e9 } });
  const answer = await get(served, '/v1/test/zoo/rows?many=300000');
  expect(answer.json().row_count).toBe(300_000);
});

test('answers are cached by URL, and a matching ETag gives 304 without running anything', async () => {
  const served = await app([all, byOrder]);
  const first = await get(served, '/v1/test/zoo/animals');
  const again = await get(served, '/v1/test/zoo/animals');
  const { etag } = first.headers;
  expect(etag).toMatch(/^"[\w-]{20}"$/);
  expect(first.headers['cache-control']).toBe('no-cache');
  expect([again.body, again.headers.etag]).toEqual([first.body, etag]);
  expect((await get(served, '/metrics')).body).toMatch(/rookery_answer_cache_hits_total 1\n/);

  const fresh = await get(served, '/v1/test/zoo/animals', { headers: { 'if-none-match': `W/"x", ${etag}` } });
  expect([fresh.status, fresh.body, fresh.headers.etag]).toEqual([304, '', etag]);
  const other = await get(served, '/v1/test/zoo/animals_by_order?animal_order=cats', {
    headers: { 'if-none-match': String(etag) },
  });
  expect(other.status).toBe(200);
});

test('the ETag changes with the data version and the caps, and a bad request is never fresh', async () => {
  const tagOf = async (version: string, maxRows = 10) => {
    const service = zooService([heavier]);
    const served = await app([], { domains: [{ service, database, version }], limits: { maxRows } });
    return (await get(served, '/v1/test/zoo/heavier_than?weight=1')).headers.etag;
  };
  const [one, same, two, capped] = [
    await tagOf('1'),
    await tagOf('1'),
    await tagOf('2'),
    await tagOf('1', 3),
  ];
  expect(same).toBe(one);
  expect(new Set([one, two, capped]).size).toBe(3);
  const bad = await get(await app([heavier]), '/v1/test/zoo/heavier_than?weight=x', {
    headers: { 'if-none-match': '*' },
  });
  expect(bad.status).toBe(400);
});

test('cached answers stay within the budget', async () => {
  const served = await app([byOrder], { cache: { bytes: 20_000 } });
  for (let i = 0; i < 200; i++) await get(served, `/v1/test/zoo/animals_by_order?animal_order=${i}`);
  const bytes = /rookery_answer_cache_bytes (\d+)/.exec((await get(served, '/metrics')).body)?.[1];
  expect(Number(bytes)).toBeGreaterThan(5000);
  expect(Number(bytes)).toBeLessThanOrEqual(20_000);
  const none = await app([byOrder], { cache: { bytes: 0 } });
  for (const _ of [1, 2]) await get(none, '/v1/test/zoo/animals_by_order?animal_order=cats');
  expect((await get(none, '/metrics')).body).toMatch(/rookery_answer_cache_hits_total 0\n/);
});

test('the landing page is HTML for browsers and JSON for programs', async () => {
  const served = await app([all], {
    openapi: (_db, formulation) => (formulation === 'rest' ? '{}' : undefined),
  });
  const page = await get(served, '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.body).toContain('Zoo &lt;of&gt; &quot;tests&quot;');
  expect(page.body).not.toMatch(/<script|https?:\/\//);
  for (const accept of ['*/*', 'application/json', undefined]) {
    const index = await get(served, '/', { headers: accept ? { accept } : {} });
    expect(index.headers.vary).toBe('accept');
    expect(index.json()).toMatchObject({
      totals: { domains: 1, endpoints: 1 },
      domains: [
        { db: 'zoo', endpoints: 1, base: '/v1/test/zoo', openapi: { rest: '/openapi/zoo.rest.json' } },
      ],
    });
  }
});

test('every link of the landing page resolves', async () => {
  const served = await app([all], { openapi: () => '{}' });
  const page = await get(served, '/', { headers: { accept: 'text/html' } });
  const links = [...page.body.matchAll(/href="([^"]+)"/g)].map(([, link]) => link as string);
  expect(links.length).toBeGreaterThan(8);
  for (const link of links) expect((await get(served, link)).status, link).toBe(200);
});

test('OpenAPI files are served byte for byte', async () => {
  const text = '{\n  "openapi": "3.1.0"  }';
  const served = await app([all], {
    openapi: (db, formulation) => (db === 'zoo' && formulation === 'rest' ? text : undefined),
  });
  const spec = await get(served, '/openapi/zoo.rest.json');
  expect([spec.status, spec.body, spec.headers['content-type']]).toEqual([
    200,
    text,
    'application/json; charset=utf-8',
  ]);
  const etag = String(spec.headers.etag);
  expect((await get(served, '/openapi/zoo.rest.json', { headers: { 'if-none-match': etag } })).status).toBe(
    304,
  );
  for (const url of [
    '/openapi/zoo.slot.json',
    '/openapi/zo.rest.json',
    '/openapi/zoo.json',
    '/openapi/..%2fzoo.rest.json',
  ]) {
    expect([(await get(served, url)).status, url]).toEqual([404, url]);
  }
});

test('the short addresses of API references lead to the console', async () => {
  const served = await app([all], { openapi: () => '{}' });
  for (const [address, view] of [
    ['/docs', '/#/reference'],
    ['/docs/zoo', '/#/reference/zoo/rest'],
    ['/docs/zoo/slot', '/#/reference/zoo/slot'],
  ] as const) {
    const answer = await get(served, address);
    expect([answer.status, answer.headers.location]).toEqual([302, view]);
  }
  expect((await get(served, '/docs/zoo/nothing')).status).toBe(404);
  expect((await get(served, '/docs/zo')).json().detail).toContain('zoo');
});

test('a domain is described by its glossary, else by what its tables hold', () => {
  const catalog = { ...zooService([]).catalog, tables: [bareTable('animals'), bareTable('feeding_times')] };
  const bare = aboutDomain({ ...catalog, glossary: undefined });
  expect(bare).toBe('Animals and feeding times.');
  expect(aboutDomain({ ...catalog, tables: [] })).toBe('');
  expect(aboutDomain({ ...catalog, glossary: '# Glossary of the zoo\n\n## Keeper\nWho feeds.\n' })).toBe(
    `The zoo: ${bare.charAt(0).toLowerCase()}${bare.slice(1)}`,
  );
  const said = '# Glossary of the zoo\n\nA city zoo\nof the nineties.\n\n## Keeper\nWho feeds.\n';
  expect(aboutDomain({ ...catalog, glossary: said })).toBe('A city zoo of the nineties.');
});

test('is live as soon as it answers, and ready once every database opens', async () => {
  const good = await app([all]);
  expect((await get(good, '/health/live')).json()).toEqual({ status: 'live' });
  expect((await get(good, '/health/ready')).json()).toEqual({ status: 'ready', domains: 1 });
  const missing = await app([], {
    domains: [{ service: zooService([all]), database: join(folder.path, 'nowhere.sqlite') }],
  });
  expect((await get(missing, '/health/live')).status).toBe(200);
  const answer = await get(missing, '/health/ready');
  expect(answer.status).toBe(503);
  expect(problemOf(answer)).toMatchObject({ code: 'NOT_READY', errors: [{ field: 'zoo' }] });
  expect(answer.body).not.toContain(folder.path);
});

test('metrics have bounded labels: no URL, no unknown domain, no endpoint', async () => {
  const served = await app([all]);
  for (let i = 0; i < 5; i++) await get(served, `/v1/test/made_up_${i}/animals`);
  await get(served, '/v1/test/zoo/animals?x=1');
  await get(served, '/v1/test/zoo/animals');
  const { body, headers } = await get(served, '/metrics');
  expect(headers['content-type']).toMatch(/^text\/plain/);
  expect(body).toContain('rookery_http_requests_total{domain="",kind="rest",code="404"} 5');
  expect(body).toContain('rookery_http_requests_total{domain="zoo",kind="rest",code="200"} 1');
  expect(body).toContain('rookery_http_requests_total{domain="zoo",kind="rest",code="400"} 1');
  expect(body).toContain('process_resident_memory_bytes');
  expect(body).not.toMatch(/made_up|animals/);
});

test('a request keeps a safe caller-supplied id, and otherwise gets a new one', async () => {
  const served = await app([all]);
  const idOf = async (given?: string) =>
    (await get(served, '/health/live', given ? { headers: { 'x-request-id': given } } : {})).headers[
      'x-request-id'
    ];
  expect(await idOf('abc-1:2.3')).toBe('abc-1:2.3');
  const made = await Promise.all([idOf(), idOf(), idOf('a b'), idOf('x'.repeat(500))]);
  expect(new Set(made).size).toBe(4);
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
});

test('a plugin gets the domains and adds routes with the same error format', async () => {
  const served = await app([all], {
    plugins: [
      (more, context) => {
        more.get('/v1/:split/:db/columns-of/:table', async (request) => {
          const { split, db } = request.params as { split: string; db: string };
          return context.domains.get(split, db).connection().prepare('SELECT count(*) FROM animal').columns;
        });
      },
    ],
  });
  expect((await get(served, '/v1/test/zoo/columns-of/animal')).json()).toEqual(['count(*)']);
  expect((await get(served, '/v1/test/zo/columns-of/animal')).json().code).toBe('UNKNOWN_DOMAIN');
  expect((await get(served, '/v1/test/zoo/columns-of/animal', { method: 'POST' })).status).toBe(405);
});

test('rejects a duplicate domain', async () => {
  const domain = { service: zooService([all]), database };
  await expect(buildApp({ domains: [domain, domain], logger: false })).rejects.toThrow(
    'test/zoo is given twice',
  );
});

test("rookery's own API has a document", async () => {
  const served = await app([all]);
  expect((await get(served, '/openapi/rookery.json')).json()).toMatchObject({ info: { title: 'rookery' } });
});
