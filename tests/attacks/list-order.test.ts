import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRun, Rookery } from '../../client/index.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { farmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const harnessKey = 'the-key-of-whoever-gives-the-exam';
const folder = scratchFolder();
const DB = 'vet_clinics';
let server: RunningServer;
let harness: Rookery;
/** Real names of the endpoints, in the order of the questions that they answer. */
let byQuestion: readonly string[];
let sampleId: string;

beforeAll(async () => {
  const farm = await farmOf('bundled');
  const runs = { place: join(folder, 'runs.sqlite') };
  server = await startServer(farm, { port: 0, logger: false, agents: { runs, harnessKey, exam: true } });
  harness = new Rookery(server.address, { harnessKey });
  const samples = readFarm(farm).samples.filter(
    ({ dataset_name, formulation }) => dataset_name === DB && formulation === 'rest',
  );
  sampleId = samples[0]?.sample_id ?? '';
  byQuestion = [...new Set(samples.flatMap(({ output }) => output.map(({ name }) => name)))];
}, 600_000);
afterAll(() => server?.stop());

/**
 * Spearman's rank correlation of places in a list with places in the order of the questions, in deviations: what is
 * drawn has one of 1, whatever the list's length.
 */
function deviations(list: readonly string[]): number {
  const places = byQuestion.map((name) => list.indexOf(name)).filter((at) => at >= 0);
  const n = places.length;
  const ranks = [...places].sort((a, b) => a - b);
  const squares = places.map((at, i) => (ranks.indexOf(at) - i) ** 2);
  const rho = 1 - (6 * squares.reduce((sum, square) => sum + square, 0)) / (n * (n * n - 1));
  return rho * Math.sqrt(n - 1);
}

/** Of several lists together. */
const together = (lists: readonly (readonly string[])[]) =>
  Math.abs(lists.reduce((sum, list) => sum + deviations(list), 0)) / Math.sqrt(lists.length);

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describe('the place of a tool in its list', () => {
  test('would tell of its question if lists had the order in which endpoints are made', () => {
    expect(byQuestion.length).toBeGreaterThan(30);
    expect(together([byQuestion])).toBeGreaterThan(5);
  });

  test.each([
    ['whole', {}],
    ['half', { tools: '50%' }],
    ['withheld', { withhold: 'gold' }],
    ['without descriptions', { descriptions: 'drop' }],
  ] as const)('does not tell of which question it is: %s', async (_, options) => {
    const lists: string[][] = [];
    for (const seed of SEEDS) {
      const run = AgentRun.at((await harness.run({ sample_id: sampleId, seed, ...options })).address);
      lists.push((await run.tools('plain')).tools.map(({ name }) => name));
    }
    expect(together(lists)).toBeLessThan(4);
    // Each seed has an order of its own.
    expect(new Set(lists.map((list) => list.join())).size).toBe(SEEDS.length);
  });

  test('does not tell the real name of an obfuscated one', async () => {
    const lists: (readonly string[])[] = [];
    for (const seed of SEEDS) {
      const { tools, real_names = [] } = await harness.tools(sampleId, 'plain', { obfuscate: true, seed });
      expect(tools.map(({ name }) => name)).toEqual(tools.map((_, n) => `FUNC_${n}`));
      lists.push(real_names);
    }
    expect(together(lists)).toBeLessThan(4);
  });

  test('is not to be computed from names and seed: another harness key draws another order', async () => {
    const orderWith = async (key: string) => {
      const runs = { place: join(folder, `${key}.sqlite`) };
      const other = await startServer(await farmOf('bundled'), {
        port: 0,
        logger: false,
        only: [DB],
        agents: { runs, harnessKey: key, exam: true },
      });
      const at = new Rookery(other.address, { harnessKey: key });
      const names = [];
      for (const options of [{}, { tools: '50%' }, { obfuscate: true }]) {
        const { tools, real_names = [] } = await at.tools(sampleId, 'plain', { ...options, seed: 3 });
        names.push(tools.map(({ name }) => name).join(), real_names.join());
      }
      await other.stop();
      return names;
    };
    const [mine, same, others] = [
      await orderWith(harnessKey),
      await orderWith(harnessKey),
      await orderWith('another-key-of-the-exam'),
    ];
    expect(same).toEqual(mine);
    // Obfuscated names are FUNC_0, FUNC_1, … for everybody.
    for (const at of [0, 2, 5]) expect(others[at]).not.toBe(mine[at]);
  });

  test('is told with the real names to the harness only', async () => {
    const run = AgentRun.at((await harness.run({ sample_id: sampleId, obfuscate: true })).address);
    expect(await run.tools('plain')).not.toHaveProperty('real_names');
  });
});

test('a farm lists its endpoints by name, in each of its files and at its addresses', async () => {
  const farm = await farmOf('bundled');
  const { endpoints } = JSON.parse(readFileSync(join(farm, 'services', `${DB}.json`), 'utf8'));
  const names: string[] = endpoints.map(({ name }: { name: string }) => name);
  expect(names).toEqual([...names].sort());
  const written = JSON.parse(readFileSync(join(farm, 'openapi', `${DB}.rest.json`), 'utf8'));
  const served: typeof written = await harness.get(`/openapi/${DB}.rest.json`);
  for (const { paths } of [written, served]) {
    expect(Object.keys(paths).map((path) => path.split('/').at(-1))).toEqual(names);
  }
  const tasks = readFileSync(join(farm, 'tasks', `${DB}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  for (const { gold_tools } of tasks.map((line) => JSON.parse(line))) {
    expect(gold_tools).toEqual([...gold_tools].sort());
  }
});
