import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';

/** `[text](target)` and pictures. Targets elsewhere, and within the page, are not of interest. */
const LINK = /(?:\]\(|<img src=")(?!https?:|#)([^)"\s#]+)/g;
const PICTURE = /\.(png|svg|webp|gif)$/;

/**
 * Gathers README.md, CHANGELOG.md and everything that they lead to in a folder: pages and pictures in their places, other files in
 * `public`, an index for each folder that is linked, and `sidebar.json`. The pages stay as they are, but for README.md's name.
 */
export function gatherPages(to: string): void {
  const pages = new Map<string, string>();
  const seen = new Set<string>();
  const waiting = ['CHANGELOG.md', 'README.md'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || !existsSync(join(packageRoot, path))) continue;
    seen.add(path);
    const page = readPage(path);
    if (page === undefined) {
      copyTo(join(to, 'public', path), path);
      if (PICTURE.test(path)) copyTo(join(to, path), path);
      continue;
    }
    pages.set(page.place, page.text);
    for (const [, target = ''] of page.text.matchAll(LINK))
      waiting.push(join(dirname(page.place), target).replace(/\/$/, ''));
  }
  for (const [page, text] of pages) {
    const place = join(to, page === 'README.md' ? 'index.md' : page);
    const up = '../'.repeat(page.split('/').length - 1);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text.replaceAll(`](${up}README.md`, `](${up || './'}index.md`));
  }
  copyTo(join(to, 'public', 'mark.svg'), 'console/mark.svg');
  writeFileSync(join(to, 'sidebar.json'), JSON.stringify(sidebarOf(pages), null, 1));
}

/** Markdown as a page, a licence too, and a folder as a list of its pages; undefined for other files. */
function readPage(path: string): { readonly place: string; readonly text: string } | undefined {
  const place = join(packageRoot, path);
  if (statSync(place).isDirectory()) return { place: `${path}/index.md`, text: folderIndex(path) };
  if (extname(path) === '.md') return { place: path, text: readFileSync(place, 'utf8') };
  if (basename(path) !== 'LICENSE') return undefined;
  return { place: `${path}.md`, text: `# Licence\n\n\`\`\`\n${readFileSync(place, 'utf8')}\`\`\`\n` };
}

function copyTo(place: string, path: string): void {
  mkdirSync(dirname(place), { recursive: true });
  copyFileSync(join(packageRoot, path), place);
}

function folderIndex(folder: string): string {
  const files = readdirSync(join(packageRoot, folder)).filter((file) => file.endsWith('.md'));
  const lines = files.map((file) => {
    return `- [${titleOf(readFileSync(join(packageRoot, folder, file), 'utf8'))}](${file})`;
  });
  return `# ${basename(folder)}\n\n${lines.join('\n')}\n`;
}

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1] ?? '';
}

/** The pages by who reads them, as README.md's table has them, then all others. */
function sidebarOf(pages: ReadonlyMap<string, string>) {
  const placed = new Set<string>();
  const item = (path: string) => {
    placed.add(path);
    return { text: titleOf(pages.get(path) ?? ''), link: `/${path.replace(/\.md$/, '')}` };
  };
  const isNew = (path: string) => pages.has(path) && !placed.has(path);
  const rows = [...(pages.get('README.md') ?? '').matchAll(/^\| ([a-z][^|[]*) \|(.*\]\(.*)$/gm)];
  const groups = rows.map(([, who = '', links = '']) => {
    const paths = [...links.matchAll(LINK)].map(([, target = '']) => target).filter(isNew);
    return {
      text: `${who.charAt(0).toUpperCase()}${who.slice(1)}`,
      collapsed: false,
      items: paths.map(item),
    };
  });
  const others = [...pages.keys()]
    .filter(isNew)
    .filter((path) => path !== 'README.md')
    .sort();
  const isDecision = (path: string) => path.startsWith('docs/decisions/');
  return [
    ...groups,
    { text: 'More', collapsed: true, items: others.filter((path) => !isDecision(path)).map(item) },
    { text: 'Decisions', collapsed: true, items: others.filter(isDecision).map(item) },
  ];
}

const REFERENCE = /\s(?:href|src)="(?!https?:|mailto:|data:)([^"]*)"/g;

/** What the pages of a site refer to that is not there: files, and anchors in pages. `base`: `/`, or the path of the site. */
export function brokenLinks(site: string, base: string): string[] {
  const pages = new Map<string, string>();
  for (const file of readdirSync(site, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.html')) pages.set(file, readFileSync(join(site, file), 'utf8'));
  const broken: string[] = [];
  for (const [page, text] of pages) {
    for (const [, reference = ''] of text.matchAll(REFERENCE)) {
      const address = reference.replaceAll('&amp;', '&');
      const { pathname, hash } = new URL(address, `http://site${base}${page}`);
      const file = fileOf(site, relative(base, decodeURIComponent(pathname)));
      const anchor = decodeURIComponent(hash.slice(1));
      const isView = anchor.startsWith('/');
      const isThere = file !== undefined && (anchor === '' || isView || hasAnchor(pages.get(file), anchor));
      if (!isThere) broken.push(`${page}: ${address}`);
    }
  }
  return broken;
}

function hasAnchor(page: string | undefined, anchor: string): boolean {
  return page?.includes(`id="${anchor.replaceAll('&', '&amp;')}"`) ?? false;
}

/** The file that a server of files answers with for a path; undefined if there is none. */
function fileOf(site: string, path: string): string | undefined {
  const isFile = (each: string) => existsSync(join(site, each)) && statSync(join(site, each)).isFile();
  return [path, `${path}.html`, join(path, 'index.html')].find(isFile);
}
