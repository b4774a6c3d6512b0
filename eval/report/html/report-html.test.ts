import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../contracts/report.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../../tests/support/tiny-farm.ts';
import { alignNames } from '../../calls/align-names.ts';
import { readFarm } from '../../farm/read-farm.ts';
import { readPredictions } from '../../farm/read-predictions.ts';
import { scoreFarm } from '../../score/score-farm.ts';
import { pageSample } from './page-data.ts';
import { reportHtml } from './report-html.ts';

const HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)>';

async function scored(lines: readonly string[]): Promise<Report> {
  const folder = writeTinyFarm();
  const file = join(folder, 'predictions.jsonl');
  writeFileSync(file, lines.join('\n'));
  const farm = readFarm(folder);
  const predictions = readPredictions(file, farm);
  rmSync(folder, { recursive: true, force: true });
  return scoreFarm({
    farm,
    predictions,
    universe: TINY_UNIVERSE,
    replay: tinyReplay,
    options: { resamples: 20 },
  });
}

let report: Report;
let page: string;
beforeAll(async () => {
  const gold = TINY_SAMPLES.slice(0, 3).map(({ sample_id, output }) =>
    JSON.stringify({ sample_id, calls: output }),
  );
  report = await scored([
    JSON.stringify({ model: HOSTILE, settings: { prompt: HOSTILE } }),
    ...gold,
    JSON.stringify({ sample_id: 'tiny/shop/1/rest', raw_output: HOSTILE }),
    '{"sample_id":"tiny/shop/1/slot","calls":[{"name":"filter_data","arguments":{"data_source":"item","value":40.10}}]}',
  ]);
  page = reportHtml(report);
});

describe('the page', () => {
  test('asks nothing of any server', () => {
    const withoutData = page.replace(/<script type="application\/json"[\s\S]*?<\/script>/, '');
    expect(withoutData).not.toMatch(
      /https?:|\/\/[a-z]|@import|url\(|<link(?! rel="icon" href="data:,")|<[a-z]+[^>]*\ssrc=/,
    );
    expect(page).toContain("default-src 'none'");
  });

  test('does not let a prediction write markup', () => {
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toContain('<img');
  });

  test('holds every sample', () => {
    const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(json).map(({ id }: { id: string }) => id)).toEqual(
      TINY_SAMPLES.map(({ sample_id }) => sample_id),
    );
  });
});

describe('what a sample opens to', () => {
  const lines = (id: string) =>
    pageSample(
      report.samples.find(({ sample_id }) => sample_id === `tiny/shop/${id}`) as Report['samples'][number],
    ).lines;

  test('marks nothing where the calls are the same', () => {
    for (const [gold, predicted] of lines('0/slot')) {
      expect(predicted).toEqual(gold);
      expect(gold?.args.every(([, , differs]) => differs === 0)).toBe(true);
    }
  });

  test('marks arguments that differ by their meaning, calls without a partner, and shows numbers as written', () => {
    const [first, ...rest] = lines('1/slot');
    expect(first?.[1]?.args).toEqual([
      ['data_source', '"item"', 0],
      ['value', '40.10', 0],
    ]);
    expect(first?.[0]?.args.map(([key, , differs]) => [key, differs])).toEqual([
      ['data_source', 0],
      ['key_name', 1],
      ['value', 0],
      ['condition', 1],
    ]);
    expect(rest.map(([gold, predicted]) => [gold?.wrong, predicted])).toEqual([
      [true, null],
      [true, null],
    ]);
  });
});

test.each([
  ['abc', 'abc', 'aa bb cc'],
  ['abc', 'ac', 'aa b- cc'],
  ['ac', 'abc', 'aa -b cc'],
  ['ab', 'ba', 'a- bb -a'],
  ['', 'a', '-a'],
  ['ab', '', 'a- b-'],
])('%s beside %s: %s', (gold, predicted, lines) => {
  const shown = alignNames([...gold], [...predicted]).map(
    ([g, p]) => (g === null ? '-' : gold[g]) + (p === null ? '-' : (predicted[p] ?? '')),
  );
  expect(shown.join(' ')).toBe(lines);
});

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

describe.skipIf(CHROMIUM === undefined)('in a browser', () => {
  test('rows are there, and what a model wrote is text', () => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    const file = join(folder, 'report.html');
    writeFileSync(file, page);
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ];
    const address = `file://${file}#${encodeURIComponent('tiny/shop/1/rest')}`;
    const dom = execFileSync(
      CHROMIUM as string,
      [...flags, `--user-data-dir=${folder}/profile`, '--virtual-time-budget=3000', '--dump-dom', address],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 60_000,
      },
    );
    rmSync(folder, { recursive: true, force: true });
    expect(dom).toContain('<tr class="sample open"');
    expect(dom).toMatch(/<pre>&lt;\/script&gt;&lt;script&gt;document\.title/);
    expect(dom).not.toContain('<title>owned');
  });
});
