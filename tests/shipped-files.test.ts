import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { ENTRIES } from '../scripts/build/build-package.ts';
import { bundle } from '../scripts/build/bundle.ts';
import { temporaryFolder } from './support/split-fixture.ts';

it('building the image is given every folder that the bundle is made from', async () => {
  const folder = temporaryFolder();
  const chunks = await bundle(ENTRIES, folder);
  const files = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => relative(packageRoot, id)));
  const wanted = new Set(files.map((file) => file.split(sep)[0] ?? '').filter((top) => /^[a-z]/.test(top)));
  const linesOf = (path: string) => readFileSync(join(packageRoot, path), 'utf8').split('\n');
  const [given, steps] = [linesOf('.dockerignore'), linesOf('Dockerfile')];
  wanted.delete('node_modules');
  expect(wanted.size).toBeGreaterThan(5);
  expect([...wanted].filter((folder) => !given.includes(`!${folder}`))).toEqual([]);
  expect([...wanted].filter((folder) => !steps.includes(`COPY ${folder} ${folder}`))).toEqual([]);
});

it('what is read from the package when it runs is packed', () => {
  const { files } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const read = SOURCES.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(packageRoot, folder, file), 'utf8');
        return [...text.matchAll(/join\(packageRoot, ((?:'[^']+'(?:, )?)+)/g)].map(([, parts = '']) =>
          [...parts.matchAll(/'([^']+)'/g)].map(([, part]) => part).join('/'),
        );
      }),
  );
  expect(read.length).toBeGreaterThan(3);
  const isPacked = (path: string) => files.some((each: string) => `${path}/`.startsWith(`${each}/`));
  expect(read.filter((path) => !isPacked(path))).toEqual([]);
});

it('images are pinned by digest, and actions by commit', () => {
  const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');
  const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const defaults = names(read('Dockerfile'), /^ARG (\w+_IMAGE=\S+)/gm);
  const pinned = read('base-images.env').trim().split('\n');
  expect(pinned.map((line) => line.replace(/@.*/, ''))).toEqual(defaults);
  const adapters = readdirSync(join(packageRoot, 'adapters'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts'),
  );
  const images = [
    ...pinned.map((line) => line.replace(/^\w+=/, '')),
    ...adapters.flatMap((file) => names(read(`adapters/${file}`), /\bFROM ([^\s'"]*:\S*)/g)),
  ];
  expect(images.length).toBeGreaterThanOrEqual(pinned.length);
  expect(images.filter((name) => !/^[a-z]+:[\w.-]+@sha256:[\da-f]{64}$/.test(name))).toEqual([]);
  const workflows = readdirSync(join(packageRoot, '.github/workflows')).map((file) =>
    read(`.github/workflows/${file}`),
  );
  const actions = workflows.flatMap((text) => names(text, /\buses: (\S+)/g));
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((name) => !/@[\da-f]{40}$/.test(name))).toEqual([]);
});

/** What the bundle is made of. */
const SOURCES = [
  'adapters',
  'cli',
  'contracts',
  'databases',
  'deploy',
  'eval',
  'generator',
  'runner',
  'services',
  'sql',
];
