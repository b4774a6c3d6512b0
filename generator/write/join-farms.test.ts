import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { loadFarm } from '../../services/base/farm.ts';
import { buildApp } from '../../services/domain/app.ts';
import { all, temporaryFolder, writeZooFarm } from '../../services/testing/zoo.ts';
import { joinFarms } from './join-farms.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
afterAll(() => folder.remove());

/** A farm of the split `split` with these domains. */
function writeFarm(split: string, names: readonly string[]): string {
  const root = at(split);
  rmSync(root, { recursive: true, force: true });
  writeZooFarm(root, names, [all]);
  const edit = (file: string, change: (text: string) => string) => {
    const text = change(readFileSync(join(root, file), 'utf8'));
    writeFileSync(join(root, file), text);
    return createHash('sha256').update(text).digest('hex');
  };
  const ofSplit = (text: string) =>
    text.replaceAll('"test"', `"${split}"`).replaceAll('/v1/test/', `/v1/${split}/`);
  const hashes = Object.fromEntries(
    names.map((db) => [`services/${db}.json`, edit(`services/${db}.json`, ofSplit)]),
  );
  edit('farm.json', (text) => {
    const farm = JSON.parse(ofSplit(text));
    return JSON.stringify({ ...farm, files: { ...farm.files, ...hashes } });
  });
  const verdicts = names.map((db) => ({
    db,
    question_id: 1,
    formulation: 'rest',
    kept: true,
    rejection: null,
    flags: [],
    constructs: ['aggregate'],
    calls: 1,
    tools: 1,
  }));
  writeFileSync(join(root, 'coverage.json'), JSON.stringify({ split, questions: names.length, verdicts }));
  return root;
}

let sources: readonly string[];
beforeEach(() => {
  sources = [writeFarm('north', ['zoo', 'aquarium']), writeFarm('south', ['museum'])];
});

test('has the domains of all farms, each at the addresses of its own split', async () => {
  const farm = await joinFarms(sources, { out: at('joined') });
  expect(farm.domains.map(({ db, split }) => [db, split])).toEqual([
    ['aquarium', 'north'],
    ['museum', 'south'],
    ['zoo', 'north'],
  ]);
  const loaded = await loadFarm(at('joined'), { checkHashes: true });
  const app = await buildApp(loaded);
  for (const path of ['north/zoo', 'north/aquarium', 'south/museum']) {
    const { statusCode, body } = await app.inject(`/v1/${path}/animals`);
    expect(statusCode, body).toBe(200);
  }
  expect((await app.inject('/v1/south/zoo/animals')).statusCode).toBe(404);
  await app.close();
});

test('leaves the farms as they were, and covers what they cover', async () => {
  const { files } = await joinFarms(sources, { out: at('joined'), name: 'both' });
  for (const root of sources)
    for (const path of Object.keys(readFarmJson(root).files)) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(files[path]).toBe(readFarmJson(root).files[path]);
    }
  const coverage = JSON.parse(readFileSync(at('joined/coverage.json'), 'utf8'));
  expect(coverage).toMatchObject({ split: 'north+south', questions: 3 });
  expect(coverage.verdicts).toHaveLength(3);
  expect(readFarmJson(at('joined')).name).toBe('both');
});

function readFarmJson(root: string) {
  return JSON.parse(readFileSync(join(root, 'farm.json'), 'utf8'));
}

test('refuses what cannot be served as one farm', async () => {
  const [north = '', south = ''] = sources;
  const change = (more: object) =>
    writeFileSync(join(south, 'farm.json'), JSON.stringify({ ...readFarmJson(south), ...more }));
  const joined = () => joinFarms([north, south], { out: at('joined') });
  await expect(joinFarms([north, north], { out: at('joined') })).rejects.toThrow('has a domain zoo');
  change({ reference_time: '2026-01-01 00:00:00' });
  await expect(joined()).rejects.toThrow('--reference-time');
  change({
    reference_time: '2024-01-01 00:00:00',
    world: { commitment: 'a'.repeat(64), origin: 'b'.repeat(64) },
  });
  await expect(joined()).rejects.toThrow('as a world');
});
