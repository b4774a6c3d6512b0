import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../contracts/package-root.ts';
import { programNames } from '../../../contracts/sdk.ts';
import { oddServer } from '../../testing/runs.ts';
import { openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';
import { domainModule, printIndex } from './sdk.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'rookery-sdk-'));
let small: SmallFarm;
let address: string;
beforeAll(async () => {
  small = await openSmallFarm();
  address = await small.app.listen({ port: 0 });
});
afterAll(async () => {
  await small.close();
  rmSync(folder, { recursive: true, force: true });
});

async function fetched(path: string): Promise<string> {
  const answer = await fetch(address + path);
  expect(answer.status, path).toBe(200);
  return answer.text();
}

const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';

/** What a program makes of the functions of each kind, and what it prints. */
const TYPESCRIPT = `
import { connect, ${PEOPLE} as people, query_database, records, RookeryError, rows, table } from './small.ts';
connect(process.argv[2] ?? '');
const { data } = await people({ min_age: 40 });
const first: string | number | null | undefined = data[0]?.name;
const old = table('START').filter_data({ key_name: 'person_age', value: 30, condition: 'greater_than' });
const oldest = old.aggregate_data({ key_name: 'person_age', aggregation_type: 'max' });
const theirs = old.filter_data({ key_name: 'person_age', value: oldest, condition: 'equal_to' });
const found = await rows(theirs.retrieve_data({ key_name: 'person_name' }), theirs.retrieve_data({ key_name: 'person_age' }));
const { row_count } = await query_database({ collection_name: 'city' });
const city = await records.get_city({ key: 1 });
const cities = await records.list_city({ id__in: [1, 2], sort: '-id' });
const refused = await records.delete_city({ key: 1 }).catch((error: unknown) => error instanceof RookeryError && error.status);
console.log(JSON.stringify([first, found, row_count, city.name, cities.data.map(({ id }) => id), refused]));
`;
const PYTHON = `
import json, sys
from small import RookeryError, ${PEOPLE} as people, connect, query_database, records, rows, table
connect(sys.argv[1])
first = people(min_age=40).data[0]["name"]
old = table("START").filter_data(key_name="person_age", value=30, condition="greater_than")
oldest = old.aggregate_data(key_name="person_age", aggregation_type="max")
theirs = old.filter_data(key_name="person_age", value=oldest, condition="equal_to")
found = rows(theirs.retrieve_data(key_name="person_name"), theirs.retrieve_data(key_name="person_age"))
row_count = query_database(collection_name="city").row_count
city = records.get_city(key=1)
cities = records.list_city(id__in=[1, 2], sort="-id")
refused = 0
try:
    records.delete_city(key=1)
except RookeryError as error:
    refused = error.status
print(json.dumps([first, found, row_count, city["name"], [each["id"] for each in cities.data], refused]))
`;

test('a domain is a module of TypeScript and of Python, typed and complete, whose functions make the calls', async () => {
  for (const extension of ['ts', 'd.ts', 'py'])
    writeFileSync(join(folder, `small.${extension}`), await fetched(`/sdk/small.${extension}`));
  const [{ handle = '' } = {}] = small.service.start_tables;
  writeFileSync(join(folder, 'program.mts'), TYPESCRIPT.replace('START', handle));
  writeFileSync(join(folder, 'program.py'), PYTHON.replace('START', handle));
  mkdirSync(join(folder, 'declared'));
  writeFileSync(join(folder, 'declared', 'small.d.ts'), await fetched('/sdk/small.d.ts'));
  writeFileSync(
    join(folder, 'declared', 'program.mts'),
    TYPESCRIPT.replace('./small.ts', './small.js').replace('START', handle),
  );
  const compile = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--ignoreConfig'];
  const types = ['--types', 'node', '--typeRoots', join(packageRoot, 'node_modules', '@types')];
  const tsc = join(packageRoot, 'node_modules', '.bin', 'tsc');
  for (const file of ['program.mts', 'declared/program.mts'])
    await run(tsc, [...compile, ...types, '--allowImportingTsExtensions', join(folder, file)]).catch(
      (error) => {
        throw new Error(error.stdout);
      },
    );
  const tsx = ['--import', 'tsx'];
  const printed = await run(process.execPath, [...tsx, join(folder, 'program.mts'), address]);
  const expected = ['Cid', [['Cid', 41]], 4, 'Rome', [2, 1], 403];
  expect(JSON.parse(printed.stdout)).toEqual(expected);
  const python = await run('python3', [join(folder, 'program.py'), address]);
  expect(JSON.parse(python.stdout)).toEqual(JSON.parse(printed.stdout));
});

test('no digit of a number is lost', async () => {
  const server = await oddServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"share":0.9999999999999999,"big":9007199254740993}');
  });
  onTestFinished(() => server.close());
  writeFileSync(join(folder, 'small.ts'), await fetched('/sdk/small.ts'));
  const program = `import { connect, records } from './small.ts';
    connect('${server.url}');
    console.log(String(Object.values(await records.get_city({ key: 1 }))));`;
  writeFileSync(join(folder, 'digits.mts'), program);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', join(folder, 'digits.mts')]);
  expect(stdout.trim()).toBe('0.9999999999999999,9007199254740993');
});

test('the index has a line for each function', async () => {
  const lines = (await fetched('/sdk/small.txt')).trim().split('\n');
  expect(lines).toContain(`${PEOPLE}(min_age): people by min age.`);
  expect(lines.some((line) => line.startsWith('result.filter_data(key_name, value?, condition): '))).toBe(
    true,
  );
  expect(lines.some((line) => line.startsWith('records.get_city(key): '))).toBe(true);
});

test('actions stand beside records, each of which is there once', () => {
  const [parameter] = small.service.endpoints[0]!.parameters;
  const rename = {
    name: 'rename_city',
    summary: 'Renames a city',
    description: 'Renames a city.',
    parameters: [parameter!],
    table: 'city',
    sql: "UPDATE city SET name = 'x'",
    idempotent: true,
  };
  const lines = printIndex(domainModule({ ...small.service, actions: [rename] })).split('\n');
  const named = (start: string) => lines.filter((line) => line.startsWith(start));
  expect(named('records.rename_city(')).toEqual(['records.rename_city(min_age): Renames a city.']);
  expect(named('records.get_city')).toHaveLength(1);
  expect(named('records.list_city')).toHaveLength(1);
});

test('what is no module of a domain is not found', async () => {
  for (const path of ['/sdk/small.rs', '/sdk/smal.ts', '/sdk/small'])
    expect((await fetch(address + path)).status, path).toBe(404);
});

test('functions have names of their own, which every language takes', () => {
  expect([...programNames(['a-b', 'a_b', 'delete', '2x', 'table']).values()]).toEqual([
    'a_b',
    'a_b_2',
    'delete_',
    '_2x',
    'table_',
  ]);
});
