import { QueryError } from '../../contracts/errors.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import type { Rejection } from '../../contracts/farm.ts';
import {
  changesRecords,
  RECORD_KEY,
  type RecordChange,
  readRecordTool,
  recordKeyText,
} from '../../contracts/records.ts';
import { sameChanges } from '../../contracts/same-changes.ts';
import type { Call, Flag } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { problemCode } from '../../services/agents/backend/backend.ts';
import type { SqlValue } from '../../services/base/sqlite/driver.ts';
import {
  JournalStep,
  type PrivateCopy,
  type RowChange,
  type RowValues,
  rowKey,
  sameRow,
  storedRow,
} from '../../services/base/sqlite/private-copy.ts';
import { netChanges, netDiff } from '../../services/domain/records/diff.ts';
import { type PlayedRecords, playRecords } from '../../services/domain/records/play-records.ts';
import { type RecordApi, recordApis } from '../../services/domain/records/resources.ts';
import { tokenize } from '../../sql/index.ts';
import { pinTime, splitStatements } from '../oracle/gold-sql.ts';
import { type Oracle, unlessRefused, type WritesAnswer } from '../oracle/oracle.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';
import { onBehalfOf } from '../verify/gold-answers.ts';
import { callFailed, type VariantApps } from '../verify/play.ts';
import { goldDiff, insertedColumns, withOpenColumns } from './gold-diff.ts';
import { MOST_ROWS, requireOneMeaning, requireTask } from './one-meaning.ts';

/** The calls that change what a gold SQL changes, or why there are none. */
export type LoweredWrites =
  | {
      readonly kept: true;
      readonly calls: readonly Call[];
      readonly diff: readonly RecordChange[];
      /** The rows of a query after the changes, which are the task's answer. */
      readonly answer: WritesAnswer['answer'];
      readonly flags: readonly Flag[];
      readonly constructs: string[];
    }
  | { readonly kept: false; readonly rejection: Rejection; readonly flags: readonly Flag[] };

/** A domain with its service running over all variants. */
export interface WritesContext {
  readonly service: Service;
  readonly oracle: Oracle;
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly apps: Pick<VariantApps, 'calls'>;
  /** The original as served, to undo changes on. */
  readonly copy: PrivateCopy;
}

/** Beyond this many calls that change one record each, all count as needed, and none is left out to see. */
const FEW = 4;
/** Neighbours on which there must be such calls, too. */
export const DECIDING = 2;

/**
 * Lowers a gold SQL that changes rows to calls of the record API, and proves them: through the running app they change
 * exactly what SQLite changes on a copy of its own, each of them is needed, and the inverse restores the start. The
 * same lowering must succeed on two neighbours, where the SQL changes other rows. Several questions are the turns of a
 * dialogue: each is played after the calls of those before it, and all are kept or none.
 */
export async function lowerWrites(
  questions: readonly [Question, ...Question[]],
  context: WritesContext,
): Promise<readonly LoweredWrites[]> {
  try {
    return await onBehalfOf(questions[0], () => lower(questions, context));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const rejection = error.toRejection();
    return questions.map(() => ({ kept: false, rejection, flags: [] }));
  }
}

async function lower(questions: readonly Question[], context: WritesContext): Promise<LoweredWrites[]> {
  const { variants, oracle, service } = context;
  const [original, ...neighbours] = variants;
  const stages = await stagesOn(original, questions, oracle);
  for (const { question, sql, made, own } of stages)
    await inTurn(question, async () => {
      const forbidden = question.refuse === true && (await isForbidden(made.changes, context));
      requireTask(question, made, { forbidden, own });
      await requireOneMeaning({ ...question, sql }, made, {
        oracle,
        file: original.plain,
        catalog: service.catalog,
      });
    });
  const isRefused = stages.some(({ question }) => question.refuse);
  const gold = isRefused ? [] : await playOn(original, stages, context);
  const last = gold.at(-1);
  if (last) requireInverse(last.played, context.copy);
  let decided = 0;
  for (const variant of isRefused ? [] : neighbours) {
    if (decided === DECIDING) break;
    variant.ready?.();
    // Where SQLite itself refuses the statement, nothing is to be compared.
    const there = await unlessRefused(stagesOn(variant, questions, oracle));
    if (!there?.every(({ made }) => isClear(made))) continue;
    if (there.every(({ made }) => made.changes.length === 0)) continue;
    await onNeighbour(variant, there, context);
    decided++;
  }
  return stages.map(({ question, sql, made }, i) => {
    const constructs = constructsOf(question.sql);
    const isPinned = pinTime(sql, service.reference_time).pinned;
    const flags: readonly Flag[] = isPinned ? ['pinned_time'] : [];
    const changed = isRefused ? [] : goldDiff(made.changes, sql, service.catalog);
    const diff = withOpenColumns(changed, question.open);
    const answer = question.sql === '' ? null : made.answer;
    return { kept: true, calls: gold[i]?.calls ?? [], diff, answer, flags, constructs };
  });
}

/** A question with what SQLite makes of it in the state that earlier turns left. */
interface Stage {
  readonly question: Question;
  /** What holds from earlier turns, and its own statements. */
  readonly sql: string;
  readonly made: WritesAnswer;
  /** The changes against the turn before. */
  readonly own: readonly RowChange[];
}

/** Rejects as the oracle's `writes`. */
async function stagesOn(
  { plain }: DatabaseVariant,
  questions: readonly Question[],
  oracle: Oracle,
): Promise<Stage[]> {
  const stages: Stage[] = [];
  for (const question of questions) {
    const { sql: own, holding = [] } = question;
    const sql = (changesRecords(own) && question.holding ? holding : [...holding, own]).join('; ');
    const made = await inTurn(question, () => oracle.writes(plain, sql));
    const before = stages.at(-1)?.made.changes ?? [];
    stages.push({ question, sql, made, own: changesBetween(before, made.changes) });
  }
  return stages;
}

/** A state's changes as changes of another state; both are against one start. */
function changesBetween(from: readonly RowChange[], to: readonly RowChange[]): RowChange[] {
  const before = new Map(from.map((change) => [rowKey(change.table, change.id), change]));
  const after = new Map(to.map((change) => [rowKey(change.table, change.id), change]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    if (old === undefined) return now ?? [];
    if (now === undefined) return { ...old, before: old.after, after: old.before };
    return sameRow(old.after, now.after) ? [] : { ...now, before: old.after };
  });
}

/** Names the turn of a dialogue that is rejected. */
async function inTurn<T>({ turn_of, question_id }: Question, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (turn_of === undefined || !(error instanceof QueryError)) throw error;
    throw new QueryError(error.code, `turn ${question_id}: ${error.message}`);
  }
}

function isClear({ refused, unclear, changes }: WritesAnswer): boolean {
  return refused === null && unclear === null && changes.length <= MOST_ROWS;
}

/** Whether a rule of the domain refuses one of the calls that make these changes. */
async function isForbidden(
  changes: readonly RowChange[],
  { service, apps, variants: [original] }: WritesContext,
): Promise<boolean> {
  if (changes.length === 0 || changes.length > MOST_ROWS || !service.catalog.policies) return false;
  const { answers } = await playRecords(apps.calls(original), service, candidatesOf(changes, service));
  return answers.some((answer) => problemCode(answer) === 'POLICY');
}

async function onNeighbour(
  variant: DatabaseVariant,
  stages: readonly Stage[],
  context: WritesContext,
): Promise<void> {
  try {
    await playOn(variant, stages, context);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new QueryError('WRONG_CHANGES_ON_NEIGHBOUR', `on ${variant.label}: ${error.message}`);
  }
}

interface GoldCalls {
  readonly calls: readonly Call[];
  /** With the calls of the turns before. */
  readonly played: PlayedRecords;
}

/** The gold calls of each turn. Throws WRONG_CHANGES, RECORD_WITHOUT_KEY. */
async function playOn(
  variant: DatabaseVariant,
  stages: readonly Stage[],
  context: WritesContext,
): Promise<GoldCalls[]> {
  const gold: GoldCalls[] = [];
  for (const stage of stages) {
    const before = gold.flatMap(({ calls }) => calls);
    gold.push(await inTurn(stage.question, () => callsFor(stage, before, variant, context)));
  }
  return gold;
}

/** The fewest calls that, after those before, change these rows and no others. */
async function callsFor(
  { question, sql, made, own }: Stage,
  before: readonly Call[],
  variant: DatabaseVariant,
  { service, apps }: WritesContext,
): Promise<GoldCalls> {
  const wanted = goldDiff(made.changes, sql, service.catalog);
  // The rules of a domain are not made for the rows of a neighbour, where only what the calls change matters.
  const rules = variant.isNeighbour ? 'recorded' : question.policies;
  const play = (calls: readonly Call[]) =>
    playRecords(apps.calls(variant), service, [...before, ...calls], rules);
  const isRight = (played: PlayedRecords) =>
    refusalIn(played) === null && sameChanges(wanted, netDiff(played.journal));
  if (own.length === 0) return { calls: [], played: await play([]) };
  const named = insertedColumns(sql);
  const candidates = candidatesOf(own, service);
  const all = await play(candidates);
  let { calls, played } = isRight(all)
    ? { calls: candidates as readonly Call[], played: all }
    : await inWorkingOrder(writtenFirst(candidates, sql, service), play);
  if (!isRight(played)) throw new QueryError('WRONG_CHANGES', describeDifference(wanted, played, all));
  // What follows by itself (a cascade, a trigger) is no call of its own.
  const isPlain = played.journal.every((step) => step.changes.length === 1);
  for (const call of isPlain && calls.length > FEW ? [] : [...calls].reverse()) {
    const without = calls.filter((each) => each !== call);
    const tried = without.length === 0 ? null : await play(without);
    if (tried && isRight(tried)) [calls, played] = [without, tried];
  }
  // What the SQL does not name (a generated key, a default) is left to the server.
  for (const [at, call] of calls.entries()) {
    if (!call.name.startsWith('create_')) continue;
    for (const name of Object.keys(call.arguments)) {
      if (isNamed(named, call, name, service)) continue;
      const { [name]: _left, ...rest } = (calls[at] as Call).arguments;
      const shorter = calls.map((each, i) => (i === at ? { ...each, arguments: rest } : each));
      const tried = await play(shorter);
      if (isRight(tried)) [calls, played] = [shorter, tried];
    }
  }
  return { calls, played };
}

/** Whether the SQL says what to put there. A row that no INSERT made is made by a trigger, or by a changed key. */
function isNamed(
  named: ReturnType<typeof insertedColumns>,
  { name }: Call,
  argument: string,
  service: Service,
): boolean {
  const api = recordApis(service).find((each) => name === `create_${each.name}`);
  const column = api?.columns.find((each) => each.name === argument)?.column.name ?? argument;
  const listed = named.get(api?.table.name.toLowerCase() ?? '');
  return listed === undefined || listed === null || listed.has(column.toLowerCase());
}

/** A call for each changed row: new ones first, then changed ones, then those that go. */
function candidatesOf(changes: readonly RowChange[], service: Service): Call[] {
  const apis = new Map(recordApis(service).map((api) => [api.table.name, api]));
  const made = changes.flatMap((change) => {
    const api = apis.get(change.table);
    // A row without a key may still be changed by a trigger.
    return api ? [callOf(change, api)] : [];
  });
  if (made.length === 0)
    throw new QueryError('RECORD_WITHOUT_KEY', `the rows of ${changes[0]?.table} have no key`);
  const rank = ({ name }: Call) =>
    ['create_', 'update_', 'delete_'].findIndex((verb) => name.startsWith(verb));
  return made.sort((a, b) => rank(a) - rank(b));
}

/** Those of tables that the SQL names come first: what a trigger writes elsewhere then follows from them. */
function writtenFirst(calls: readonly Call[], sql: string, service: Service): Call[] {
  const words = new Set(tokenize(sql).map(({ text }) => text.toLowerCase()));
  const apis = recordApis(service).filter(({ table }) => words.has(table.name.toLowerCase()));
  const written = new Set(apis.map(({ name }) => name));
  const rank = ({ name }: Call) => (written.has(readRecordTool(name)?.resource ?? '') ? 0 : 1);
  return [...calls].sort((a, b) => rank(a) - rank(b));
}

function callOf({ before, after }: RowChange, api: RecordApi): Call {
  const key = (row: RowValues) => {
    const text = recordKeyText(api.key.map(({ column }) => argumentOf(row[column.name] ?? null)));
    const [only] = api.key;
    const isNumber = api.key.length === 1 && only?.column.type !== 'string';
    return { [RECORD_KEY]: isNumber ? argumentOf(row[only?.column.name ?? ''] ?? null) : text };
  };
  const values = (row: RowValues, isSent: (column: string) => boolean) =>
    Object.fromEntries(
      api.columns
        .filter(({ column }) => column.name in row && isSent(column.name))
        .map(({ name, column }) => [name, argumentOf(row[column.name] ?? null)]),
    );
  if (after === null) return { name: `delete_${api.name}`, arguments: key(before ?? {}) };
  if (before === null)
    return { name: `create_${api.name}`, arguments: values(after, (column) => after[column] !== null) };
  const changed = (column: string) =>
    String(before[column]) !== String(after[column]) || typeof before[column] !== typeof after[column];
  return { name: `update_${api.name}`, arguments: { ...key(before), ...values(after, changed) } };
}

function argumentOf(value: SqlValue): unknown {
  if (value instanceof Uint8Array) throw new QueryError('UNSUPPORTED_CONSTRUCT', 'a changed value is a blob');
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/**
 * The calls in an order in which none is refused: a row may need another one, or be in its way. New records that come
 * first are tried again before others change: a trigger that they fire may change those, too.
 */
async function inWorkingOrder(
  candidates: readonly Call[],
  play: (calls: readonly Call[]) => Promise<PlayedRecords>,
): Promise<{ calls: readonly Call[]; played: PlayedRecords }> {
  let calls: readonly Call[] = [];
  let due: readonly Call[] = [];
  let played = await play([]);
  const change = candidates.findIndex(({ name }) => !name.startsWith('create_'));
  const creations = change < 0 ? candidates.length : change;
  for (const more of [candidates.slice(0, creations), candidates.slice(creations)]) {
    let next = [...due, ...more];
    do {
      due = next;
      next = [];
      for (const call of due) {
        const tried = await play([...calls, call]);
        if (refusalIn(tried) !== null) next.push(call);
        else [calls, played] = [[...calls, call], tried];
      }
      // What is refused to the end may already have followed from another call.
    } while (next.length > 0 && next.length < due.length);
    due = next;
  }
  return { calls, played };
}

/** Throws NOT_REVERSIBLE. */
function requireInverse({ journal }: PlayedRecords, copy: PrivateCopy): void {
  const changes = netChanges(journal);
  const inverse = changes.map((change) => ({ ...change, before: change.after, after: change.before }));
  const restored = copy.read([...journal, JournalStep.of(inverse)], '', (db) =>
    changes.every(({ table, id, before }) => {
      const shape = copy.shape(table);
      return sameRow(before, shape ? storedRow(db, shape, id) : null);
    }),
  );
  if (!restored) throw new QueryError('NOT_REVERSIBLE', 'the changed rows are not as they were');
}

/** Why the first refused call was refused; null if none was. */
export function refusalIn({ calls, answers }: PlayedRecords): string | null {
  const at = answers.findIndex(({ status }) => status >= 400);
  const answer = answers[at];
  return answer ? callFailed(`${calls[at]?.name}`, { ...answer, statusCode: answer.status }).message : null;
}

/** What only one side changes, and what was refused first. */
function describeDifference(
  wanted: readonly RecordChange[],
  played: PlayedRecords,
  all: PlayedRecords,
): string {
  const made = netDiff(played.journal);
  const only = (one: readonly RecordChange[], other: readonly RecordChange[]) => {
    const texts = new Set(other.map(textOf));
    const missing = one.map(textOf).filter((text) => !texts.has(text));
    return missing.join(', ').slice(0, 300) || 'nothing';
  };
  const refused = refusalIn(played) ?? refusalIn(all);
  const refusal = refused === null ? '' : `${refused}; `;
  return `${refusal}only SQLite changes: ${only(wanted, made)}; only the calls change: ${only(made, wanted)}`;
}

function textOf({ table, key, before, after }: RecordChange): string {
  if (before === null) return `new ${table} ${printExactJson(after)}`;
  if (after === null) return `no ${table} ${printExactJson(key)}`;
  const changed = Object.entries(after).filter(([name, value]) => !Object.is(value, before[name]));
  return `${table} ${printExactJson(key)} becomes ${printExactJson(Object.fromEntries(changed))}`;
}

/** What the statements are: `insert`, `update`, `delete`, and how many. */
function constructsOf(sql: string): string[] {
  const statements = splitStatements(sql);
  const words = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE']);
  const verbs = statements.flatMap((each) => {
    const found = tokenize(each).find(({ kind, upper }) => kind === 'word' && words.has(upper));
    return found ? [found.upper.toLowerCase()] : [];
  });
  return [...new Set([...verbs, ...(statements.length > 1 ? ['several_statements'] : [])])].sort();
}
