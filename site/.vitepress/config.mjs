import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages as `scripts/site.ts` has gathered them, and where to write the site. */
const { SITE_PAGES: pages, SITE_OUT: outDir, SITE_BASE: base, SITE_RUN: run } = process.env;

/** Anchors as GitHub makes them, since the pages are read there too. */
const slugify = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

export default {
  title: 'rookery',
  description: 'Live APIs for testing LLM tool calling, proven equal to gold SQL',
  srcDir: pages,
  outDir,
  base,
  cacheDir: join(pages, '..', 'cache'),
  // Every link of the site is checked once it is whole.
  ignoreDeadLinks: true,
  head: [['link', { rel: 'icon', href: `${base}mark.svg` }]],
  markdown: { anchor: { slugify } },
  themeConfig: {
    logo: '/mark.svg',
    nav: [
      { text: 'Docs', link: '/docs/evaluate-an-agent' },
      { text: 'Console', link: `${base}demo/`, target: '_self' },
      { text: 'API reference', link: `${base}demo/#/reference`, target: '_self' },
      { text: 'A run', link: `${base}demo/${run}`, target: '_self' },
      { text: 'Leaderboard', link: `${base}demo/#/board`, target: '_self' },
    ],
    sidebar: JSON.parse(readFileSync(join(pages, 'sidebar.json'), 'utf8')),
    outline: [2, 3],
    search: { provider: 'local' },
  },
};
