import { copyFileSync, existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { type OutputChunk, type Plugin, type RolldownOptions, rolldown } from 'rolldown';
import { packageRoot } from '../../contracts/package-root.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Turns an unresolved import, which the bundler only warns about, into an error. */
export const failUnresolved: NonNullable<RolldownOptions['onLog']> = (level, log, report) => {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
  report(level, log);
};

/** How a module refers to the entry file of a child process or worker. */
const CHILD = /new URL\(\s*'(\.{1,2}\/[^']+\.ts)'\s*,\s*import\.meta\.url\s*\)/g;

/** The entry files of a module's child processes and workers. A comment may mention a file that does not exist. */
export function childFiles(code: string, importer: string): string[] {
  const files = [...code.matchAll(CHILD)].map(([, path = '']) => join(dirname(importer), path));
  return files.filter((file) => existsSync(file));
}

/** Replaces the URLs of these files in the code. */
export function withChildUrls(code: string, importer: string, urls: ReadonlyMap<string, string>): string {
  return code.replaceAll(
    CHILD,
    (whole: string, path: string) => urls.get(join(dirname(importer), path)) ?? whole,
  );
}

/** Makes an entry of every file that runs in its own process or thread, and rewrites the URLs that start it. */
export function childModules(): Plugin {
  return {
    name: 'child-modules',
    transform: {
      filter: { id: /\.ts$/, code: /import\.meta\.url/ },
      handler(code, importer) {
        const entries = childFiles(code, importer).map((file) => {
          const reference = this.emitFile({ type: 'chunk', id: file });
          return [file, `new URL(import.meta.ROLLUP_FILE_URL_${reference})`] as const;
        });
        return entries.length === 0
          ? null
          : { code: withChildUrls(code, importer, new Map(entries)), map: null };
      },
    },
  };
}

/** Packages that stay in node_modules: native code, WebAssembly, or files read from their own folder. */
export const EXTERNAL = ['better-sqlite3'] as const;

/** Packages that users install on demand. */
const OPTIONAL = Object.keys(manifest.peerDependencies);

/** Our own modules except entries: only the parts in use are loaded, so that a command or a child starts quickly. */
const OWN_SOURCE = /^(?!.*[\\/]node_modules[\\/]).*(?<!main|-child|-fixture)\.ts$/;

/** Only needed from source, to run TypeScript. */
const SOURCE_ONLY = ['tsx'];

/**
 * Writes executable JavaScript, one file per entry with shared chunks. `entries` maps file names in `to`,
 * without `.js`, to source files relative to the package. Returns the files written. Throws on an unresolved
 * import; other warnings are printed unless `quiet`.
 */
export async function bundle(
  entries: Readonly<Record<string, string>>,
  to: string,
  { quiet = false }: { readonly quiet?: boolean } = {},
): Promise<OutputChunk[]> {
  const kept = [...EXTERNAL, ...OPTIONAL, ...SOURCE_ONLY];
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(packageRoot, file)])),
    cwd: packageRoot,
    platform: 'node',
    external: (id) => isBuiltin(id) || kept.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [childModules()],
    treeshake: { moduleSideEffects: [{ test: OWN_SOURCE, sideEffects: false }] },
    onLog: (level, log, report) => failUnresolved(level, log, quiet ? () => {} : report),
  });
  try {
    const { output } = await build.write({
      dir: to,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      // Names of functions and classes stay, for stack traces.
      minify: {
        compress: { keepNames: { function: true, class: true } },
        mangle: { keepNames: true },
        codegen: { removeWhitespace: true },
      },
      comments: { legal: true },
    });
    return output.filter((each) => each.type === 'chunk');
  } finally {
    await build.close();
  }
}

/** Lets the bundler drop constants that are never read, such as the schemas beside the figures that the console shows. */
function pureConstants(): Plugin {
  return {
    name: 'pure-constants',
    transform: {
      filter: { id: /\.tsx?$/, code: /\bz\./ },
      handler(code, id) {
        const { body } = this.parse(code, { lang: id.endsWith('x') ? 'tsx' : 'ts' });
        const constants = body
          .map((each) => (each.type === 'ExportNamedDeclaration' ? each.declaration : each))
          .flatMap((each) => (each?.type === 'VariableDeclaration' ? each.declarations : []))
          .flatMap(({ init }) => init ?? []);
        return constants.reduceRight(
          (text, { start, end }) =>
            `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
          code,
        );
      },
    },
  };
}

/** Collects the modules that an entry imports, but for those that it imports when they are needed. */
function importedAtOnce(entry: string, modules: Set<string>): Plugin {
  return {
    name: 'imported-at-once',
    buildEnd() {
      const visit = (id: string) => {
        if (modules.has(id)) return;
        modules.add(id);
        this.getModuleInfo(id)?.importedIds.forEach(visit);
      };
      visit(entry);
    },
  };
}

/**
 * Writes the console for browsers to a folder: `console.js`, `console.css`, `mark.svg`, and a script for each view that loads when it
 * is opened; a leaderboard in files has no such views. Returns the chunks written. Throws on an unresolved import, such as
 * one of Node's own modules.
 */
export async function buildConsole(to: string): Promise<OutputChunk[]> {
  const source = join(packageRoot, 'console');
  const entry = join(source, 'main.tsx');
  const atOnce = new Set<string>();
  const build = await rolldown({
    input: { console: entry },
    cwd: packageRoot,
    platform: 'browser',
    // The console only uses pure functions of eval and runner; the side effects of their modules do not
    // belong in a browser.
    treeshake: { moduleSideEffects: false, propertyReadSideEffects: false },
    preserveEntrySignatures: false,
    plugins: [pureConstants(), importedAtOnce(entry, atOnce)],
    onLog: failUnresolved,
  });
  try {
    const { output } = await build.write({
      dir: to,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      // Everything that every view needs is in one file, which pages without a server hold.
      codeSplitting: { groups: [{ name: 'console', test: (id) => atOnce.has(id) }] },
      minify: true,
      comments: { legal: true },
    });
    copyFileSync(join(source, 'style.css'), join(to, 'console.css'));
    copyFileSync(join(source, 'mark.svg'), join(to, 'mark.svg'));
    return output.filter((each) => each.type === 'chunk');
  } finally {
    await build.close();
  }
}
