import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { packageRoot } from '../../contracts/package-root.ts';
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
