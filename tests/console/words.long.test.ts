import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../contracts/package-root.ts';
import { buildConsole } from '../../scripts/build/bundle.ts';
import { scratchFolder, writeDatabase, writeFiles } from '../support/split-fixture.ts';
import { startCommand } from '../support/start-command.ts';
import { browserPath, withBrowser } from './browser.ts';
import { type BrowsedSite, browseSite, flawsOf } from './console-page.ts';

const SCHEMA = `
  CREATE TABLE depot (depot_id INTEGER PRIMARY KEY, nm TEXT NOT NULL, city TEXT, beds INTEGER, "2020" TEXT);
  CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depot, kind TEXT, cents INTEGER);
  INSERT INTO depot VALUES (1, 'North', 'Oslo', 12, NULL), (2, 'South', 'Bergen', 30, 'a');
  INSERT INTO trip VALUES (1, 1, 'A', 900), (2, 2, 'B', 1200);`;
const SQLS = [
  "SELECT nm FROM depot WHERE city = 'Oslo'",
  "SELECT nm FROM depot WHERE city = 'Bergen' AND beds > 20",
  'SELECT MAX(cents) FROM trip',
];
const WORDS = `# Ours.
tables:
  depot:
    one: depot # as the drivers say
    many: depots
    columns:
      2020: {noun: mark of 2020}
  trip:
    columns:
      cents:
        noun: fare
        drafted: true
`;

const folder = scratchFolder();
const file = join(folder, 'vocabulary', 'depots.yaml');
const inFile = () => parse(readFileSync(file, 'utf8'));

describe.skipIf(browserPath === undefined)(withBrowser('words in the console'), () => {
  let server: Awaited<ReturnType<typeof startCommand>>;
  let site: BrowsedSite;

  beforeAll(async () => {
    writeDatabase(folder, 'depots.sqlite', SCHEMA);
    const questions = SQLS.map((sql, i) => ({
      question_id: i + 1,
      db_id: 'depots',
      question: 'Which?',
      sql,
    }));
    writeFiles(folder, {
      'questions.jsonl': questions.map((each) => JSON.stringify(each)).join('\n'),
      'vocabulary/depots.yaml': WORDS,
    });
    // rookery vocabulary my-split --edit
    await buildConsole(join(folder, 'console'));
    vi.stubEnv('ROOKERY_CONSOLE', join(folder, 'console'));
    const command = [join(packageRoot, 'cli', 'main.ts'), 'vocabulary', folder, '--edit', '--port=0'];
    server = await startCommand('--import=tsx', command, packageRoot);
    site = await browseSite({ address: server.address, close: async () => void (await server.stop()) });
  });
  afterAll(async () => {
    await site?.close();
    vi.unstubAllEnvs();
  });

  test('a word is edited beside the endpoints that it changes, and saved without the loss of a comment', async () => {
    await using opened = await site.open('');
    const { page, faults } = opened;
    const column = page.getByRole('region', { name: 'Words of depot.beds' });
    await column.getByLabel('noun such as').fill('number of bays');
    await column.locator('ins', { hasText: 'bays' }).first().waitFor();
    await page.getByText('1 endpoint of 3').waitFor();
    await column.getByRole('button', { name: 'more words for beds' }).click();
    await column.getByLabel('counts').fill('bays ');
    expect(await column.getByLabel('counts').inputValue()).toBe('bays ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('# Ours.');
    expect(text).toContain('one: depot # as the drivers say');
    expect(inFile().tables.depot).toEqual({
      one: 'depot',
      many: 'depots',
      columns: { 2020: { noun: 'mark of 2020' }, beds: { noun: 'number of bays', counts: 'bays' } },
    });
    await column.getByText('bays').first().waitFor();
    expect(await column.locator('ins').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('a word that cannot be is refused beside its field, and what the rules guess shows in an empty one', async () => {
    await using opened = await site.open('#/words/depots?table=trip');
    const { page } = opened;
    const table = page.getByRole('region', { name: 'Words of trip', exact: true });
    const many = table.getByLabel('many such as');
    expect(await many.getAttribute('placeholder')).toBe('trips');
    await many.fill('depots');
    await table.getByText('is "depots", as tables.depot.many is; use different words').waitFor();
    expect(await many.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await many.fill('');
    await table.getByText('as tables.depot.many is').waitFor({ state: 'detached' });
  });

  test('a draft of a model becomes a person’s when it is kept, and an endpoint gets words of its own', async () => {
    await using opened = await site.open('#/words/depots?table=trip');
    const { page } = opened;
    const column = page.getByRole('region', { name: 'Words of trip.cents' });
    await column.getByRole('button', { name: 'Keep as read' }).click();
    const endpoint = column.getByRole('listitem').first();
    await endpoint.locator('summary').click();
    await endpoint.getByLabel('summary such as').fill('Dearest trip');
    await endpoint.locator('summary ins', { hasText: 'Dearest' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(inFile().tables.trip.columns).toEqual({ cents: { noun: 'fare' } });
    expect(inFile().endpoints).toMatchObject({
      3: { summary: 'Dearest trip', sql: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
  });

  test('a file that was changed meanwhile is not overwritten', async () => {
    await using opened = await site.open('');
    const { page } = opened;
    await page
      .getByRole('region', { name: 'Words of depot', exact: true })
      .getByLabel('many such as')
      .fill('yards');
    await page.locator('ins', { hasText: 'yards' }).first().waitFor();
    const text = `${readFileSync(file, 'utf8')}# Theirs.\n`;
    writeFileSync(file, text);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('was changed in the meantime').waitFor();
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('pages of other sites get nothing, by their own name or by one that points here', async () => {
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const asked = get(`${server.address}/vocabulary`, { headers });
      const [{ statusCode }] = await once(asked, 'response');
      asked.destroy();
      return statusCode;
    };
    expect(await ask({})).toBe(200);
    expect(await ask({ origin: server.address })).toBe(200);
    expect(await ask({ origin: 'https://evil.example' })).toBe(403);
    expect(await ask({ host: 'evil.example' })).toBe(403);
  });

  test('has no violation of axe, and nothing beyond the page', async () => {
    expect(await flawsOf(site, '#/words/depots', {})).toEqual([]);
  });
});
