import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import { findDumps, findGuessable, guessingOf, integrityCard, markGuessable } from './baselines.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-card-'));
const database = join(folder, 'd.sqlite');
beforeAll(() => {
  const db = new Database(database);
  db.exec(`CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY, city TEXT);
    INSERT INTO "odd ""name" VALUES (1, 'Oslo'), (2, 'Bergen'), (3, NULL);`);
  db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));
const tables = [{ name: 'odd "name' }];

let made = 0;
function sampleOf(fields: Partial<Sample>): Sample {
  made++;
  return {
    sample_id: `s/d/${made}/rest`,
    dataset_name: 'd',
    question_id: made,
    formulation: 'rest',
    input: '',
    evidence: '',
    difficulty: null,
    query: `SELECT ${made}`,
    gold_answer: [[`answer ${made}`]],
    gold_columns: ['n'],
    ordered: false,
    order_groups: null,
    initialization_step: null,
    output: [{ name: 'get_n', arguments: { id: 1 } }],
    output_after_executing_api: {},
    toolset: { path: '/openapi/d.rest.json', size: 4 },
    flags: [],
    ...fields,
  };
}
const none = { dumps: new Set<Sample>(), lastAnswers: new Map() };

test('a gold answer that is a table or a column as it is stored is found, whatever the table is called', () => {
  const column = sampleOf({ gold_answer: [['Bergen'], [null], ['Oslo']] });
  const sorted = sampleOf({
    gold_answer: [['Oslo'], ['Bergen'], [null]],
    ordered: true,
    order_groups: [0, 1, 2],
  });
  const sortedOtherwise = sampleOf({
    gold_answer: [[null], ['Bergen'], ['Oslo']],
    ordered: true,
    order_groups: [0, 1, 2],
  });
  const table = sampleOf({
    gold_answer: [
      [3, null],
      [1, 'Oslo'],
      [2, 'Bergen'],
    ],
  });
  const part = sampleOf({ gold_answer: [['Bergen'], ['Oslo']] });
  const dumps = findDumps([column, sorted, sortedOtherwise, table, part], { database, tables });
  expect(dumps).toEqual(new Set([column, sorted, table]));
});

test('the card says what passes without a thought', () => {
  const samples = [
    sampleOf({ gold_answer: [] }),
    sampleOf({ gold_answer: [[0]] }),
    sampleOf({ gold_answer: [[0]] }),
    sampleOf({ gold_answer: [[null]] }),
    sampleOf({ gold_answer: [['Bergen'], [null], ['Oslo']] }),
    sampleOf({ gold_answer: [[7]], output: [{ name: 'get_all', arguments: {} }] }),
    sampleOf({ gold_answer: [[8]], output: [{ name: 'get_more', arguments: {} }] }),
    sampleOf({ formulation: 'slot', toolset: { path: '/openapi/d.slot.json', size: 9 } }),
  ];
  expect(integrityCard(samples, guessingOf([{ database, tables, samples }]))).toEqual([
    {
      formulation: 'rest',
      samples: 7,
      passes: {
        nothing: 1,
        null: 1,
        zero: 2,
        constant: 2,
        everything: 0,
        dump: 1,
        bare_call: 0.5,
        every_tool: 1,
      },
    },
    {
      formulation: 'slot',
      samples: 1,
      passes: {
        nothing: 0,
        null: 0,
        zero: 0,
        constant: 0,
        everything: 0,
        dump: 0,
        bare_call: 0,
        every_tool: 0,
      },
    },
  ]);
});

test('what agents pass without a thought is guessable, and nothing else', () => {
  const telling = Array.from({ length: 40 }, () => sampleOf({}));
  const empty = sampleOf({ gold_answer: [] });
  const zero = sampleOf({ gold_answer: [[0]] });
  const twice = [sampleOf({ gold_answer: [['a'], ['b']] }), sampleOf({ gold_answer: [['b'], ['a']] })];
  const last = sampleOf({ gold_answer: [[8]], output: [{ name: 'get_more', arguments: {} }] });
  const samples = [...telling, empty, zero, ...twice, last];
  const guessing = { ...none, lastAnswers: new Map([['/openapi/d.rest.json', [[8]]]]) };
  expect(findGuessable(samples, guessing)).toEqual(new Set([empty, zero, twice[1], last]));
});

test('of an answer that is right often, as many samples stay as are less than one in 200, or one', () => {
  const twice = [sampleOf({ gold_answer: [[2]] }), sampleOf({ gold_answer: [[2]] })];
  const few = Array.from({ length: 200 }, () => sampleOf({}));
  const many = Array.from({ length: 1000 }, () => sampleOf({}));
  expect(findGuessable([...few, ...twice], none)).toEqual(new Set(twice.slice(1)));
  expect(findGuessable([...many, ...twice], none)).toEqual(new Set());
  const often = Array.from({ length: 9 }, () => sampleOf({ gold_answer: [['often']] }));
  expect(findGuessable([...many, ...often], none)).toEqual(new Set(often.slice(5)));
  // As where each query is asked for in two ways.
  const pairs = few.flatMap((sample) => [sample, { ...sample }]);
  expect(findGuessable(pairs, none)).toEqual(new Set(pairs.filter((_, i) => i % 2 === 1)));
});

test('one wide row that many hybrid answers are part of is found, and its samples are guessable', () => {
  const plan = { share: 40, seed: 0 } as Sample['plan'];
  const hybrid = (gold_answer: Sample['gold_answer']) =>
    sampleOf({ formulation: 'hybrid', plan, gold_answer });
  // No answer is more frequent than another; their values are.
  const wide = [hybrid([[1, 2]]), hybrid([[1, 3]]), hybrid([[2, 3]]), hybrid([[3, 2, 1]])];
  const telling = Array.from({ length: 30 }, () => hybrid([[`answer ${made}`]]));
  const samples = [...wide, ...telling];
  expect(integrityCard(samples, none)[0]?.passes).toMatchObject({ constant: 0, everything: 4 });
  expect(findGuessable(samples, none)).toEqual(new Set(wide));
  const rest = samples.map((sample) => ({ ...sample, plan: undefined }) as Sample);
  expect(findGuessable(rest, none)).toEqual(new Set());
});

test('of an answer that several gold queries of a domain have, those of one stay, paraphrases included', () => {
  const here = { gold_answer: [['Harlan']], dataset_name: 'here' };
  const first = sampleOf(here);
  const paraphrase = { ...first };
  const other = sampleOf(here);
  const elsewhere = sampleOf({ ...here, dataset_name: 'elsewhere' });
  const telling = Array.from({ length: 1000 }, () => sampleOf({}));
  const samples = [...telling, first, paraphrase, other, elsewhere];
  expect(integrityCard(samples, none)[0]?.passes.constant).toBe(4);
  expect(findGuessable(samples, none)).toEqual(new Set([other]));
});

test('the flag is added to those that a sample has', () => {
  const empty = sampleOf({ gold_answer: [], flags: ['empty_gold', 'slow'] });
  const marked = markGuessable([{ database, tables, samples: [empty, sampleOf({})] }]);
  expect([...marked]).toEqual([[empty, { ...empty, flags: ['empty_gold', 'slow', 'guessable'] }]]);
});
