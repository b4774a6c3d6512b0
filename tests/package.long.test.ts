import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { buildBundledSplit, bundledHash } from '../databases/build.ts';
import { DOMAIN_NAMES, SMALL_DOMAINS } from '../databases/domains.ts';
import { PACKED_SOURCES, packSources, unpackSources } from '../databases/sources.ts';
import { hashSources, writeUseCases } from '../databases/write-split.ts';
import { installTools } from './interop/install-tools.ts';
import { builtPackage } from './support/built-package.ts';
import { scratchFolder } from './support/split-fixture.ts';
import { startCommand } from './support/start-command.ts';

const tools = await installTools();

/** What `npm pack` packs, installed by npm into an empty folder that knows nothing of this checkout. */
describe('the package, installed', () => {
  const folder = scratchFolder();
  let tarball: string;
  let command: string;
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;

  beforeAll(async () => {
    tarball = await pack(join(folder, 'packed'));
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    // SQLite was compiled for this machine before; only its source would be compiled again.
    const install = ['install', tarball, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
    const addon = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
    mkdirSync(join(folder, addon, '..'), { recursive: true });
    cpSync(join(packageRoot, addon), join(folder, addon));
    command = join(folder, 'node_modules/rookery/dist/cli/main.js');
  });
  it('says its version, and helps', async () => {
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
    expect(await run(command, '--version')).toBe(`${version}\n`);
    expect(await run(command, '--help')).toContain('generate');
  });

  it('is no more than nine million bytes', () => {
    expect(statSync(tarball).size).toBeLessThan(9_000_000);
  });

  it('has the sources that its proofs are of', () => {
    const sources = join(folder, 'sources');
    unpackSources(readFileSync(join(folder, 'node_modules/rookery', PACKED_SOURCES)), sources);
    const hashes = DOMAIN_NAMES.map((db) => hashSources(sources, [db], { code: true }));
    expect(hashes).toEqual(DOMAIN_NAMES.map(bundledHash));
  });

  it('builds databases of its sources, byte for byte', async () => {
    await run(command, 'init', '--use-cases', 'cases');
    const made = join(folder, 'made-here');
    mkdirSync(made);
    writeUseCases(made);
    const files = readdirSync(made, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const { parentPath, name } of files) {
      const path = relative(made, join(parentPath, name));
      expect(readFileSync(join(folder, 'cases', path)).equals(readFileSync(join(made, path))), path).toBe(
        true,
      );
    }
  });

  it('generates, scores, writes a report, and serves in a child process what README.md shows', async () => {
    const split = await buildBundledSplit({ only: SMALL_DOMAINS, handWritten: true });
    await run(command, 'generate', split, '--name', 'bundled', '--only', 'vet_clinics', '--out', 'clinics');
    const [line = ''] = readFileSync(join(folder, 'clinics/eval/vet_clinics.jsonl'), 'utf8').split('\n');
    const { sample_id } = JSON.parse(line);
    writeFileSync(join(folder, 'predictions.jsonl'), JSON.stringify({ sample_id, answer: 1 }));
    await run(command, 'score', 'clinics', 'predictions.jsonl', '--html', 'report.html');
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('</html>');

    // So that it is answered by a child process.
    const services = join(folder, 'clinics/services/vet_clinics.json');
    const slow = readFileSync(services, 'utf8').replaceAll(/("speed":\s*)"quick"/g, '$1"slow"');
    writeFileSync(services, slow);
    const served = await startCommand(command, ['serve', 'clinics', '--port', '0'], folder);
    const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
    const [, path = '', shown = ''] = /^GET (\S+)\n\n(\{.*\})$/m.exec(readme) ?? [];
    expect(await (await fetch(`${served.address}${path}`)).json()).toEqual(JSON.parse(shown));
    expect((await fetch(`${served.address}/docs/vet_clinics`)).status).toBe(200);
    expect(await served.stop()).toBe(0);
  });

  it.skipIf(tools.missing !== null)(tools.title('has types for every way of importing it'), async () => {
    await tools.run('attw', [tarball, '--profile', 'esm-only', '--quiet']);
  });

  it('has a client with types', async () => {
    const agent = [
      "import { type ClientTask, Rookery } from 'rookery/client';",
      "const farm: Rookery = new Rookery('http://127.0.0.1:1');",
      'export const question = (task: ClientTask): string => task.question;',
      '// @ts-expect-error: an id is text',
      'export const id = (task: ClientTask): number => task.sample_id;',
      'console.log(typeof farm.run);',
    ];
    writeFileSync(join(folder, 'agent.ts'), agent.join('\n'));
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--types', ''];
    await run(tsc, 'agent.ts', ...options);
    expect(await run('agent.js')).toBe('function\n');
  });
});

/** Packs what is shipped, built in a place of its own rather than in the checkout's `dist/`. */
async function pack(staging: string): Promise<string> {
  const { files } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  // What is not to be packed, `!…`, is npm's to leave out.
  const wanted = files.filter((path: string) => !path.startsWith('!'));
  for (const path of ['package.json', ...wanted]) {
    const from = path === 'dist' ? await builtPackage() : join(packageRoot, path);
    cpSync(from, join(staging, path), { recursive: true, filter: (source) => !source.includes('.built') });
  }
  writeFileSync(join(staging, PACKED_SOURCES), packSources(join(packageRoot, 'databases')));
  const options = { cwd: staging, encoding: 'utf8', stdio: 'pipe' } as const;
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--ignore-scripts', '--json'], options));
  return join(staging, filename);
}
