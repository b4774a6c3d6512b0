import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { generatedFiles } from '../scripts/generated-files.ts';
import { farmOf } from './support/farms.ts';

it('every generated file is what `npm run generated` writes', async () => {
  const files = await generatedFiles(await farmOf('bundled'));
  for (const { path, content } of files) {
    const same = readFileSync(join(packageRoot, path), 'utf8') === content;
    expect(same, `${path} is out of date: npm run generated`).toBe(true);
  }
  const specifications = files.flatMap(({ path }) => (path.startsWith('openapi/') ? [path.slice(8)] : []));
  expect(readdirSync(join(packageRoot, 'openapi')).sort()).toEqual(specifications.sort());
});
