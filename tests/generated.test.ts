import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { generatedFiles } from '../scripts/generated-files.ts';

const files = await generatedFiles();

it.each(files)('$path is what `npm run generated` writes', ({ path, content }) => {
  expect(readFileSync(join(packageRoot, path), 'utf8')).toBe(content);
});
