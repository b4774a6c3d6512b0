import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';

it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])(
  'what %s links to is there, and so is what it names from the root',
  (page) => {
    const text = readFileSync(join(packageRoot, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, to = '']) => to);
    const rooms = 'cli|client|contracts|docs|eval|generator|runner|scripts|services|tests';
    const named = [...text.matchAll(new RegExp(`\`((?:${rooms})/[\\w./-]*)\``, 'g'))].map(
      ([, to = '']) => to,
    );
    expect([...links, ...named].filter((to) => !existsSync(join(packageRoot, to)))).toEqual([]);
    expect(links.length + named.length).toBeGreaterThan(0);
  },
);
