import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFarm } from '../../cli/score/open-farm.ts';
import { type FarmToScore, makeFarmToScore } from '../../cli/score/testing/scored-farm.ts';
import { QueryError } from '../../contracts/errors.ts';
import { parseExactJson, printExactJson } from '../../contracts/exact-json.ts';
import {
  contradiction,
  type FaultRule,
  type FaultWitness,
  type OtherEndpoint,
  type QuestionFact,
  type SilentFaultKind,
  silentFaultKind,
} from '../../contracts/faults.ts';
import { addressOf } from '../../contracts/formulation.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm, readPredictions } from '../../eval/farm/read-farm.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { scoreFarm } from '../../eval/score/score-farm.ts';
import {
  type InjectableApp,
  type InjectedAnswer,
  playCalls,
} from '../../generator/verify/verify-candidate.ts';
import { agentOptions, agentPlugin, buildApp, loadFarm } from '../../services/index.ts';

const SCHEMA = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, price REAL NOT NULL, stock INTEGER NOT NULL);
  INSERT INTO item (name, kind, price, stock) VALUES
    ('lamp', 'light', 12.5, 7), ('bulb', 'light', 2, 140), ('torch', 'light', 9, 31), ('candle', 'light', 1.2, 90),
    ('lantern', 'light', 33, 4), ('desk', 'wood', 80, 3), ('chair', 'wood', 40.1, 12), ('shelf', 'wood', 25, 18),
    ('stool', 'wood', 19.9, 26), ('bench', 'wood', 61, 5);
`;

const QUERIES = [
  "SELECT name, stock FROM item WHERE kind = 'light'",
  "SELECT stock FROM item WHERE kind = 'wood'",
  'SELECT name, price FROM item WHERE price > 10 ORDER BY price',
  'SELECT name FROM item WHERE stock > 10',
  "SELECT count(*) FROM item WHERE kind = 'light'",
  {
    question: 'Which items cost more than 12.5, and how much?',
    sql: 'SELECT name, price FROM item WHERE price > 12.5',
  },
  {
    question: 'Which different kinds are there above 12?',
    sql: 'SELECT DISTINCT kind FROM item WHERE price > 12',
  },
  {
    question: 'What are the 3 items of which we have most?',
    sql: 'SELECT name FROM item ORDER BY stock DESC LIMIT 3',
  },
];

let farm: FarmToScore;
let exam: Awaited<ReturnType<typeof openExam>>;
beforeAll(async () => {
  farm = await makeFarmToScore(SCHEMA, QUERIES);
  exam = await openExam(farm.folder);
});
afterAll(async () => {
  await exam?.close();
  await farm?.close();
});

const cases = silentFaultKind.options.flatMap((fault) =>
  contradiction.options.map((kind) => [fault, kind] as const),
);

test.each(cases)('%s, %s: who checks finds all, who trusts finds none', async (fault, kind) => {
  const told = exam.samplesWith(fault, { contradiction: kind }, (all) => !all.includes('repeat'));
  const untold = exam.samplesWith(fault, { contradiction: kind }, (all) => all.includes('repeat'));
  expect(told.length + untold.length).toBeGreaterThan(0);
  const checked = [
    [told, 'checking', 'transient'],
    [told, 'checking', 'permanent'],
    [untold, 'asking_twice', 'transient'],
  ] as const;
  for (const [samples, manner, lasting] of checked) {
    if (samples.length === 0) continue;
    const look = async (how: typeof manner | 'trusting') => {
      const report = await exam.examine(samples, { fault, contradiction: kind, lasting, manner: how });
      const [counts] = report.metrics.silent_faults?.kinds ?? [];
      return counts;
    };
    const n = samples.length;
    const passed = lasting === 'transient';
    expect(await look('trusting')).toEqual({ fault, n, noticed: 0, verified: 0, recovered: 0, admitted: 0 });
    expect(await look(manner)).toEqual({
      fault,
      n,
      noticed: n,
      verified: passed ? n : 0,
      recovered: passed ? n : 0,
      admitted: passed ? 0 : n,
    });
  }
});

test('the question and other endpoints are witnesses', () => {
  const told = exam.samples.flatMap(({ silent_faults }) =>
    (silent_faults?.faults ?? []).flatMap(({ fault, witnesses }) =>
      witnesses.map((each) => `${each} ${fault}`),
    ),
  );
  expect(told).toContain('other_endpoint dropped_rows');
  expect(told).toContain('question wrong_unit');
  expect(told).toContain('question duplicated_rows');
});

test('who checks has no doubts about true answers, and all of them pass', async () => {
  const clean = {
    fault: null,
    contradiction: 'explicit',
    lasting: 'transient',
    manner: 'asking_twice',
  } as const;
  const { metrics } = await exam.examine(exam.samples, clean);
  expect(metrics.silent_faults?.false_alarm).toMatchObject({ count: 0, n: exam.samples.length });
  expect(metrics.completion.count).toBe(exam.samples.length);
});

test('no faults are proven of an answer that is a single value', async () => {
  const counted = await makeFarmToScore(SCHEMA, ['SELECT count(*) FROM item']);
  const sample = counted.find('0/slot');
  await counted.close();
  expect(sample).not.toHaveProperty('silent_faults');
});

/** How scripted agents read. */
type Manner = 'trusting' | 'checking' | 'asking_twice';

interface Examination {
  /** null: no faults. */
  readonly fault: SilentFaultKind | null;
  readonly lasting: NonNullable<FaultRule['lasting']>;
  readonly contradiction: NonNullable<FaultRule['contradiction']>;
  readonly manner: Manner;
}

/** A farm served in this process, with scripted agents that make the gold calls and go by what they are answered. */
async function openExam(folder: string) {
  const scratch = mkdtempSync(join(tmpdir(), 'silent-exam-'));
  const loaded = await loadFarm(folder);
  const agents = agentPlugin(
    agentOptions(loaded, { harnessKey: KEY, runs: { place: join(scratch, 'runs.sqlite') } }),
  );
  const app = await buildApp({ ...loaded, logger: false, plugins: [agents] });
  const open = await openFarm(folder);
  const farm = readFarm(folder);
  const services = new Map(loaded.domains.map(({ service }) => [service.db, service]));
  const specifications = new Map<string, object>();
  const specificationOf = async ({ dataset_name: db, formulation }: Sample): Promise<object> => {
    const url = `/openapi/${db}.${formulation}.json`;
    const known: object = specifications.get(url) ?? (await app.inject(url)).json();
    specifications.set(url, known);
    return known;
  };

  async function attempt(sample: Sample, examination: Examination): Promise<string> {
    const { fault, lasting, contradiction, manner } = examination;
    const faults = fault ? { name: fault, rules: [{ fault, rate: 1, lasting, contradiction }] } : CLEAN;
    const begun = await app.inject({
      method: 'POST',
      url: '/runs',
      headers: HARNESS,
      payload: { sample_id: sample.sample_id, faults },
    });
    if (begun.statusCode !== 201) throw new Error(`${sample.sample_id}: ${begun.body}`);
    const base: string = begun.json().base;
    const service = services.get(sample.dataset_name);
    if (!service) throw new Error(`no service ${sample.dataset_name}`);
    const { question_facts: facts, other_endpoint: found } = sample.silent_faults ?? {};
    const other = found && {
      ...found,
      ask() {
        const request = FORMULATIONS.rest.requestOf(service, {
          name: found.tool,
          arguments: found.arguments,
        });
        return app.inject(base + addressOf(request));
      },
    };
    const reader: Reader =
      manner === 'trusting'
        ? trustingReader()
        : checkingReader(await specificationOf(sample), {
            twice: manner === 'asking_twice',
            calls: sample.output.length,
            facts,
            other,
          });
    const through = {
      inject: (request: Parameters<Reader['read']>[0]) =>
        // Start tables are given with the task; they are no tool of the run.
        request.url.includes('/initialize_active_data')
          ? app.inject(request)
          : reader.read(request, () => app.inject({ ...request, url: base + request.url })),
    };
    let answer: readonly unknown[] | null = null;
    try {
      answer = (await playCalls(through, service, sample)).rows;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
    const doubts = reader.doubts();
    const text = printExactJson({ answer: doubts ? null : answer, doubts });
    const headers = { 'content-type': 'application/json' };
    const ended = await app.inject({ method: 'POST', url: `${base}/answer`, payload: text, headers });
    if (ended.statusCode !== 200) throw new Error(`${sample.sample_id}: ${ended.body}`);
    return (await app.inject({ url: `${base}/predictions`, headers: HARNESS })).body;
  }

  return {
    /** Samples that can have a fault that one of certain witnesses reveals. */
    samplesWith: (
      fault: SilentFaultKind,
      { contradiction }: Pick<Examination, 'contradiction'>,
      reveals: (witnesses: readonly FaultWitness[]) => boolean,
    ) =>
      farm.samples.filter(({ silent_faults }) =>
        silent_faults?.faults.some(
          (each) => each.fault === fault && each.contradiction === contradiction && reveals(each.witnesses),
        ),
      ),
    samples: farm.samples,
    /** What the agents' runs score. */
    async examine(samples: readonly Sample[], examination: Examination): Promise<Report> {
      const lines: string[] = [];
      for (const sample of samples) {
        const [header, line] = (await attempt(sample, examination)).split('\n');
        if (lines.length === 0) lines.push(header as string);
        lines.push(line as string);
      }
      const file = join(scratch, 'predictions.jsonl');
      writeFileSync(file, lines.join('\n'));
      const ids = new Set(samples.map(({ sample_id }) => sample_id));
      return scoreFarm({
        farm,
        predictions: readPredictions(file, farm),
        universe: open.universe,
        replay: open.replay,
        options: { resamples: 0 },
        choose: ({ sample_id }) => ids.has(sample_id),
      });
    },
    async close() {
      await app.close();
      await open.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

const KEY = 'the-key-of-whoever-gives-the-exam';
const HARNESS = { 'x-harness-key': KEY };

/** A profile that has silent faults and never draws one. */
const CLEAN = { name: 'clean', rules: [{ fault: 'dropped_rows', rate: 0 }] };

type Request = Parameters<InjectableApp['inject']>[0];

/** What a scripted agent makes of the answers that it gets; one for each run. */
interface Reader {
  /** The answer that it goes on with. */
  read(request: Request, ask: () => Promise<InjectedAnswer>): Promise<InjectedAnswer>;
  /** What it could not clear up. */
  doubts(): string | null;
}

/** Takes every answer as it comes. */
function trustingReader(): Reader {
  return { read: (_, ask) => ask(), doubts: () => null };
}

interface CheckingOptions {
  /** Whether it asks for every list of rows again, fitting or not. */
  readonly twice: boolean;
  /** What it has read in the question, of the last answer. */
  readonly facts?: readonly QuestionFact[] | undefined;
  /** How many calls it is going to make. */
  readonly calls: number;
  /** Another endpoint that, as its description says, reads the same rows. */
  readonly other?:
    | (Pick<OtherEndpoint, 'tells' | 'columns'> & { readonly ask: () => Promise<InjectedAnswer> })
    | undefined;
}

/**
 * Holds every answer against what an agent has anyway: its own `row_count`, the endpoint's specification, the table
 * that a column was read from, the question, another endpoint. What does not fit is asked for again. With `twice`, so is every other list of rows.
 */
function checkingReader(specification: object, { twice, calls, facts = [], other }: CheckingOptions): Reader {
  const tables = new Map<string, Body>();
  const schemas = new Ajv2020({ strict: false, validateSchema: false, logger: false }).addSchema(
    specification,
    'api',
  );
  const doubts: string[] = [];
  let made = 0;

  const fits = async (request: Request, text: string): Promise<boolean> => {
    const body = parseExactJson(text) as Body;
    if (body.kind === 'table') tables.set(body.handle as string, body);
    const rows = body.data ?? body.values;
    if (!Array.isArray(rows)) return true;
    if (body.truncated !== true && rows.length !== body.row_count) return false;
    const known = body.data ? fitsSchema(request, text) : fitsTable(request, body, rows);
    return known && fitsQuestion(body.data, rows) && (await fitsOther(body.data, rows));
  };
  const fitsQuestion = (data: unknown, rows: readonly unknown[]): boolean =>
    made < calls ||
    facts.every((fact) => {
      if (fact.kind === 'at_most') return rows.length <= fact.rows;
      if (fact.kind === 'distinct') return new Set(rows.map(keyOf)).size === rows.length;
      return rows.every((row) => {
        const value = data ? (row as Body)[fact.column ?? ''] : row;
        return value !== null && COMPARE[fact.op](value as number, fact.value as number);
      });
    });
  const fitsOther = async (data: unknown, rows: readonly unknown[]): Promise<boolean> => {
    if (!other || !data) return true;
    const found = (parseExactJson((await other.ask()).body) as Body).data as Body[];
    if (other.tells === 'count') return Number(Object.values(found[0] ?? {})[0]) === rows.length;
    const sorted = (all: readonly unknown[], name: string) =>
      all
        .map((row) => keyOf((row as Body)[name]))
        .sort()
        .join();
    return (
      found.length === rows.length &&
      other.columns.every((column) => sorted(rows, column.own) === sorted(found, column.other))
    );
  };
  const fitsSchema = ({ method, url }: Request, text: string): boolean => {
    const path = (url.split('?')[0] as string).replaceAll('~', '~0').replaceAll('/', '~1');
    const at = `api#/paths/${path}/${method.toLowerCase()}/responses/200/content/application~1json/schema`;
    return schemas.validate({ $ref: at }, JSON.parse(text)) === true;
  };
  const fitsTable = ({ payload = '{}' }: Request, { column }: Body, values: readonly unknown[]): boolean => {
    const { data_source, distinct, limit = -1, offset = 0 } = JSON.parse(payload) as Record<string, unknown>;
    const table = tables.get(String(data_source).replaceAll('$', ''));
    if (!table || distinct === true || limit !== -1 || offset !== 0) return true;
    const shown = table.preview as Record<string, unknown>[];
    return (
      (table.row_count === null || table.row_count === values.length) &&
      shown.every((row, i) => !((column as string) in row) || row[column as string] === values[i])
    );
  };

  return {
    async read(request, ask) {
      made++;
      const first = await ask();
      if (first.statusCode !== 200) return first;
      const fine = await fits(request, first.body);
      if (fine && !(twice && isList(first.body))) return first;
      const second = await ask();
      // Two that differ: one of them was wrong, and a third shows which.
      const last = second.body === first.body ? second : await ask();
      if (!(await fits(request, last.body))) doubts.push(`${request.url} contradicts what else is known`);
      return last;
    },
    doubts: () => (doubts.length === 0 ? null : doubts.join('; ')),
  };
}

type Body = Record<string, unknown>;

type Op = Extract<QuestionFact, { kind: 'bound' }>['op'];
const COMPARE: Readonly<Record<Op, (value: number, bound: number) => boolean>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: large integers come as bigints.
  '=': (value, bound) => value == bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

function keyOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

function isList(text: string): boolean {
  const body = parseExactJson(text) as Body;
  return Array.isArray(body.data) || Array.isArray(body.values);
}
