import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBoard } from '../cli/open-board.ts';
import { farmScorer } from '../cli/score/farm-scorer.ts';
import { Rookery, type Run, type ServedEndpoint } from '../client/index.ts';
import { startServer } from '../services/server.ts';
import { openBrowser } from '../tests/console/browser.ts';
import { settled } from '../tests/console/console-page.ts';
import { buildConsole } from './build/bundle.ts';

/**
 * `tsx scripts/screenshots.ts <farm> <folder> <runs>`: screenshots of every view of the console, light, dark
 * and phone-sized; the leaderboard shows scored runs on that farm.
 */
const [farmFolder, out, runs] = process.argv.slice(2);
if (farmFolder === undefined || out === undefined || runs === undefined)
  throw new Error('usage: tsx scripts/screenshots.ts <farm> <folder> <runs>');

const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;
/** Interactions with a view before its screenshot. */
const ACTIONS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  domain: async (page) => {
    await page.getByRole('region', { name: 'Diagram of the schema' }).getByRole('link').first().focus();
    await page.getByRole('tooltip').locator('dd').first().waitFor();
  },
  endpoint: (page) => page.getByRole('button', { name: 'Call', exact: true }).click(),
  task: async (page) => {
    await page.getByText('The gold', { exact: true }).click();
    await page.getByRole('region', { name: 'Graph of the gold calls' }).waitFor();
    await scrollTo(page, 'The gold');
  },
  playground: (page) => scrollTo(page, 'Undo'),
  run: (page) => scrollTo(page, 'Turn by turn, beside the gold calls'),
};

/** Puts what has this text at the top. */
async function scrollTo(page: Page, text: string): Promise<void> {
  const box = await page.getByText(text, { exact: true }).boundingBox();
  await page.mouse.wheel(0, (box?.y ?? 0) - 64);
  await page.waitForTimeout(200);
}

const HARNESS_KEY = 'the-key-of-whoever-takes-pictures';

const board = openBoard([runs], { title: 'Leaderboard', gold: true, published: 'fitting' });
const scratch = mkdtempSync(join(tmpdir(), 'rookery-screenshots-'));
await buildConsole(join(scratch, 'console'));
const server = await startServer(farmFolder, {
  port: 0,
  console: join(scratch, 'console'),
  agents: {
    harnessKey: HARNESS_KEY,
    runs: { place: join(scratch, 'runs.sqlite') },
    ...farmScorer(farmFolder),
    board: (path) => board.text(path),
  },
});
const browser = await openBrowser();
try {
  mkdirSync(resolve(out), { recursive: true });
  const views = await viewsOf(new Rookery(server.address, { harnessKey: HARNESS_KEY }));
  for (const [name, view] of Object.entries(views)) {
    for (const look of Object.keys(LOOKS) as (keyof typeof LOOKS)[]) {
      await takePicture(browser, name, view, look);
    }
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** The views of the farm's last domain, and of a failed run. */
async function viewsOf(farm: Rookery): Promise<Record<string, string>> {
  const domain = (await farm.index()).domains.at(-1);
  if (!domain) throw new Error('the farm has no domain');
  const { db } = domain;
  const { endpoints } = await farm.catalog(db);
  const endpoint =
    endpoints.find(
      ({ parameters }) => parameters.length > 1 && parameters.every(({ example }) => example !== undefined),
    ) ?? endpoints[0];
  const batch = await farm.batch({ select: { db: [db], formulation: ['slot'], sample: 20, seed: 6 } });
  const run = await longestOf(farm, batch.runs);
  const { sample_id } = run.task;
  const gold = await farm.gold(sample_id);
  await attempt(run);
  const boardRun = [...board.paths()].find((path) => /^samples\/.*slot/.test(path))?.slice(8, -5);
  return {
    farm: '#/?q=how many in each year',
    domain: `#/domain/${db}`,
    endpoint: `#/endpoint/${db}/${endpoint?.name}?${new URLSearchParams(examplesOf(endpoint))}`,
    tasks: `#/tasks?db=${db}`,
    task: `#/task/${sample_id}`,
    playground: `#/playground/${db}?${new URLSearchParams({ task: sample_id, chain: JSON.stringify(gold.output) })}`,
    runs: '#/runs',
    run: `#/runs/${run.id}`,
    batch: `#/runs/${batch.id}`,
    leaderboard: '#/board',
    'leaderboard-run': `#/board/${boardRun}`,
    'leaderboard-sample': `#/board/${boardRun}/0`,
  };
}

/** An argument for each parameter with an example. */
function examplesOf(endpoint: ServedEndpoint | undefined): Record<string, string> {
  return Object.fromEntries(
    (endpoint?.parameters ?? []).map(({ name, example }) => [name, String(example ?? '')]),
  );
}

/** The run whose task takes the most calls, among those that begin with a filter. */
async function longestOf(farm: Rookery, all: readonly Run[]): Promise<Run> {
  const lengths = await Promise.all(
    all.map(async (run) => {
      const { output } = await farm.gold(run.task.sample_id);
      return { run, length: output[0]?.name === 'filter_data' ? output.length : 0 };
    }),
  );
  const [longest] = lengths.sort((a, b) => b.length - a.length);
  if (!longest) throw new Error('the domain has no SLOT task');
  return longest.run;
}

/** Plays an agent that uses the wrong condition, makes an invalid call, and reads one column too few. */
async function attempt(run: Run): Promise<void> {
  const { output } = await new Rookery(server.address, { harnessKey: HARNESS_KEY }).gold(run.task.sample_id);
  const handles = new Map(run.task.start_tables.map(({ label, handle }) => [label, handle]));
  for (const [i, { name, arguments: args, label = '' }] of output.slice(0, -1).entries()) {
    const named = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [
        key,
        handles.get(String(value).replaceAll('$', '')) ?? value,
      ]),
    );
    const { body } = await run.call(name, i === 0 ? { ...named, condition: 'not_equal_to' } : named);
    handles.set(label, (body as { readonly handle?: string }).handle ?? '');
    if (i === 0) await run.call(name, { data_source: 'a slip' });
  }
  await run.answer([], { raw_output: 'I found none.', input_tokens: 1800, output_tokens: 90 });
}

async function takePicture(from: Browser, name: string, view: string, look: keyof typeof LOOKS) {
  const context = await from.newContext({ ...LOOKS[look], reducedMotion: 'reduce' });
  const keys = JSON.stringify({ apiKey: '', harnessKey: HARNESS_KEY });
  await context.addInitScript(`sessionStorage.setItem('rookery-keys', '${keys}')`);
  const page = await context.newPage();
  await page.goto(`${server.address}/${view}`);
  await settled(page);
  await page.waitForLoadState('networkidle');
  await ACTIONS[name]?.(page);
  await settled(page);
  await page.screenshot({ path: join(resolve(String(out)), `${name}-${look}.png`) });
  await context.close();
}
