import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import { packageRoot } from '../../contracts/package-root.ts';
import { bundle, childFiles, withChildUrls } from '../../scripts/build/bundle.ts';
import { cached } from './cache.ts';

/**
 * Child processes of the code under test run compiled, as they ship. Each starts in a fifth of the time that reading its
 * TypeScript takes, and tests start hundreds. A watching run reads the sources, which change under it.
 */
export function compiledChildren(): Plugin {
  let watching = false;
  return {
    name: 'compiled-children',
    enforce: 'pre',
    configureVitest({ vitest }) {
      watching = vitest.config.watch;
    },
    async transform(code, importer) {
      if (watching || !importer.endsWith('.ts') || !code.includes('import.meta.url')) return null;
      const urls = new Map<string, string>();
      for (const file of childFiles(code, importer).filter((each) => IS_CHILD.test(each)))
        urls.set(file, `new URL(${JSON.stringify(pathToFileURL(await compile(file)))})`);
      return urls.size === 0 ? null : { code: withChildUrls(code, importer, urls), map: null };
    },
  };
}

/** Named so wherever one is written (`ChildPool`). */
const IS_CHILD = /-child\.ts$|-fixture\.ts$/;

/** Writes a child's compiled file once for the same sources, and answers its path. */
async function compile(file: string): Promise<string> {
  const source = relative(packageRoot, file);
  const folder = await cached(`child-${source.replace(/\W/g, '-')}`, (to) =>
    bundle({ child: source }, to, { quiet: true }),
  );
  return join(folder, 'child.js');
}
