import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AcceptedValues } from '../../contracts/sample.ts';
import type { Endpoint, EndpointParameter, Service } from '../../contracts/service.ts';
import { parseQuery } from '../../sql/index.ts';
import type { ParameterBinding, RestCandidate } from '../lower/candidate.ts';
import { Oracle } from '../oracle/oracle.ts';
import { makeServedCopy } from '../oracle/served-copy.ts';
import { readCatalog } from '../read/catalog.ts';
import { type DatabaseVariant, makeVariants } from '../variants/neighbours.ts';
import { GoldAnswers, type GoldQuery } from './gold-answers.ts';
import { buildVariantApps, CallFailedError, playCalls, type VariantApps } from './verify-candidate.ts';
import {
  ColumnValues,
  otherSpellings,
  proveAcceptedValues,
  type VerifyRestContext,
  verifyRest,
} from './verify-rest.ts';

const REFERENCE = '2024-03-05 06:07:08';
const folder = mkdtempSync(join(tmpdir(), 'rookery-verify-'));
const file = join(folder, 'zoo.sqlite');
const oracle = new Oracle({ referenceTime: REFERENCE, children: 1 });

const db = new Database(file);
db.exec(`CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, weight REAL, legs INTEGER, born TEXT);
  CREATE TABLE meal (animal INTEGER, food TEXT, grams INTEGER)`);
for (let i = 1; i <= 120; i++) {
  const kind = ['bird', 'cat', "o'ryx", 'fish'][i % 4];
  const weight = i % 9 === 0 ? null : (i * 7) % 50;
  db.prepare('INSERT INTO animal VALUES (?, ?, ?, ?, ?, ?)').run(
    BigInt(i),
    `n${i % 30}`,
    kind,
    weight,
    BigInt((i % 3) * 2),
    `20${10 + (i % 14)}-01-01`,
  );
  db.prepare('INSERT INTO meal VALUES (?, ?, ?)').run(
    BigInt(i),
    ['hay', 'fish', 'nut'][i % 3],
    BigInt((i * 13) % 40),
  );
}
const catalog = readCatalog('zoo', db);
db.close();
const parse = (sql: string) => parseQuery(sql, { catalog, referenceTime: REFERENCE });

/** A gold query and an endpoint that means to answer it. */
interface Case {
  readonly gold: string;
  readonly sql: string;
  readonly columns: number;
  /** By parameter: its value in the gold SQL, as written there, and where other values come from. */
  readonly parameters?: Readonly<
    Record<
      string,
      {
        type: EndpointParameter['type'];
        written: string;
        value: unknown;
        suffix?: string;
        column?: [string, string];
      }
    >
  >;
}

const CASES = {
  right: {
    gold: "SELECT name, weight FROM animal WHERE kind = 'bird' AND weight > 12 ORDER BY weight DESC",
    sql: 'SELECT name AS a, weight AS b FROM animal WHERE kind = :kind AND weight > :above ORDER BY weight DESC, id',
    columns: 2,
    parameters: {
      kind: { type: 'string', written: "'bird'", value: 'bird', column: ['animal', 'kind'] },
      above: { type: 'integer', written: '12', value: 12, column: ['animal', 'weight'] },
    },
  },
  wrongRows: {
    gold: 'SELECT count(*) FROM animal',
    sql: 'SELECT count(weight) AS a FROM animal',
    columns: 1,
  },
  /** Nothing weighs 12.5 in the original: only a neighbour distinguishes > from >=. */
  boundary: {
    gold: 'SELECT count(*) FROM animal WHERE weight > 12.5',
    sql: 'SELECT count(*) AS a FROM animal WHERE weight >= 12.5',
    columns: 1,
  },
  missingJoin: {
    gold: 'SELECT count(*) FROM animal a JOIN meal m ON m.animal = a.id',
    sql: 'SELECT count(*) AS a FROM meal',
    columns: 1,
  },
  /** Right for the value given, but the parameter does nothing. */
  fixed: {
    gold: "SELECT count(*) FROM meal WHERE food = 'hay'",
    sql: "SELECT count(*) AS a FROM meal WHERE food = 'hay' AND :food IS NOT NULL",
    columns: 1,
    parameters: { food: { type: 'string', written: "'hay'", value: 'hay', column: ['meal', 'food'] } },
  },
  tied: {
    gold: 'SELECT name FROM animal ORDER BY legs DESC LIMIT 3',
    sql: 'SELECT name AS a FROM animal ORDER BY legs DESC, id LIMIT 3',
    columns: 1,
  },
  pinned: {
    gold: "SELECT count(*) FROM animal WHERE strftime('%Y', 'now') - strftime('%Y', born) > 8 AND name = 'none'",
    sql: `SELECT count(*) AS a FROM animal WHERE strftime('%Y', '${REFERENCE}') - strftime('%Y', born) > 8 AND name = 'none'`,
    columns: 1,
  },
  empty: {
    gold: "SELECT name FROM animal WHERE kind = 'dodo'",
    sql: 'SELECT name AS a FROM animal WHERE kind = :kind',
    columns: 1,
    parameters: { kind: { type: 'string', written: "'dodo'", value: 'dodo', column: ['animal', 'kind'] } },
  },
  prefix: {
    gold: "SELECT name FROM animal WHERE kind LIKE 'b%'",
    sql: "SELECT name AS a FROM animal WHERE kind LIKE (:start || '%')",
    columns: 1,
    parameters: { start: { type: 'string', written: "'b%'", value: 'b', suffix: '%' } },
  },
  since: {
    gold: "SELECT name FROM animal WHERE born >= '2015-01-01'",
    sql: 'SELECT name AS a FROM animal WHERE born >= :since',
    columns: 1,
    parameters: { since: { type: 'string', written: "'2015-01-01'", value: '2015-01-01' } },
  },
  on: {
    gold: "SELECT name FROM animal WHERE date(born) = date('2015-01-01') AND legs = 2",
    sql: 'SELECT name AS a FROM animal WHERE date(born) = date(:day) AND legs = :legs',
    columns: 1,
    parameters: {
      day: { type: 'string', written: "'2015-01-01'", value: '2015-01-01' },
      legs: { type: 'integer', written: '2', value: 2 },
    },
  },
  failing: {
    gold: 'SELECT max(legs) FROM animal',
    sql: 'SELECT abs(-9223372036854775807 - 1) AS a',
    columns: 1,
  },
} as const satisfies Record<string, Case>;

const names = Object.keys(CASES) as (keyof typeof CASES)[];
const endpoints = names.map((name): Endpoint => {
  const { sql, columns, parameters = {} }: Case = CASES[name];
  return {
    name,
    operation_id: name,
    path: `/v1/test/zoo/${name}`,
    summary: '',
    description: '',
    sql,
    parameters: Object.entries(parameters).map(([key, { type }]) => ({
      name: key,
      type,
      array: false,
      description: '',
      required: true,
    })),
    columns: ['a', 'b']
      .slice(0, columns)
      .map((key) => ({ name: key, type: 'any', nullable: true, description: '' })),
    speed: 'quick',
  };
});
const golds = new Map(
  names.map((name): [string, GoldQuery] => {
    const { gold } = CASES[name];
    const question = {
      question_id: name,
      db_id: 'zoo',
      question: '',
      evidence: '',
      difficulty: null,
      sql: gold,
    };
    return [name, { question, query: parse(gold) }];
  }),
);

let variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
let apps: VariantApps;
beforeAll(async () => {
  const served = join(folder, 'served.sqlite');
  makeServedCopy(file, served, [{ table: 'animal', columns: ['legs'] }]);
  variants = await makeVariants({
    catalog,
    queries: [...golds.values()].map(({ query }) => query),
    original: { label: 'original', plain: file, served },
    folder: join(folder, 'variants'),
    seed: 'test',
    oracle,
  });
  const service: Service = {
    format_version: 1,
    split: 'test',
    db: 'zoo',
    title: '',
    reference_time: REFERENCE,
    endpoints,
    start_tables: [],
    catalog,
  };
  apps = await buildVariantApps(service, variants, { timeoutMs: 10_000, children: 1 });
});
afterAll(async () => {
  await apps.close();
  await oracle.close();
  rmSync(folder, { recursive: true });
});

const played: VerifyRestContext['play'] = (calls, variant) =>
  playCalls(apps.app(variant), { split: 'test', db: 'zoo', endpoints }, calls);

function candidateFor(name: keyof typeof CASES, endpoint: Endpoint): RestCandidate {
  const { gold, parameters = {} }: Case = CASES[name];
  const bindings = Object.entries(parameters).map(
    ([parameter, { written, suffix = '', column }]): ParameterBinding => {
      const start = gold.indexOf(written);
      return {
        parameter,
        literals: [{ start, end: start + written.length, prefix: '', suffix }],
        column: column ? { table: column[0], column: column[1] } : null,
      };
    },
  );
  const args = Object.fromEntries(Object.entries(parameters).map(([key, { value }]) => [key, value]));
  return {
    question: golds.get(name)!.question,
    formulation: 'rest',
    initialization_step: null,
    output: [{ name, arguments: args, path: endpoint.path }],
    endpoint: name,
    bindings,
  };
}

const contextOf = (play: VerifyRestContext['play']): VerifyRestContext => ({
  goldAnswers: new GoldAnswers(oracle, catalog),
  variants,
  play,
  values: new ColumnValues(file),
  seed: 'test',
  parse,
});

function verify(name: keyof typeof CASES, play = played) {
  const endpoint = endpoints.find((each) => each.name === name)!;
  return verifyRest(candidateFor(name, endpoint), endpoint, golds.get(name)!, contextOf(play));
}

test('a right candidate is kept with its gold, its order and the answer as it was given', async () => {
  const proof = await verify('right');
  expect(proof).toMatchObject({ kept: true, flags: [] });
  if (!proof.kept) return;
  expect(proof.gold.rows).toHaveLength((proof.body as { row_count: number }).row_count);
  expect(proof.gold.orderGroups?.slice(0, 2)).toEqual([
    0,
    proof.gold.rows[0]?.[1] === proof.gold.rows[1]?.[1] ? 0 : 1,
  ]);
});

test.each([
  ['wrongRows', 'WRONG_ROWS'],
  ['boundary', 'WRONG_ROWS_ON_NEIGHBOUR'],
  ['missingJoin', 'WRONG_ROWS_ON_NEIGHBOUR'],
  ['fixed', 'WRONG_ROWS_FOR_OTHER_VALUES'],
  ['failing', 'CALL_FAILED'],
] as const)('%s is rejected as %s', async (name, code) => {
  expect(await verify(name)).toMatchObject({ kept: false, rejection: { code } });
});

test('values for which a call is too slow decide nothing, unless it is all of them', async () => {
  const own = JSON.stringify(CASES.right.parameters);
  let others = 0;
  const slowFrom =
    (first: number): VerifyRestContext['play'] =>
    (calls, variant) => {
      const isOther =
        variant.label === 'original' &&
        !Object.values(calls.output[0]?.arguments ?? {}).every((value) =>
          own.includes(JSON.stringify(value)),
        );
      if (isOther && ++others >= first) throw new CallFailedError('stopped', 'QUERY_TIMEOUT');
      return played(calls, variant);
    };
  expect(await verify('right', slowFrom(2))).toMatchObject({ kept: true });
  expect(others).toBeGreaterThan(1);
  others = 0;
  expect(await verify('right', slowFrom(1))).toMatchObject({ kept: false, rejection: { code: 'TOO_SLOW' } });
});

test.each([
  ['tied', ['limit_tie']],
  ['pinned', ['zero_gold', 'pinned_time']],
  ['empty', ['empty_gold']],
] as const)('%s is kept and flagged %j', async (name, flags) => {
  expect(await verify(name)).toMatchObject({ kept: true, flags });
});

describe('other values', () => {
  const accepted = (name: keyof typeof CASES, others?: AcceptedValues) => {
    const candidate = candidateFor(name, endpoints.find((each) => each.name === name)!);
    const tried = others ?? otherSpellings(candidate);
    return proveAcceptedValues(candidate, tried, golds.get(name)!, contextOf(played));
  };

  test('a pattern may have the wildcard that the endpoint adds', async () => {
    expect(await accepted('prefix')).toEqual({ start: ['b%'] });
  });

  test('a moment may be written in other forms where the endpoint reads dates', async () => {
    const forms = ['2015-01-01 00:00:00', '2015-01-01T00:00:00', '2015-01-01T00:00:00Z'];
    expect(await accepted('on')).toEqual({ day: forms });
  });

  test('they are refused where they leave out a row', async () => {
    expect(await accepted('since')).toBeUndefined();
  });

  test('there are none where nonsense gives the same rows', async () => {
    expect(await accepted('fixed', { food: ['HAY'] })).toBeUndefined();
  });

  test.each([
    [
      ['b', 'a', 'b'],
      [
        ['b', 'b', 'a'],
        ['a', 'b', 'b'],
      ],
    ],
    [[1, 2, 3, 4, 5], undefined],
    ['007', ['7', '7.0']],
    ['1.50', ['1.5']],
    ['2015-01-01 10:30', ['2015-01-01 10:30:00', '2015-01-01T10:30:00', '2015-01-01T10:30:00Z']],
    ['bird', undefined],
    [7, undefined],
  ])('%j could be %j', (value, others) => {
    const candidate = candidateFor('prefix', endpoints[0]!);
    const output = [{ ...candidate.output[0]!, arguments: { x: value } }];
    expect(otherSpellings({ ...candidate, output }).x).toEqual(others);
  });
});
