import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../tests/support/split-fixture.ts';
import { type LanguageParsers, loadLanguageParsers } from './decode.ts';
import { findTasks, readScoreFiles } from './files.ts';
import { type BfclRunOptions, bfclReport, scoreBfclFiles } from './score.ts';
import { percent, summaryTables } from './summary-tables.ts';

let parsers: LanguageParsers;
beforeAll(async () => {
  parsers = await loadLanguageParsers();
});

/** A folder of files, each given as a list of lines. */
function filesOf(files: Record<string, readonly unknown[]>): string {
  const folder = temporaryFolder();
  const text = (line: unknown) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`;
  for (const [name, lines] of Object.entries(files)) writeFiles(folder, { [name]: lines.map(text).join('') });
  return folder;
}

const fn = (name: string, properties: Record<string, unknown>, required: string[] = []) => ({
  name,
  description: name,
  parameters: { type: 'dict', properties, required },
});
const WEATHER = fn('weather.get', { city: { type: 'string' }, days: { type: 'integer', default: 1 } }, [
  'city',
]);
const TIME = fn('clock', { zone: { type: 'string' } }, ['zone']);
const question = (id: string, ...functions: unknown[]) => ({
  id,
  question: [[{ role: 'user', content: 'What is it?' }]],
  function: functions,
});
const gold = (id: string, ...ground_truth: unknown[]) => ({ id, ground_truth });
const result = (id: string, output: unknown, rest = {}) => ({ id, result: output, ...rest });
const native = (name: string, args: unknown) => ({ [name]: JSON.stringify(args) });

const OSLO = { 'weather.get': { city: ['Oslo'] } };
const DATA = {
  'BFCL_v4_simple_python.json': [question('simple_python_0', WEATHER), question('simple_python_1', WEATHER)],
  'possible_answer/BFCL_v4_simple_python.json': [
    gold('simple_python_0', OSLO),
    gold('simple_python_1', OSLO),
  ],
  'BFCL_v4_multiple.json': [question('multiple_0', TIME, WEATHER)],
  'possible_answer/BFCL_v4_multiple.json': [gold('multiple_0', OSLO)],
  'BFCL_v4_parallel.json': [question('parallel_0', TIME)],
  'possible_answer/BFCL_v4_parallel.json': [
    gold('parallel_0', { clock: { zone: ['a', 'b'] } }, { clock: { zone: ['a'] } }),
  ],
  'BFCL_v4_live_irrelevance.json': [
    question('live_irrelevance_0-0-0', TIME),
    question('live_irrelevance_1-1-0', TIME),
  ],
  'BFCL_v4_live_relevance.json': [question('live_relevance_0-0-0', TIME)],
  'BFCL_v4_simple_java.json': [
    question('simple_java_0', fn('Clock.set', { hour: { type: 'integer' }, day: { type: 'any' } }, ['hour'])),
  ],
  'possible_answer/BFCL_v4_simple_java.json': [
    gold('simple_java_0', { 'Clock.set': { hour: [5], day: ['MONDAY', ''] } }),
  ],
  'BFCL_v4_simple_javascript.json': [
    question(
      'simple_javascript_0',
      fn('draw', { points: { type: 'array', items: { type: 'integer' } } }, ['points']),
    ),
  ],
  'possible_answer/BFCL_v4_simple_javascript.json': [
    gold('simple_javascript_0', { draw: { points: [[1, 2]] } }),
  ],
};

function score(
  results: Record<string, readonly unknown[]>,
  options: Partial<BfclRunOptions> = {},
  data: Record<string, readonly unknown[]> = DATA,
) {
  const folder = filesOf(data);
  const tasks = findTasks(folder, join(folder, 'possible_answer'), filesOf(results));
  return bfclReport.parse(
    scoreBfclFiles(tasks, { parse: 'bfcl', dots: 'auto', partial: false, prices: null, parsers, ...options }),
  );
}
const verdicts = (report: ReturnType<typeof score>, model = 0) =>
  Object.fromEntries(
    (report.models[model]?.categories ?? []).map(({ category, samples }) => [
      category,
      samples.map(({ official, fixed }) => (official === fixed ? official : `${official} / ${fixed}`)),
    ]),
  );

describe("BFCL's own result files", () => {
  test('a prompted model, in every kind of category', () => {
    const report = score({
      'm/non_live/BFCL_v4_simple_python_result.json': [
        result('simple_python_0', '[weather.get(city="Oslo", days=1)]'),
        result('simple_python_1', 'I would call weather.get.'),
      ],
      'm/non_live/BFCL_v4_multiple_result.json': [result('multiple_0', "[weather.get(city='oslo')]")],
      'm/non_live/BFCL_v4_parallel_result.json': [result('parallel_0', '[clock(zone="a"), clock(zone="b")]')],
      'm/non_live/BFCL_v4_simple_java_result.json': [
        result('simple_java_0', '[Clock.set(hour=5, day=MONDAY)]'),
      ],
      'm/non_live/BFCL_v4_simple_javascript_result.json': [
        result('simple_javascript_0', '[draw(points=[2, 1])]'),
      ],
      'm/live/BFCL_v4_live_irrelevance_result.json': [
        result('live_irrelevance_0-0-0', 'None of the functions fits.'),
        result('live_irrelevance_1-1-0', '[clock(zone="x")]'),
      ],
      'm/live/BFCL_v4_live_relevance_result.json': [result('live_relevance_0-0-0', '[clock(zone="x")]')],
    });
    expect(report.models.map(({ model }) => model)).toEqual(['m']);
    expect(verdicts(report)).toEqual({
      // The corrected rules accept an explicit default, and match parallel calls optimally.
      simple_python: ['simple_function_checker:unexpected_param / ok', 'ast_decoder:decoder_failed'],
      multiple: ['ok'],
      parallel: ['parallel_function_checker_no_order:cannot_find_match / ok'],
      simple_java: ['ok'],
      simple_javascript: ['value_error:list/tuple'],
      live_irrelevance: ['ok', 'irrelevance_error:decoder_success'],
      live_relevance: ['ok'],
    });
    const [nonLive, live, , , overall] = summaryTables(report.models, 'official').map(({ rows }) => rows[0]);
    // Simple: (0 + 100 + 0) / 3. Non-live: (33.33 + 100 + 0 + 0) / 4, where categories without results count 0.
    expect(nonLive?.slice(2)).toEqual([
      '33.33%',
      'N/A',
      '33.33%',
      '0.00%',
      '100.00%',
      '0.00%',
      '100.00%',
      '0.00%',
      'N/A',
      'N/A',
    ]);
    expect(live?.slice(2)).toEqual(['0.00%', 'N/A', 'N/A', 'N/A', 'N/A', 'N/A', '50.00%', '100.00%']);
    // 10 % of 33.33 %, and 10 % of (0 + 50) / 2.
    expect(overall?.[1]).toBe('5.83%');
  });

  test('a function-calling model: names without dots, times and tokens', () => {
    const report = score(
      {
        'BFCL_v4_simple_python_result.json': [
          result('simple_python_0', [native('weather_get', { city: 'Oslo' })], {
            latency: 1,
            input_token_count: 100,
            output_token_count: 10,
          }),
          result('simple_python_1', '[weather.get(city="Oslo")]', { latency: 3, input_token_count: 0 }),
        ],
        'BFCL_v4_live_irrelevance_result.json': [
          result('live_irrelevance_0-0-0', 'Error during inference: 429'),
          result('live_irrelevance_1-1-0', []),
        ],
      },
      { prices: {} },
    );
    expect(verdicts(report)).toEqual({
      live_irrelevance: ['ok / inference_error', 'ok'],
      simple_python: ['ok', 'ast_decoder:decoder_failed'],
    });
    expect(report.models[0]).toMatchObject({
      latency: { mean: 2, p95: 2.9 },
      input_tokens: 100,
      output_tokens: 10,
      cost: null,
    });
    expect(report.models[0]?.latency.deviation).toBeCloseTo(Math.SQRT2);
  });

  test('several models; names of BFCL v3; categories that are left out', () => {
    const line = [result('multiple_0', '[weather.get(city="Oslo")]')];
    const report = score({
      'a/BFCL_v3_multiple_result.json': line,
      'org/b/non_live/BFCL_v4_multiple_result.json': line,
      'a/BFCL_v3_multi_turn_base_result.json': [],
    });
    expect(report.models.map(({ model }) => model)).toEqual(['a', 'org/b']);
    expect(report.left_out).toMatchObject([{ file: expect.stringContaining('multi_turn_base') }]);
  });

  test("categories that BFCL's own evaluator scored complete the tables", () => {
    const scores = filesOf({
      'm/multi_turn/BFCL_v4_multi_turn_base_score.json': [
        { accuracy: 0.5, correct_count: 1, total_count: 2 },
        { id: 'multi_turn_base_1', valid: false },
      ],
      'm/agentic/memory/kv/BFCL_v4_memory_kv_score.json': [{ accuracy: 1, correct_count: 3, total_count: 3 }],
      // It was scored here, so that this is not read.
      'm/non_live/BFCL_v4_multiple_score.json': [{ accuracy: 0, correct_count: 0, total_count: 1 }],
    });
    const report = score(
      {
        'm/BFCL_v4_multiple_result.json': [result('multiple_0', '[weather.get(city="Oslo")]')],
        'm/BFCL_v4_multi_turn_base_result.json': [],
        'm/BFCL_v4_web_search_base_result.json': [],
      },
      { scores: readScoreFiles(scores) },
    );
    expect(report.left_out).toMatchObject([{ file: expect.stringContaining('web_search_base') }]);
    expect(
      report.models[0]?.categories.map(({ category, taken_from }) => [category, taken_from !== undefined]),
    ).toEqual([
      ['multiple', false],
      ['memory_kv', true],
      ['multi_turn_base', true],
    ]);
    const [, , multiTurn, agentic, overall] = summaryTables(report.models, 'official').map(
      ({ rows }) => rows[0],
    );
    expect(multiTurn?.slice(2)).toEqual(['12.50%', '50.00%', 'N/A', 'N/A', 'N/A']);
    // Memory is (100 + 0 + 0) / 3, and half of the agentic categories.
    expect(agentic?.slice(2)).toEqual(['16.67%', 'N/A', 'N/A', 'N/A', 'N/A', '100.00%', 'N/A', 'N/A']);
    // 10 % of 100 / 4, 30 % of 12.5, 40 % of 100 / 6.
    expect(overall?.[1]).toBe('12.92%');
  });

  test('halves are rounded as Python rounds them', () => {
    const shares = [
      [17, 32, '53.12%'],
      [27, 32, '84.38%'],
      [1, 3, '33.33%'],
    ] as const;
    for (const [right, of, shown] of shares)
      expect(percent({ accuracy: right / of, total: of, shown: true })).toBe(shown);
  });

  test('a score file without its first line is refused', () => {
    const scores = filesOf({
      'm/BFCL_v4_multi_turn_base_score.json': [{ id: 'multi_turn_base_1', valid: false }],
    });
    expect(() => readScoreFiles(scores)).toThrow(
      expect.objectContaining({
        code: 'BFCL_FILE_INVALID',
        message: expect.stringContaining('is no score file'),
      }),
    );
  });

  test("the parse ladder reads a model's own format on request", () => {
    const results = {
      'm/BFCL_v4_multiple_result.json': [
        result('multiple_0', '<tool_call>{"name":"weather.get","arguments":{"city":"Oslo"}}</tool_call>'),
      ],
    };
    expect(verdicts(score(results))).toEqual({ multiple: ['ast_decoder:decoder_failed'] });
    expect(verdicts(score(results, { parse: 'lenient' }))).toEqual({ multiple: ['ok'] });
  });

  test('5 is not 5.0', () => {
    const results = (days: string) => ({
      'm/BFCL_v4_simple_python_result.json': [
        result('simple_python_0', '[weather.get(city="Oslo")]'),
        `{"id":"simple_python_1","result":[{"weather.get":{"city":"Oslo","days":${days}}}]}`,
      ],
    });
    const data = {
      ...DATA,
      'possible_answer/BFCL_v4_simple_python.json': [
        gold('0', OSLO),
        gold('1', { 'weather.get': { city: ['Oslo'], days: [5] } }),
      ],
    };
    expect(verdicts(score(results('5'), {}, data)).simple_python?.[1]).toBe('ok');
    expect(verdicts(score(results('5.0'), {}, data)).simple_python?.[1]).toBe('type_error:simple');
  });
});

describe('rejects, with the place', () => {
  const one = result('simple_python_0', '[]');
  test.each<[string, Record<string, readonly unknown[]>, RegExp, Partial<BfclRunOptions>?]>([
    ['results of some questions', { 'BFCL_v4_simple_python_result.json': [one] }, /1 of 2 questions/],
    [
      'a second result',
      { 'BFCL_v4_simple_python_result.json': [one, one] },
      /second result for simple_python_0/,
    ],
    [
      'a result of no question',
      { 'BFCL_v4_simple_python_result.json': [one, result('other_1', '[]')] },
      /other_1, which is no question/,
    ],
    ['a line that is not JSON', { 'BFCL_v4_simple_python_result.json': ['{'] }, /is not JSON/],
    [
      'a line without a result',
      { 'BFCL_v4_simple_python_result.json': ['{"id":"simple_python_0"}'] },
      /no result/,
    ],
    ['a folder without results', { 'readme.json': [] }, /holds no result file/],
    [
      'a category without questions',
      { 'BFCL_v4_live_simple_result.json': [one] },
      /no questions of live_simple/,
    ],
  ])('%s', (_, results, message) => {
    expect(() => score(results)).toThrow(
      expect.objectContaining({ code: 'BFCL_FILE_INVALID', message: expect.stringMatching(message) }),
    );
  });

  test('scores partial results on request', () => {
    const report = score({ 'BFCL_v4_simple_python_result.json': [one] }, { partial: true });
    expect(report.models[0]?.categories[0]).toMatchObject({ not_run: 1, official: { total: 1, correct: 0 } });
  });
});
