import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { buildBundledSplit } from '../databases/build.ts';

// What the README says: npm install && npm start
let folder: string;
let running: ChildProcess | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-start-'));
});
afterEach(() => {
  if (running?.pid !== undefined) process.kill(-running.pid, 'SIGTERM');
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

it('npm start builds, makes the bundled farm and serves it', { timeout: 300_000 }, async () => {
  const address = await start();
  const index = (await (await fetch(address, { headers: { accept: 'application/json' } })).json()) as {
    domains: unknown[];
  };
  expect(index.domains).toHaveLength(3);
  const spec = (await (await fetch(new URL('openapi/vet_clinics.rest.json', address))).json()) as {
    paths: Record<string, unknown>;
  };
  expect(Object.keys(spec.paths).length).toBeGreaterThan(40);
});

it('the packed package runs where it is installed, and has its client', { timeout: 300_000 }, async () => {
  const installed = install();
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const split = await buildBundledSplit();
  run(join(installed, 'dist/cli/main.js'), 'generate', split, '--only', 'vet_clinics', '--out', 'clinics');
  const [sample = ''] = readFileSync(join(folder, 'clinics/eval/vet_clinics.jsonl'), 'utf8').split('\n');
  const { sample_id } = JSON.parse(sample);
  writeFileSync(join(folder, 'predictions.jsonl'), JSON.stringify({ sample_id, answer: 1 }));
  run(join(installed, 'dist/cli/main.js'), 'score', 'clinics', 'predictions.jsonl', '--html', 'report.html');
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('</html>');
  writeFileSync(
    join(folder, 'agent.mjs'),
    "import { Rookery } from 'rookery/client';\nconsole.log(typeof Rookery);\n",
  );
  expect(run('agent.mjs')).toBe('function\n');
});

/** Puts what `npm pack` packs where `npm install` would, with the dependencies that are here. */
function install(): string {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  const options = { cwd: packageRoot, encoding: 'utf8' } as const;
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, options));
  execFileSync('tar', ['xzf', join(folder, filename), '-C', modules]);
  renameSync(join(modules, 'package'), join(modules, 'rookery'));
  symlinkSync(join(packageRoot, 'node_modules'), join(modules, 'rookery', 'node_modules'));
  return join(modules, 'rookery');
}

/** Starts as `npm start` does, on a free port and with a farm folder of the test's own; answers the address. */
function start(): Promise<string> {
  const child = spawn('npm', ['start', '--', '--port', '0', '--farm', join(folder, 'farm')], {
    cwd: packageRoot,
    detached: true,
  });
  running = child;
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (text: Buffer) => {
      output += text;
      const [, address] = /(http:\/\/[\d.]+:\d+\/)/.exec(output) ?? [];
      if (address) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => {
      running = null;
      reject(new Error(`npm start ended with ${code}\n${output}`));
    });
  });
}
