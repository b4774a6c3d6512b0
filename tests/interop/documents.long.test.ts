import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { packageRoot } from '../../contracts/package-root.ts';
import { type RunningServer, startServer } from '../../services/server.ts';
import { farmOf, pathFarmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { INTEROP, installTools } from './install-tools.ts';

const GENERATE_MS = 10 * 60_000;

const tools = await installTools();
const folder = scratchFolder();

/** rookery's own document, those of three domains, and lists of tools as they are served. */
const LISTS = ['rest', 'slot', 'sel'] as const;
const listFile = (kind: string) => join(folder, `list.${kind}.json`);
const PATHS = join(folder, 'paths.rest.json');
const documents = [
  PATHS,
  join(packageRoot, 'openapi', 'rookery.json'),
  ...(await documentsOf(tools.missing === null)),
  ...LISTS.map(listFile),
];

async function documentsOf(wanted: boolean): Promise<string[]> {
  if (!wanted) return [];
  const openapi = join(await farmOf('bundled'), 'openapi');
  return readdirSync(openapi).map((name) => join(openapi, name));
}

const redoclyReport = z.object({
  totals: z.object({ errors: z.literal(0), warnings: z.literal(0) }),
  problems: z.array(z.unknown()).max(0),
});

describe.skipIf(tools.missing !== null)(tools.title('every document is faultless'), () => {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    server = await startServer(await farmOf('bundled'), { port: 0, logger: false, agents: {} });
    for (const kind of LISTS) {
      const answer = await fetch(`${server.address}/tools/vet_clinics/${kind}?format=openapi`);
      writeFileSync(listFile(kind), await answer.text());
    }
    cpSync(join(await pathFarmOf('bundled'), 'openapi', 'vet_clinics.rest.json'), PATHS);
  }, GENERATE_MS);
  afterAll(() => server?.stop());

  test('for Redocly, by its recommended rules', async () => {
    const options = ['--extends', 'recommended', '--format', 'json'];
    const printed = await tools.run('redocly', ['lint', ...options, ...documents]);
    // A report a document, one right after the other.
    const reports = printed.trim().split(/(?<=^\})(?=\{)/m);
    expect(reports).toHaveLength(documents.length);
    for (const report of reports) redoclyReport.parse(JSON.parse(report));
  });

  test('for Spectral, by its OpenAPI rules', async () => {
    const rules = join(folder, 'spectral.json');
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'] }));
    const options = ['--ruleset', rules, '--format', 'json', '--fail-severity', 'hint', '--quiet'];
    expect(JSON.parse(await tools.run('spectral', ['lint', ...options, ...documents]))).toEqual([]);
  });

  test('for swagger-parser and Scalar, which see a fault where there is one', () => {
    const broken = join(folder, 'broken.json');
    const paths = { '/a': { get: { responses: { 200: { description: 5 } } } } };
    writeFileSync(broken, JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }));
    expect(faultsIn([broken]).map(({ by }) => by)).toEqual(['swagger-parser', 'scalar']);
    expect(faultsIn(documents)).toEqual([]);
  });
});

const fault = z.looseObject({ by: z.string() });

function faultsIn(files: readonly string[]) {
  const printed = execFileSync(process.execPath, ['check-documents.mjs', ...files], {
    cwd: INTEROP,
    encoding: 'utf8',
  });
  const lines = printed.split('\n').filter((line) => line !== '');
  return lines.map((line) => fault.parse(JSON.parse(line)));
}
