import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Cell } from '../../contracts/catalog.ts';
import { openapiFile } from '../../contracts/openapi.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { pathParameters } from '../../contracts/paths.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/server.ts';
import { farmOf, pathFarmOf } from '../support/farms.ts';
import { INTEROP, installTools } from './install-tools.ts';

const GENERATE_MS = 10 * 60_000;
const DB = 'vet_clinics';

const tools = await installTools();
/** In the tools' own folder, so that what is generated finds what it imports. */
const work = join(INTEROP, 'node_modules', '.clients');

let farm = '';
const documentOf = (name: string) => join(name === 'rookery' ? packageRoot : farm, 'openapi', `${name}.json`);
const DOCUMENTS = [`${DB}.rest`, `${DB}.slot`, `${DB}.sel`, 'rookery'] as const;
const fileName = (document: string) => document.replace('.', '-');

describe.skipIf(tools.missing !== null)(tools.title('a generated client'), () => {
  let samples: readonly Sample[] = [];
  let server: RunningServer | undefined;

  beforeAll(async () => {
    mkdirSync(work, { recursive: true });
    farm = await farmOf('bundled');
    samples = readFarm(farm).samples.filter(
      ({ formulation, dataset_name }) => formulation === 'rest' && dataset_name === DB,
    );
    server = await startServer(farm, { port: 0, logger: false });
  }, GENERATE_MS);
  afterAll(() => server?.stop());

  const expectGoldRows = async (program: string, served = server, asked = samples) => {
    const { answers } = (await import(pathToFileURL(program).href)) as Program;
    const bodies = await answers(served?.address ?? '');
    expect(bodies).toHaveLength(asked.length);
    asked.forEach(({ sample_id, gold_answer, order_groups }, i) => {
      const rows = (bodies[i]?.data ?? []).map((row) => Object.values(row));
      expect(sameRows(gold_answer, rows, order_groups), sample_id).toBe(true);
    });
  };

  test('openapi-typescript and openapi-fetch: compile, and get the rows of every gold query', {
    timeout: GENERATE_MS,
  }, async () => {
    for (const document of DOCUMENTS) {
      await tools.run('openapi-typescript', [
        documentOf(document),
        '--output',
        join(work, `${fileName(document)}.d.ts`),
      ]);
    }
    const program = join(work, 'openapi-fetch.ts');
    writeFileSync(
      program,
      [
        "import createClient from 'openapi-fetch';",
        `import type { paths } from './${fileName(`${DB}.rest`)}.d.ts';`,
        'export async function answers(baseUrl: string) {',
        '  const client = createClient<paths>({ baseUrl });',
        '  return [',
        ...samples.map(({ output: [call] }) => {
          const given =
            Object.keys(call?.arguments ?? {}).length > 0
              ? `, { params: { query: ${JSON.stringify(call?.arguments)} } }`
              : '';
          return `    (await client.GET(${JSON.stringify(call?.path)}${given})).data,`;
        }),
        '  ];',
        '}',
      ].join('\n'),
    );
    await compile(
      ['openapi-fetch.ts', ...DOCUMENTS.map((document) => `${fileName(document)}.d.ts`)],
      'openapi-fetch',
    );
    await expectGoldRows(program);
  });

  test('openapi-typescript and openapi-fetch: the same with parameters in the paths', {
    timeout: GENERATE_MS,
  }, async () => {
    const farm = await pathFarmOf('bundled');
    const document = join(farm, 'openapi', openapiFile(DB, 'rest'));
    await tools.run('openapi-typescript', [document, '--output', join(work, 'rest-paths.d.ts')]);
    const program = join(work, 'in-paths.ts');
    const calls = readFarm(farm).samples.filter(
      ({ formulation, dataset_name }) => formulation === 'rest' && dataset_name === DB,
    );
    writeFileSync(
      program,
      [
        "import createClient from 'openapi-fetch';",
        "import type { paths } from './rest-paths.d.ts';",
        'export async function answers(baseUrl: string) {',
        '  const client = createClient<paths>({ baseUrl });',
        '  return [',
        ...calls.map(({ output: [call] }) => {
          const inPath = new Set(pathParameters(call?.path ?? ''));
          const given = (isIn: boolean) =>
            JSON.stringify(
              Object.fromEntries(
                Object.entries(call?.arguments ?? {}).filter(([name]) => inPath.has(name) === isIn),
              ),
            );
          const params = `{ path: ${given(true)}, query: ${given(false)} }`
            .replace('path: {}, ', '')
            .replace(', query: {}', '')
            .replace('query: {}', '');
          return `    (await client.GET(${JSON.stringify(call?.path)}, { params: ${params} })).data,`;
        }),
        '  ];',
        '}',
      ].join('\n'),
    );
    await compile(['in-paths.ts', 'rest-paths.d.ts'], 'paths');
    const served = await startServer(farm, { port: 0, logger: false });
    try {
      await expectGoldRows(program, served, calls);
    } finally {
      await served.stop();
    }
  });

  test('@hey-api/openapi-ts: compiles, and gets the rows of every gold query', {
    timeout: GENERATE_MS,
  }, async () => {
    for (const document of DOCUMENTS) {
      const out = join(work, 'hey', fileName(document));
      await tools.run('openapi-ts', [
        '--input',
        documentOf(document),
        '--output',
        out,
        '--client',
        '@hey-api/client-fetch',
        '--silent',
      ]);
    }
    const program = join(work, 'hey', 'calls.ts');
    writeFileSync(
      program,
      [
        `import { createClient } from './${fileName(`${DB}.rest`)}/client/index.ts';`,
        `import * as sdk from './${fileName(`${DB}.rest`)}/sdk.gen.ts';`,
        'export async function answers(baseUrl: string) {',
        '  const client = createClient({ baseUrl });',
        '  return [',
        ...samples.map(({ output: [call] }) => {
          const query =
            Object.keys(call?.arguments ?? {}).length > 0
              ? `, query: ${JSON.stringify(call?.arguments)}`
              : '';
          return `    (await sdk.${camelCase(call?.name ?? '')}({ client${query} })).data,`;
        }),
        '  ];',
        '}',
      ].join('\n'),
    );
    await compile(
      ['hey/calls.ts', ...DOCUMENTS.map((document) => `hey/${fileName(document)}/index.ts`)],
      'hey',
    );
    await expectGoldRows(program);
  });

  test('orval: compiles, and gets the rows of every gold query', { timeout: GENERATE_MS }, async () => {
    for (const document of DOCUMENTS) {
      const out = join(work, 'orval', `${fileName(document)}.ts`);
      await tools.run('orval', [
        '--input',
        documentOf(document),
        '--output',
        out,
        '--client',
        'fetch',
        '--mode',
        'single',
      ]);
    }
    const program = join(work, 'orval', 'calls.ts');
    writeFileSync(
      program,
      [
        `import * as api from './${fileName(`${DB}.rest`)}.ts';`,
        'export async function answers(baseUrl: string) {',
        '  const known = globalThis.fetch;',
        '  globalThis.fetch = (address, init) => known(`${baseUrl}${address}`, init);',
        '  try {',
        '    return [',
        ...samples.map(({ output: [call] }) => {
          const query = Object.keys(call?.arguments ?? {}).length > 0 ? JSON.stringify(call?.arguments) : '';
          return `      ((await api.${camelCase(call?.name ?? '')}(${query})).data as { data: Record<string, unknown>[] }),`;
        }),
        '    ];',
        '  } finally {',
        '    globalThis.fetch = known;',
        '  }',
        '}',
      ].join('\n'),
    );
    await compile(
      ['orval/calls.ts', ...DOCUMENTS.map((document) => `orval/${fileName(document)}.ts`)],
      'orval',
    );
    await expectGoldRows(program);
  });
});

interface Program {
  answers(
    origin: string,
  ): Promise<readonly ({ readonly data: readonly Readonly<Record<string, Cell>>[] } | undefined)[]>;
}

/** Type-checks strictly, as a careful user's project would; the compiler's words are the failure. */
async function compile(files: readonly string[], name: string): Promise<void> {
  const config = join(work, `tsconfig.${name}.json`);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    types: [],
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  await tools.run('tsc', ['-p', config]);
}

/** `get_films_by_year` → getFilmsByYear */
function camelCase(operationId: string): string {
  return operationId.replace(/[_-]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
