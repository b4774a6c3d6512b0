import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot, packageVersion } from '../contracts/package-root.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { committed } from '../scripts/generated-files.ts';
import { temporaryFolder } from './support/split-fixture.ts';

const LEFT_OUT = /^\/(node_modules|dist|farm|\.git|\.tmp|databases\/\.built[^/]*)(\/|$)/;

// What the README says: npm install && npm start
it('npm start builds in a fresh checkout, makes the bundled farm and serves it', async () => {
  const address = await start(checkout());
  // It listens before the first domain is served.
  const served = async () => {
    const index = await fetch(address, { headers: { accept: 'application/json' } });
    return ((await index.json()) as { domains: unknown[] }).domains.length;
  };
  await expect.poll(served, { timeout: 600_000, interval: 500 }).toBe(DOMAIN_NAMES.length);
  for (const name of readdirSync(join(packageRoot, 'openapi'))) {
    const specification = await (await fetch(new URL(`openapi/${name}`, address))).json();
    const path = `openapi/${name}`;
    expect(specification, `${path} is out of date: npm run generated`).toEqual(JSON.parse(committed(path)));
  }
});

// What the README says, for commands that are copied from its pages.
it('is called rookery in a shell once the alias is entered in a checkout', () => {
  const elsewhere = temporaryFolder();
  const lines = [
    'shopt -s expand_aliases',
    `alias rookery="npm run --silent --prefix '$PWD' rookery --"`,
    `cd ${elsewhere}`,
    'rookery --version',
    'rookery init my-split',
  ];
  const printed = execFileSync('bash', ['-c', lines.join('\n')], { cwd: packageRoot, encoding: 'utf8' });
  expect(printed.split('\n')[0]).toBe(packageVersion);
  expect(readdirSync(elsewhere)).toEqual(['my-split']);
});

/** The sources as they are here, with what `npm install` has put beside them. */
function checkout(): string {
  const folder = temporaryFolder();
  cpSync(packageRoot, folder, {
    recursive: true,
    filter: (source) => !LEFT_OUT.test(source.slice(packageRoot.length)),
  });
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Starts as `npm start` does, on a free port, beside other tests; answers the address. */
function start(cwd: string): Promise<string> {
  const child = spawn('npm', ['start', '--', '--port', '0', '--jobs', '1'], { cwd, detached: true });
  let ended = false;
  onTestFinished(() => {
    if (child.pid !== undefined && !ended) process.kill(-child.pid, 'SIGTERM');
  });
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
      ended = true;
      reject(new Error(`npm start ended with ${code}\n${output}`));
    });
  });
}
