import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { packageRoot } from '../../contracts/package-root.ts';
import { REFERENCE_FILES, referenceFile } from '../../services/base/pages/reference-files.ts';
import { failUnresolved } from './fail-unresolved.ts';

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

/** Copies what is served of Swagger UI into a folder; answers the files that were copied. */
export function copyReference(to: string): string[] {
  mkdirSync(to, { recursive: true });
  return REFERENCE_FILES.map((name) => {
    const file = referenceFile(name);
    copyFileSync(file, join(to, name));
    return file;
  });
}
