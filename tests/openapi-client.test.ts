import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { generateApi } from 'swagger-typescript-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { sameRows } from '../contracts/same-rows.ts';
import type { Sample } from '../contracts/sample.ts';
import type { Cell } from '../contracts/value.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../services/server.ts';
import { temporaryFolder } from '../services/testing/zoo.ts';
import { farmOf } from './support/farms.ts';

const GENERATE_MS = 5 * 60_000;

/** The bundled farm, with its specifications as they are served. */
describe('the specifications of the bundled farm', () => {
  const folder = temporaryFolder();
  let farm: string;
  let databases: readonly string[];
  let samples: readonly Sample[];
  let server: RunningServer;

  beforeAll(async () => {
    farm = await farmOf('bundled');
    const read = readFarm(farm);
    databases = read.farm.domains.map(({ db }) => db);
    samples = read.samples.filter(({ formulation }) => formulation === 'rest');
    server = await startServer(farm, { port: 0, logger: false });
  }, GENERATE_MS);

  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  const samplesOf = (db: string) => samples.filter(({ dataset_name }) => dataset_name === db);

  const specificationOf = (db: string) => join(farm, 'openapi', `${db}.rest.json`);

  test('a validator finds nothing', async () => {
    for (const db of databases) {
      const text = readFileSync(specificationOf(db), 'utf8');
      expect(await new Validator().validate(JSON.parse(text)), db).toMatchObject({ valid: true });
    }
  });

  test('a client generated from them compiles and gets the rows of every gold query', {
    timeout: GENERATE_MS,
  }, async () => {
    for (const db of databases) {
      await generateApi({
        input: specificationOf(db),
        output: folder.path,
        fileName: `${db}-client.ts`,
        silent: true,
      });
      writeFileSync(join(folder.path, `${db}-calls.ts`), callsOf(db, samplesOf(db)));
    }
    compile(folder.path, databases);

    for (const db of databases) {
      const { run } = (await import(pathToFileURL(join(folder.path, `${db}-calls.ts`)).href)) as Calls;
      const answers = await run(server.address);
      samplesOf(db).forEach(({ sample_id, gold_answer, order_groups }, i) => {
        const rows = (answers[i] ?? []).map((row) => Object.values(row));
        expect(sameRows(gold_answer, rows, order_groups), sample_id).toBe(true);
      });
    }
  });
});

interface Calls {
  run(origin: string): Promise<readonly (readonly Readonly<Record<string, Cell>>[])[]>;
}

/** A program as a user of the client would write it: one typed call a question. */
function callsOf(db: string, samples: readonly Sample[]): string {
  const calls = samples.flatMap(({ output }) =>
    output.map(({ name, arguments: given }) => {
      const query = Object.keys(given).length === 0 ? '' : JSON.stringify(given);
      return `    (await api.v1.${methodName(name)}(${query})).data.data,`;
    }),
  );
  return [
    `import { Api } from './${db}-client.ts';`,
    '',
    'export async function run(baseUrl: string) {',
    '  const api = new Api({ baseUrl });',
    '  return [',
    ...calls,
    '  ];',
    '}',
    '',
  ].join('\n');
}

/** As the generator makes it of an operation ID: `get_films_2_get` → getFilms2Get. */
function methodName(operationId: string): string {
  const [first = '', ...others] = operationId
    .split(/[^A-Za-z0-9]+|(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/)
    .filter(Boolean);
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Type-checks strictly, as a careful user's project would; the compiler's words are the failure. */
function compile(folder: string, databases: readonly string[]): void {
  const config = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      types: [],
    },
    files: databases.map((db) => `${db}-calls.ts`),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
