import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { ENTRIES } from '../scripts/build/build-package.ts';
import { bundle } from '../scripts/build/bundle.ts';

it('building the image is given every folder that the bundle is made from', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const chunks = await bundle(ENTRIES, folder);
  const files = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => relative(packageRoot, id)));
  const wanted = new Set(files.map((file) => file.split(sep)[0] ?? '').filter((top) => /^[a-z]/.test(top)));
  const given = readFileSync(join(packageRoot, '.dockerignore'), 'utf8').split('\n');
  wanted.delete('node_modules');
  expect(wanted.size).toBeGreaterThan(5);
  expect([...wanted].filter((folder) => !given.includes(`!${folder}`))).toEqual([]);
});
