import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { packageRoot, packageVersion } from '../contracts/package-root.ts';

/**
 * Writes what `services/main` needs to run, and nothing else, into a new folder: the built JavaScript of contracts and
 * services, and of node_modules the packages these import, with what those import, without their sources, tests and
 * typings. Run it after the build: `tsx scripts/write-runtime.ts <folder>`.
 */
const BUILT = ['contracts', 'services'];
/** Dependencies that only fetch something when their package is installed. */
const INSTALL_ONLY = new Set(['prebuild-install']);
/** What of some packages is not for running, besides what `isForRunning` knows of all. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  'better-sqlite3': /^(deps|src|build\/(?!Release$|Release\/better_sqlite3\.node$))/,
  'swagger-ui-dist': /^(?!package\.json$|LICENSE$|swagger-ui\.css$|swagger-ui-bundle\.js$)./,
};

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('say where: tsx scripts/write-runtime.ts <folder>');

mkdirSync(out, { recursive: true });
for (const part of BUILT) {
  cpSync(join(packageRoot, 'dist', part), join(out, 'dist', part), {
    recursive: true,
    filter: (path) => !/\.(d\.ts|map)$/.test(path),
  });
}
for (const folder of packagesNeeded()) copyPackage(folder, out);
writeFileSync(
  join(out, 'package.json'),
  `${JSON.stringify({ name: 'rookery', version: packageVersion, type: 'module', private: true }, null, 2)}\n`,
);

/** Folders of all packages that are needed, nested ones too. */
function packagesNeeded(): Set<string> {
  const needed = new Set<string>();
  const visit = (name: string, from: string) => {
    const folder = findPackage(name, from);
    if (folder === undefined || needed.has(folder)) return;
    needed.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as { dependencies?: object; optionalDependencies?: object };
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!INSTALL_ONLY.has(each)) visit(each, folder);
    }
  };
  for (const name of importedPackages()) {
    if (findPackage(name, packageRoot) === undefined)
      throw new Error(`${name} is imported and not installed`);
    visit(name, packageRoot);
  }
  return needed;
}

/** Names of the packages that our own built files import or resolve. */
function importedPackages(): Set<string> {
  const names = new Set<string>();
  for (const part of BUILT) {
    for (const file of readdirSync(join(packageRoot, 'dist', part), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.js')) continue;
      const text = readFileSync(join(packageRoot, 'dist', part, file), 'utf8');
      for (const [, specifier = ''] of text.matchAll(/(?:from|import|resolve)\s*\(?\s*['"]([^'"]+)['"]/g)) {
        const name = /^(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)(?:\/|$)/.exec(specifier)?.[1];
        if (name !== undefined && !specifier.startsWith('node:')) names.add(name);
      }
    }
  }
  // From source only: dist is never run by it.
  names.delete('tsx');
  return names;
}

/** As Node finds it: in the nearest node_modules that has it. */
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
  if (/(^|\/)(node_modules|tests?|__tests__|benchmarks?|docs?|examples?|\.github|\.vscode)(\/|$)/.test(path))
    return false;
  return !/\.(map|md|markdown|ts|mts|cts|ya?ml|gyp|gypi)$/.test(path);
}
