import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';
import { generatedFiles } from './generated-files.ts';

for (const { path, content } of await generatedFiles()) {
  const file = join(packageRoot, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
