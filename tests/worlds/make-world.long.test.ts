import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sameRows } from '../../contracts/answer-rows.ts';
import { coverage, type Verdict, world as worldSchema } from '../../contracts/farm.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { makeWorld } from '../../generator/worlds/make-world.ts';
import { buildApp, loadFarm } from '../../services/index.ts';
import { FARM_FORMULATIONS, farmOf } from '../support/farms.ts';
import { replayGold } from '../support/replay-gold.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const root = scratchFolder();

const DB = 'vet_clinics';
let farm: string;
const folderOf = (name: string) => join(root, name);
const make = (name: string, seed: string, jobs = 2) =>
  makeWorld(farm, { seed, out: folderOf(name), only: [DB], timeoutMs: 30_000, jobs });
const textOf = (folder: string, path: string) => readFileSync(join(folder, path), 'latin1');

beforeAll(async () => {
  farm = await farmOf('bundled');
  await make('first', 'one');
}, 600_000);

describe('a world', () => {
  test('is the same bytes for the same seed, however many processes make it', {
    timeout: 300_000,
  }, async () => {
    await make('again', 'one', 1);
    expect(textOf(folderOf('again'), 'farm.json')).toBe(textOf(folderOf('first'), 'farm.json'));
  });

  test('is another one for another seed', { timeout: 300_000 }, async () => {
    await make('other', 'two');
    const path = `databases/${DB}.sqlite`;
    expect(textOf(folderOf('other'), path)).not.toBe(textOf(folderOf('first'), path));
  });

  test('has the endpoints, tools and specifications of its farm, byte for byte', () => {
    const paths = [`services/${DB}.json`, ...FARM_FORMULATIONS.map((kind) => `openapi/${DB}.${kind}.json`)];
    for (const path of paths) expect(textOf(folderOf('first'), path)).toBe(textOf(farm, path));
  });

  test('is served, and its gold calls give its gold answers', { timeout: 300_000 }, async () => {
    const app = await buildApp(await loadFarm(folderOf('first'), { checkHashes: true }));
    const { played, wrong } = await replayGold(
      folderOf('first'),
      app,
      ({ gold_diff }) => gold_diff === undefined,
    );
    await app.close();
    expect(wrong).toEqual([]);
    expect(played).toBeGreaterThan(200);
  });

  test('has tasks in every formulation', () => {
    const kinds = new Set(readFarm(folderOf('first')).samples.map((sample) => sample.formulation));
    expect([...kinds].sort()).toEqual([...FARM_FORMULATIONS, 'records', 'actions'].sort());
  });

  test('has the questions of its farm, mostly with other answers of the same size', () => {
    const before = new Map(readFarm(farm).samples.map((sample) => [sample.sample_id, sample]));
    const { samples } = readFarm(folderOf('first'));
    const pairs = samples.map((sample) => ({ sample, origin: before.get(sample.sample_id) }));
    const same = pairs.filter(
      ({ sample, origin }) => origin && sameRows(sample.gold_answer, origin.gold_answer, sample.order_groups),
    );
    expect(same.length).toBeLessThan(samples.length * 0.3);
    for (const { sample, origin } of pairs) {
      expect(sample.input).toBe(origin?.input);
      // The records that a change is about have other keys and values.
      if (sample.gold_diff === undefined) expect(sample.output).toEqual(origin?.output);
    }
    const size = ({ gold_answer }: { gold_answer: readonly unknown[] }) => gold_answer.length;
    const alike = pairs.filter(
      ({ sample, origin }) =>
        origin && Math.abs(size(sample) - size(origin)) <= Math.max(1, size(origin) / 10),
    );
    expect(alike.length).toBeGreaterThan(samples.length * 0.65);
  });

  test('says what it did, and tells of each question that it lost', () => {
    const world = worldSchema.parse(JSON.parse(textOf(folderOf('first'), 'world.json')));
    expect(world.commitment).toBe(createHash('sha256').update('one').digest('hex'));
    expect(world.origin).toBe(createHash('sha256').update(textOf(farm, 'farm.json')).digest('hex'));
    const verdictsOf = (folder: string) =>
      coverage.parse(JSON.parse(textOf(folder, 'coverage.json'))).verdicts;
    const verdicts = verdictsOf(folderOf('first'));
    const keyOf = ({ db, question_id, formulation }: Verdict) => `${db} ${question_id} ${formulation}`;
    const before = new Set(
      verdictsOf(farm)
        .filter(({ kept }) => kept)
        .map(keyOf),
    );
    const lost = verdicts.filter((each) => !each.kept && before.has(keyOf(each)));
    const told = world.domains.flatMap((domain) => domain.undefined);
    expect(new Set(lost.map(({ question_id }) => question_id))).toEqual(new Set(told));
    expect(world.samples).toBe(verdicts.filter(({ kept }) => kept).length);
  });

  test('has a seed that its files do not tell', () => {
    expect(textOf(folderOf('first'), 'farm.json')).toContain('commitment');
    expect(JSON.parse(textOf(folderOf('first'), 'farm.json'))).not.toHaveProperty('world.seed');
  });

  test('is not made of a world, nor without gold', async () => {
    const of = (folder: string) => makeWorld(folder, { seed: 'x', out: folderOf('no'), timeoutMs: 1000 });
    await expect(of(folderOf('first'))).rejects.toMatchObject({ code: 'FARM_INVALID' });
    await expect(of(root)).rejects.toMatchObject({ code: 'FARM_NOT_FOUND' });
  });
});
