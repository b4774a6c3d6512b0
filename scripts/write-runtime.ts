import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot, packageVersion } from '../contracts/package-root.ts';

/**
 * Writes what `services/main` needs to run, and nothing else, into a new folder: of our built JavaScript the files that
 * it leads to, of node_modules the packages that these import, with what those depend on, without their sources, tests
 * and typings. Run it after the build: `tsx scripts/write-runtime.ts <folder>`.
 */
const ENTRY = join(packageRoot, 'dist', 'services', 'main.js');
/** `from 'x'`, `import('x')`, `resolve('x')`, `new URL('./x', import.meta.url)`. */
const SPECIFIERS = /(?:from|import|resolve|new URL)\s*\(?\s*['"]([^'"\s]+)['"]/g;
/** Packages of which we use a corner: like our own, only the files that are reached are taken, and what these import. */
const CORNERS = new Set(['@modelcontextprotocol/sdk', '@hono/node-server', 'hono']);
/** Resolved from source only. */
const NOT_WHEN_BUILT = new Set(['tsx']);
/** Dependencies that only fetch something when their package is installed. */
const INSTALL_ONLY = new Set(['prebuild-install']);
/** What of some packages is not for running, besides what `isForRunning` knows of all. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  'better-sqlite3': /^(deps|src|build\/(?!Release$|Release\/better_sqlite3\.node$))/,
  'swagger-ui-dist': /^(?!package\.json$|LICENSE$|swagger-ui\.css$|swagger-ui-bundle\.js$)./,
};

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('say where: tsx scripts/write-runtime.ts <folder>');
writeRuntime(out);

function writeRuntime(to: string): void {
  const { files, packages } = reachable();
  for (const file of files) cpSync(file, join(to, relative(packageRoot, file)));
  for (const folder of withDependencies(packages)) copyPackage(folder, to);
  mkdirSync(to, { recursive: true });
  const manifest = { name: 'rookery', version: packageVersion, type: 'module', private: true };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The built files that the entry leads to, and the names of the packages these import or resolve. */
function reachable(): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    // A comment may name a file that is not there; an import cannot, or it would not have been built.
    if (files.has(file) || !existsSync(file)) return;
    files.add(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(SPECIFIERS)) {
      const name = /^(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)(?:\/|$)/.exec(specifier)?.[1];
      // Child processes are named by the file that they are written in.
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier.replace(/\.ts$/, '.js')));
      else if (name !== undefined && CORNERS.has(name)) {
        files.add(join(findPackage(name, packageRoot) ?? '', 'package.json'));
        visit(fileURLToPath(import.meta.resolve(specifier)));
      } else if (name !== undefined && !NOT_WHEN_BUILT.has(name)) packages.add(name);
    }
  };
  visit(ENTRY);
  return { files, packages };
}

/** Folders of packages and of all that they depend on. */
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
  const folders = /(^|\/)(node_modules|tests?|__tests__|benchmarks?|docs?|examples?|\.github|\.vscode)(\/|$)/;
  return !folders.test(path) && !/\.(map|md|markdown|ts|mts|cts|ya?ml|gyp|gypi)$/.test(path);
}
