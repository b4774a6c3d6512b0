import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { packageRoot } from '../contracts/package-root.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { hashSources } from '../databases/write-split.ts';
import { HARNESS_COMPOSE, harnessComposeFile } from '../generator/emit/compose/compose-file.ts';
import { emitBundledCompose } from '../generator/emit/compose/emit-bundled-compose.ts';
import { agentOptions, agentPlugin, buildApp, loadFarm } from '../services/index.ts';
import { errorsPage } from './errors-page.ts';
import { picture } from './picture.ts';
import { toolsPage } from './tools-page/tools-page.ts';

/** A file of the repository that is made from others. */
export interface GeneratedFile {
  /** From the package root. */
  readonly path: string;
  readonly content: string;
  /** Committed in gzip's format. */
  readonly zipped?: boolean;
}

/**
 * All files that are generated and committed, written by `npm run generated` and compared by a test. Needs the
 * farm of the bundled split.
 */
export async function generatedFiles(bundledFarm: string): Promise<GeneratedFile[]> {
  return [
    { path: 'docs/errors.md', content: errorsPage() },
    { path: 'docs/picture.svg', content: picture() },
    { path: 'docs/tools.md', content: await toolsPage() },
    { path: 'databases/version.json', content: dataVersion() },
    { path: 'docker-compose.yml', content: emitBundledCompose(DOMAIN_NAMES) },
    { path: HARNESS_COMPOSE, content: harnessComposeFile() },
    { path: 'openapi/rookery.json', content: await ownDocument(bundledFarm) },
    ...specifications(bundledFarm),
  ];
}

/** What the bundled data are, by content: a hash of the sources of each domain, and of all. */
function dataVersion(): string {
  const folder = join(packageRoot, 'databases');
  const domains = Object.fromEntries(DOMAIN_NAMES.map((name) => [name, hashSources(folder, [name])]));
  return `${JSON.stringify({ all: hashSources(folder, DOMAIN_NAMES), domains }, null, 2)}\n`;
}

/** The OpenAPI document of rookery's own API, as a server with runs and tasks gives it. */
async function ownDocument(farm: string): Promise<string> {
  const { domains, ...loaded } = await loadFarm(farm);
  const app = await buildApp({ domains, plugins: [agentPlugin(agentOptions({ ...loaded, domains }, {}))] });
  try {
    return (await app.inject('/openapi/rookery.json')).body;
  } finally {
    await app.close();
  }
}

/** The bundled farm's OpenAPI documents, to read without generating a farm. Those of SEL repeat much and are zipped. */
function specifications(farm: string): GeneratedFile[] {
  return readdirSync(join(farm, 'openapi'))
    .sort()
    .map((name) => {
      const content = readFileSync(join(farm, 'openapi', name), 'utf8');
      const zipped = name.endsWith('.sel.json');
      return { path: `openapi/${name}${zipped ? '.gz' : ''}`, content, zipped };
    });
}

/** What is committed of a generated file. Throws what reading throws. */
export function committed({ path, zipped }: Pick<GeneratedFile, 'path' | 'zipped'>): string {
  const bytes = readFileSync(join(packageRoot, path));
  return (zipped ? gunzipSync(bytes) : bytes).toString('utf8');
}
