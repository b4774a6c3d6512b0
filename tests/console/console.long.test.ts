import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import type { Rookery, Run, TaskPage } from '../../client/index.ts';
import { buildConsole } from '../../scripts/build/bundle.ts';
import { farmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { browserPath, withBrowser } from './browser.ts';
import { type ConsolePage, flawsOf, serveConsole, settled } from './console-page.ts';

const DB = 'vet_clinics';
const MOST_BYTES = 150_000;
const folder = scratchFolder();
const built = join(folder, 'console');

beforeAll(async () => {
  await buildConsole(built);
});

test('the script of the console is at most 150 kB, and names no other server', () => {
  expect(readFileSync(join(built, 'console.js')).length).toBeLessThan(MOST_BYTES);
  const texts = readdirSync(built).map((file) => readFileSync(join(built, file)));
  const addresses = texts.join('\n').match(/https?:\/\/\w[\w.-]*/g) ?? [];
  // Names of XML's vocabularies look like addresses; nothing is asked of them.
  expect(addresses.filter((address) => address !== 'http://www.w3.org')).toEqual([]);
});

describe.skipIf(browserPath === undefined)(withBrowser('the console in a browser'), () => {
  let console: ConsolePage;
  let farm: Rookery;
  let run: Run;
  let over: Run;
  let batch: string;

  beforeAll(async () => {
    const bundled = await farmOf('bundled');
    console = await serveConsole(bundled, farmScorer(bundled));
    farm = console.farm;
    const select = { formulation: ['slot' as const], sample: 2, seed: 7 };
    const made = await farm.batch({ select, agent: 'a clumsy agent' });
    batch = made.id;
    run = made.runs[0] as Run;
    await run.call('filter_data', { data_source: 'a slip' });
    over = made.runs[1] as Run;
    await over.call('filter_data', { data_source: 'a slip' });
    await over.call('filter_data', { data_source: 'a slip' });
    await over.answer([['a guess']]);
  });
  afterAll(() => console?.close());

  const views = async () => {
    const { endpoints } = await farm.catalog(DB);
    return {
      farm: '#/',
      search: '#/?q=visits',
      domain: `#/domain/${DB}`,
      endpoint: `#/endpoint/${DB}/${endpoints[0]?.name}`,
      reference: `#/reference/${DB}/rest?op=${endpoints[0]?.operation_id}`,
      'reference of tools': `#/reference/${DB}/sel`,
      'own reference': '#/reference',
      tasks: '#/tasks',
      task: `#/task/${run.task.sample_id}`,
      runs: '#/runs',
      run: `#/runs/${run.id}`,
      reviewed: `#/runs/${over.id}`,
      batch: `#/runs/${batch}`,
    };
  };

  test('every view, in light, dark and on a phone: no fault, no violation of axe, nothing beyond the page', async () => {
    const flaws: string[] = [];
    for (const view of Object.values(await views()))
      flaws.push(...(await flawsOf(console, view, { asHarness: true })));
    expect(flaws).toEqual([]);
  });

  test('a search leads to an endpoint, and its form gives the rows that the API gives', async () => {
    const { endpoints, tables } = await farm.catalog(DB);
    const wanted = endpoints.find(({ parameters }) => parameters.length === 1 && parameters[0]?.column);
    const [parameter] = wanted?.parameters ?? [];
    if (!wanted || !parameter) throw new Error('the domain has no endpoint with one parameter');
    await using opened = await console.open('');
    const { page, faults } = opened;
    await page.getByLabel('Search all endpoints').fill(wanted.summary);
    // Names in backticks are shown as code.
    const summary = wanted.summary.replaceAll('`', '');
    await page.getByRole('search').last().getByRole('link', { name: summary, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: summary }).waitFor();
    const { example = '1' } = parameter;
    await page.getByLabel(parameter.name).focus();
    const column = tables
      .find(({ name }) => name === parameter.column?.table)
      ?.columns.find(({ name }) => name === parameter.column?.column);
    const list = await page.getByLabel(parameter.name).getAttribute('list');
    const values = page.locator(`[id="${list}"] option`);
    await expect.poll(() => values.count()).toBe(Math.min(200, column?.statistics.distinct ?? 0));
    await page.getByLabel(parameter.name).fill(String(example));
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const query = new URLSearchParams({ [parameter.name]: String(example) });
    await page.waitForURL(`**?${query}`);
    await page.getByText(/^200 in/).waitFor();
    const { data } = await farm.get<{ data: Record<string, unknown>[] }>(`${wanted.path}?${query}`);
    const rows = page.getByRole('region', { name: 'Answer', exact: true }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(data.length + 1);
    const snippet = page.getByRole('region', { name: 'Snippet' });
    await expect.poll(() => snippet.textContent()).toContain(`${wanted.path}?${query}`);
    expect(faults).toEqual([]);
  });

  test('an endpoint answers its examples at once, and says beside a field what is wrong with it', async () => {
    const { endpoints } = await farm.catalog(DB);
    const wanted = endpoints.find(
      ({ parameters: [first, ...others] }) => first?.column && first.type !== 'string' && others.length === 0,
    );
    const [parameter] = wanted?.parameters ?? [];
    if (!wanted || !parameter) throw new Error('the domain has no endpoint with a number');
    await using opened = await console.open(`#/endpoint/${DB}/${wanted.name}`);
    const { page } = opened;
    await page.getByText(/^200 in/).waitFor();
    const field = page.getByLabel(parameter.name);
    expect(await field.inputValue()).not.toBe('');
    await field.fill('many');
    const snippet = page.getByRole('region', { name: 'Snippet' });
    await expect.poll(() => snippet.textContent()).toContain(`${parameter.name}=many`);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.locator('.field .problem').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  });

  test('the sidebar finds domains and endpoints by keyboard, and opens the endpoints of a table', async () => {
    await using opened = await console.open('#/tasks');
    const { page, faults } = opened;
    await page.keyboard.press('/');
    await page.keyboard.type('vet');
    const tree = page.getByRole('navigation', { name: 'Domains' });
    await expect.poll(() => tree.getByRole('link').count()).toBe(1);
    while (!(await tree.getByRole('link').evaluate((link) => link === link.ownerDocument.activeElement)))
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Vet clinics' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await tree.getByText('visit', { exact: true }).click();
    await tree.locator('.branch a').first().click();
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor();
    expect(await tree.locator('.branch [aria-current=page]').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('a table of the schema leads to its rows and to the endpoints that read it', async () => {
    const { endpoints } = await farm.catalog(DB);
    const reading = endpoints.filter(({ description }) => /Source: .*\bvisit\b/.test(description));
    await using opened = await console.open(`#/domain/${DB}`);
    const { page } = opened;
    await page
      .getByRole('region', { name: 'Diagram of the schema' })
      .getByText('visit', { exact: true })
      .click();
    await page.getByRole('region', { name: 'Rows of visit', exact: true }).waitFor();
    await page.getByText(`${reading.length} of ${endpoints.length}`, { exact: true }).waitFor();
  });

  test('a table that is pointed at, or has the focus, shows its first rows', async () => {
    await using opened = await console.open(`#/domain/${DB}`);
    const { page, faults } = opened;
    const rows = page.getByRole('region', { name: 'Rows of clinic', exact: true });
    const [first] = await rows.getByRole('cell').allTextContents();
    const table = page
      .getByRole('region', { name: 'Diagram of the schema' })
      .getByRole('link', { name: 'clinic' });
    for (const reach of [() => table.first().hover(), () => table.first().focus()]) {
      await reach();
      await page.getByRole('tooltip').getByText(`${first} · `).first().waitFor();
      await page.keyboard.press('Escape');
      await page.mouse.move(0, 0);
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
    }
    expect(faults).toEqual([]);
  });

  test('an endpoint shows the questions behind it, and their gold, to the harness only', async () => {
    const { endpoints } = await farm.catalog(DB);
    const { tasks } = await farm.get<TaskPage>(`/tasks?db=${DB}&formulation=rest&limit=1`);
    const { sample_id = '', question = '' } = tasks[0] ?? {};
    const { output, query } = await farm.gold(sample_id);
    const view = `#/endpoint/${DB}/${endpoints.find((each) => each.operation_id === output[0]?.name)?.name}`;
    await using opened = await console.open(view, { asHarness: true });
    await opened.page.getByRole('link', { name: question, exact: true }).waitFor();
    await opened.page.getByText('The gold', { exact: true }).first().click();
    await opened.page.getByText(query, { exact: true }).waitFor();
    await using public_ = await console.open(view);
    await public_.page.getByRole('heading', { name: 'Columns of the answer' }).waitFor();
    expect(await public_.page.getByText('Questions behind it').count()).toBe(0);
    expect(public_.faults).toEqual([]);
  });

  test('the API reference is found by words, its forms call the farm, and going back leads to where one was', async () => {
    await using opened = await console.open(`docs/${DB}/slot`, { asHarness: true });
    const { page, faults } = opened;
    await page.getByLabel('Filter by words').fill('GROUP the rows');
    const operations = page.locator('details.operation');
    await expect.poll(() => operations.count()).toBeLessThan(10);
    const group = page.locator('#op-group_data_by');
    await group.locator('summary').first().click();
    const body = group.getByLabel('Body JSON');
    expect(Object.keys(JSON.parse(await body.inputValue()))).toEqual(['data_source', 'key_name']);
    const calls = async (status: RegExp) => {
      await group.getByRole('button', { name: 'Call', exact: true }).click();
      await group.getByText(status).waitFor();
    };
    await calls(/^200 in/);
    const example = await body.inputValue();
    await group.getByRole('button', { name: 'Fill in a gold call' }).click();
    await expect.poll(() => body.inputValue()).not.toBe(example);
    await body.fill('{"data_source": "a slip"}');
    const snippet = group.getByRole('region', { name: 'Snippet' });
    await expect.poll(() => snippet.textContent()).toContain('a slip');
    await calls(/^400 in/);
    await page.getByRole('link', { name: 'rest', exact: true }).click();
    await page.locator('details.operation').last().locator('summary').click();
    await page.getByText(/^200 in/).waitFor();
    await page.getByRole('link', { name: 'All values' }).click();
    await page.getByRole('heading', { name: 'Columns of the answer' }).waitFor();
    await page.goBack();
    await page.getByText(/^200 in/).waitFor();
    await page.goBack();
    await group.getByLabel('Body JSON').waitFor();
    expect(await page.getByLabel('Filter by words').inputValue()).toBe('GROUP the rows');
    // The call above is refused on purpose, which a browser notes as an error.
    expect(faults.filter((fault) => !/status of 4\d\d/.test(fault))).toEqual([]);
  });

  test('the farm says which it is, and what of each construct it kept', async () => {
    const about = await farm.about();
    const text = readFileSync(join(await farmOf('bundled'), 'farm.json'));
    expect(about.hash).toBe(createHash('sha256').update(text).digest('hex'));
    await using opened = await console.open('');
    const { page } = opened;
    await page.getByText('About this farm').click();
    await page.getByText(about.hash).waitFor();
    const table = page.getByRole('region', { name: 'Coverage by construct' });
    expect(about.coverage?.constructs.length).toBeGreaterThan(10);
    expect(await table.getByRole('row').count()).toBe((about.coverage?.constructs.length ?? 0) + 1);
  });

  test('the rows of a table are paged through to the last', async () => {
    const { tables } = await farm.catalog(DB);
    const table = tables.find(({ rows }) => rows > 20 && rows <= 400) ?? tables[0];
    if (!table) throw new Error('the domain has no table');
    await using opened = await console.open(`#/domain/${DB}?table=${table.name}`);
    const { page } = opened;
    const next = page.getByRole('button', { name: 'Next' });
    for (let start = 1; start + 20 <= table.rows; start += 20) {
      await page.getByText(`rows ${start} to`).waitFor();
      await next.click();
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
    expect(await next.isDisabled()).toBe(true);
  });

  test('tasks are filtered as the API filters them, and the address keeps the filter', async () => {
    const { total } = await farm.get<{ total: number }>(`/tasks?formulation=sel&db=${DB}`);
    await using opened = await console.open('#/tasks');
    const { page } = opened;
    await page.getByLabel('Formulation').selectOption('sel');
    await page.getByLabel('Domain', { exact: true }).fill(DB);
    await page.getByText(`of ${total.toLocaleString('en')}`, { exact: false }).waitFor();
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('Domain', { exact: true }).inputValue()).toBe(DB);
    await page.getByText(`of ${total.toLocaleString('en')}`, { exact: false }).waitFor();
  });

  test('a question is listed once, with a link to each of its tasks; what was opened in the tab is found again', async () => {
    const { tasks } = await farm.get<TaskPage>(`/tasks?db=${DB}&limit=50`);
    const tasksOf = (question: string) => tasks.filter((each) => each.question === question);
    const first = tasks.find(({ question }) => tasksOf(question).length > 1);
    if (!first) throw new Error('the domain has no question with several tasks');
    const same = tasksOf(first.question);
    await using opened = await console.open(`#/tasks?db=${DB}`);
    const { page, faults } = opened;
    const row = page.getByRole('listitem').filter({ hasText: first.question });
    expect(await row.count()).toBe(1);
    expect(await row.getByRole('link').count()).toBe(1 + same.length);
    await row.getByRole('link', { name: same[1]?.formulation.toUpperCase(), exact: true }).click();
    await page.getByText(same[1]?.sample_id ?? '', { exact: true }).waitFor();
    const live = await farm.run({ sample_id: first.sample_id, agent: 'one of many' });
    await page.goto(`${console.address}/#/runs`);
    expect(await page.getByText('Opened in this tab').count()).toBe(0);
    await page.getByLabel('Id or address of a run or a batch').fill(live.id);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('None yet.').first().waitFor();
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('listitem').filter({ hasText: live.id }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: first.question }).waitFor();
    expect(faults).toEqual([]);
  });

  test('a run is followed: its failed call, the calls after it, and its end', async () => {
    const live = await farm.run({ sample_id: run.task.sample_id, agent: 'watched' });
    await using opened = await console.open(`#/runs/${live.id}`, { asHarness: true });
    const { page } = opened;
    await page.getByText('None yet.').first().waitFor();
    await live.call('filter_data', { data_source: 'a slip' });
    await page.getByText('400 INVALID_PARAMETERS').waitFor();
    await live.call('filter_data', { data_source: 'a slip' });
    await page.getByText('retries call 1').waitFor();
    await live.answer([['my answer']], { raw_output: 'what I wrote' });
    await page.getByText('answered', { exact: true }).waitFor();
    await page.getByText('The first difference:').waitFor();
    expect(await page.locator('.why li').count()).toBeGreaterThan(0);
    await page.getByText('Output of the model').first().waitFor();
    expect(await page.getByRole('region', { name: 'Answer', exact: true }).textContent()).toContain(
      'my answer',
    );
  });

  test('a task shows its gold to the harness, and to nobody else', async () => {
    for (const asHarness of [true, false]) {
      await using opened = await console.open(`#/task/${run.task.sample_id}`, { asHarness });
      const { page } = opened;
      await page.getByText('The gold', { exact: true }).click();
      if (asHarness) await page.getByRole('region', { name: 'Graph of the gold calls' }).waitFor();
      else await page.getByText('Give the harness key under').waitFor();
    }
  });

  test('what needs the harness key says so, and works once it is given', async () => {
    await using opened = await console.open(`#/runs/${batch}`);
    const { page } = opened;
    await page.getByText('Give the harness key under').waitFor();
    await page.getByText('Keys', { exact: true }).click();
    await page.getByLabel('Harness key').fill(console.harnessKey);
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByRole('heading', { name: 'Batch' }).waitFor();
  });

  test('it can be used by keyboard alone', async () => {
    await using opened = await console.open('');
    const { page } = opened;
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('link', { name: 'Tasks', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });
});
