import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSmallFarm, type SmallFarm } from '../../services/testing/small-farm.ts';
import { hostileRequest, type Targets } from '../support/hostile-request.ts';
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
