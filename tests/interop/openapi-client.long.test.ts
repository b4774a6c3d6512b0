import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { assembleAnswer, sameRows } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import { queryAnswer } from '../../contracts/formulations.ts';
import { openapiFile } from '../../contracts/openapi.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { restAnswer } from '../../contracts/service.ts';
import { startCalls } from '../../contracts/tool-chain.ts';
import { toolAnswer } from '../../contracts/tools.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/server.ts';
import { FARM_FORMULATIONS, farmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { INTEROP, installTools } from './install-tools.ts';

const GENERATOR = join(INTEROP, 'node_modules', 'swagger-typescript-api', 'dist', 'index.mjs');
const GENERATE_MS = 5 * 60_000;

const tools = await installTools();

/** The bundled farm, with its specifications as they are served. */
describe.skipIf(tools.missing !== null)(tools.title('the specifications of the bundled farm'), () => {
  const folder = scratchFolder();
  let farm: string;
  let databases: readonly string[];
  let samples: readonly Sample[];
  let server: RunningServer;

  beforeAll(async () => {
    farm = await farmOf('bundled');
    const read = readFarm(farm);
    databases = read.farm.domains.map(({ db }) => db);
    samples = read.samples;
    server = await startServer(farm, { port: 0, logger: false });
  }, GENERATE_MS);

  afterAll(() => server?.stop());

  const samplesOf = (db: string, kind: Formulation) =>
    samples.filter(({ dataset_name, formulation }) => dataset_name === db && formulation === kind);

  const specificationOf = (db: string, kind: Formulation) => join(farm, 'openapi', openapiFile(db, kind));

  test.each(FARM_FORMULATIONS)('a validator finds nothing: %s', async (kind) => {
    for (const db of databases) {
      const text = readFileSync(specificationOf(db, kind), 'utf8');
      expect(await new Validator().validate(JSON.parse(text)), db).toMatchObject({ valid: true });
    }
  });

  test.each(FARM_FORMULATIONS)(
    'a client generated from them compiles and gets the rows of every gold query: %s',
    { timeout: GENERATE_MS },
    async (kind) => {
      const { generateApi } = await import(GENERATOR);
      const programOf = (db: string) => `${db}-${kind}-calls.ts`;
      for (const db of databases) {
        const fileName = `${db}-${kind}-client.ts`;
        const input = specificationOf(db, kind);
        await generateApi({
          input,
          output: folder,
          fileName,
          silent: true,
          generateUnionEnums: true,
        });
        writeFileSync(
          join(folder, programOf(db)),
          WRITERS[kind]({ fileName, methods: methodsOf(join(folder, fileName)) }, samplesOf(db, kind)),
        );
      }
      compile(folder, databases.map(programOf));

      for (const db of databases) {
        const { run } = (await import(pathToFileURL(join(folder, programOf(db))).href)) as Program;
        const answers = await run(server.address);
        const asked = samplesOf(db, kind);
        expect(answers).toHaveLength(asked.length);
        asked.forEach((sample, i) => {
          const { sample_id, gold_answer, order_groups } = sample;
          const rows = READERS[kind](answers[i], sample);
          expect(sameRows(gold_answer, rows, order_groups), sample_id).toBe(true);
        });
      }
    },
  );
});

interface Client {
  readonly fileName: string;
  readonly methods: ReadonlyMap<string, string>;
}

interface Program {
  /** The body of a REST sample's answer; of SLOT and SEL samples a list of the bodies of all calls. */
  run(origin: string): Promise<readonly unknown[]>;
}

const READERS: Readonly<Record<Formulation, (answer: unknown, sample: Sample) => Row[]>> = {
  rest: (answer) => restAnswer.parse(answer).data.map((row) => Object.values(row)),
  slot: chainRows,
  sel: chainRows,
  query: namedRows,
  hybrid: namedRows,
  records: namedRows,
  actions: namedRows,
};

/** Rows of an answer that names its columns. */
function namedRows(answer: unknown): Row[] {
  const { columns, data } = queryAnswer.parse(answer);
  return data.map((row) => columns.map((name) => row[name] ?? null));
}

function chainRows(answers: unknown, { output }: Sample): Row[] {
  return assembleAnswer(output, z.array(toolAnswer).parse(answers)) ?? [];
}

/** Programs as a user of the client would write them: one typed call a question, or a sequence of them. */
const WRITERS: Readonly<Record<Formulation, (client: Client, samples: readonly Sample[]) => string>> = {
  rest: restProgram,
  slot: chainProgram,
  sel: chainProgram,
  query: queryProgram,
  hybrid: queryProgram,
  records: queryProgram,
  actions: queryProgram,
};

function restProgram({ fileName, methods }: Client, samples: readonly Sample[]): string {
  const calls = samples.flatMap(({ output }) =>
    output.map(({ path = '', arguments: given }) => {
      const query = Object.keys(given).length === 0 ? '' : JSON.stringify(given);
      return `    (await api.v1.${methods.get(path.split('/').at(-1) ?? '')}(${query})).data,`;
    }),
  );
  return programOf(fileName, calls);
}

function queryProgram({ fileName, methods }: Client, samples: readonly Sample[]): string {
  const calls = samples.flatMap(({ output }) =>
    output.map(
      ({ name, arguments: given }) =>
        `    (await api.v1.${methods.get(name)}(${JSON.stringify(given)})).data,`,
    ),
  );
  return programOf(fileName, calls);
}

/** A program that makes these calls, one an element of what it answers. */
function programOf(fileName: string, calls: readonly string[]): string {
  return [
    `import { Api } from './${fileName}';`,
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

/** Handles go from call to call in variables, named after the labels of the gold. */
function chainProgram({ fileName, methods }: Client, samples: readonly Sample[]): string {
  const sequences = samples.map(({ initialization_step, output }, at) => {
    const starts = startCalls(initialization_step);
    const calls = [...starts, ...output];
    const lines = calls.map(({ name, arguments: given }, i) => {
      const query = i < starts.length ? '' : ', { limit: 100000 }';
      const known = calls.slice(0, i).map(({ label }) => label);
      return `  const answer${i} = (await api.v1.${methods.get(name)}(${expression(given, known)}${query})).data;`;
    });
    const made = output.map((_, i) => `answer${i + starts.length}`);
    return [
      `async function question${at}(api: Api<unknown>) {`,
      ...lines,
      `  return [${made.join(', ')}];`,
      '}',
    ];
  });
  return [
    `import { Api } from './${fileName}';`,
    '',
    ...sequences.flat(),
    '',
    'export async function run(baseUrl: string) {',
    '  // The generator does not look behind the $ref of a body or a response for its type of content.',
    "  const baseApiParams = { headers: { 'Content-Type': 'application/json' }, format: 'json' } as const;",
    '  const api = new Api({ baseUrl, baseApiParams });',
    `  return [${samples.map((_, at) => `await question${at}(api)`).join(', ')}];`,
    '}',
    '',
  ].join('\n');
}

/** An argument as TypeScript; `$label$` is the handle of the last call of that label. */
function expression(value: unknown, labels: readonly (string | undefined)[]): string {
  if (typeof value === 'string') {
    const found = labels.lastIndexOf(/^\$(.+)\$$/.exec(value)?.[1] ?? '');
    return found < 0 ? JSON.stringify(value) : `\`$\${answer${found}.handle}$\``;
  }
  if (Array.isArray(value)) return `[${value.map((item) => expression(item, labels)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${expression(item, labels)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** The names of the client's methods, by the last part of the paths that they ask for. */
function methodsOf(client: string): ReadonlyMap<string, string> {
  const written = readFileSync(client, 'utf8').matchAll(/@request \w+:\S*\/(\S+)[^/]*\*\/\s*(\w+): \(/g);
  return new Map([...written].map(([, path, method]) => [path as string, method as string]));
}

/** Type-checks strictly, as a careful user's project would; the compiler's words are the failure. */
function compile(folder: string, files: readonly string[]): void {
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
    files,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(stdout.slice(0, 4000)).toBe('');
  expect(status).toBe(0);
}
