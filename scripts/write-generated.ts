import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateBundled } from '../cli/generate-farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { committed, type GeneratedFile, generatedFiles } from './generated-files.ts';

const scratch = await mkdtemp(join(tmpdir(), 'rookery-generated-'));
try {
  const farm = join(scratch, 'farm');
  await generateBundled(farm);
  const files = await generatedFiles(farm);
  for (const file of files.filter(isOutdated)) {
    const target = join(packageRoot, file.path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, file.content);
  }
  const openapi = join(packageRoot, 'openapi');
  for (const name of await readdir(openapi)) {
    if (!files.some(({ path }) => path === `openapi/${name}`)) await rm(join(openapi, name));
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

function isOutdated({ path, content }: GeneratedFile): boolean {
  try {
    return committed(path) !== content;
  } catch {
    return true;
  }
}
