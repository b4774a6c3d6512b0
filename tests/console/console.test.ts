import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Rookery, type Run } from '../../client/index.ts';
import { buildConsole } from '../../scripts/build/build-console.ts';
import { type RunningServer, startServer } from '../../services/server.ts';
import { farmOf } from '../support/farms.ts';
import { browserPath, openBrowser, withBrowser } from './browser.ts';

const HARNESS_KEY = 'the-key-of-whoever-gives-the-exam';
const DB = 'vet_clinics';
const MOST_BYTES = 250_000;
const folder = mkdtempSync(join(tmpdir(), 'rookery-console-'));
const built = join(folder, 'console');

beforeAll(async () => {
  await buildConsole(built);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the console is at most 250 kB, zipped, and names no other server', () => {
  const texts = ['console.js', 'console.css'].map((file) => readFileSync(join(built, file)));
  expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThan(MOST_BYTES);
  const addresses = texts.join('\n').match(/https?:\/\/\w[\w.-]*/g) ?? [];
  // Names of XML's vocabularies look like addresses; nothing is asked of them.
  expect(addresses.filter((address) => address !== 'http://www.w3.org')).toEqual([]);
});

describe.skipIf(browserPath === undefined)(withBrowser('the console in a browser'), () => {
  let server: RunningServer;
  let browser: Browser;
  let farm: Rookery;
  let run: Run;
  let batch: string;

  beforeAll(async () => {
    const agents = { harnessKey: HARNESS_KEY, runs: { file: join(folder, 'runs.sqlite') } };
    server = await startServer(await farmOf('bundled'), { port: 0, logger: false, console: built, agents });
    farm = new Rookery(server.address, { harnessKey: HARNESS_KEY });
    const select = { formulation: ['slot' as const], sample: 2, seed: 7 };
    const made = await farm.batch({ select, agent: 'a clumsy agent' });
    batch = made.id;
    run = made.runs[0] as Run;
    await run.call('filter_data', { data_source: 'a slip' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** A page at a view, and everything that went wrong in it. */
  async function open(view: string, { key = '', ...options }: BrowserContextOptions & { key?: string } = {}) {
    const context = await browser.newContext(options);
    const keys = JSON.stringify({ apiKey: '', harnessKey: key });
    if (key !== '') await context.addInitScript(`sessionStorage.setItem('rookery-keys', '${keys}')`);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (said) => {
      // A refusal that the page is prepared for is logged by the browser all the same.
      if (said.type() === 'error' && !said.text().includes('status of 409')) faults.push(said.text());
    });
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(`${server.address}/${view}`);
    await settled(page);
    return { page, faults, [Symbol.asyncDispose]: () => context.close() };
  }

  async function settled(page: Page) {
    await page.locator('h1').first().waitFor();
    await page.getByText('Loading …').waitFor({ state: 'detached' });
  }

  const views = async () => {
    const { endpoints } = await farm.catalog(DB);
    return {
      farm: '#/',
      search: '#/?q=visits',
      domain: `#/domain/${DB}`,
      endpoint: `#/endpoint/${DB}/${endpoints[0]?.name}`,
      tasks: '#/tasks',
      task: `#/task/${run.task.sample_id}`,
      runs: '#/runs',
      run: `#/runs/${run.id}`,
      batch: `#/runs/${batch}`,
    };
  };

  test.each([
    ['light', { colorScheme: 'light', viewport: { width: 1200, height: 800 } }],
    ['dark', { colorScheme: 'dark', viewport: { width: 1200, height: 800 } }],
    ['as wide as a phone', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ] as const)(
    'every view, %s: no fault, no violation of axe, nothing beyond the page',
    async (_, options) => {
      for (const [name, view] of Object.entries(await views())) {
        await using opened = await open(view, { ...options, key: HARNESS_KEY });
        const { page, faults } = opened;
        expect(await violations(page), name).toEqual([]);
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(wider, name).toBeLessThanOrEqual(0);
        expect(faults, name).toEqual([]);
      }
    },
  );

  test('a search leads to an endpoint, and its form gives the rows that the API gives', async () => {
    const { endpoints } = await farm.catalog(DB);
    const wanted = endpoints.find(({ parameters }) => parameters.length === 1 && parameters[0]?.column);
    const [parameter] = wanted?.parameters ?? [];
    if (!wanted || !parameter) throw new Error('the domain has no endpoint with one parameter');
    await using opened = await open('');
    const { page, faults } = opened;
    await page.getByLabel('Search all endpoints').fill(wanted.summary);
    await page.getByRole('link', { name: wanted.summary, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: wanted.summary }).waitFor();
    const { example = '1' } = parameter;
    await page.getByLabel(parameter.name).fill(String(example));
    await page.getByRole('button', { name: 'Call' }).click();
    await page.getByText(/^200 in/).waitFor();
    const query = new URLSearchParams({ [parameter.name]: String(example) });
    const { data } = await farm.get<{ data: Record<string, unknown>[] }>(`${wanted.path}?${query}`);
    const rows = page.getByRole('region', { name: 'Answer', exact: true }).getByRole('row');
    expect(await rows.count()).toBe(data.length + 1);
    // The address is that of the call, so that it can be sent to somebody.
    expect(page.url()).toContain(`?${query}`);
    expect(await page.locator('pre').last().textContent()).toContain(`${wanted.path}?${query}`);
    expect(faults).toEqual([]);
  });

  test('the rows of a table are paged through to the last', async () => {
    const { tables } = await farm.catalog(DB);
    const table = tables.find(({ rows }) => rows > 20 && rows <= 400) ?? tables[0];
    if (!table) throw new Error('the domain has no table');
    await using opened = await open(`#/domain/${DB}?table=${table.name}`);
    const { page } = opened;
    const further = page.getByRole('button', { name: 'Further' });
    for (let start = 1; start + 20 <= table.rows; start += 20) {
      await page.getByText(`rows ${start} to`).waitFor();
      await further.click();
    }
    const start = Math.floor((table.rows - 1) / 20) * 20;
    await page.getByText(`rows ${start + 1} to ${table.rows} of`).waitFor();
    await expect
      .poll(() =>
        page
          .getByRole('region', { name: `Rows of ${table.name}` })
          .getByRole('row')
          .count(),
      )
      .toBe(table.rows - start + 1);
    expect(await further.isDisabled()).toBe(true);
  });

  test('tasks are filtered as the API filters them, and the address keeps the filter', async () => {
    const { total } = await farm.get<{ total: number }>(`/tasks?formulation=sel&db=${DB}`);
    await using opened = await open('#/tasks');
    const { page } = opened;
    await page.getByLabel('Formulation').selectOption('sel');
    await page.getByLabel('Domain').fill(DB);
    await page.getByText(`of ${total.toLocaleString('en')}`, { exact: false }).waitFor();
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('Domain').inputValue()).toBe(DB);
    await page.getByText(`of ${total.toLocaleString('en')}`, { exact: false }).waitFor();
  });

  test('a run is followed: its failed call, the calls after it, and its end', async () => {
    const live = await farm.run({ sample_id: run.task.sample_id, agent: 'watched' });
    await using opened = await open(`#/runs/${live.id}`, { key: HARNESS_KEY });
    const { page } = opened;
    await page.getByText('None yet.').first().waitFor();
    await live.call('filter_data', { data_source: 'a slip' });
    await page.getByText('400 INVALID_PARAMETERS').waitFor();
    await live.answer([['my answer']], { raw_output: 'what I wrote' });
    await page.getByText('answered', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Answer', exact: true }).textContent()).toContain(
      'my answer',
    );
  });

  test('what needs the harness key says so, and works once it is given', async () => {
    await using opened = await open(`#/runs/${batch}`);
    const { page } = opened;
    await page.getByText('Give the harness key under').waitFor();
    await page.getByText('Keys', { exact: true }).click();
    await page.getByLabel('Harness key').fill(HARNESS_KEY);
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByRole('heading', { name: 'Batch' }).waitFor();
  });

  test('it can be used by keyboard alone', async () => {
    await using opened = await open('');
    const { page } = opened;
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('link', { name: 'Tasks' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });
});

const found = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** What axe finds wrong with a page: rules and elements. */
async function violations(page: Page): Promise<readonly string[]> {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  const told = found.parse(await page.evaluate('axe.run().then(({ violations }) => violations)'));
  return told.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
