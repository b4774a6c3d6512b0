import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { packageRoot } from '../../contracts/package-root.ts';
import manifest from '../../package.json' with { type: 'json' };
import { childModules } from './child-modules.ts';
import { failUnresolved } from './fail-unresolved.ts';

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
