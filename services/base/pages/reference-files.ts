import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What is served of Swagger UI. */
export const REFERENCE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const;

/** Where such a file is: in `reference/` beside what was built, or in the package, which only a checkout has. */
export function referenceFile(name: (typeof REFERENCE_FILES)[number]): string {
  for (let at = import.meta.dirname; dirname(at) !== at; at = dirname(at)) {
    const file = join(at, 'reference', name);
    if (existsSync(file)) return file;
  }
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('swagger-ui-dist/package.json')), name);
}
