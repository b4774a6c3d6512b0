import { QueryError, unlessQueryError } from '../../contracts/errors.ts';
import { onceFor } from '../../contracts/grouping.ts';
import type { AcceptedValues } from '../../contracts/sample.ts';
import type { Endpoint, EndpointParameter } from '../../contracts/service.ts';
import { type Query, quoteIdentifier, quoteText } from '../../sql/index.ts';
import type { Candidate, ParameterBinding, RestCandidate } from '../lower/candidate.ts';
import { withDatabase } from '../oracle/engines.ts';
import { editText } from '../oracle/gold-sql.ts';
import { unlessRefused } from '../oracle/oracle.ts';
import { Random } from '../variants/random.ts';
import { describeDifference } from './expectation.ts';
import { type GoldQuery, onBehalfOf } from './gold-answers.ts';
import {
  type Played,
  type Proof,
  type Refutation,
  type VerifyContext,
  verifyCandidate,
} from './verify-candidate.ts';

export interface VerifyRestContext extends VerifyContext {
  readonly values: ColumnValues;
  readonly seed: string;
  /** Parses gold SQL with other values. Throws QueryErrors. */
  readonly parse: (sql: string) => Query;
}

/** Verifies on every variant, then with other parameter values in both the call and the gold SQL. */
export async function verifyRest(
  candidate: RestCandidate,
  endpoint: Endpoint,
  gold: GoldQuery,
  context: VerifyRestContext,
): Promise<Proof | Refutation> {
  const proof = await verifyCandidate(candidate, gold, context);
  if (!proof.kept) return proof;
  const random = new Random(`${context.seed}/${gold.question.question_id}`);
  const others = drawOtherValues(candidate, endpoint, context.values, random).map(
    (other): OtherGold => ({ ...other, query: unlessQueryError(() => context.parse(other.sql)) }),
  );
  const { goldAnswers, variants } = context;
  const parsed = others.flatMap(({ sql, query }) => (query ? [{ sql, query }] : []));
  let tooSlow: QueryError | null = null;
  let decided = 0;
  try {
    await goldAnswers.expectAhead(parsed, variants[0].plain);
    for (const other of others) {
      context.signal?.throwIfAborted();
      const fault = await onBehalfOf(gold.question, () => verifyOtherValues(candidate, other, context));
      if (fault) tooSlow = fault;
      else decided++;
    }
    if (tooSlow && decided === 0) throw tooSlow;
    return proof;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { kept: false, rejection: error.toRejection(), flags: proof.flags };
  }
}

/** Throws for a wrong call; returns the fault when the call is too slow to judge. */
async function verifyOtherValues(
  candidate: RestCandidate,
  other: OtherGold,
  { goldAnswers, variants, play }: VerifyRestContext,
): Promise<QueryError | null> {
  const [original] = variants;
  const { query } = other;
  const [call] = candidate.output;
  if (!call) return null;
  const expected =
    query && (await unlessRefused(goldAnswers.expectAnswerTo(other.sql, query, original.plain)));
  // SQLite itself has no answer for these values: too large, too slow, an overflow.
  if (!expected) return null;
  let played: Played;
  try {
    played = await play({ ...candidate, output: [{ ...call, arguments: { ...other.arguments } }] }, original);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    if (error.code === 'TOO_SLOW') return error;
    throw differs(other, error.message);
  }
  if (await goldAnswers.allows(played.rows, { expected, sql: other.sql, query, variant: original }))
    return null;
  throw differs(other, describeDifference(expected, played.rows));
}

function differs(other: OtherValues, how: string): QueryError {
  return new QueryError('WRONG_ROWS_FOR_OTHER_VALUES', `for ${JSON.stringify(other.arguments)}: ${how}`);
}

/** Text that careless implementations mishandle: quotes, wildcards, separators, non-ASCII. */
const AWKWARD = `O'Brien "x"; --%_\\&=+é`;

export interface OtherValues {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly sql: string;
}

interface OtherGold extends OtherValues {
  /** null for gold SQL that does not parse with these values. */
  readonly query: Query | null;
}

interface ParameterSlot {
  readonly binding: ParameterBinding;
  readonly parameter: EndpointParameter;
  /** The values of the gold call: one, or an array's. */
  readonly given: readonly SendableValue[];
}

type Draw = ReadonlyMap<ParameterSlot, readonly SendableValue[]>;

/** Sets of other arguments: from one row, one at a time, independent, just off, awkward text. Seeded. */
export function drawOtherValues(
  candidate: RestCandidate,
  endpoint: Endpoint,
  values: ColumnValues,
  random: Random,
): OtherValues[] {
  const [call] = candidate.output;
  const slots = candidate.bindings.flatMap((binding): ParameterSlot[] => {
    const parameter = endpoint.parameters.find(({ name }) => name === binding.parameter);
    const given = call?.arguments[binding.parameter];
    if (!parameter || given === undefined) return [];
    return [{ binding, parameter, given: (Array.isArray(given) ? given : [given]) as SendableValue[] }];
  });
  if (!call || slots.length === 0) return [];

  const row = new Map<string, number>();
  const drawFrom = (slot: ParameterSlot, sameRow: boolean): readonly SendableValue[] =>
    slot.given.map((value) => {
      const { column } = slot.binding;
      const rows = column ? values.rowsOf(column.table) : [];
      if (!column || rows.length === 0) return near(value, slot.parameter, random);
      const at = sameRow ? (row.get(column.table) ?? random.below(rows.length)) : random.below(rows.length);
      row.set(column.table, at);
      // Rows without sendable values are skipped.
      for (let i = 0; i < Math.min(rows.length, 50); i++) {
        const found = asSendable(rows[(at + i) % rows.length]?.[column.column], slot.parameter.type);
        if (found !== undefined) return found;
      }
      return near(value, slot.parameter, random);
    });
  const all: Draw = new Map(slots.map((slot) => [slot, drawFrom(slot, slot.given.length === 1)]));
  const single = slots.flatMap((slot) => {
    const draws = [
      drawFrom(slot, false),
      slot.given.map((value) => near(value, slot.parameter, random)),
      ...(slot.parameter.type === 'string' ? [slot.given.map(() => AWKWARD)] : []),
    ];
    return draws.map((chosen): Draw => new Map([[slot, chosen]]));
  });
  const drawn = [all, ...random.sample(single, 4)].map((draw) => withValues(candidate, call.arguments, draw));
  const bySql = new Map(drawn.map((other) => [other.sql, other]));
  return [...bySql.values()].filter((other) => other.sql !== candidate.question.sql);
}

function withValues(
  { question }: RestCandidate,
  args: Readonly<Record<string, unknown>>,
  draw: Draw,
): OtherValues {
  const changed: Record<string, unknown> = { ...args };
  const edits = [...draw].flatMap(([{ binding, parameter }, chosen]) => {
    changed[binding.parameter] = parameter.array ? chosen : chosen[0];
    return binding.literals.map(({ start, end, prefix, suffix }, i) => {
      // A list that occurs twice repeats its elements.
      const value = chosen[i % (parameter.array ? chosen.length : 1)] ?? '';
      // A number beside a text column is text: `code = 07` would be 7.
      const quoted = parameter.type === 'string' || /^['"]/.test(question.sql.slice(start, end));
      return {
        start,
        end,
        text: quoted ? quoteText(`${prefix}${value}${suffix}`) : numberText(value, parameter),
      };
    });
  });
  return { arguments: changed, sql: editText(question.sql, edits) };
}

/** A `number` is bound as a real. The space keeps a sign from making a comment of `--1`. */
function numberText(value: SendableValue, { type }: EndpointParameter): string {
  const digits = String(value);
  const text = type === 'number' && /^-?\d+$/.test(digits) ? `${digits}.0` : digits;
  return text.startsWith('-') ? ` ${text}` : text;
}

function near(value: SendableValue, { type }: EndpointParameter, random: Random): SendableValue {
  if (typeof value === 'number') {
    const step = random.chance(0.5) ? 1 : -1;
    return type === 'integer' || random.chance(0.5) ? value + step : value * (1 + step / 100);
  }
  const digits = value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1 + random.below(8)) % 10));
  if (digits !== value) return digits;
  return random.pick([value.toUpperCase(), value.toLowerCase(), value.slice(0, -1), `${value} `]) ?? value;
}

/** A value that a call can send: not NULL, a blob or a huge integer. */
export type SendableValue = string | number;

/** Rows looked at on either end of a table. */
const ROWS = 500;

export class ColumnValues {
  readonly #file: string;
  readonly #rows = new Map<string, Readonly<Record<string, unknown>>[]>();

  constructor(file: string) {
    this.#file = file;
  }

  /** The first and last rows, by column; empty when the table cannot be read. */
  rowsOf(table: string): readonly Readonly<Record<string, unknown>>[] {
    return onceFor(this.#rows, table, () => this.#read(table));
  }

  #read(table: string): Readonly<Record<string, unknown>>[] {
    return withDatabase(this.#file, (db) => {
      const all = `SELECT * FROM ${quoteIdentifier(table)}`;
      const count = db
        .prepare(`SELECT count(*) FROM ${quoteIdentifier(table)}`)
        .pluck()
        .get() as number;
      const read = (offset: number) =>
        db.prepare(`${all} LIMIT ${ROWS} OFFSET ${offset}`).safeIntegers().all() as Record<string, unknown>[];
      return [...read(0), ...(count > ROWS ? read(Math.max(ROWS, count - ROWS)) : [])];
    });
  }
}

/** The value as a parameter of that type; undefined when the type cannot hold it. */
export function asSendable(value: unknown, type: 'integer' | 'number' | 'string'): SendableValue | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (type === 'string') {
    if (typeof number === 'string') return number.includes('\0') ? undefined : number;
    return typeof number === 'number' ? String(number) : undefined;
  }
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  if (type === 'integer') return Number.isSafeInteger(number) ? number : undefined;
  return number;
}

/** A longer list has too many orders to try and to write down. */
const LONGEST_LIST = 4;

/**
 * Other ways to write the arguments of a call: a date with a time of midnight, a number in other digits, a LIKE pattern
 * with the wildcards that the endpoint adds, a list in other orders. Whether they give the same rows, a proof decides.
 */
export function otherSpellings({ output: [call], bindings }: RestCandidate): AcceptedValues {
  const spelled = Object.entries(call?.arguments ?? {}).map(([name, value]): [string, unknown[]] => {
    if (Array.isArray(value)) return [name, value.length > LONGEST_LIST ? [] : ordersOf(value).slice(1)];
    if (typeof value !== 'string') return [name, []];
    const pattern = bindings.find(({ parameter }) => parameter === name)?.literals[0];
    const { prefix = '', suffix = '' } = pattern ?? {};
    const all = [
      prefix + value,
      value + suffix,
      prefix + value + suffix,
      ...datesLike(value),
      ...numbersLike(value),
    ];
    return [name, [...new Set(all)].filter((other) => other !== value)];
  });
  return Object.fromEntries(spelled.filter(([, others]) => others.length > 0));
}

/** Every order of the items, each once, the given one first. */
function ordersOf(items: readonly unknown[]): unknown[][] {
  if (items.length < 2) return [[...items]];
  const orders = items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
  return [...new Map(orders.map((order) => [JSON.stringify(order), order])).values()];
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d))?Z?)?$/;

/** The same moment in other forms of ISO 8601. */
function datesLike(text: string): string[] {
  const [, date, minutes = '00:00', seconds = '00'] = MOMENT.exec(text) ?? [];
  if (date === undefined) return [];
  const time = `${minutes}:${seconds}`;
  const whole = [`${date} ${time}`, `${date}T${time}`, `${date}T${time}Z`];
  return time === '00:00:00' ? [date, ...whole] : whole;
}

/** The same number without leading zeros, with and without a fraction of zero. */
function numbersLike(text: string): string[] {
  if (!/^-?\d{1,15}(?:\.\d+)?$/.test(text)) return [];
  const plain = String(Number(text));
  return /^-?\d+$/.test(plain) ? [plain, `${plain}.0`] : [plain];
}

/**
 * The values among `others` with which the call gives the gold rows on every database, undefined if there are none. An
 * argument for which nonsense gives them as well has none, since rows prove nothing about it; and they have to hold
 * together, as a checker takes each argument by itself.
 */
export async function proveAcceptedValues(
  candidate: Candidate,
  others: AcceptedValues,
  gold: GoldQuery,
  context: VerifyContext,
): Promise<AcceptedValues | undefined> {
  const [call] = candidate.output;
  if (call === undefined) return undefined;
  const holds = async (given: Readonly<Record<string, unknown>>): Promise<boolean> => {
    const output = [{ ...call, arguments: { ...call.arguments, ...given } }];
    return (await verifyCandidate({ ...candidate, output }, gold, context)).kept;
  };
  const proven: [string, unknown[]][] = [];
  for (const [name, values] of Object.entries(others)) {
    const accepted: unknown[] = [];
    for (const value of values) if (await holds({ [name]: value })) accepted.push(value);
    if (accepted.length === 0) continue;
    if (typeof accepted[0] === 'string' && (await holds({ [name]: AWKWARD }))) continue;
    proven.push([name, accepted]);
  }
  if (proven.length === 0) return undefined;
  const together = Object.fromEntries(proven.map(([name, accepted]) => [name, accepted.at(-1)]));
  return proven.length === 1 || (await holds(together)) ? Object.fromEntries(proven) : undefined;
}
