import pMap from 'p-map';
import { beforeAll, describe, expect, test } from 'vitest';
import { AgentRun, Rookery } from '../../client/index.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { seededOrder } from '../../services/base/seeded-order.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { farmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { attackerAt } from './attacker.ts';

const harnessKey = 'the-key-of-whoever-gives-the-exam';
const folder = scratchFolder();
let farm: string;
/** One gold call of each endpoint. */
let golds: readonly Sample[];
let files = 0;

beforeAll(async () => {
  farm = await farmOf('bundled');
  const seen = new Set<string>();
  golds = readFarm(farm).samples.filter(({ formulation, dataset_name, output: [call] }) => {
    const key = `${dataset_name} ${call?.name}`;
    if (formulation !== 'rest' || seen.has(key)) return false;
    return seen.add(key);
  });
}, 600_000);

async function serve(): Promise<{ server: RunningServer; harness: Rookery }> {
  const runs = { place: `${folder}/${files++}.sqlite` };
  const server = await startServer(farm, {
    port: 0,
    logger: false,
    agents: { runs, harnessKey, exam: true },
  });
  return { server, harness: new Rookery(server.address, { harnessKey }) };
}

async function callGold(run: AgentRun, { output: [call] }: Sample): Promise<number> {
  const began = performance.now();
  const answer = await run.call(call?.name ?? '', call?.arguments);
  expect(answer).toMatchObject({ ok: true });
  return performance.now() - began;
}

/** How often a value of one list is below one of the other: 0.5 where the lists tell nothing apart. */
function areaUnderCurve(low: readonly number[], high: readonly number[]): number {
  const wins = low.flatMap((a) => high.map((b) => (a < b ? 1 : a === b ? 0.5 : 0)));
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
}

/**
 * Other agents make the gold calls of half of the questions, drawn by the seed. Then an attacker times every gold call
 * once: what was called before is likely to be gold. Answers how well latency tells the halves apart.
 */
async function timeFirstCalls(seed: number): Promise<number> {
  const { server, harness } = await serve();
  const drawn = seededOrder(golds, seed, 'examined', ({ sample_id }) => sample_id);
  const examined = new Set(drawn.slice(0, drawn.length / 2));
  const begin = async ({ sample_id }: Sample) => AgentRun.at((await harness.run({ sample_id })).address);
  await pMap(examined, async (gold) => callGold(await begin(gold), gold), { concurrency: 8 });
  const runs = new Map<string, AgentRun>();
  const [before, never]: [number[], number[]] = [[], []];
  for (const gold of seededOrder(golds, seed, 'attack', ({ sample_id }) => sample_id)) {
    const run = runs.get(gold.dataset_name) ?? (await begin(gold));
    runs.set(gold.dataset_name, run);
    (examined.has(gold) ? before : never).push(await callGold(run, gold));
  }
  await server.stop();
  return areaUnderCurve(before, never);
}

describe('what others called before', () => {
  test('is not told by how soon an answer comes', async () => {
    const areas: number[] = [];
    for (const seed of [1, 2, 3]) areas.push(await timeFirstCalls(seed));
    const mean = areas.reduce((sum, area) => sum + area, 0) / areas.length;
    // Of some 90 calls against 90, three times: the deviation of the mean is 0.025 where there is nothing to tell.
    expect(Math.abs(mean - 0.5), `areas ${areas.map((area) => area.toFixed(3))}`).toBeLessThan(0.1);
  }, 300_000);

  test('is not kept for whoever asks next: no answer of a run comes out of a cache', async () => {
    const { server, harness } = await serve();
    const counted = async () => {
      const text = await (await harness.send('/metrics')).text();
      return /^rookery_answer_cache_hits_total (\d+)$/m.exec(text)?.[1];
    };
    const [gold] = golds;
    if (!gold) throw new Error('the farm has no REST samples');
    for (let i = 0; i < 3; i++) {
      const run = AgentRun.at((await harness.run({ sample_id: gold.sample_id })).address);
      await callGold(run, gold);
      await callGold(run, gold);
    }
    expect(await counted()).toBe('0');
    await server.stop();
  });
});

describe('header fields of a gold call', () => {
  test('are those of any call: no ETag, nothing to be confirmed, nothing that is kept on the way', async () => {
    const { server, harness } = await serve();
    const [gold] = golds;
    if (!gold) throw new Error('the farm has no REST samples');
    const run = await harness.run({ sample_id: gold.sample_id });
    const attacker = attackerAt(server.address);
    const { paths } = JSON.parse((await attacker.send('GET', `${run.base}/openapi.json`)).text);
    const [path = ''] = Object.keys(paths).filter((each) =>
      each.endsWith(gold.output[0]?.path?.split('/').at(-1) ?? '-'),
    );
    const query = new URLSearchParams(
      Object.entries(gold.output[0]?.arguments ?? {}).map(
        ([name, value]) => [name, String(value)] as [string, string],
      ),
    );
    const address = `${run.base}${path}?${query}`;
    const first = await attacker.send('GET', address);
    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty('etag');
    expect(first.headers).not.toHaveProperty('age');
    expect(first.headers['cache-control']).toBe('no-store');
    // As a service at its own address would confirm it.
    for (const tag of ['*', '"x"', 'W/"x"']) {
      const again = await attacker.send('GET', address, undefined, { 'if-none-match': tag });
      expect([again.status, Object.keys(again.headers)]).toEqual([200, Object.keys(first.headers)]);
    }
    const decoy = golds.find((each) => each !== gold && each.dataset_name === gold.dataset_name);
    const other = await attacker.send('POST', `${run.base}/call/${decoy?.output[0]?.name}`, {
      ...decoy?.output[0]?.arguments,
    });
    expect(Object.keys(other.headers)).toEqual(Object.keys(first.headers));
    await server.stop();
  });
});
