import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { brokenLinks } from '../scripts/site-pages.ts';
import { browserPath, withBrowser } from './console/browser.ts';
import { type BrowsedSite, browseSite } from './console/console-page.ts';
import { farmOf } from './support/farms.ts';
import { serveFolder } from './support/site-server.ts';
import { scratchFolder } from './support/split-fixture.ts';

const folder = scratchFolder();
const out = join(folder, 'site');

describe.skipIf(browserPath === undefined)(withBrowser('the site that `npm run site` builds'), () => {
  let site: BrowsedSite;
  beforeAll(async () => {
    const options = ['--farm', await farmOf('bundled'), '--out', out];
    await promisify(execFile)('npm', ['run', 'site', '--', ...options], { cwd: packageRoot });
    site = await browseSite(await serveFolder(out));
  }, 20 * 60_000);
  afterAll(() => site?.close());

  test('it has every page of docs/, and every link leads somewhere', () => {
    const pages = readdirSync(join(packageRoot, 'docs')).filter((file) => file.endsWith('.md'));
    const built = new Set(readdirSync(join(out, 'docs')));
    expect(pages.filter((page) => !built.has(page.replace(/md$/, 'html')))).toEqual([]);
    expect(brokenLinks(out, '/')).toEqual([]);
  });

  test('a search finds a page without asking another server', async () => {
    await using opened = await site.open('');
    const { page, faults } = opened;
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(page.url()).origin)) elsewhere.push(request.url());
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('silent faults');
    await page
      .getByRole('option', { name: /faults/i })
      .first()
      .click();
    await page.waitForURL(/\/docs\/\w+\.html/);
    expect(elsewhere).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('the console shows recorded answers, a reference, a run and the leaderboard, and says what was not recorded', async () => {
    await using opened = await site.open('demo/');
    const { page, faults } = opened;
    await page.getByRole('link', { name: 'Vet clinics' }).first().click();
    await page
      .getByRole('region', { name: /^Rows of/ })
      .getByRole('row')
      .nth(1)
      .waitFor();
    await page.getByRole('link', { name: 'Try an endpoint' }).click();
    await page.getByText(/^200 in/).waitFor();
    await page.getByRole('link', { name: 'API reference' }).last().click();
    await page.getByText(/^200 in/).waitFor();
    await page.getByLabel('Filter by words').fill('no endpoint has these words');
    await page.getByText(/^0 of \d+/).waitFor();
    await page.getByRole('link', { name: 'Leaderboard' }).click();
    await page
      .getByRole('link', { name: /oracle/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.getByLabel('Search all endpoints').fill('what was never asked');
    await page.getByText('this was not asked then').waitFor();
    expect(faults).toEqual([]);
  });
});
