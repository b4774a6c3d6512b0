import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportPage } from '../../cli/board.ts';
import { readFarm, readPredictions } from '../../eval/farm/read-farm.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { scoreFarm } from '../../eval/score/score-farm.ts';
import { buildConsole } from '../../scripts/build/bundle.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../support/tiny-farm.ts';
import { browserPath, withBrowser } from './browser.ts';
import { type BrowsedSite, browseSite, flawsOf } from './console-page.ts';

const HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)><!--';
const folder = scratchFolder();
const built = join(folder, 'console');

let report: Report;
let page: string;
beforeAll(async () => {
  await buildConsole(built);
  const farmFolder = writeTinyFarm();
  const file = join(folder, 'predictions.jsonl');
  const gold = TINY_SAMPLES.slice(0, 3).map(({ sample_id, output }) => ({ sample_id, calls: output }));
  const lines = [
    { model: HOSTILE, settings: { prompt: HOSTILE } },
    ...gold,
    { sample_id: 'tiny/shop/1/rest', raw_output: HOSTILE },
    {
      sample_id: 'tiny/shop/1/slot',
      calls: [{ name: 'filter_data', arguments: { data_source: 'item', value: 40.1 } }],
    },
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const farm = readFarm(farmFolder);
  const predictions = readPredictions(file, farm);
  rmSync(farmFolder, { recursive: true, force: true });
  const options = { resamples: 20 };
  report = await scoreFarm({ farm, predictions, universe: TINY_UNIVERSE, replay: tinyReplay, options });
  page = reportPage(report, built);
  writeFileSync(join(folder, 'report.html'), page);
});

test('the page asks nothing of any server, and lets no prediction write markup', () => {
  const withoutData = page.replace(/<script type="application\/json"[\s\S]*?<\/script>/, '');
  expect(withoutData.match(/https?:\/\/[\w.]+/g)?.filter((one) => one !== 'http://www.w3.org') ?? []).toEqual(
    [],
  );
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/connect-src|unsafe/);
  expect(page.match(/<script[ >]/g)).toHaveLength(2);
  expect(page).not.toContain('<img');
});

describe.skipIf(browserPath === undefined)(withBrowser('the page in a browser'), () => {
  let site: BrowsedSite;
  beforeAll(async () => {
    const address = pathToFileURL(join(folder, 'report.html')).href;
    site = await browseSite({ address, close: async () => {} }, '');
  });
  afterAll(() => site?.close());

  test('opened from a disk, it leads from the figures to what a model wrote, which is text', async () => {
    await using opened = await site.open('#/board');
    const { page: shown, faults } = opened;
    expect(await shown.title()).not.toBe('owned');
    for (const name of ['REST', 'SLOT', 'SEL'])
      await shown.getByRole('heading', { name, exact: true }).waitFor();
    await shown.getByRole('region', { name: 'REST', exact: true }).getByRole('link').first().click();
    await shown.getByText('Metrics', { exact: true }).click();
    await shown.getByRole('region', { name: 'Metrics' }).getByText('intent F1').first().waitFor();
    await shown.getByRole('combobox', { name: 'Outcome' }).selectOption('unparseable');
    await shown.getByRole('region', { name: 'Samples', exact: true }).getByRole('link').first().click();
    await shown.getByText('Output of the model').waitFor();
    expect(await shown.getByRole('region', { name: 'Output of the model' }).textContent()).toBe(HOSTILE);
    expect(faults).toEqual([]);
  });

  test('no violation of axe in any look, nothing beyond the page', async () => {
    const views = ['#/board', '#/board/oops'];
    const flaws: string[] = [];
    for (const view of views) flaws.push(...(await flawsOf(site, view, {})));
    expect(flaws).toEqual([]);
  });
});
