import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { Rookery } from '../client/index.ts';
import { startServer } from '../services/server.ts';
import { openBrowser } from '../tests/console/browser.ts';
import { buildConsole } from './build/build-console.ts';

/** `tsx scripts/screenshots.ts <farm> <folder>`: pictures of every view of the console, light, dark and as on a phone. */
const [farmFolder, out] = process.argv.slice(2);
if (farmFolder === undefined || out === undefined)
  throw new Error('say of what and where to: tsx scripts/screenshots.ts <farm> <folder>');

const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1000, height: 640 } },
  dark: { colorScheme: 'dark', viewport: { width: 1000, height: 640 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 700 } },
} as const;
const HARNESS_KEY = 'the-key-of-whoever-takes-pictures';

const scratch = mkdtempSync(join(tmpdir(), 'rookery-screenshots-'));
await buildConsole(join(scratch, 'console'));
const server = await startServer(farmFolder, {
  port: 0,
  console: join(scratch, 'console'),
  agents: { harnessKey: HARNESS_KEY, runs: { file: join(scratch, 'runs.sqlite') } },
});
const browser = await openBrowser();
try {
  mkdirSync(resolve(out), { recursive: true });
  const views = await viewsOf(new Rookery(server.address, { harnessKey: HARNESS_KEY }));
  for (const [name, view] of Object.entries(views)) {
    for (const look of Object.keys(LOOKS) as (keyof typeof LOOKS)[]) {
      await takePicture(
        browser,
        `${server.address}/${view}`,
        look,
        join(resolve(out), `${name}-${look}.png`),
      );
    }
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** The views of the farm's first domain, and of a run that has begun badly. */
async function viewsOf(farm: Rookery): Promise<Record<string, string>> {
  const [domain] = (await farm.index()).domains;
  if (!domain) throw new Error('the farm has no domain');
  const { endpoints } = await farm.catalog(domain.db);
  const endpoint =
    endpoints.find(({ parameters }) => parameters.some(({ column }) => column)) ?? endpoints[0];
  const [run] = (await farm.batch({ select: { db: [domain.db], formulation: ['slot'], sample: 1 } })).runs;
  await run?.call('filter_data', { data_source: 'a slip' });
  return {
    farm: '#/?q=how many in each year',
    domain: `#/domain/${domain.db}`,
    endpoint: `#/endpoint/${domain.db}/${endpoint?.name}`,
    tasks: `#/tasks?db=${domain.db}`,
    task: `#/task/${run?.task.sample_id}`,
    run: `#/runs/${run?.id}`,
  };
}

async function takePicture(from: Browser, address: string, look: keyof typeof LOOKS, file: string) {
  const context = await from.newContext(LOOKS[look]);
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('h1').first().waitFor();
  await page.getByText('Loading …').waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: file });
  await context.close();
}
