import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../../contracts/package-root.ts';
import { buildConsole, bundle } from './bundle.ts';

/** The licences of the packages that these modules (absolute paths) belong to. Throws if one has no licence. */
export function thirdPartyNotices(modules: Iterable<string>): string {
  const folders = new Set<string>();
  for (const module of modules) {
    const folder = packageFolder(module);
    if (folder !== null) folders.add(folder);
  }
  const notices = [...folders].map(noticeOf).sort();
  const heading = 'rookery is bundled with parts of the packages below, each under its own licence.\n';
  return [heading, ...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The package folder of a file below node_modules. */
function packageFolder(file: string): string | null {
  const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file) ?? [];
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : null;
}

function noticeOf(folder: string): string {
  const { name, version, license, licenses, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)([.-]|$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const named = license ?? licenses;
  if (named === undefined && texts.length === 0) throw new Error(`${name} names no licence: ${folder}`);
  const by = typeof author === 'string' ? author : ((author as { name?: string } | undefined)?.name ?? '');
  const terms = typeof named === 'string' ? named : JSON.stringify(named ?? 'see below');
  return `${[`${name} ${version} (${terms})`, ...(texts.length > 0 ? texts : [by])].join('\n\n')}\n`;
}

/** The entries that ship: the command, the container processes, and the client. */
export const ENTRIES = {
  'cli/main': 'cli/main.ts',
  'services/main': 'services/main.ts',
  'client/index': 'client/index.ts',
} as const;

export interface BuildOptions {
  /** Whether to write the client's type declarations too. Default true. */
  readonly types?: boolean;
}

/**
 * Writes the package to a folder, by default `dist/`: bundles, the console, the client's types, and the
 * licences of bundled packages. The folder is replaced atomically, and left alone if nothing would change, so
 * that running commands are not disturbed.
 */
export async function buildPackage(
  to = join(packageRoot, 'dist'),
  { types = true }: BuildOptions = {},
): Promise<void> {
  const target = resolve(to);
  const made = `${target}.new-${process.pid}`;
  try {
    const chunks = await Promise.all([bundle(ENTRIES, made), buildConsole(join(made, 'console'))]);
    chmodSync(join(made, 'cli', 'main.js'), 0o755);
    const modules = chunks.flat().flatMap(({ moduleIds }) => moduleIds);
    writeFileSync(join(made, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(modules));
    if (types) writeTypes(made);
    if (!isSame(made, target)) replace(target, made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function writeTypes(to: string): void {
  const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', join(packageRoot, 'tsconfig.build.json'), '--outDir', to], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // Declarations refer to the source files, which are not shipped.
  for (const file of filesOf(to).filter((each) => each.endsWith('.d.ts'))) {
    const text = readFileSync(join(to, file), 'utf8');
    writeFileSync(join(to, file), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

function replace(target: string, made: string): void {
  const old = `${made}.old`;
  mkdirSync(join(target, '..'), { recursive: true });
  if (existsSync(target)) renameSync(target, old);
  renameSync(made, target);
  rmSync(old, { recursive: true, force: true });
}

function isSame(one: string, other: string): boolean {
  if (!existsSync(other)) return false;
  const files = filesOf(one);
  return (
    files.join('\n') === filesOf(other).join('\n') &&
    files.every((file) => readFileSync(join(one, file)).equals(readFileSync(join(other, file))))
  );
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .sort();
}
