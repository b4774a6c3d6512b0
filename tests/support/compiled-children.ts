import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import { packageRoot } from '../../contracts/package-root.ts';
import { bundle } from '../../scripts/build/bundle.ts';
import { CHILD } from '../../scripts/build/child-modules.ts';
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
      const compiled = new Map<string, string>();
      for (const [, path = ''] of code.matchAll(CHILD)) {
        const file = join(dirname(importer), path);
        if (IS_CHILD.test(file) && existsSync(file)) compiled.set(path, await compile(file));
      }
      if (compiled.size === 0) return null;
      const replaced = code.replaceAll(CHILD, (whole: string, path: string) => {
        const file = compiled.get(path);
        return file === undefined ? whole : `new URL(${JSON.stringify(pathToFileURL(file))})`;
      });
      return { code: replaced, map: null };
    },
  };
}

/** Named so wherever one is written (`ChildPool`). */
const IS_CHILD = /-child(-fixture)?\.ts$|\/child-fixture\.ts$/;

/** Writes a child's compiled file once for the same sources, and answers its path. */
async function compile(file: string): Promise<string> {
  const name = basename(file, '.ts');
  const folder = await cached(`child-${name}`, (to) =>
    bundle({ [name]: relative(packageRoot, file) }, to, { quiet: true }),
  );
  return join(folder, `${name}.js`);
}
