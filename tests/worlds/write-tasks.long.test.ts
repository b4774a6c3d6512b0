import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenFarm, openFarm } from '../../cli/score/open-farm.ts';
import type { Sample } from '../../contracts/sample.ts';
import { judgeDiff } from '../../eval/answer/judge-diff.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { makeWorld } from '../../generator/worlds/make-world.ts';
import { farmOfDomain } from '../support/farms.ts';

const root = mkdtempSync(join(tmpdir(), 'rookery-write-worlds-'));
let before: ReadonlyMap<string, Sample>;
let world: readonly Sample[];
let open: OpenFarm;

const tasksOf = (folder: string) => readFarm(folder).samples.filter((sample) => sample.gold_diff);

beforeAll(async () => {
  const farm = await farmOfDomain('vet_clinics');
  const out = join(root, 'world');
  await makeWorld(farm, { seed: 'four green boats', out, timeoutMs: 30_000, jobs: 1 });
  before = new Map(tasksOf(farm).map((sample) => [sample.sample_id, sample]));
  world = tasksOf(out);
  open = await openFarm(out);
}, 900_000);
afterAll(async () => {
  await open.close();
  rmSync(root, { recursive: true });
});

/** The tasks of the world that calls pass. */
async function passed(callsOf: (sample: Sample) => Sample['output']): Promise<Sample[]> {
  const passes: Sample[] = [];
  for (const sample of world) {
    const { diff = [] } = await open.replay(sample, callsOf(sample));
    if (judgeDiff(sample.gold_diff ?? [], diff).passes) passes.push(sample);
  }
  return passes;
}

test('a world has most of the tasks that change records, with gold calls of its own that pass', async () => {
  expect(world.length).toBeGreaterThan(0.85 * before.size);
  expect(await passed(({ output }) => output)).toEqual(world);
});

test('whoever knows the calls of the farm by heart passes few of those that are to be done', async () => {
  const toDo = world.filter(({ refuse }) => !refuse);
  const byHeart = await passed(({ sample_id }) => before.get(sample_id)?.output ?? []);
  expect(byHeart.filter(({ refuse }) => !refuse).length).toBeLessThan(0.4 * toDo.length);
});

test('some tasks of pairs are now to be refused, or to be done', () => {
  const turned = world.filter(({ sample_id, refuse }) => before.get(sample_id)?.refuse !== refuse);
  expect(turned.map(({ pair }) => pair)).not.toContain(undefined);
  expect(turned.length).toBeGreaterThan(0);
});
