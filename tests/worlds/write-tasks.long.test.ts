import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenFarm, openFarm } from '../../cli/score/open-farm.ts';
import type { Sample } from '../../contracts/sample.ts';
import { judgeDiff } from '../../eval/answer/judge-diff.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { DEFAULT_OPTIONS } from '../../eval/score/score-farm.ts';
import { judgePass } from '../../eval/score/worlds.ts';
import { makeWorld } from '../../generator/worlds/make-world.ts';
import { farmOfDomains } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const root = scratchFolder();
let before: ReadonlyMap<string, Sample>;
let world: readonly Sample[];
let farm: OpenFarm;
let open: OpenFarm;

const tasksOf = (folder: string) => readFarm(folder).samples.filter((sample) => sample.gold_diff);

beforeAll(async () => {
  const origin = await farmOfDomains('vet_clinics');
  const out = join(root, 'world');
  await makeWorld(origin, { seed: 'four green boats', out, timeoutMs: 30_000, jobs: 1 });
  before = new Map(tasksOf(origin).map((sample) => [sample.sample_id, sample]));
  world = tasksOf(out);
  [farm, open] = [await openFarm(origin), await openFarm(out)];
}, 900_000);
afterAll(async () => {
  await farm.close();
  await open.close();
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

test('calls of records memorised from the farm pass few of those that are to be done', async () => {
  // An action has conditions in place of keys, so it holds in every world.
  const isToDo = ({ refuse, formulation }: Sample) => !refuse && formulation === 'records';
  const byHeart = await passed(({ sample_id }) => before.get(sample_id)?.output ?? []);
  expect(byHeart.filter(isToDo).length).toBeLessThan(0.4 * world.filter(isToDo).length);
});

test('some tasks of pairs are now to be refused, or to be done', () => {
  const turned = world.filter(({ sample_id, refuse }) => before.get(sample_id)?.refuse !== refuse);
  expect(turned.map(({ pair }) => pair)).not.toContain(undefined);
  expect(turned.length).toBeGreaterThan(0);
});

test('a pass is robust if its keys were looked up, lucky if they were guessed, and open if it was chosen by eye', async () => {
  const samples = new Map(world.map((sample) => [sample.sample_id, sample]));
  const context = {
    ...{ universe: farm.universe, replay: farm.replay, options: DEFAULT_OPTIONS },
    worlds: [{ samples, replay: open.replay }],
  };
  const judge = ({ sample_id }: Sample, calls: Sample['output']) =>
    judgePass(before.get(sample_id) as Sample, { sample_id, calls }, context);
  const named = world.flatMap((sample) => {
    const { output = [] } = before.get(sample.sample_id) ?? {};
    const [call, ...more] = output;
    const who = /WHERE first_name = '([^']+)' AND last_name = '([^']+)'$/.exec(sample.query);
    // A value that was computed, or a second record, is another matter.
    const isPlain = !/[(*]/.test(sample.query);
    const isMoved = call?.arguments.key !== sample.output[0]?.arguments.key;
    if (!who || !isPlain || !isMoved || more.length > 0 || !call?.name.endsWith('e_staff')) return [];
    return [{ sample, call, lookUp: { first_name: who[1], last_name: who[2] } }];
  });
  expect(named).not.toEqual([]);
  for (const { sample, call, lookUp } of named) {
    const found = { name: 'list_staff', arguments: lookUp };
    expect(await judge(sample, [found, call])).toEqual({ worlds: 1, right: 1 });
    expect(await judge(sample, [call])).toEqual({ worlds: 1, right: 0 });
    const all = { name: 'list_staff', arguments: { limit: 100 } };
    expect(await judge(sample, [all, call])).toEqual({ worlds: 0, right: 0 });
  }
});
