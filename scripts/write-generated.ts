import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateBundled } from '../cli/generate-bundled.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { generatedFiles } from './generated-files.ts';

const scratch = await mkdtemp(join(tmpdir(), 'rookery-generated-'));
try {
  const farm = join(scratch, 'farm');
  await generateBundled(farm);
  for (const { path, content } of await generatedFiles(farm)) {
    const file = join(packageRoot, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
