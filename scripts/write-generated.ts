import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateBundled } from '../cli/generate-farm.ts';
import type { Farm } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { bundledHash, proofsFile } from '../databases/build.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { currentProofs, packProofs } from '../generator/prove/shipped-proofs.ts';
import { committed, type GeneratedFile, generatedFiles } from './generated-files.ts';

if (process.argv.includes('--check')) {
  const stale = DOMAIN_NAMES.filter((db) => !currentProofs(proofsFile(db), bundledHash(db)));
  if (stale.length > 0)
    console.error(`\`npm start\` would prove ${stale.join(', ')} anew: run npm run generated`);
  process.exit(stale.length > 0 ? 1 : 0);
}

const scratch = await mkdtemp(join(tmpdir(), 'rookery-generated-'));
try {
  const farm = join(scratch, 'farm');
  await generateBundled(farm, { anew: true });
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
  await writeProofs(farm);
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Writes the proofs of the bundled farm, and checks that they give the same farm. */
async function writeProofs(farm: string): Promise<void> {
  for (const { db } of describe(farm).domains) {
    const file = proofsFile(db);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, packProofs(farm, db, bundledHash(db)));
  }
  const again = join(scratch, 'again');
  await generateBundled(again);
  deepEqual(describe(again), describe(farm));
}

function describe(farm: string): Farm {
  return JSON.parse(readFileSync(join(farm, 'farm.json'), 'utf8')) as Farm;
}

function isOutdated({ path, content }: GeneratedFile): boolean {
  try {
    return committed(path) !== content;
  } catch {
    return true;
  }
}
