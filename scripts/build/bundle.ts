import { copyFileSync, existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { type OutputChunk, type Plugin, type RolldownOptions, rolldown } from 'rolldown';
import { packageRoot } from '../../contracts/package-root.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Makes an error of an import that cannot be resolved, which the bundler itself only warns of. */
export const failUnresolved: NonNullable<RolldownOptions['onLog']> = (level, log, report) => {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
  report(level, log);
};

/** How a module names the file that a child process or a worker begins with. */
const CHILD = /new URL\(\s*'(\.{1,2}\/[^']+\.ts)'\s*,\s*import\.meta\.url\s*\)/g;

/** The files that child processes and workers of a module begin with. A comment may show one that is not there. */
export function childFiles(code: string, importer: string): string[] {
  const files = [...code.matchAll(CHILD)].map(([, path = '']) => join(dirname(importer), path));
  return files.filter((file) => existsSync(file));
}

/** The code with other URLs, as code, in place of the files that have one. */
export function withChildUrls(code: string, importer: string, urls: ReadonlyMap<string, string>): string {
  return code.replaceAll(
    CHILD,
    (whole: string, path: string) => urls.get(join(dirname(importer), path)) ?? whole,
  );
}

/**
 * Makes an entry of every file that runs in a process or thread of its own, and points the code that starts it there.
 */
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
export const EXTERNAL = ['better-sqlite3', 'sql.js'] as const;

/** Packages that users install when they want them. */
const OPTIONAL = Object.keys(manifest.peerDependencies);

/** Only resolved from source, where TypeScript must be read. */
const SOURCE_ONLY = ['tsx'];

/**
 * Writes JavaScript that is ready to run, one file an entry and shared chunks beside them. `entries`: file names in
 * `to`, without `.js`, to source files relative to the package. Returns the files written. Throws on an import that
 * cannot be resolved; other warnings are printed unless `quiet`.
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
    onLog: (level, log, report) => failUnresolved(level, log, quiet ? () => {} : report),
  });
  try {
    const { output } = await build.write({
      dir: to,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
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

/**
 * Writes the console, as a browser loads it, to a folder: `console.js`, all of it in one file, and `console.css`. Returns
 * the chunk written. Throws on an import that cannot be resolved, such as one of Node's own modules.
 */
export async function buildConsole(to: string): Promise<OutputChunk[]> {
  const source = join(packageRoot, 'console');
  const build = await rolldown({
    input: { console: join(source, 'main.tsx') },
    cwd: packageRoot,
    platform: 'browser',
    // The console needs a few pure functions of eval and runner; what their modules do when loaded is not for browsers.
    treeshake: { moduleSideEffects: false },
    plugins: [pureConstants()],
    onLog: failUnresolved,
  });
  try {
    const { output } = await build.write({
      dir: to,
      format: 'esm',
      entryFileNames: '[name].js',
      codeSplitting: false,
      minify: true,
      comments: { legal: true },
    });
    copyFileSync(join(source, 'style.css'), join(to, 'console.css'));
    return output.filter((each) => each.type === 'chunk');
  } finally {
    await build.close();
  }
}
