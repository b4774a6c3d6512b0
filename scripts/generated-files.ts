import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../contracts/errors.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { hashSources } from '../databases/write-split.ts';
import { emitBundledCompose, HARNESS_COMPOSE, harnessComposeFile } from '../deploy/compose.ts';
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
  return `# Errors\n\nThis page is generated from \`contracts/errors.ts\`.\n\n${sections.join('\n')}`;
}

const LINE = 19;
const CHARACTER = 7.8;
const MARGIN = 24;

/** A line of the picture, and its role. */
interface Line {
  readonly kind: 'heading' | 'said' | 'sent' | 'answered';
  readonly text: string;
}

/** `docs/picture.svg`: rookery at work, drawn from the README's examples, which tests run. */
export function picture(): string {
  return drawLines(linesOf(readFileSync(join(packageRoot, 'README.md'), 'utf8')));
}

function linesOf(readme: string): Line[] {
  const found = (pattern: RegExp): string => {
    const text = pattern.exec(readme)?.[1];
    if (text === undefined) throw new Error(`README.md has no ${pattern}`);
    return text;
  };
  const calls = found(/^(filter_data[\s\S]*?)\n```/m).split('\n');
  const table = found(/```text\n([\s\S]*?)\n```/).split('\n');
  return [
    { kind: 'heading', text: 'A question with its SQL becomes' },
    { kind: 'said', text: found(/^\*(“.+?”)\*/m) },
    { kind: 'heading', text: 'a live endpoint' },
    { kind: 'sent', text: found(/^(GET \/v1.+)$/m) },
    { kind: 'answered', text: found(/^(\{"data".+)$/m) },
    { kind: 'heading', text: 'and a task for general tools' },
    ...calls.map((text): Line => ({ kind: 'sent', text: text.replace(/ {2,}/g, '  ') })),
    { kind: 'heading', text: 'that agents are scored on' },
    ...table.map((text): Line => ({ kind: 'answered', text })),
  ];
}

function drawLines(lines: readonly Line[]): string {
  const width = Math.ceil(Math.max(...lines.map(({ text }) => text.length)) * CHARACTER) + 2 * MARGIN;
  let y = MARGIN;
  const drawn = lines.map(({ kind, text }) => {
    y += kind === 'heading' ? LINE * 1.6 : LINE;
    return `<text x="${MARGIN}" y="${y.toFixed(1)}" class="${kind}">${escapeXml(text)}</text>`;
  });
  const height = Math.ceil(y + MARGIN);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="From a question to a live endpoint, a task and a leaderboard">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #d7dde3; }
.heading { font-family: system-ui, sans-serif; font-weight: 600; fill: #8fb7ff; }
.said { font-style: italic; }
.sent { fill: #9ad29a; }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#1c2128"/>
${drawn.join('\n')}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
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
    { path: 'docs/picture.svg', content: picture() },
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
