import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../contracts/errors.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { hashSources } from '../databases/write-split.ts';
import { emitBundledCompose, HARNESS_COMPOSE, harnessComposeFile } from '../deploy/deploy.ts';
import { agentOptions, agentPlugin, buildApp, loadFarm } from '../services/index.ts';
import { toolsPage } from './tools-page.ts';

const KINDS = {
  user: [
    'Commands',
    'Printed as `<file>: CODE message`; the command ends with exit code 2 and changes nothing.',
  ],
  http: ['HTTP', 'Answered as `application/problem+json` with this `code` and status.'],
  query: ['Questions', 'Why a question is not in a farm: in `coverage.json` and `rookery coverage`.'],
} as const;

/** docs/errors.md: the error catalogue. */
export function errorsPage(): string {
  const kinds = ['user', 'http', 'query'] as const;
  const sections = kinds.map((kind) => {
    const [title, meaning] = KINDS[kind];
    const rows = Object.entries<string | readonly [number, string]>(ERRORS[kind]).map(
      ([code, about]) => `| \`${code}\` | ${[about].flat().join(' | ')} |`,
    );
    const head =
      kind === 'http'
        ? '| code | status | what it means |\n|---|---|---|'
        : '| code | what it means |\n|---|---|';
    return `## ${title}\n\n${meaning}\n\n${head}\n${rows.join('\n')}\n`;
  });
  return `# Errors\n\n${sections.join('\n')}`;
}

/** A file of the repository that is generated from others. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}

/** All generated files that are committed and compared by a test. Needs the farm of the bundled split. */
export async function generatedFiles(bundledFarm: string): Promise<GeneratedFile[]> {
  return [
    { path: 'docs/errors.md', content: errorsPage() },
    { path: 'docs/tools.md', content: await toolsPage() },
    { path: 'databases/version.json', content: dataVersion() },
    { path: 'docker-compose.yml', content: emitBundledCompose(DOMAIN_NAMES) },
    { path: HARNESS_COMPOSE, content: harnessComposeFile() },
    { path: 'openapi/rookery.json', content: await ownDocument(bundledFarm) },
    ...specifications(bundledFarm),
  ];
}

/** The version of the bundled data: a hash of the sources of each domain, and of all. */
function dataVersion(): string {
  const folder = join(packageRoot, 'databases');
  const domains = Object.fromEntries(DOMAIN_NAMES.map((name) => [name, hashSources(folder, [name])]));
  return `${JSON.stringify({ all: hashSources(folder, DOMAIN_NAMES), domains }, null, 2)}\n`;
}

/** The OpenAPI document of rookery's own API, from a server with runs and tasks. */
async function ownDocument(farm: string): Promise<string> {
  const { domains, ...loaded } = await loadFarm(farm);
  const app = await buildApp({ domains, plugins: [agentPlugin(agentOptions({ ...loaded, domains }, {}))] });
  try {
    return (await app.inject('/openapi/rookery.json')).body;
  } finally {
    await app.close();
  }
}

/** The bundled farm's OpenAPI documents, for reference. */
function specifications(farm: string): GeneratedFile[] {
  return readdirSync(join(farm, 'openapi'))
    .sort()
    .map((name) => ({ path: `openapi/${name}`, content: readFileSync(join(farm, 'openapi', name), 'utf8') }));
}

/** The committed text of a generated file. Throws if it cannot be read. */
export function committed(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}
