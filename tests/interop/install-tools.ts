import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../contracts/package-root.ts';
import { oneAtATime } from '../support/cache.ts';

const run = promisify(execFile);
const INSTALL_MS = 10 * 60_000;
/** Without a network, it gives up soon. */
const OPTIONS = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--fetch-retry-mintimeout=1000',
];

export const INTEROP = join(packageRoot, 'tests', 'interop');
/** A folder for each set of packages that only a few tests want. */
export const INSTALLED = join(packageRoot, 'tests', 'installed');

/** The tools of other people, installed in a folder of their own. */
export interface Tools {
  /** Why there are none; null when there are. */
  readonly missing: string | null;
  /** The title of tests that need them; without them it says why there are none. */
  title(title: string): string;
  /** Runs one of them; the text that it prints. What it prints when it fails is the error. */
  run(name: string, args: readonly string[], options?: RunOptions): Promise<string>;
  /** The path of a command. */
  command(name: string): string;
  /** Loads one of them. */
  readonly load: NodeJS.Require;
}

interface RunOptions {
  readonly cwd?: string;
  readonly timeout?: number;
}

/** Installs what `package-lock.json` of the folder names, unless it is there already. */
export async function installTools(folder = INTEROP): Promise<Tools> {
  const command = (name: string) => join(folder, 'node_modules', '.bin', name);
  const lock = join(packageRoot, '.tmp', 'installed', basename(folder));
  const missing = await oneAtATime(lock, () => install(folder));
  return {
    missing,
    command,
    load: createRequire(join(folder, 'package.json')),
    title: (title) => (missing === null ? title : `${title}: left out, ${missing}`),
    async run(name, args, { cwd = folder, timeout = 5 * 60_000 } = {}) {
      try {
        const { stdout } = await run(command(name), [...args], {
          cwd,
          timeout,
          maxBuffer: 64 * 1024 * 1024,
          env: { ...process.env, ...QUIET },
        });
        return stdout;
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${name} ${args.join(' ')}\n${stdout}\n${stderr}`.slice(0, 4000));
      }
    },
  };
}

/** Nobody is told that the tests are run. */
const QUIET = {
  CI: '1',
  DO_NOT_TRACK: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
};

/** Installs beside what is there, so that neither of two that install, one of them left over, sees half of it. */
async function install(folder: string): Promise<string | null> {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules');
  const stamp = join(installed, '.installed-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return null;
  const fresh = mkdtempSync(join(packageRoot, '.tmp', 'installed', 'new-'));
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(folder, name), join(fresh, name));
    await run('npm', ['ci', ...OPTIONS], { cwd: fresh, timeout: INSTALL_MS });
    writeFileSync(join(fresh, 'node_modules', '.installed-lock'), lock);
    rmSync(installed, { recursive: true, force: true });
    renameSync(join(fresh, 'node_modules'), installed);
    return null;
  } catch (error) {
    const { message, stderr = '' } = error as Error & { readonly stderr?: string };
    // After lines of codes, npm says in one what is wrong.
    const [, reason] = /^npm error (?!code |syscall |errno |path )(.+)$/m.exec(stderr) ?? [];
    return `npm ci in ${relative(packageRoot, folder)} failed: ${reason ?? message}`;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
