import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { nestedCall } from '../../console/chain.ts';
import { farmOf } from '../support/farms.ts';
import { browserPath, withBrowser } from './browser.ts';
import { type ConsolePage, flawsOf, serveConsole } from './console-page.ts';
import type { Page } from './page.ts';

const DB = 'vet_clinics';
/** Three tasks of different shapes: one value, columns of one result, and a group. */
const TASKS = ['141/slot', '142/sel', '144/slot'].map((id) => `bundled/${DB}/${id}`);

describe.skipIf(browserPath === undefined)(withBrowser('the playground'), () => {
  let console: ConsolePage;
  beforeAll(async () => {
    const folder = await farmOf('bundled');
    console = await serveConsole(folder, farmScorer(folder));
  });
  afterAll(() => console?.close());

  test.each(TASKS)('%s is answered by clicking, as its gold calls are', async (sampleId) => {
    const { output } = await console.farm.gold(sampleId);
    await using opened = await console.open(`#/playground/${DB}?task=${sampleId}`, { asHarness: true });
    const { page, faults } = opened;
    const labels = new Map([['starting_table_var', 'starting_table_var']]);
    for (const [i, { name, arguments: args, label = '' }] of output.entries()) {
      const n = i + 1;
      labels.set(label, `step_${n}`);
      await addCall(page, name, labels.get(String(args.data_source).replaceAll('$', '')) ?? '');
      for (const [field, value] of Object.entries(args)) {
        const control = page.locator(`#call-${n}-${field}`);
        if (field === 'data_source' || !(await control.isVisible())) continue;
        if ((await control.locator('option').count()) > 0) await control.selectOption(String(value));
        else {
          await control.fill(String(value));
          await control.blur();
        }
      }
      await page
        .getByRole('listitem', { name: `Call ${n}, ${name}` })
        .locator('.result')
        .waitFor();
    }
    await page.getByRole('button', { name: 'Compare with the gold' }).click();
    await page.getByText(/^Right: the same/).waitFor();
    expect(faults).toEqual([]);
  });

  test('a chain that is not right is told from the gold', async () => {
    const chain = JSON.stringify([
      {
        name: 'retrieve_data',
        arguments: { data_source: '$starting_table_var$', key_name: 'clinic_name' },
        label: 'step_1',
      },
    ]);
    const query = new URLSearchParams({ task: TASKS[2] ?? '', chain });
    await using opened = await console.open(`#/playground/${DB}?${query}`, { asHarness: true });
    await opened.page.getByRole('button', { name: 'Compare with the gold' }).click();
    await opened.page.getByText('Not the gold’s rows: 11 rows here, 2 rows there.').waitFor();
  });

  test('a handle that is used twice is a branch; undo and redo go through all states, and the address keeps them', async () => {
    await using opened = await console.open(`#/playground/${DB}?task=${TASKS[2]}`);
    const { page } = opened;
    await addCall(page, 'sort_data', 'starting_table_var');
    await page.locator('#call-1-key_name').selectOption('clinic_beds');
    await page.locator('#call-1-ascending').selectOption('false');
    await page.getByText('table, 11 rows').first().waitFor();
    await addCall(page, 'retrieve_data', 'step_1');
    await page.locator('#call-2-key_name').selectOption('clinic_name');
    await page.getByRole('button', { name: 'Continue from step_1' }).click();
    expect(await page.getByLabel('continuing from').inputValue()).toBe('step_1');
    await addCall(page, 'retrieve_data', 'step_1');
    await page.locator('#call-3-key_name').selectOption('clinic_beds');
    await page.getByText('branches into step_2, step_3').waitFor();
    const rows = page.getByRole('region', { name: 'Answer of the chain' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(12);
    const chain = JSON.parse(
      new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('chain') ?? 'null',
    );
    expect(chain).toHaveLength(3);
    await page.getByText('The chain as a nested call').click();
    const nested = page.getByRole('region', { name: 'The chain as a nested call' });
    expect(await nested.textContent()).toBe(nestedCall(chain));
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByRole('listitem', { name: /^Call/ }).count()).toBe(2);
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Redo' }).click();
    await page.reload();
    await expect.poll(() => page.getByRole('listitem', { name: /^Call/ }).count()).toBe(3);
    await page.getByRole('button', { name: 'Remove call 1' }).click();
    const source = page.locator('#call-1-data_source');
    await expect.poll(() => source.inputValue()).toBe('$starting_table_var$');
  });

  test('of a long chain in an address, a call is shown once it comes near', async () => {
    const chain = Array.from({ length: 30 }, (_, i) => ({
      name: 'sort_data',
      arguments: { data_source: i === 0 ? '$starting_table_var$' : `$step_${i}$` },
      label: `step_${i + 1}`,
    }));
    const query = new URLSearchParams({ formulation: 'slot', chain: JSON.stringify(chain) });
    await using opened = await console.open(`#/playground/${DB}?${query}`);
    const { page } = opened;
    await page.locator('#call-1-key_name').waitFor();
    expect(await page.getByRole('listitem', { name: /^Call/ }).count()).toBe(30);
    expect(await page.locator('#call-30-key_name').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove call 30' }).focus();
    await page.locator('#call-30-key_name').waitFor();
  });

  test('a call that fails says why, and values of a column can be picked', async () => {
    await using opened = await console.open(`#/playground/${DB}?formulation=slot`);
    const { page } = opened;
    await addCall(page, 'filter_data', 'starting_table_var');
    await page.locator('#call-1-key_name').selectOption('clinic_city');
    await page.getByText('condition is missing').first().waitFor();
    const values = page.locator('#call-1-value-known option[value="Saltmere"]');
    await expect.poll(() => values.count()).toBe(1);
  });

  test('suggestions that come while a value is typed leave it alone', async () => {
    await using opened = await console.open(`#/playground/${DB}?formulation=slot`);
    const { page } = opened;
    await addCall(page, 'filter_data', 'starting_table_var');
    let release = () => {};
    const typed = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/retrieve_data?*', async (route) => {
      await typed;
      await route.continue();
    });
    await page.locator('#call-1-key_name').selectOption('clinic_city');
    const value = page.locator('#call-1-value');
    await value.fill('Salt');
    release();
    await expect.poll(() => page.locator('#call-1-value-known option[value="Saltmere"]').count()).toBe(1);
    expect(await value.inputValue()).toBe('Salt');
  });

  test('has no violation of axe, and nothing beyond the page', async () => {
    const chain = JSON.stringify((await console.farm.gold(TASKS[2] ?? '')).output);
    const query = new URLSearchParams({ task: TASKS[2] ?? '', chain });
    expect(await flawsOf(console, `#/playground/${DB}?${query}`, { asHarness: true })).toEqual([]);
    expect(await flawsOf(console, '#/playground', {})).toEqual([]);
  });
});

async function addCall(page: Page, tool: string, from: string): Promise<void> {
  await page.getByLabel('Next tool').fill(tool);
  await page.getByLabel('continuing from').selectOption(from);
  await page.getByRole('button', { name: 'Add the call' }).click();
}
