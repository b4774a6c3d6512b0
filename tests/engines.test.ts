import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { EXTERNAL } from '../scripts/build/bundle.ts';

interface Locked {
  readonly engines?: { readonly node?: string };
  readonly deprecated?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string) => JSON.parse(readFileSync(join(packageRoot, file), 'utf8'));
const { '': own, ...locked } = read('package-lock.json').packages as Record<string, Locked>;

describe('npm ci has nothing to refuse or to warn of', () => {
  it('every package for another platform is in the lockfile', () => {
    const missing = Object.entries(locked).flatMap(([folder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(folder, name)),
    );
    expect(missing).toEqual([]);
  });

  it.each(['20.19.0', '20.20.0', '22.13.0', '24.0.0'])(
    'on Node %s: everything installed supports it',
    (node) => {
      const tooNew = Object.entries(locked)
        .filter(([, { engines }]) => !semver.satisfies(node, engines?.node ?? '*'))
        .map(([folder, { engines }]) => `${folder} wants Node ${engines?.node}: override it in package.json`);
      expect(tooNew).toEqual([]);
      expect(semver.satisfies(node, own?.engines?.node ?? '')).toBe(true);
    },
  );

  it('nothing installed is deprecated', () => {
    expect(Object.keys(locked).filter((folder) => locked[folder]?.deprecated)).toEqual([]);
  });

  it('what `npm install` takes as the least Node is what the documents name', () => {
    expect(semver.minVersion(own?.engines?.node ?? '')?.version).toBe('20.19.0');
    expect(readFileSync(join(packageRoot, 'README.md'), 'utf8')).toContain('20.19 is the oldest that works');
  });
});

it('what users install beside rookery is what cannot be bundled, and zod, for the types of the client', () => {
  expect(Object.keys(read('package.json').dependencies).sort()).toEqual([...EXTERNAL, 'zod'].sort());
});

/** Whether a package is there for one in this folder: beside it, in it, or further up. */
function isLocked(folder: string, name: string): boolean {
  if (Object.hasOwn(locked, `${folder}/node_modules/${name}`)) return true;
  const at = folder.lastIndexOf('node_modules/');
  return at < 0
    ? false
    : at === 0
      ? Object.hasOwn(locked, `node_modules/${name}`)
      : isLocked(folder.slice(0, at - 1), name);
}
