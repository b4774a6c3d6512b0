import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';

it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])(
  'what %s links to is there, and so is what it names from the root',
  (page) => {
    const text = readFileSync(join(packageRoot, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, to = '']) => to);
    const rooms = 'adapters|cli|client|contracts|deploy|docs|eval|generator|runner|scripts|services|tests';
    const named = [...text.matchAll(new RegExp(`\`((?:${rooms})/[\\w./-]*)\``, 'g'))].map(
      ([, to = '']) => to,
    );
    expect([...links, ...named].filter((to) => !existsSync(join(packageRoot, to)))).toEqual([]);
    expect(links.length + named.length).toBeGreaterThan(0);
  },
);

it('ARCHITECTURE.md has a row for every folder, and for every room of the two big stages', () => {
  const text = readFileSync(join(packageRoot, 'ARCHITECTURE.md'), 'utf8');
  // A row names folders in its first cell; after the first, from the same stage.
  const named = text.split('\n').flatMap((line) => {
    const [, cell = ''] = /^\| (`[^|]+) \|/.exec(line) ?? [];
    const paths = [...cell.matchAll(/`([\w/-]+)\/`/g)].map(([, path = '']) => path);
    const stage = paths[0]?.split('/').slice(0, -1).join('/') ?? '';
    return paths.flatMap((path) => [path, `${stage}/${path}`]);
  });
  const foldersIn = (at: string) =>
    readdirSync(join(packageRoot, at), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name) && !IGNORED.has(entry.name))
      .map(({ name }) => join(at, name));
  const wanted = ['.', 'services', 'generator'].flatMap(foldersIn);
  expect(wanted.filter((path) => !named.includes(path))).toEqual([]);
});

/** Made by tools, or for tests only. */
const IGNORED = new Set(['coverage', 'dist', 'farm', 'node_modules', 'testing']);

/** Folders whose comments are free of STILTED words; add yours once they are. */
const PLAIN = [
  'adapters',
  'bench',
  'cli',
  'client',
  'console',
  'contracts',
  'databases',
  'deploy',
  'eval',
  'examples',
  'generator',
  'runner',
  'scripts',
  'services',
  'sql',
];
const STILTED =
  /\b(whoever|nobody|likewise|thereof|tells|told(?! apart)|is said|said of|says of|such a one|in so far|what is asked|stands before)\b/i;

it.each(PLAIN)('comments of %s are in plain English', (folder) => {
  const files = readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));
  const stilted = files.flatMap((file) =>
    readFileSync(join(packageRoot, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        COMMENT.test(line) && STILTED.test(line) ? [`${file}:${i + 1} ${line.trim()}`] : [],
      ),
  );
  expect(stilted).toEqual([]);
  expect(files.length).toBeGreaterThan(0);
});

const COMMENT = /^\s*(?:\/\/|\/?\*|\{\/\*)/;
