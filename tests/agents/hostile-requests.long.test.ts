import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSmallFarm, type SmallFarm } from '../../services/testing/small-farm.ts';
import { fc, runs } from '../support/random-input.ts';

const MEGABYTE = 2 ** 20;

let farm: SmallFarm;
beforeAll(async () => {
  // So little that it is spent soon.
  farm = await openSmallFarm({ cache: { bytes: MEGABYTE }, handles: { bytes: MEGABYTE } });
});
afterAll(() => farm.close());

/** Runs end when they are answered: so many requests are made with each set. */
const PER_TARGETS = 1000;

test('no request makes the server fail, and none leaves anything behind in memory', async () => {
  const rounds = Math.ceil(runs(10_000) / PER_TARGETS);
  const memory: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const targets = await targetsOf(farm);
    await fc.assert(
      fc.asyncProperty(hostileRequest(targets), async (request) => {
        expect(await unexplained(farm.app, request)).toBeNull();
      }),
      { numRuns: PER_TARGETS, seed: round + 1, interruptAfterTimeLimit: 800_000 },
    );
    collectGarbage();
    memory.push(process.memoryUsage().heapUsed / MEGABYTE);
  }
  // What is kept grows to its budgets at first; from then on it may not.
  const [early, late] = [memory.slice(rounds / 4, rounds / 2), memory.slice(-rounds / 4)].map(lowest);
  expect(late).toBeLessThan((early as number) + 8);
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** What is wrong with an answer, or null: a failure must say why, and that it is no fault of ours. */
async function unexplained(app: FastifyInstance, request: InjectOptions): Promise<string | null> {
  const { statusCode, body } = await app.inject(request);
  if (body.includes('"code":-32603')) return body;
  if (statusCode < 500) return null;
  return /"code":"(OVERLOADED|QUERY_TIMEOUT|NOT_READY)"/.test(body) ? null : `${statusCode} ${body}`;
}

async function targetsOf({ app, service, samples }: SmallFarm): Promise<Targets> {
  const ask = async (url: string, payload?: object) =>
    (await app.inject({ url, ...(payload ? { method: 'POST', payload } : {}) })).json();
  const surfaces = await Promise.all(
    samples.flatMap(({ sample_id }) =>
      [{}, { obfuscate: true, answer_tool: true }].map(async (more) => {
        const { base } = await ask('/runs', { sample_id, ...more });
        const { tools } = await ask(`${base}/tools`);
        return { base: String(base), tools: tools.map(shape) };
      }),
    ),
  );
  const endpoints = service.endpoints.map(({ path, parameters }) => ({
    path,
    arguments: parameters.map(({ name }) => name),
  }));
  const calls = ['slot', 'sel'].map((formulation) => ask(`/tools/small/${formulation}`));
  const tools = (await Promise.all(calls)).flatMap(({ tools: all }, i) =>
    all.map(shape).map((tool: { name: string }) => ({
      ...tool,
      path: `/v1/test/small/${['slot', 'sel'][i]}/${tool.name}`,
    })),
  );
  const handles = service.start_tables.map(({ handle }) => handle);
  return {
    surfaces,
    services: [...endpoints, ...tools],
    addresses: [
      ...[
        '/',
        '/tasks',
        '/docs',
        '/docs/small',
        '/docs/small/slot',
        '/openapi/rookery.json',
        '/openapi/small.rest.json',
      ],
      ...[
        '/health/live',
        '/health/ready',
        '/metrics',
        '/tools/small/rest',
        '/tools/small/slot',
        '/tools/small/sel',
      ],
      ...['/lists/x', '/lists/e30', '/runs/x', '/runs/b0', '/tools/x/rest'],
      ...samples.flatMap(({ sample_id }) => [`/tasks/${sample_id}`, `/tasks/${sample_id}/tools`]),
    ],
    words: [
      ...handles.flatMap((handle) => [handle, `$${handle}$`]),
      ...service.catalog.tables.flatMap(({ columns }) => columns.map(({ name }) => name)),
      ...[
        'person_name',
        'person_age',
        'person_id',
        'city_name',
        'equal_to',
        'between',
        'in',
        'like',
        'is_null',
        'count',
        'sum',
      ],
      ...[
        'or',
        'and',
        'union',
        'upper',
        'substring',
        'round',
        'rank',
        'rest',
        'slot',
        'sel',
        'small',
        'gold',
        'drop',
        'true',
      ],
      ...['10%', '5', 'flaky', 'chaos', 'slow', samples[0]?.sample_id ?? ''],
    ],
  };
}

function shape({ name, parameters }: { name: string; parameters: { properties: object } }) {
  return { name, arguments: Object.keys(parameters.properties) };
}

function lowest(values: readonly number[]): number {
  return Math.min(...values);
}

/** What a request may be about: addresses that lead somewhere, and arguments that mean something. */
interface Targets {
  /** Addresses of runs and lists, each with the tools that it offers. */
  readonly surfaces: readonly Surface[];
  /** `/v1/…` addresses of endpoints and tools. */
  readonly services: readonly { readonly path: string; readonly arguments: readonly string[] }[];
  /** Every other address, whole. */
  readonly addresses: readonly string[];
  /** Texts that mean something in an argument: handles, columns, sample ids, choices. */
  readonly words: readonly string[];
}

interface Surface {
  readonly base: string;
  readonly tools: readonly { readonly name: string; readonly arguments: readonly string[] }[];
}

/** Names that every JavaScript object has, or that libraries look for. */
const ODD_NAMES = [
  ...split('toString valueOf constructor __proto__ prototype hasOwnProperty toJSON then'),
  ...split('length isLosslessNumber value key_name $ref 0 a.b size'),
  '',
];
const ODD_TEXTS = [
  ...split('% %00 ../.. $$ $x$ $filtered_000000000000$ NaN -0 1e999 9223372036854775808 null [] {}'),
  ...['', ' ', '\0', '\ud800', '\u202e', "' OR 1=1 --"],
  ...['9'.repeat(400), 'ü'.repeat(300), 'x'.repeat(5000)],
];
/** Numbers as texts: JavaScript would write some of them differently. */
const ODD_NUMBERS = [...split('0 -1 5.0 -0 1e400 -1e400 9007199254740993 1e-400 0.1e1'), '9'.repeat(60)];
/** Values that break code that converts them to text or trusts their own properties. */
const ODD_VALUES = [
  ...split(
    '["x",{"toString":"z"}] {"toString":1,"valueOf":2} {"__proto__":null} {"__proto__":{"toString":1}}',
  ),
  ...split(
    '{"key_name":{"toString":1}} {"isLosslessNumber":true,"value":"x"} {"toJSON":"x"} {"then":1} [[],{}]',
  ),
];
const ODD_BODIES = [
  ...['', ' ', ...split('{ null [] 1 "x" true \ufeff{} {"a":1,"a":2} {"__proto__":null} [[[')],
  ...[50, 101, 400, 8000, 100_000].map((levels) => '['.repeat(levels) + ']'.repeat(levels)),
  ...[90, 101, 8000].map((levels) => `{"answer":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`),
];
const MCP_METHODS = split('initialize tools/list tools/call prompts/list prompts/get ping server/discover');

function split(text: string): string[] {
  return text.split(' ');
}

/** Requests that a hostile or broken agent might send to a farm. */
function hostileRequest({ surfaces, services, addresses, words }: Targets): fc.Arbitrary<InjectOptions> {
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS, ...ODD_NAMES) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  );
  const scalar = fc.oneof(
    text.map((value) => JSON.stringify(value)),
    fc.constantFrom('null', 'true', 'false', ...ODD_NUMBERS, ...ODD_VALUES),
    fc.integer().map(String),
  );
  const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, scalar, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    object: objectOf(fc.oneof(fc.constantFrom(...ODD_NAMES), text), tie('value')),
  }));
  const argumentsOf = (names: readonly string[]) =>
    fc.oneof(
      { weight: 8, arbitrary: objectOf(fc.constantFrom(...names, ...ODD_NAMES.slice(0, 3)), value) },
      { weight: 1, arbitrary: value },
      { weight: 1, arbitrary: fc.constantFrom(...ODD_BODIES) },
    );
  const queryOf = (names: readonly string[]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...names, ...ODD_NAMES), text), { maxLength: 4 })
      .map((fields) => fields.map(([name, given]) => `${quoted(name)}=${quoted(given)}`).join('&'));
  const headers = fc.oneof(
    { weight: 20, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
    fc.constantFrom<Record<string, string>>(
      {},
      { 'content-type': 'text/html' },
      { 'content-type': 'application/json; charset=utf-7', 'if-none-match': '*' },
      { 'content-type': 'application/json', 'mcp-session-id': 'nobody', origin: 'http://elsewhere' },
      { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      { 'content-type': ';;;', authorization: 'Basic ====', range: 'bytes=5-1' },
    ),
  );
  const post = (url: string, body: fc.Arbitrary<string>) =>
    fc
      .tuple(body, headers)
      .map(([payload, fields]): InjectOptions => ({ method: 'POST', url, payload, headers: fields }));
  const get = (url: string, names: readonly string[]) =>
    fc
      .tuple(queryOf(names), headers)
      .map(([query, fields]): InjectOptions => ({ method: 'GET', url: `${url}?${query}`, headers: fields }));

  const tool = fc
    .constantFrom(...surfaces.flatMap(({ base, tools }) => tools.map((each) => ({ base, ...each }))))
    .chain(({ base, name, arguments: names }) =>
      fc.oneof(
        { weight: 4, arbitrary: post(`${base}/call/${quoted(name)}`, argumentsOf(names)) },
        get(`${base}/call/${quoted(name)}`, names),
        mcpCall(`${base}/mcp`, name, argumentsOf(names)),
      ),
    );
  const service = fc
    .constantFrom(...services)
    .chain(({ path, arguments: names }) =>
      fc.oneof(get(path, [...names, 'preview', 'offset', 'limit']), post(path, argumentsOf(names))),
    );
  const below = fc
    .tuple(
      fc.constantFrom(...surfaces),
      fc.constantFrom('', '/tools', '/openapi.json', '/tasks', '/score', '/predictions'),
    )
    .chain(([{ base }, rest]) => get(`${base}${rest}`, ['format', 'tools', 'seed']));
  const task = fc
    .constantFrom(...addresses)
    .chain((url) =>
      get(
        url,
        split(
          'format tools withhold obfuscate descriptions seed sample limit offset db formulation start_table',
        ),
      ),
    );
  const begin = post(
    '/runs',
    argumentsOf(split('sample_id select agent budget faults settings tools obfuscate seed evidence')),
  );
  const anywhere = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
      fc.array(text, { maxLength: 5 }),
      argumentsOf(['a']),
    )
    .map(
      ([method, parts, payload]): InjectOptions => ({
        method: method as 'GET',
        url: `/${parts.map(quoted).join('/')}`,
        payload,
      }),
    );
  const answered = fc
    .constantFrom(...surfaces)
    .chain(({ base }) => post(`${base}/answer`, argumentsOf(['answer', 'raw_output', 'loops', 'error'])));

  return fc.oneof(
    { weight: 10, arbitrary: tool },
    { weight: 6, arbitrary: service },
    { weight: 3, arbitrary: below },
    { weight: 3, arbitrary: task },
    { weight: 2, arbitrary: begin },
    { weight: 2, arbitrary: anywhere },
    { weight: 1, arbitrary: answered },
  );

  function mcpCall(url: string, name: string, args: fc.Arbitrary<string>): fc.Arbitrary<InjectOptions> {
    return fc.tuple(fc.constantFrom(...MCP_METHODS), args, value, fc.constantFrom(...MCP_ENVELOPES)).map(
      ([method, given, meta, envelope]): InjectOptions => ({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(envelope === '' ? {} : { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }),
          ...(envelope !== '' && method.includes('/') ? { 'mcp-name': encodeURIComponent(name) } : {}),
        },
        payload: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"name":${JSON.stringify(name)},"arguments":${given},"_meta":{${envelope}"rookery/limit":${meta}}}}`,
      }),
    );
  }
}

/** What the stateless protocol wants in every request: nothing of it, all of it, and what should be refused. */
const MCP_ENVELOPES = [
  '',
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},',
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[],',
  '"io.modelcontextprotocol/protocolVersion":"1999-01-01","io.modelcontextprotocol/clientCapabilities":{},',
  '"io.modelcontextprotocol/protocolVersion":{"toString":"z"},',
];

function objectOf(name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(name, value), { maxLength: 5 })
    .map((fields) => `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join(',')}}`);
}

/** As part of an address; half of a surrogate pair has no encoding. */
function quoted(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
