import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { siteFiles } from '../cli/board.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { counted } from '../contracts/wording.ts';
import { writeFolder } from '../generator/write/write-folder.ts';
import { emitSitePage } from '../services/base/http/index-page.ts';
import { installTools } from '../tests/interop/install-tools.ts';
import { recordConsole } from './record-console.ts';
import { openShowcase } from './showcase.ts';
import { brokenLinks, gatherPages } from './site-pages.ts';

/**
 * `npm run site -- [--out folder] [--farm folder] [--base /path/]`: the documentation with its search, and the console
 * with recorded answers: API references, a demonstration, and a leaderboard of agents without a model. Needs Chromium;
 * installs what makes pages of Markdown in `site/`.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.tmp/site/site' },
    /** Default: the bundled companies, generated first. */
    farm: { type: 'string' },
    /** The path of the site on its server. */
    base: { type: 'string', default: '/' },
  },
});
const scratch = join(packageRoot, '.tmp', 'site');
const out = resolve(values.out);
const run = (command: string, args: readonly string[], options: object = {}) =>
  execFileSync(command, args, { cwd: packageRoot, stdio: 'inherit', ...options });
const rookery = (...args: string[]) => run(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args]);

const farm = values.farm ?? join(scratch, 'farm');
if (values.farm === undefined) rookery('prepare', `--farm=${farm}`);

const runs = join(scratch, 'runs');
rmSync(runs, { recursive: true, force: true });
for (const [agent, formulation] of [
  ['oracle', 'rest'],
  ['oracle', 'slot'],
  ['lexical', 'rest'],
  ['random', 'rest'],
] as const) {
  const options = ['--agent', agent, '--formulation', formulation, '--sample', '60', '--seed', '7'];
  rookery('run', farm, ...options, '--out', join(runs, `${agent}-${formulation}`));
}

const pages = join(scratch, 'pages');
rmSync(pages, { recursive: true, force: true });
gatherPages(pages);
const maker = join(packageRoot, 'site');
const tools = await installTools(maker);
if (tools.missing !== null) throw new Error(tools.missing);

const showcase = await openShowcase(farm, runs);
try {
  run(tools.command('vitepress'), ['build', maker], {
    env: {
      ...process.env,
      SITE_PAGES: pages,
      SITE_OUT: out,
      SITE_BASE: values.base,
      SITE_RUN: showcase.views.run,
      // Links to files of these kinds are no pages.
      VITE_EXTRA_EXTENSIONS: 'py,yaml',
    },
  });
  const demo = join(out, 'demo');
  await writeFolder(demo, { isOurs: () => true }, () => ({
    files: siteFiles('Leaderboard', showcase.board, showcase.console),
  }));
  cpSync(showcase.console, join(demo, 'console'), { recursive: true });
  writeFileSync(join(demo, 'index.html'), emitSitePage('rookery', 'answers'));
  const answers = await recordConsole(showcase, join(demo, 'answers'));
  process.stdout.write(`${counted(answers, 'answer')} of the farm recorded\n`);
} finally {
  await showcase.close();
}

const broken = brokenLinks(out, values.base);
for (const link of broken) process.stderr.write(`broken link in ${link}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
process.stdout.write(`The site is in ${values.out}; any server of files can host it at ${values.base}\n`);
