import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../contracts/judgement.ts';
import type { Call } from '../../contracts/sample.ts';
import type { ScoredFarm } from '../../eval/farm/read-farm.ts';
import type { ErrorClass } from '../../eval/metrics/report.ts';
import { readReport } from '../../eval/report/report-tables.ts';
import { buildConsole } from '../../scripts/build/bundle.ts';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { createProgram } from '../program.ts';
import { openLiveScorer } from './live-scorer.ts';
import type { OpenFarm } from './open-farm.ts';
import { type FarmToScore, makeFarmToScore } from './testing/scored-farm.ts';

const SQL = `
  CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
  CREATE TABLE toy (id INTEGER PRIMARY KEY, title TEXT, price REAL, stock INTEGER, maker_id INTEGER REFERENCES maker(id));
  INSERT INTO maker VALUES (1,'Ada & Sons','UK'),(2,'Brio','SE'),(3,'Corvi','IT'),(4,'Dusk','SE');
  INSERT INTO toy VALUES (1,'Train',49.9,3,2),(2,'Track',9.5,40,2),(3,'Puppet',30,NULL,3),(4,'Loom',120,1,1),
    (5,'Kite',9.5,12,4),(6,'Ball',3,200,NULL),(7,'Doll',30,7,3),(8,'Blocks',15.25,25,1);
`;
const QUESTIONS = [
  ['Which makers are in Sweden?', "SELECT name FROM maker WHERE country = 'SE'"],
  ['Title and price of toys under 20?', 'SELECT title, price FROM toy WHERE price < 20'],
  ['How many toys are there?', 'SELECT COUNT(*) FROM toy'],
  ['Toys by price, dearest first?', 'SELECT title, price FROM toy ORDER BY price DESC, title'],
  [
    'Toys made in Italy?',
    "SELECT T1.title FROM toy AS T1 INNER JOIN maker AS T2 ON T1.maker_id = T2.id WHERE T2.country = 'IT'",
  ],
  ['Toys dearer than the average?', 'SELECT title FROM toy WHERE price > (SELECT AVG(price) FROM toy)'],
  ['Toys a maker?', 'SELECT maker_id, COUNT(*) FROM toy GROUP BY maker_id'],
  [
    'The cheapest toy with more than 10 in stock?',
    'SELECT title FROM toy WHERE stock > 10 ORDER BY price LIMIT 1',
  ],
] as const;

let made: FarmToScore;
let folder: string;
let farm: ScoredFarm;
let open: OpenFarm;
const root = scratchFolder();

beforeAll(async () => {
  const statements = QUESTIONS.map(([question, sql], i) => {
    return { question, sql, difficulty: i < 4 ? 'simple' : 'moderate' };
  });
  made = await makeFarmToScore(SQL, statements);
  ({ folder, farm, open } = made);
});
afterAll(() => made.close());

function write(predictions: readonly object[], name = 'predictions.jsonl'): string {
  const file = join(root, name);
  writeFileSync(file, predictions.map((prediction) => JSON.stringify(prediction)).join('\n'));
  return file;
}

const score = (predictions: readonly object[]) => made.score(predictions, { replay: 'all', resamples: 20 });

const oracle = () => farm.samples.map(({ sample_id, output }) => ({ sample_id, calls: output }));
const find = (id: string) => made.find(id);

describe('the oracle on a generated farm, replayed through its services', () => {
  test('completes every sample, with every F1 at 1, in every formulation', async () => {
    const count = (kind: string) => farm.samples.filter(({ formulation }) => formulation === kind).length;
    expect(['rest', 'slot', 'sel'].map(count)).toEqual(Array(3).fill(QUESTIONS.length));
    expect(count('query')).toBeGreaterThan(1);
    const { ledger, metrics } = await score(oracle());
    expect(ledger).toMatchObject({ pass: farm.samples.length, total: farm.samples.length });
    const { intent, slot } = metrics;
    expect(
      [intent.prefix, intent.position, intent.multiset, slot.raw, slot.canonical].map(({ f1 }) => f1),
    ).toEqual([1, 1, 1, 1, 1]);
    expect(
      [metrics.execution_accuracy, metrics.exact_string, metrics.bfcl.faithful].map(({ value }) => value),
    ).toEqual([1, 1, 1]);
  });

  test('is right too when naming results by handle, as an agent on a live farm does', async () => {
    const live = await Promise.all(
      farm.samples
        .filter(({ formulation }) => formulation !== 'rest')
        .map(async (sample) => {
          const { handles = [] } = await open.replay(sample, sample.output);
          const names = new Map(sample.output.map(({ label }, i) => [`$${label}$`, handles[i] as string]));
          for (const [label, handle] of open.universe.startHandles?.(sample) ?? [])
            names.set(`$${label}$`, handle);
          // A data source may be a bare handle; as a value it is written between dollars.
          const rename = (value: unknown, key = ''): unknown => {
            if (typeof value === 'string') {
              const handle = names.get(value);
              return handle === undefined ? value : key.startsWith('data_source') ? handle : `$${handle}$`;
            }
            if (Array.isArray(value)) return value.map((item) => rename(item));
            if (typeof value !== 'object' || value === null) return value;
            return Object.fromEntries(Object.entries(value).map(([k, item]) => [k, rename(item, k)]));
          };
          const calls = sample.output.map(({ name, arguments: args }) => ({ name, arguments: rename(args) }));
          expect(JSON.stringify(calls)).not.toMatch(/\$starting_table_var\$|DF_0\$/);
          return { sample_id: sample.sample_id, calls };
        }),
    );
    const { ledger, metrics } = await score(live);
    expect(ledger).toMatchObject({ pass: live.length, fail: 0 });
    expect(metrics.slot.canonical.f1).toBe(1);
    expect(metrics.slot.raw.f1).toBeLessThan(1);
  });
});

type Mutate = (calls: readonly Call[]) => unknown[];
const change =
  (at: number, args: object): Mutate =>
  (calls) =>
    calls.map((call, i) => (i === at ? { ...call, arguments: { ...call.arguments, ...args } } : call));

describe('mutated gold calls on a generated farm', () => {
  test.each<[string, string, Mutate, Outcome, ErrorClass | null]>([
    ['a dropped filter', '0/slot', (calls) => calls.slice(1), 'fail', 'wrong_func_count'],
    ['a dropped column', '1/slot', (calls) => calls.slice(0, -1), 'fail', 'wrong_func_count'],
    [
      'a made-up tool',
      '0/sel',
      (calls) => calls.map((call, i) => (i === 0 ? { ...call, name: 'select_data_sounds_like' } : call)),
      'fail',
      'hallucinated_func_name',
    ],
    [
      'the getter of another column',
      '0/sel',
      (calls) => [...calls.slice(0, -1), { ...calls.at(-1), name: 'get_maker_countries' }],
      'fail',
      'wrong_func_name',
    ],
    ['a wrong value', '0/slot', change(0, { value: 'IT' }), 'fail', 'value_error'],
    ['a wrong condition', '0/slot', change(0, { condition: 'not_equal_to' }), 'fail', 'value_error'],
    ['an unexpected parameter', '0/slot', change(0, { sql: '1 = 1' }), 'fail', 'unexpected_param'],
    [
      'a missing parameter',
      '0/slot',
      (calls) =>
        calls.map((call, i) =>
          i === 0 ? { ...call, arguments: { data_source: '$starting_table_var$' } } : call,
        ),
      'fail',
      'missing_required_parameter',
    ],
    [
      'REST with a wrong value',
      '0/rest',
      (calls) =>
        calls.map((call) => ({
          ...call,
          arguments: Object.fromEntries(Object.keys(call.arguments).map((key) => [key, 'IT'])),
        })),
      'fail',
      'value_error',
    ],
    [
      'REST with the number as text',
      '1/rest',
      (calls) =>
        calls.map((call) => ({
          ...call,
          arguments: Object.fromEntries(
            Object.entries(call.arguments).map(([key, value]) => [key, String(value)]),
          ),
        })),
      'pass',
      null,
    ],
    [
      'an exploring call that fails',
      '0/slot',
      (calls) => [{ name: 'filter_data', arguments: { data_source: 'nothing' } }, ...calls],
      'pass',
      null,
    ],
  ])('%s (%s)', async (_, id, mutate, outcome, errorClass) => {
    const sample = find(id);
    const report = await score([{ sample_id: sample.sample_id, calls: mutate(sample.output) }]);
    const scored = report.samples.find(({ sample_id }) => sample_id === sample.sample_id);
    expect([scored?.outcome, scored?.error_class]).toEqual([outcome, errorClass]);
  });
});

describe('scoring while a farm is served', () => {
  test('reports outcomes without revealing the gold', async () => {
    const scorer = await openLiveScorer(folder);
    const [right, wrong] = [find('0/slot'), find('4/slot')];
    const lines = [
      { farm_hash: farm.hash },
      { sample_id: right.sample_id, calls: right.output },
      { sample_id: wrong.sample_id, answer: ['Kite'] },
    ];
    const scores = await scorer.score(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(scores).toMatchObject({
      ledger: { pass: 1, fail: 1, total: 2 },
      metrics: { completion: { value: 0.5, n: 2 } },
      samples: [{ outcome: 'pass' }, { outcome: 'fail' }],
    });
    const text = JSON.stringify(scores);
    expect(text).not.toMatch(/gold|Puppet|SELECT|retrieve_data/);
    await expect(scorer.score('{"sample_id":"x"}')).rejects.toMatchObject({
      code: 'PREDICTIONS_FOR_OTHER_FARM',
    });
    await scorer.close();
  });

  test('judges an answer that was not submitted', async () => {
    const scorer = await openLiveScorer(folder);
    const { sample_id, gold_answer } = find('0/slot');
    const strict = JSON.stringify(gold_answer);
    expect(scorer.judge(sample_id, strict)).toEqual({ strict: true, fair: true });
    expect(scorer.judge(sample_id, JSON.stringify({ rows: gold_answer }))).toEqual({
      strict: false,
      fair: true,
    });
    expect(scorer.judge(sample_id, '["Kite"]')).toEqual({ strict: false, fair: false });
    expect(scorer.judge('nobody/knows/1/rest', strict)).toBeUndefined();
    await scorer.close();
  });
});

describe('on the command line', () => {
  afterEach(() => {
    process.exitCode = 0;
    vi.restoreAllMocks();
  });

  async function run(...args: string[]): Promise<{ out: string; err: string; exitCode: number }> {
    const [out, err] = (['stdout', 'stderr'] as const).map((stream) => {
      const chunks: string[] = [];
      vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
        chunks.push(String(chunk));
        return true;
      });
      return chunks;
    });
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
    vi.restoreAllMocks();
    return { out: (out ?? []).join(''), err: (err ?? []).join(''), exitCode: Number(process.exitCode ?? 0) };
  }

  test('score writes its files and misses no threshold for the oracle', async () => {
    const predictions = write([{ model: 'oracle', farm_hash: farm.hash }, ...oracle()]);
    const [json, html] = [join(root, 'out', 'report.json'), join(root, 'out', 'report.html')];
    const console = join(root, 'console');
    await buildConsole(console);
    vi.stubEnv('ROOKERY_CONSOLE', console);
    const { out, exitCode } = await run(
      'score',
      folder,
      predictions,
      '--out',
      json,
      '--html',
      html,
      '--all',
      '--fail-under',
      'completion=1,intent=1,slot=1',
    );
    vi.unstubAllEnvs();
    expect(exitCode).toBe(0);
    expect(out).toContain(
      `oracle on toys: completion 100.0 % (${farm.samples.length} of ${farm.samples.length})`,
    );
    expect(readReport(json).ledger.pass).toBe(farm.samples.length);
    expect(readFileSync(html, 'utf8')).toContain('<title>oracle on toys</title>');
  });

  test('score excludes guessable samples, and reports completion with them too', async () => {
    const telling = farm.samples.filter(({ flags }) => !flags.includes('guessable'));
    const left = farm.samples.length - telling.length;
    expect(left).toBeGreaterThan(0);
    const json = join(root, 'default.json');
    const { out } = await run('score', folder, write(oracle().slice(0, -1)), '--out', json);
    const report = readReport(json);
    expect(report.ledger.total).toBe(telling.length);
    expect(report.samples.map(({ sample_id }) => sample_id)).toEqual(
      telling.map(({ sample_id }) => sample_id),
    );
    expect(report.selections).toMatchObject({
      guessable: left,
      default: { n: telling.length },
      all: { n: farm.samples.length, count: farm.samples.length - 1 },
    });
    expect(out).toContain(`${left} guessable left out, with them`);
    // Excluded samples were not run, so nothing is known about them.
    const own = write(telling.map(({ sample_id, output }) => ({ sample_id, calls: output })));
    await run('score', folder, own, '--out', json);
    expect(readReport(json)).toMatchObject({
      ledger: { pass: telling.length, not_run: 0 },
      selections: { guessable: left, all: null },
    });
  });

  test('score exits with 1 below a threshold, or if a figure is unknown', async () => {
    const failing = await run(
      'score',
      folder,
      write([{ sample_id: find('0/rest').sample_id, calls: [] }]),
      '--fail-under',
      'completion=0.4',
    );
    expect([failing.exitCode, failing.err]).toEqual([
      1,
      expect.stringContaining('completion is 0.0000, wanted at least 0.4'),
    ]);
    process.exitCode = 0;
    const empty = await run('score', folder, write([]), '--fail-under', 'completion=0');
    expect([empty.exitCode, empty.err]).toEqual([1, expect.stringContaining('completion is unknown')]);
    expect(empty.out).toContain('unknown (nothing was run)');
  });

  test.each([
    ['made for another farm', [{ farm_hash: 'd'.repeat(64) }], [], 'PREDICTIONS_FOR_OTHER_FARM'],
    ['a threshold of no figure', [], ['--fail-under', 'beauty=1'], 'OPTION_INVALID'],
    ['a threshold out of range', [], ['--fail-under', 'completion=40'], 'OPTION_INVALID'],
    ['a domain that is not there', [], ['--only', 'nowhere'], 'OPTION_INVALID'],
    ['prices that are none', [], ['--prices', '/nowhere.json'], 'OPTION_INVALID'],
  ])('score refuses invalid input: %s', async (_, predictions, options, code) => {
    await expect(run('score', folder, write(predictions), ...options)).rejects.toMatchObject({ code });
  });

  test('compare, export and import read each other’s output', async () => {
    const [first, second, exported] = [join(root, 'a.json'), join(root, 'b.json'), join(root, 'bfcl')];
    await run('score', folder, write(oracle().slice(0, 8)), '--out', first);
    await run(
      'score',
      folder,
      write(
        oracle()
          .slice(0, 8)
          .map((p, i) => (i < 6 ? { ...p, calls: [] } : p)),
      ),
      '--out',
      second,
    );
    const compared = await run('compare', first, second);
    expect(compared.out).toMatch(/completion\s+100\.0 %\s+25\.0 %\s+-75\.0/);
    expect(compared.out).toContain('Lost: 6');

    await run('export', 'bfcl', folder, '--out', exported, '--tools', '3');
    await run('export', 'promptfoo', folder, '--out', join(root, 'promptfoo'));
    await run('export', 'inspect', folder, '--out', join(root, 'inspect'));
    const answers = readFileSync(join(exported, 'possible_answer', 'BFCL_v4_farm_multiple.json'), 'utf8')
      .trim()
      .split('\n');
    // An answer of the export, as a model would be recorded that gives exactly it.
    const results = answers.map((line) => {
      const { id, ground_truth } = JSON.parse(line);
      const [[name, parameters]] = Object.entries(ground_truth[0]) as [[string, Record<string, unknown[]>]];
      const args = Object.fromEntries(Object.entries(parameters).map(([key, values]) => [key, values[0]]));
      return { id, result: [{ [name]: JSON.stringify(args) }] };
    });
    const predictions = join(root, 'imported.jsonl');
    await run(
      'import',
      'bfcl',
      folder,
      write(results, 'result.json'),
      '--export',
      exported,
      '--out',
      predictions,
      '--model',
      'm',
    );
    const { out } = await run(
      'score',
      folder,
      predictions,
      '--formulation',
      'rest',
      '--all',
      '--fail-under',
      'completion=1,bfcl=1',
    );
    expect(out).toContain(`m on toys: completion 100.0 % (${QUESTIONS.length} of ${QUESTIONS.length})`);
    expect(process.exitCode ?? 0).toBe(0);
  });
});
