import { sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog, Cell, Row } from '../../contracts/catalog.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import { countEach, groupBy } from '../../contracts/grouping.ts';
import { printShare } from '../../contracts/hybrid.ts';
import { recordKeyText } from '../../contracts/records.ts';
import { type Call, type Formulation, flag, formulation, type Sample } from '../../contracts/sample.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { recordApis } from '../../services/domain/records/resources.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { storedRows, toCell, withDatabase } from '../oracle/engines.ts';

/** Facts about a farm that trivial baselines can use. */
export interface Guessing {
  /** Samples whose gold answer is a whole table or column. */
  readonly dumps: ReadonlySet<Sample>;
  /** By the path of a toolset: the answer of its last tool without arguments. */
  readonly lastAnswers: ReadonlyMap<string, readonly Row[]>;
}

/** An agent that ignores the question. */
export interface Baseline {
  readonly about: string;
  /** The probability of passing a sample, having chosen the best strategy for all of these. */
  readonly study: (samples: readonly Sample[], guessing: Guessing) => (sample: Sample) => number;
}

/** The baselines of the integrity card, by name. */
export const BASELINES = {
  nothing: {
    about: 'answers without any row',
    study: () => always([]),
  },
  null: {
    about: 'always answers NULL',
    study: () => always([[null]]),
  },
  zero: {
    about: 'always answers 0',
    study: () => always([[0]]),
  },
  constant: {
    about:
      'in each domain, always gives the answer that is right about most gold queries, if one is right about several',
    study: (samples) => {
      const rowsFor = inEachDomain(samples, mostFrequent);
      return (sample) => rightAbout(sample, rowsFor(sample));
    },
  },
  everything: {
    about:
      'hybrid, where extra columns are forgiven: in each domain, always gives one wide row of values that are right about several gold queries',
    study: (samples) => {
      const rowFor = inEachDomain(samples, widestGuess);
      return (sample) => (isWithin(sample, rowFor(sample) ?? []) ? 1 : 0);
    },
  },
  dump: {
    about: 'gives a whole table or one whole column as it is stored, the right one by luck',
    study:
      (_, { dumps }) =>
      (sample) =>
        dumps.has(sample) ? 1 : 0,
  },
  bare_call: {
    about: 'gives the answer of a tool drawn from the list, called without arguments',
    study: () => (sample) => (isBareCall(sample) ? 1 / sample.toolset.size : 0),
  },
  every_tool: {
    about: 'calls every tool of the list once, without arguments: what the last of them answers counts',
    study:
      (_, { lastAnswers }) =>
      (sample) =>
        rightAbout(sample, lastAnswers.get(sample.toolset.path) ?? null),
  },
} as const satisfies Record<string, Baseline>;

type BaselineName = keyof typeof BASELINES;

export const BASELINE_NAMES = Object.keys(BASELINES) as BaselineName[];

function always(rows: readonly Row[]): (sample: Sample) => number {
  return (sample) => rightAbout(sample, rows);
}

function rightAbout({ gold_answer, order_groups }: Sample, rows: readonly Row[] | null): number {
  return rows !== null && sameRows(gold_answer, rows, order_groups) ? 1 : 0;
}

/** Made once for each answer, which the samples of a question share. */
const answerKeys = new WeakMap<readonly Row[], string>();

/** Equal for answers that differ only in row order. */
function answerKey({ gold_answer: rows }: Sample): string {
  const key =
    answerKeys.get(rows) ??
    rows
      .map((row) => row.map(cellKey).join())
      .sort()
      .join('\n');
  answerKeys.set(rows, key);
  return key;
}

/** The choice for a sample's domain, or if that has none, for all domains. */
function inEachDomain<T>(
  samples: readonly Sample[],
  choose: (samples: readonly Sample[]) => T | null,
): (sample: Sample) => T | null {
  const everywhere = choose(samples);
  const domains = new Map([...byDomain(samples)].map(([db, own]) => [db, choose(own) ?? everywhere]));
  return ({ dataset_name }) => domains.get(dataset_name) ?? null;
}

export function byDomain(samples: readonly Sample[]): Map<string, Sample[]> {
  return groupBy(samples, ({ dataset_name }) => dataset_name);
}

/** The most frequent answer; null if none is right about two gold queries, since the choice would be arbitrary. */
function mostFrequent(samples: readonly Sample[]): readonly Row[] | null {
  const [best] = byQueries(groupBy(samples, answerKey));
  return best?.[0].gold_answer ?? null;
}

/** Groups from several gold queries, those from most queries first. */
function byQueries<T extends Pick<Sample, 'query'>>(groups: ReadonlyMap<unknown, readonly [T, ...T[]]>) {
  return [...groups.values()]
    .map((group) => ({ group, size: new Set(group.map(({ query }) => query)).size }))
    .filter(({ size }) => size > 1)
    .sort((a, b) => b.size - a.size)
    .map(({ group }) => group);
}

/** The widest gold answer considered. */
const MOST_COLUMNS = 16;

/** The only row of the gold answer of a sample of `hybrid`; undefined for others. */
function forgivingRow({ plan, gold_answer: rows }: Sample): Row | undefined {
  return plan && rows.length === 1 ? rows[0] : undefined;
}

/** Whether a row holds all values of a one-row gold answer, and no more others than are forgiven. */
function isWithin(sample: Sample, row: Row): boolean {
  const gold = forgivingRow(sample);
  if (!gold || row.length > 2 * gold.length) return false;
  const left = row.map(cellKey);
  return gold.every((cell) => {
    const at = left.indexOf(cellKey(cell));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** The wide row of common values that is right about most gold queries; null if none is right about two. */
function widestGuess(all: readonly Sample[]): Row | null {
  const samples = all.filter(forgivingRow);
  if (samples.length === 0) return null;
  let best: { readonly row: Row | null; readonly right: number } = { row: null, right: 1 };
  for (let width = 1; width <= MOST_COLUMNS; width++) {
    const cells = samples.flatMap((sample) => {
      const gold = forgivingRow(sample) ?? [];
      return width > 2 * gold.length ? [] : gold.map((cell) => ({ cell, query: sample.query }));
    });
    const row = byQueries(groupBy(cells, ({ cell }) => cellKey(cell)))
      .slice(0, width)
      .map(([{ cell }]) => cell);
    const right = new Set(samples.filter((sample) => isWithin(sample, row)).map(({ query }) => query)).size;
    if (right > best.right) best = { row, right };
  }
  return best.row;
}

function cellKey(cell: Cell): string {
  return typeof cell === 'bigint' ? `${cell}n` : JSON.stringify(cell);
}

function isBareCall({ output }: Sample): boolean {
  const [only, ...more] = output;
  return only !== undefined && more.length === 0 && Object.keys(only.arguments).length === 0;
}

export interface CardDomain extends Tables {
  readonly samples: readonly Sample[];
}

/** The samples that whole tables answer, and the answers of calls without arguments. */
export function guessingOf(domains: readonly CardDomain[]): Guessing {
  return {
    dumps: new Set(domains.flatMap((domain) => [...findDumps(domain.samples, domain)])),
    lastAnswers: lastAnswersOf(domains.flatMap(({ samples }) => samples)),
  };
}

/** Every endpoint is some sample's gold call, so a tool without arguments is too. */
function lastAnswersOf(samples: readonly Sample[]): Map<string, readonly Row[]> {
  const last = new Map<string, { readonly name: string; readonly rows: readonly Row[] }>();
  for (const { output, toolset, gold_answer: rows } of samples.filter(isBareCall)) {
    const name = output[0]?.name ?? '';
    const known = last.get(toolset.path);
    if (known === undefined || known.name < name) last.set(toolset.path, { name, rows });
  }
  return new Map([...last].map(([path, { rows }]) => [path, rows]));
}

export interface Tables {
  /** Path of its SQLite file. */
  readonly database: string;
  readonly tables: readonly { readonly name: string }[];
}

/** Samples whose gold answer is a whole table or column in row order; each table is read at most once. */
export function findDumps(samples: readonly Sample[], { database, tables }: Tables): Set<Sample> {
  const dumps = new Set<Sample>();
  // A single row is not a dump.
  const lists = samples.filter(({ gold_answer }) => gold_answer.length > 1);
  if (lists.length === 0) return dumps;
  const longest = Math.max(...lists.map(({ gold_answer }) => gold_answer.length));
  withDatabase(database, (db) => {
    for (const { name } of tables) {
      const from = `FROM ${quoteIdentifier(name)}`;
      const counted = `SELECT COUNT(*) FROM (SELECT 1 ${from} LIMIT ${longest + 1})`;
      const count = db.prepare<[], number>(counted).pluck().get();
      const alike = lists.filter((sample) => sample.gold_answer.length === count && !dumps.has(sample));
      if (alike.length === 0) continue;
      const rows = storedRows(db, `SELECT * ${from}`).map((row) => row.map(toCell));
      for (const sample of alike) if (isPartOf(sample, rows)) dumps.add(sample);
    }
  });
  return dumps;
}

function isPartOf({ gold_answer: gold, order_groups }: Sample, rows: readonly Row[]): boolean {
  const width = rows[0]?.length ?? 0;
  if (gold[0]?.length === width && sameRows(gold, rows, order_groups)) return true;
  if (gold[0]?.length !== 1) return false;
  return Array.from({ length: width }, (_, at) => rows.map((row) => [row[at] ?? null])).some((column) =>
    sameRows(gold, column, order_groups),
  );
}

/** The baselines' scores on one formulation; the lower they are, the more other scores mean. */
export interface CardRow {
  readonly formulation: Formulation;
  readonly samples: number;
  /** Samples passed; the expected number for random choices. */
  readonly passes: Readonly<Record<BaselineName, number>>;
}

/** One row per formulation that has samples; those that change records have a card of their own. */
export function integrityCard(samples: readonly Sample[], guessing: Guessing): CardRow[] {
  return formulation.options.flatMap((kind): CardRow[] => {
    if (isOfChanges(kind)) return [];
    const own = samples.filter((sample) => sample.formulation === kind);
    if (own.length === 0) return [];
    const passes = Object.fromEntries(
      BASELINE_NAMES.map((name) => {
        const chance = BASELINES[name].study(own, guessing);
        return [name, own.reduce((sum, sample) => sum + chance(sample), 0)];
      }),
    ) as Record<BaselineName, number>;
    return [{ formulation: kind, samples: own.length, passes }];
  });
}

/** The share of a formulation's samples that a baseline may pass (one sample always may). */
const MOST = 0.005;

/** Samples by formulation, and those of `hybrid` by share, since a question has the same answer at each. */
function examsIn(samples: readonly Sample[]): Sample[][] {
  const exams = groupBy(samples, ({ formulation, plan }) => `${formulation} ${plan ? printShare(plan) : ''}`);
  return [...exams.values()];
}

/** Samples whose answer is that of 1 in 200 items or more, except the first items; an item is a sample, or a gold query. */
function repeatsIn(samples: readonly Sample[], itemOf: (sample: Sample) => unknown): Sample[] {
  const found = new Map<string, Map<unknown, number>>();
  for (const sample of samples) {
    const key = answerKey(sample);
    const items = found.get(key) ?? new Map<unknown, number>();
    found.set(key, items);
    if (!items.has(itemOf(sample))) items.set(itemOf(sample), items.size);
  }
  const counts = [...found.values()].map(({ size }) => size);
  let kept = Math.max(1, ...counts);
  const leaves = () => counts.reduce((sum, count) => sum + Math.min(count, kept), 0);
  while (kept > 1 && kept >= MOST * leaves()) kept--;
  return samples.filter((sample) => (found.get(answerKey(sample))?.get(itemOf(sample)) ?? 0) >= kept);
}

/** Samples that some baseline passes for sure, or whose answer repeats in 1 of 200 or more of a farm or of a domain. */
export function findGuessable(samples: readonly Sample[], guessing: Guessing): Set<Sample> {
  const guessable = new Set<Sample>();
  for (const group of examsIn(samples)) {
    let left = group;
    const take = (samples: readonly Sample[]) => {
      for (const sample of samples) guessable.add(sample);
      left = left.filter((sample) => !guessable.has(sample));
    };
    for (const agent of Object.values<Baseline>(BASELINES)) {
      if (agent === BASELINES.constant || agent === BASELINES.everything) continue;
      const chance = agent.study(left, guessing);
      take(left.filter((sample) => chance(sample) === 1));
    }
    for (let before = -1; before !== guessable.size; ) {
      before = guessable.size;
      take(repeatsIn(left, (sample) => sample));
      for (const own of byDomain(left).values()) take(repeatsIn(own, ({ query }) => query));
      const chance = BASELINES.everything.study(left);
      const passed = left.filter((sample) => chance(sample) === 1);
      if (passed.length >= Math.max(2, MOST * left.length)) take(passed);
    }
  }
  return guessable;
}

/** The samples to be flagged `guessable`, by the sample they replace. */
export function markGuessable(domains: readonly CardDomain[]): Map<Sample, Sample> {
  const samples = domains.flatMap((domain) => domain.samples);
  const marked = [...findGuessable(samples, guessingOf(domains))].map((sample): [Sample, Sample] => [
    sample,
    {
      ...sample,
      flags: flag.options.filter((each) => each === 'guessable' || sample.flags.includes(each)),
    },
  ]);
  return new Map(marked);
}

/** Agents that ignore the question of a task that changes records. */
export const STATE_BASELINES = {
  nothing: 'changes nothing',
  replayed: 'makes the changes of another task of the domain',
  first_row: 'makes the changes of another task of the domain at the first record of each table',
  all_rows: 'makes the changes of another task of the domain at all records of each table',
  delete_everything: 'deletes all records of the domain',
} as const;
type StateBaselineName = keyof typeof STATE_BASELINES;

export interface StateCard {
  /** A pair of tasks is one. */
  readonly tasks: number;
  /** Tasks passed; the expected number for random choices. */
  readonly passes: Readonly<Record<StateBaselineName, number>>;
}

/** What those agents reach on the tasks of a farm that change records; null if there are none. */
export function stateCard(
  domains: readonly {
    readonly samples: readonly Sample[];
    readonly database: string;
    readonly catalog: Catalog;
  }[],
): StateCard | null {
  const passes = { nothing: 0, replayed: 0, first_row: 0, all_rows: 0, delete_everything: 0 };
  let tasks = 0;
  for (const { samples, database, catalog } of domains) {
    const own = samples.filter(({ formulation: kind }) => kind === 'records');
    if (own.length === 0) continue;
    const keys = recordKeys(database, catalog);
    const texts = own.map(({ output }) => callsKey(output));
    const moved = (most: number) =>
      own.map(({ output }) =>
        callsKey(
          output.flatMap((call) => {
            const [verb, table = ''] = [call.name.slice(0, 7), call.name.slice(7)];
            if (verb === 'create_') return [call];
            return (keys.get(table) ?? [])
              .slice(0, most)
              .map((key) => ({ ...call, arguments: { ...call.arguments, key } }));
          }),
        ),
      );
    const everything = callsKey(
      [...keys].flatMap(([table, all]) =>
        all.map((key) => ({ name: `delete_${table}`, arguments: { key } })),
      ),
    );
    const chances: Record<StateBaselineName, (at: number) => number> = {
      nothing: (at) => Number(own[at]?.output.length === 0),
      replayed: shareOfOthers(texts, texts),
      first_row: shareOfOthers(texts, moved(1)),
      all_rows: shareOfOthers(texts, moved(Number.POSITIVE_INFINITY)),
      delete_everything: (at) => Number(texts[at] === everything),
    };
    const units = groupBy(own.keys(), (at) => own[at]?.pair ?? own[at]?.sample_id);
    tasks += units.size;
    for (const name of Object.keys(passes) as StateBaselineName[])
      for (const members of units.values())
        passes[name] += members.reduce((all, at) => all * chances[name](at), 1);
  }
  return tasks === 0 ? null : { tasks, passes };
}

type MadeCalls = readonly Pick<Call, 'name' | 'arguments'>[];

/** For a task, the share of the others whose `made` calls equal its own; both as texts of `callsKey`. */
function shareOfOthers(own: readonly string[], made: readonly string[]): (at: number) => number {
  const counts = countEach(made);
  return (at) => {
    const wanted = own[at] ?? '';
    const others = (counts.get(wanted) ?? 0) - Number(made[at] === wanted);
    return own.length < 2 ? 0 : others / (own.length - 1);
  };
}

function callsKey(calls: MadeCalls): string {
  const texts = calls.map(({ name, arguments: args }) =>
    printExactJson([name, Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))]),
  );
  return texts.sort().join('\n');
}

/** Rows of a table that are read at most: no task changes more. */
const MOST_RECORDS = 100;

/** The keys of the first records of each table, by its name in the record API. */
function recordKeys(database: string, catalog: Catalog): Map<string, readonly unknown[]> {
  return withDatabase(database, (db) => {
    return new Map(
      recordApis({ catalog }).map(({ name, table, key }) => {
        const columns = key.map(({ column }) => quoteIdentifier(column.name)).join(', ');
        const from = `FROM ${quoteIdentifier(table.name)} LIMIT ${MOST_RECORDS}`;
        const rows = db.prepare<[], unknown[]>(`SELECT ${columns} ${from}`).raw(true).all();
        return [name, rows.map((row) => (row.length === 1 ? row[0] : recordKeyText(row)))];
      }),
    );
  });
}
