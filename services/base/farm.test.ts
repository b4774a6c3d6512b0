import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { UserError } from '../../contracts/errors.ts';
import { buildApp } from '../domain/app.ts';
import { all, temporaryFolder, writeZooFarm } from '../testing/zoo.ts';
import { deliver, deliverAll, loadFarm, onlyOption, readOnly, serviceNames } from './farm.ts';
import { gazetteerMark } from './scalars/gazetteer.ts';

const folder = temporaryFolder();
const root = join(folder.path, 'farm');

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  writeZooFarm(root, ['zoo', 'aquarium'], [all]);
});
afterAll(() => folder.remove());

const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8')));

async function failure(options = {}, where = root): Promise<UserError> {
  const error = await loadFarm(where, options).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  return error;
}

test('loads what buildApp needs', async () => {
  const loaded = await loadFarm(root);
  expect(loaded.domains.map(({ service }) => service.db)).toEqual(['zoo', 'aquarium']);
  expect(loaded.hasOpenapi('zoo', 'rest')).toBe(true);
  expect(loaded.openapi('zoo', 'slot')).toBeUndefined();
  const app = await buildApp(loaded);
  const answer = await app.inject('/v1/test/aquarium/animals');
  expect(answer.json().row_count).toBe(5);
  const spec = await app.inject('/openapi/aquarium.rest.json');
  expect(spec.body).toBe(readFileSync(join(root, 'openapi', 'aquarium.rest.json'), 'utf8'));
  await app.close();
});

test('ETags survive a restart and change with the farm', async () => {
  const tag = async () => {
    const app = await buildApp(await loadFarm(root));
    const { headers } = await app.inject('/v1/test/zoo/animals');
    await app.close();
    return headers.etag;
  };
  const before = await tag();
  expect(await tag()).toBe(before);
  edit('farm.json', (text) => text.replace('"generator_version":"0.0.0"', '"generator_version":"0.0.1"'));
  expect(await tag()).not.toBe(before);
});

test('with `only`, the files of other domains need not exist', async () => {
  rmSync(join(root, 'databases', 'zoo.sqlite'));
  rmSync(join(root, 'services', 'zoo.json'));
  const loaded = await loadFarm(root, { only: ['aquarium'] });
  expect(loaded.domains.map(({ service }) => service.db)).toEqual(['aquarium']);
  expect(await failure({ only: ['aqarium'] })).toMatchObject({
    code: 'OPTION_INVALID',
    file: '--only',
    message: 'the farm has no domain aqarium; did you mean aquarium?',
  });
  expect((await failure({ only: ['x'] })).message).toContain('choose from zoo, aquarium');
});

test('never reads eval/', async () => {
  mkdirSync(join(root, 'eval'), { mode: 0o000 });
  await expect(loadFarm(root, { checkHashes: true })).resolves.toBeDefined();
});

test('rejects a folder without a farm', async () => {
  const nowhere = join(folder.path, 'nowhere');
  const error = await failure({}, nowhere);
  expect(error).toMatchObject({ code: 'FARM_NOT_FOUND', file: nowhere });
  expect(error.message).toContain('rookery generate');
});

test.each([
  ['farm.json', (text: string) => text.slice(0, -5), /is not JSON/],
  [
    'farm.json',
    (text: string) => text.replace('"format_version":1', '"format_version":99'),
    /made by another version of rookery: its format is 99, this version reads 1/,
  ],
  [
    'services/zoo.json',
    (text: string) => text.replace('"speed":"quick"', '"speed":"fast"'),
    /endpoints\.0\.speed must be one of quick, slow/,
  ],
  [
    'services/zoo.json',
    (text: string) => text.replace('"db":"zoo"', '"db":"other"'),
    /describes other, not zoo/,
  ],
  [
    'services/zoo.json',
    (text: string) => text.replace('"split":"test"', '"split":"other"'),
    /belongs to other, not test/,
  ],
  ['services/zoo.json', () => '[]', /the top must be an object/],
])('reports an invalid %s with the place and the fix', async (path, change, message) => {
  edit(path, change);
  const error = await failure();
  expect(error).toMatchObject({ code: 'FARM_INVALID', file: join(root, path) });
  expect(error.message).toMatch(message);
  expect(error.message).toContain('generate the farm again');
});

test.each(['services/zoo.json', 'databases/zoo.sqlite'])('names the missing file %s', async (path) => {
  rmSync(join(root, path));
  expect(await failure()).toMatchObject({ code: 'FARM_INVALID', file: join(root, path) });
});

test('a farm that uses places requires the gazetteer that it was proven with', async () => {
  const own = gazetteerMark();
  const describe = (gazetteer: object, hybrid: number) =>
    edit('farm.json', (text) => {
      const farm = JSON.parse(text);
      farm.domains[0].samples.hybrid = hybrid;
      return JSON.stringify({ ...farm, gazetteer });
    });
  describe(own, 1);
  await expect(loadFarm(root)).resolves.toBeDefined();
  const other = { version: own.version + 1, sha256: '0'.repeat(64) };
  describe(other, 0);
  await expect(loadFarm(root)).resolves.toBeDefined();
  describe(other, 1);
  const error = await failure();
  expect(error).toMatchObject({ code: 'FARM_INVALID', file: join(root, 'farm.json') });
  expect(error.message).toContain(`other places of the world (version ${other.version}, not ${own.version})`);
});

test('compares hashes on request', async () => {
  await expect(loadFarm(root, { checkHashes: true })).resolves.toBeDefined();
  edit('openapi/zoo.rest.json', (text) => `${text} `);
  await expect(loadFarm(root)).resolves.toBeDefined();
  expect(await failure({ checkHashes: true })).toMatchObject({
    code: 'FARM_INVALID',
    file: join(root, 'openapi/zoo.rest.json'),
  });
  const { farm } = await loadFarm(root);
  const bytes = readFileSync(join(root, 'databases/zoo.sqlite'));
  expect(farm.files['databases/zoo.sqlite']).toBe(createHash('sha256').update(bytes).digest('hex'));
});

const deliverFolder = temporaryFolder();
const farm = join(deliverFolder.path, 'farm');
beforeAll(() => {
  writeZooFarm(farm, ['birds', 'wild fish'], [all]);
  mkdirSync(join(farm, 'eval'));
  writeFileSync(join(farm, 'eval', 'birds.jsonl'), '{}');
});
afterAll(() => deliverFolder.remove());

const listing = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();

test('a domain gets exactly the files of its service, and can be served from them', async () => {
  const to = join(deliverFolder.path, 'birds');
  expect(deliver(farm, to, { dbs: ['birds'] })).toBe('delivered');
  expect(listing(to)).toEqual([
    'databases/birds.sqlite',
    'farm.json',
    'openapi/birds.rest.json',
    'services/birds.json',
  ]);
  const loaded = await loadFarm(to, { only: ['birds'], checkHashes: true });
  expect(loaded.domains).toHaveLength(1);
});

test('every process gets its own folder', () => {
  const to = join(deliverFolder.path, 'all');
  expect(deliverAll(farm, to).map(([name]) => name)).toEqual(['birds', 'wild-fish', 'gateway', 'agents']);
  expect(listing(join(to, 'gateway'))).toEqual(['farm.json']);
  expect(existsSync(join(to, 'wild-fish', 'databases', 'wild fish.sqlite'))).toBe(true);
  expect(listing(to).some((path) => path.includes('eval'))).toBe(false);
});

test('tasks go only to the agents process, and no database does', async () => {
  const withTasks = join(deliverFolder.path, 'with-tasks');
  writeZooFarm(withTasks, ['birds', 'fish'], [all]);
  mkdirSync(join(withTasks, 'tasks'));
  const described = JSON.parse(readFileSync(join(withTasks, 'farm.json'), 'utf8'));
  for (const db of ['birds', 'fish']) {
    writeFileSync(join(withTasks, 'tasks', `${db}.jsonl`), '\n');
    described.files[`tasks/${db}.jsonl`] = createHash('sha256').update('\n').digest('hex');
  }
  writeFileSync(join(withTasks, 'farm.json'), JSON.stringify(described));

  const to = join(deliverFolder.path, 'delivered-tasks');
  deliverAll(withTasks, to);
  expect(listing(join(to, 'agents'))).toEqual([
    'farm.json',
    'services/birds.json',
    'services/fish.json',
    'tasks/birds.jsonl',
    'tasks/fish.jsonl',
  ]);
  expect(listing(to).filter((file) => file.includes('tasks') && !file.startsWith('agents'))).toEqual([]);
  await expect(loadFarm(join(to, 'birds'), { only: ['birds'], checkHashes: true })).resolves.toBeDefined();
});

test('skips an equal delivery, and replaces that of another farm', () => {
  const to = join(deliverFolder.path, 'again');
  deliver(farm, to, { dbs: ['birds'] });
  expect(deliver(farm, to, { dbs: ['birds'] })).toBe('unchanged');
  const other = join(deliverFolder.path, 'other');
  writeZooFarm(other, ['birds'], []);
  expect(deliver(other, to, { dbs: ['birds'] })).toBe('delivered');
  expect(readFileSync(join(to, 'farm.json'))).toEqual(readFileSync(join(other, 'farm.json')));
  expect(listing(to)).toHaveLength(4);
});

test('rejects an unknown domain', () => {
  expect(() => deliver(farm, join(deliverFolder.path, 'x'), { dbs: ['cats'] })).toThrow(/no domain cats/);
});

const namesOf = (...dbs: string[]) => [...serviceNames(dbs).values()];

test('names are DNS labels, readable and unique, for any domain names', () => {
  expect(namesOf('california_schools', 'California Schools', 'a-b', 'a_b')).toEqual([
    'california-schools',
    'california-schools-2',
    'a-b',
    'a-b-2',
  ]);
  expect(namesOf('2024', '日本', '__', 'gateway', 'all')).toEqual([
    'db-2024',
    'db',
    'db-2',
    'gateway-2',
    'all-2',
  ]);
  expect(namesOf('Agents', 'runs', 'farm')).toEqual(['agents-2', 'runs-2', 'farm-2']);
  for (const name of namesOf('x'.repeat(300), `${'y'.repeat(49)}_z`, 'Ω1')) {
    expect(name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
  }
});

test('names are separated by commas, and may contain escaped ones', () => {
  expect(readOnly('a,b,,c')).toEqual(['a', 'b', 'c']);
  for (const db of ['a,b', ',', 'a b', '--only', 'x,y,z'])
    expect(readOnly(onlyOption(db).slice('--only='.length))).toEqual([db]);
});
