import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BoardFiles, openBoard, siteFiles } from '../../cli/board.ts';
import { findRuns } from '../../cli/run/find-runs.ts';
import { filteredRow, filterSamples, intervalOf, makeMatrix } from '../../console/board/board-data.ts';
import type { SampleReview } from '../../contracts/judgement.ts';
import { writeFolder } from '../../generator/write/write-folder.ts';
import { type Board, type BoardSample, type Columns, unpackRows } from '../../runner/leaderboard/board.ts';
import { buildConsole } from '../../scripts/build/bundle.ts';
import { servedFarm } from '../support/served-farm.ts';
import { serveFolder } from '../support/site-server.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { browserPath, withBrowser } from './browser.ts';
import { type BrowsedSite, browseSite, flawsOf, type OpenedPage } from './console-page.ts';

const served = servedFarm();
const folder = scratchFolder();
const EVERYTHING = { db: '', difficulty: '', construct: '', length: '' };
const options = { title: 'Our runs', published: 'none' as const };

let places: string[];
let board: BoardFiles;
beforeAll(async () => {
  const select = { sample: 60, seed: 3 };
  const inputs = [
    { agent: 'lexical', formulation: 'rest' as const, select },
    { agent: 'random', formulation: 'rest' as const, select },
    { agent: 'lexical', formulation: 'rest' as const, select, list: { tools: '25%' as const } },
    { agent: 'oracle', formulation: 'slot' as const, select: { sample: 12, seed: 3 } },
  ];
  places = [];
  for (const input of inputs) places.push((await served.run(input)).out);
  board = openBoard(places, { ...options, gold: false });
});

function read<T>(from: BoardFiles, path: string): T {
  return JSON.parse(from.text(path) ?? 'null') as T;
}

const samplesOf = (id: string) => unpackRows<BoardSample>(read<Columns>(board, `samples/${id}.json`));

test('a row over all samples has the figures of `rookery table`, interval and all', () => {
  const { runs } = read<Board>(board, 'board.json');
  const rows = findRuns(places);
  expect(runs.map(({ id }) => id)).toEqual([
    'lexical-rest',
    'random-rest',
    'lexical-tools-25-rest',
    'oracle-slot',
  ]);
  for (const [i, run] of runs.entries()) {
    const samples = samplesOf(run.id);
    const row = { ...filteredRow(run, samples), interval: intervalOf(run, samples) };
    expect(row).toEqual({ ...rows[i], run: run.id });
  }
});

test('a row over a part of the samples is that of these alone', () => {
  const { runs } = read<Board>(board, 'board.json');
  const [run] = runs;
  if (!run) throw new Error('the board has no run');
  const samples = samplesOf(run.id);
  const left = filterSamples(samples, { ...EVERYTHING, db: 'vet_clinics' });
  const row = filteredRow(run, left);
  const passes = left.filter(({ outcome }) => outcome === 'pass').length;
  expect(left.length).toBeGreaterThan(0);
  expect([row.n, row.completion, row.interval]).toEqual([left.length, passes / left.length, null]);
  expect(filterSamples(samples, { ...EVERYTHING, length: '7 or more' })).toEqual([]);
});

test('a question stands beside itself in every run', () => {
  const [first = [], second = []] = ['lexical-rest', 'random-rest'].map(samplesOf);
  const lines = makeMatrix([first, second]);
  expect(lines.length).toBe(new Set([...first, ...second].map(({ sample_id }) => sample_id)).size);
  const passes = lines.filter(({ cells }) => cells[0]?.passes === 1).length;
  expect(passes).toBe(first.filter(({ outcome }) => outcome === 'pass').length);
});

test('files tell nothing of the gold unless asked to', () => {
  const texts = [...board.paths()].map((path) => board.text(path) ?? '');
  const golden = openBoard(places, { ...options, gold: true });
  const queries = read<SampleReview[]>(golden, 'reviews/oracle-slot/0.json').map(({ gold }) => gold?.query);
  expect(queries.length).toBe(12);
  for (const query of queries) {
    expect(query).toMatch(/^\s*(select|with)/i);
    expect(texts.join('\n')).not.toContain(JSON.stringify(query).slice(1, -1));
  }
  expect(texts.join('\n')).not.toMatch(/argument_faults|confusions|"differs":true/);
  expect(texts.join('\n')).not.toContain(folder);
  for (const path of ['../run.json', 'samples/none.json', 'reviews/oracle-slot/9.json', 'samples/x/1.json'])
    expect(board.text(path), path).toBeUndefined();
});

describe.skipIf(browserPath === undefined)(withBrowser('a published site in a browser'), () => {
  let site: BrowsedSite;
  beforeAll(async () => {
    const built = join(folder, 'console');
    await buildConsole(built);
    await writeFolder(join(folder, 'site'), { isOurs: () => false }, () => ({
      files: siteFiles('Our runs', board, built),
    }));
    const files = await serveFolder(join(folder, 'site'));
    site = await browseSite(files);
  });
  afterAll(() => site?.close());

  test('filters change the figures, the address keeps them, and rows are ordered by any column', async () => {
    await using opened = await site.open('');
    const { page, faults } = opened;
    const table = page.getByRole('region', { name: 'REST', exact: true });
    expect(await table.getByRole('row').count()).toBe(4);
    await page.getByText('Loading …').waitFor({ state: 'detached' });
    await page.getByLabel('Domain').selectOption('vet_clinics');
    const run = read<Board>(board, 'board.json').runs[0];
    const left = filterSamples(samplesOf('lexical-rest'), { ...EVERYTHING, db: 'vet_clinics' });
    const [low, high] = (run && intervalOf(run, left)) ?? [0, 0];
    await table
      .getByText(`${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}`)
      .first()
      .waitFor();
    await page.reload();
    expect(await page.getByLabel('Domain').inputValue()).toBe('vet_clinics');
    await table.getByRole('button', { name: 'completion' }).click();
    const shares = async () =>
      (await table.locator('tbody tr').allInnerTexts()).map((text) => Number(/([\d.]+) %/.exec(text)?.[1]));
    await expect.poll(async () => (await shares()).toSorted((a, b) => b - a)).toEqual(await shares());
    await table.getByRole('button', { name: 'completion' }).click();
    await expect.poll(async () => (await shares()).toSorted((a, b) => a - b)).toEqual(await shares());
    expect(page.url()).toContain('sort=completion');
    expect(faults).toEqual([]);
  });

  test('keys go from failure to failure, and a turn has an address', async () => {
    const failures = samplesOf('random-rest').flatMap(({ outcome }, n) => (outcome === 'pass' ? [] : [n]));
    const [first = 0, second = 0] = failures;
    await using opened = await site.open(`#/board/random-rest/${first}`);
    const { page, faults } = opened;
    await page.getByRole('link', { name: 'Next failure' }).waitFor();
    await page.keyboard.press('n');
    await page.waitForURL(`**#/board/random-rest/${second}`);
    await page.getByRole('link', { name: 'Previous failure' }).waitFor();
    await page.getByRole('link', { name: 'Link to turn 1' }).click();
    await page.locator('#turn-1.chosen').waitFor();
    await page.keyboard.press('p');
    await page.waitForURL(`**#/board/random-rest/${first}`);
    expect(faults).toEqual([]);
  });

  test('each class of failures leads to its first ones', async () => {
    await using opened = await site.open('');
    const { page } = opened;
    await page.getByRole('region', { name: 'Why samples failed' }).getByRole('link').nth(1).click();
    await page.getByText('Without the gold').waitFor();
  });

  test('a cell of the matrix leads to the attempt, which tells no gold', async () => {
    await using opened = await site.open('#/board?formulation=rest&only=contested');
    const { page, faults } = opened;
    await page.getByRole('region', { name: 'Questions by runs' }).getByRole('link').first().click();
    await page.getByText('Without the gold').waitFor();
    await page.getByRole('heading', { name: 'The attempt' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('figures are taken along as CSV and as PNG', async () => {
    await using opened = await site.open('');
    const csv = await downloaded(opened, 'Leaderboard as CSV');
    expect(csv.toString('utf8').split('\n')).toHaveLength(5);
    const png = await downloaded(opened, 'Completion as PNG');
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(png.length).toBeGreaterThan(3000);
    const questions = await downloaded(opened, 'Questions as CSV');
    expect(questions.toString('utf8')).toMatch(/pass|fail/);
    expect(opened.faults).toEqual([]);
  });

  test('every view, in light, dark and on a phone: no fault, no violation of axe, nothing beyond the page', async () => {
    const views = ['', '#/board/lexical-rest', '#/board/oracle-slot/0', '#/farm'];
    const flaws: string[] = [];
    for (const view of views) flaws.push(...(await flawsOf(site, view, {})));
    expect(flaws).toEqual([]);
  });
});

async function downloaded({ page }: OpenedPage, button: string): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return readFileSync(await file.path());
}
