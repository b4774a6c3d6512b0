import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { generate } from '../../generator/generate.ts';
import { writeDatabase, writeFiles } from '../support/split-fixture.ts';
import { browserPath, withBrowser } from './browser.ts';
import { type ConsolePage, flawsOf, serveConsole, settled } from './console-page.ts';
import type { Page } from './page.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-records-'));
let console: ConsolePage;

/** For people: with ROOKERY_SHOTS, a picture in that folder. */
async function shot(page: Page, name: string): Promise<void> {
  const to = process.env.ROOKERY_SHOTS;
  if (to !== undefined) await page.screenshot({ path: join(to, `${name}.png`), fullPage: true });
}

describe.skipIf(browserPath === undefined)(withBrowser('records in the console'), () => {
  beforeAll(async () => {
    const split = join(folder, 'vets');
    writeDatabase(
      split,
      'clinics.sqlite',
      `CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, weight REAL, status TEXT DEFAULT 'active');
       CREATE TABLE visit (pet_id INTEGER REFERENCES pet (id), day TEXT, cost REAL, PRIMARY KEY (pet_id, day));
       INSERT INTO pet VALUES (1, 'Bella', 4.5, 'active'), (2, 'Rex', 20, 'active'), (3, 'Milo', 6, 'active');
       INSERT INTO visit VALUES (1, '2024-01-01', 10), (2, '2024-01-02', 12.5);`,
    );
    const sql = "UPDATE pet SET status = 'retired', weight = 5 WHERE name = 'Bella'";
    const question = { question_id: 1, db_id: 'clinics', question: 'Retire Bella at 5 kg.', sql };
    writeFiles(split, { 'questions.jsonl': JSON.stringify(question) });
    const out = join(folder, 'farm');
    await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 1 });
    console = await serveConsole(out, farmScorer(out));
  });
  afterAll(async () => {
    await console?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a person creates, edits and deletes records in a run of their own, and sees what changed', async () => {
    for (const width of [1440, 390]) {
      await using opened = await console.open('#/domain/clinics', { viewport: { width, height: 900 } });
      const { page } = opened;
      await page.getByRole('button', { name: 'Change records in a run of your own' }).click();
      await page.getByRole('heading', { name: 'Records of Clinics' }).waitFor();
      await page.getByRole('button', { name: 'Edit 1', exact: true }).click();
      await page.getByLabel('weight').fill('-');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('weight must be a number').waitFor();
      await page.getByLabel('weight').fill('9');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: '9', exact: true }).waitFor();
      await page.getByRole('button', { name: 'New record' }).click();
      await page.getByLabel('name').fill('Nala');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'Nala' }).waitFor();
      await settled(page);
      await page.getByRole('link', { name: 'What it has changed so far' }).click();
      const changes = page.getByLabel('Changes');
      await changes.getByText('pet 1').waitFor();
      expect(await changes.locator('tbody tr').first().locator('td').allTextContents()).toEqual([
        'pet 1',
        'weight',
        '4.5',
        '9',
      ]);
      const [run = ''] = /r[0-9a-f]{26}/.exec(page.url()) ?? [];
      await shot(page, `run-${width}`);
      await page.goBack();
      await page.getByRole('button', { name: 'Edit 2', exact: true }).click();
      await shot(page, `records-${width}`);
      expect(opened.faults.filter((fault) => !fault.includes('422'))).toEqual([]);
      if (width < 1000) continue;
      for (const view of [`#/records/${run}?db=clinics`, `#/runs/${run}`])
        expect(await flawsOf(console, view, { asHarness: true })).toEqual([]);
    }
  });

  test('a run that is over shows its changes beside those of the gold', async () => {
    const run = await console.farm.run({ sample_id: 'vets/clinics/1/records' });
    await run.call('update_pet', { key: 1, status: 'retired' });
    await run.call('update_pet', { key: 2, status: 'retired' });
    await run.answer('done');
    for (const width of [1440, 390]) {
      const viewport = { width, height: 900 };
      await using opened = await console.open(`#/runs/${run.id}`, { asHarness: true, viewport });
      const changes = opened.page.getByLabel('Changes').first();
      await changes.getByText('side effect').waitFor();
      const rows = await changes.locator('tbody tr').all();
      const lines = rows.map((row) => row.locator('td').allTextContents());
      expect(await Promise.all(lines)).toEqual([
        ['pet 1 wrong value', 'weight', '4.5', '4.5', '5'],
        ['', 'status', 'active', 'retired', 'retired'],
        ['pet 2 side effect', 'status', 'active', 'retired', 'active'],
      ]);
      await shot(opened.page, `gold-${width}`);
    }
  });
});
