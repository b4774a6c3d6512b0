import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

/** How a module names the file that a child process or a worker begins with: the path is its first group. */
export const CHILD = /new URL\(\s*'(\.{1,2}\/[^']+\.ts)'\s*,\s*import\.meta\.url\s*\)/g;

/**
 * Makes an entry of every file that runs in a process or thread of its own, and points the code that starts it there.
 */
export function childModules(): Plugin {
  return {
    name: 'child-modules',
    transform: {
      filter: { id: /\.ts$/, code: /import\.meta\.url/ },
      handler(code, importer) {
        const replaced = code.replaceAll(CHILD, (whole: string, path: string) => {
          const file = join(dirname(importer), path);
          // A comment may show how it is written, with a file that is not there.
          if (!existsSync(file)) return whole;
          const reference = this.emitFile({ type: 'chunk', id: file });
          return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
        });
        return replaced === code ? null : { code: replaced, map: null };
      },
    },
  };
}
