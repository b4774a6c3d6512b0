import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { packageRoot, packageVersion } from '../contracts/package-root.ts';
import { thirdPartyNotices } from './build/build-package.ts';
import { buildConsole, bundle, EXTERNAL } from './build/bundle.ts';

/**
 * `tsx scripts/write-runtime.ts <folder>`: writes exactly what `services/main` needs to run into a new
 * folder: its bundle, the console, and the node_modules packages that are not bundled, with their
 * dependencies but without sources, tests and typings.
 */
/** Dependencies that are only used when their package is installed. */
const INSTALL_ONLY = new Set(['prebuild-install']);
/** Files of some packages that are not needed at run time, besides those that `isForRunning` excludes. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  'better-sqlite3': /^(deps|src|build\/(?!Release$|Release\/better_sqlite3\.node$))/,
};

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('usage: tsx scripts/write-runtime.ts <folder>');
await writeRuntime(out);

async function writeRuntime(to: string): Promise<void> {
  const chunks = await bundle({ 'services/main': 'services/main.ts' }, join(to, 'dist'));
  const isNamed = (name: string) => chunks.some(({ code }) => new RegExp(`['"\`]${name}['"\`/]`).test(code));
  for (const folder of withDependencies(EXTERNAL.filter(isNamed))) copyPackage(folder, to);
  const console = await buildConsole(join(to, 'dist', 'console'));
  const modules = [...chunks, ...console].flatMap(({ moduleIds }) => moduleIds);
  const notices = thirdPartyNotices(modules);
  writeFileSync(join(to, 'THIRD-PARTY-NOTICES.txt'), notices);
  const manifest = { name: 'rookery', version: packageVersion, type: 'module', private: true };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Folders of packages and their transitive dependencies. */
function withDependencies(names: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  const visit = (name: string, from: string): void => {
    const folder = findPackage(name, from);
    if (folder === undefined || folders.has(folder)) return;
    folders.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as { dependencies?: object; optionalDependencies?: object };
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!INSTALL_ONLY.has(each)) visit(each, folder);
    }
  };
  for (const name of names) visit(name, packageRoot);
  return folders;
}

/** Node's resolution: the nearest node_modules that contains it. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === packageRoot) return undefined;
  }
}

function copyPackage(folder: string, to: string): void {
  const path = relative(packageRoot, folder);
  const name = path.split(`node_modules${sep}`).at(-1) ?? '';
  const leftOut = LEFT_OUT[name.split(sep).join('/')];
  cpSync(folder, join(to, path), {
    recursive: true,
    filter: (source) => {
      const inside = relative(folder, source).split(sep).join('/');
      return inside === '' || (isForRunning(inside) && !leftOut?.test(inside));
    },
  });
}

function isForRunning(path: string): boolean {
  const folders = /(^|\/)(node_modules|tests?|__tests__|benchmarks?|docs?|examples?|\.github|\.vscode)(\/|$)/;
  return !folders.test(path) && !/\.(map|md|markdown|ts|mts|cts|ya?ml|gyp|gypi)$/.test(path);
}
