import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

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
