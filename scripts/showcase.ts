import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BoardFiles, openBoard } from '../cli/board.ts';
import { farmScorer } from '../cli/score/farm-scorer.ts';
import { type Call, Rookery, type Run, type ServedEndpoint } from '../client/index.ts';
import { startServer } from '../services/server.ts';
import { openBrowser } from '../tests/console/browser.ts';
import { settled } from '../tests/console/console-page.ts';
import type { Browser, BrowserContextOptions, Page } from '../tests/console/page.ts';
import { buildConsole } from './build/bundle.ts';

const HARNESS_KEY = 'showcase-harness-key';

/** A farm that is served with scored runs on it, and a browser that looks at its console with the harness key. */
export interface Showcase {
  readonly address: string;
  readonly farm: Rookery;
  readonly board: BoardFiles;
  /** The folder of the built console. */
  readonly console: string;
  /** By name: the address of each kind of view, of the farm's last domain and of a failed run. */
  readonly views: Readonly<Record<string, string>>;
  open(options: BrowserContextOptions): Promise<Page>;
  /** Goes to a view and waits until it has loaded. */
  go(page: Page, view: string): Promise<void>;
  close(): Promise<void>;
}

export async function openShowcase(farmFolder: string, runs: string): Promise<Showcase> {
  const board = openBoard([runs], { title: 'Leaderboard', gold: true, published: 'fitting' });
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-showcase-'));
  const console = join(scratch, 'console');
  await buildConsole(console);
  const server = await startServer(farmFolder, {
    port: 0,
    logger: false,
    console,
    agents: {
      harnessKey: HARNESS_KEY,
      runs: { place: join(scratch, 'runs.sqlite') },
      ...farmScorer(farmFolder),
      board: (path) => board.text(path),
    },
  });
  const { address } = server;
  const farm = new Rookery(address, { harnessKey: HARNESS_KEY });
  const browser: Browser = await openBrowser();
  return {
    address,
    farm,
    board,
    console,
    views: await viewsOf(farm, board),
    async open(options) {
      const context = await browser.newContext(options);
      const keys = JSON.stringify({ apiKey: '', harnessKey: HARNESS_KEY });
      await context.addInitScript(`sessionStorage.setItem('rookery-keys', '${keys}')`);
      return context.newPage();
    },
    async go(page, view) {
      await page.goto(`${address}/${view}`);
      await settled(page);
      await page.waitForLoadState('networkidle');
    },
    async close() {
      await browser.close();
      await server.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** The views of the farm's last domain, and of a failed run. */
async function viewsOf(farm: Rookery, board: BoardFiles): Promise<Record<string, string>> {
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
  await attempt(run, gold.output);
  const boardRun = [...board.paths()].find((path) => /^samples\/.*slot/.test(path))?.slice(8, -5);
  return {
    farm: '#/?q=how many in each year',
    domain: `#/domain/${db}`,
    endpoint: `#/endpoint/${db}/${endpoint?.name}?${new URLSearchParams(examplesOf(endpoint))}`,
    tasks: `#/tasks?db=${db}`,
    task: `#/task/${sample_id}`,
    playground: `#/playground/${db}?${new URLSearchParams({ task: sample_id, chain: JSON.stringify(gold.output) })}`,
    reference: `#/reference/${db}/rest?op=${endpoint?.operation_id}`,
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
async function attempt(run: Run, output: readonly Call[]): Promise<void> {
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
