import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';

// What the README says: npm install && npm start
const folder = mkdtempSync(join(tmpdir(), 'rookery-start-'));
let running: ChildProcess | null = null;

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
