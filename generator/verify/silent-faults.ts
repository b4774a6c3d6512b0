import { isDeepStrictEqual } from 'node:util';
import { sameCell, sameRows } from '../../contracts/answer-rows.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import {
  type Contradiction,
  contradiction,
  type FaultWitness,
  type OtherEndpoint,
  type ProvenFault,
  type ProvenFaults,
  type QuestionFact,
  silentFaultKind,
} from '../../contracts/faults.ts';
import { addressOf } from '../../contracts/formulation.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { type Endpoint, restAnswer, type Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { startCalls } from '../../contracts/tool-chain.ts';
import { type ColumnAnswer, columnAnswer, type TableAnswer, tableAnswer } from '../../contracts/tools.ts';
import { answerHash, rowsOf, type Spoiling, spoilsOf } from '../../services/agents/silent-faults.ts';
import {
  conjuncts,
  type Expr,
  exprKey,
  literalValue,
  type Query,
  type Select,
  type Token,
  tokenize,
} from '../../sql/index.ts';
import { unlessRefused } from '../oracle/oracle.ts';
import type { GoldQuery } from './gold-answers.ts';
import { type InjectableApp, type PlayOptions, playCalls, requestKey } from './verify-candidate.ts';

export interface SilentFaultContext {
  readonly service: Service;
  /** The domain over its original data. */
  readonly app: InjectableApp;
  /** The domain over neighbours' data, for stale rows. */
  readonly neighbours: readonly InjectableApp[];
  readonly gold: GoldQuery | undefined;
}

/** Surroundings, with the call of the other endpoint. */
interface ProvenSurroundings extends Surroundings {
  readonly other?: (NonNullable<Surroundings['other']> & { readonly call: OtherEndpoint }) | undefined;
}

/** Longer answers get no faults: no agent reads all of them, and every fault is computed here. */
const MAX_ANSWER = 20_000;
/** Other endpoints tried, each on every database. */
const MOST_OTHERS = 5;
/** Stale rows are stored with the task. */
const MAX_STALE = 2_000;

/**
 * Faults for the first answer that can have any: each makes the final rows wrong, and contradicts something
 * an agent has or can ask for, as the true answer does not. null when there are none.
 */
export async function proveSilentFaults(
  sample: Sample,
  context: SilentFaultContext,
): Promise<ProvenFaults | null> {
  const { service, app, neighbours } = context;
  // The columns depend on the call, so no fault could be detected.
  if (sample.output.some((call) => !endpointOf(call, sample, service)) && isSingle(sample)) return null;
  const played = await record(sample, service, app);
  if (!played) return null;
  const starts = startCalls(sample.initialization_step).length;
  const spoilable = sample.output.flatMap((call, i) => {
    const exchange = played.texts[i + starts];
    const isSpoilable = exchange && exchange.text.length <= MAX_ANSWER && rowsOf(exchange.text) !== null;
    return isSpoilable ? [{ call, i, ...exchange }] : [];
  });
  if (spoilable.length === 0) return null;
  const stale: (readonly string[])[] = [];
  for (const neighbour of neighbours) {
    const other = await record(sample, service, neighbour, { previews: spoilable.map(({ call }) => call) });
    if (other) stale.push(other.texts.map(({ text }) => text));
  }
  for (const { call, i, text, key } of spoilable) {
    const at = sample.output.flatMap((_, j) => (played.texts[j + starts]?.key === key ? [j] : []));
    const endpoint = endpointOf(call, sample, service);
    const other = endpoint && (await findOther(endpoint, call, context));
    const surroundings: ProvenSurroundings = {
      endpoint,
      table: readFrom(call, sample, played.texts.slice(starts)),
      other,
      facts: factsOf(sample, i, endpoint, context.gold),
    };
    const breaksAnswer = (spoilt: unknown) => {
      const rows = played.rowsIf?.(at, spoilt) ?? null;
      return rows !== null && !sameRows(sample.gold_answer, rows, sample.order_groups);
    };
    const found = proveAnswer(
      text,
      surroundings,
      stale.map((texts) => texts[i + starts] ?? ''),
      breaksAnswer,
    );
    if (found)
      return { tool: call.name, answer: answerHash(text), ...found, ...witnessing(found, surroundings) };
  }
  return null;
}

function proveAnswer(
  text: string,
  surroundings: Surroundings,
  staleTexts: readonly string[],
  breaksAnswer: (spoilt: unknown) => boolean,
): Pick<ProvenFaults, 'faults' | 'stale_rows'> | null {
  const truth = findContradictions(parseExactJson(text), surroundings);
  const staleRows = staleTexts
    .flatMap((each) => rowsOf(each) ?? [])
    .filter(({ length }) => length <= MAX_STALE);
  const columns = surroundings.endpoint?.columns.map(({ name }) => name) ?? [undefined];
  const faults: ProvenFault[] = [];
  const spoil = spoilsOf(text);
  let chosen: string | undefined;
  const proves = (spoiling: Spoiling): boolean => {
    const text = spoil(spoiling);
    if (text === null) return false;
    const spoilt = parseExactJson(text);
    const detected = findContradictions(spoilt, surroundings).filter((each) => !truth.includes(each));
    const witnesses = witnessesOf(detected, spoiling.contradiction);
    if (!witnesses || !breaksAnswer(spoilt)) return false;
    const { fault, contradiction: kind, column } = spoiling;
    faults.push({ fault, contradiction: kind, column, witnesses });
    return true;
  };
  for (const fault of silentFaultKind.options) {
    for (const kind of contradiction.options) {
      if (fault === 'stale_rows') {
        const known = chosen === undefined ? staleRows : [chosen];
        chosen = known.find((rows) => proves({ fault, contradiction: kind, stale_rows: rows })) ?? chosen;
      } else {
        const inColumn = fault === 'shifted_rows' || fault === 'wrong_unit';
        const tried = inColumn ? columns : [undefined];
        tried.some((column) => proves({ fault, contradiction: kind, column }));
      }
    }
  }
  if (faults.length === 0) return null;
  return { faults, stale_rows: chosen };
}

/** The witnesses stored with the faults that they detect: the other endpoint's call, and the question's facts. */
function witnessing(
  { faults }: Pick<ProvenFaults, 'faults'>,
  { other, facts = [] }: ProvenSurroundings,
): Pick<ProvenFaults, 'other_endpoint' | 'question_facts'> {
  const detected = new Set(faults.flatMap(({ witnesses }) => witnesses));
  return {
    ...(other && detected.has('other_endpoint') ? { other_endpoint: other.call } : {}),
    ...(detected.has('question') ? { question_facts: [...facts] } : {}),
  };
}

/** The witnesses by which a fault of a kind is detected; without others, the same call repeated. */
function witnessesOf(detected: readonly FaultWitness[], kind: Contradiction): FaultWitness[] | null {
  const explicit = detected.some((witness) => witness === 'row_count' || witness === 'schema');
  if (explicit !== (kind === 'explicit')) return null;
  return detected.length === 0 ? ['repeat'] : [...detected];
}

function isSingle({ formulation }: Sample): boolean {
  return FORMULATIONS[formulation].calls === 'single';
}

/** SEL tools may have the name of an endpoint, so the formulation decides. */
function endpointOf({ name }: Call, { formulation }: Sample, { endpoints }: Service) {
  return formulation === 'rest' ? endpoints.find(({ operation_id }) => operation_id === name) : undefined;
}

/** The earlier answer with the table whose whole column a call reads. */
function readFrom(
  { arguments: args }: Call,
  { output }: Sample,
  texts: readonly { readonly text: string }[],
): TableAnswer | undefined {
  const { data_source: source, distinct = false, limit = -1, offset = 0 } = args;
  if (typeof source !== 'string' || distinct !== false || limit !== -1 || offset !== 0) return undefined;
  const at = output.findIndex(({ label }) => label !== undefined && source === `$${label}$`);
  const answered = texts[at];
  return answered && tableAnswer.safeParse(parseExactJson(answered.text)).data;
}

async function record(sample: Sample, service: Service, app: InjectableApp, options: PlayOptions = {}) {
  const { app: recording, texts } = recordingApp(app);
  const played = await unlessRefused(playCalls(recording, service, sample, options));
  return played && { texts, rowsIf: played.rowsIf };
}

/** Another endpoint over the same rows whose answers agree with the call's on every database. */
async function findOther(
  endpoint: Endpoint,
  { arguments: args }: Call,
  { service, app, neighbours }: SilentFaultContext,
): Promise<ProvenSurroundings['other']> {
  for (const { endpoint: found, tells, columns } of endpointsOfSameRows(endpoint, service.endpoints).slice(
    0,
    MOST_OTHERS,
  )) {
    const names = found.parameters.map(({ name }) => name);
    const own = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
    const call: OtherEndpoint = { tool: found.operation_id, arguments: own, tells, columns };
    const agrees = async (on: InjectableApp) => {
      const [mine, theirs] = [await ask(on, service, endpoint, args), await ask(on, service, found, own)];
      const bothAnswered = mine !== null && theirs !== null;
      return (
        bothAnswered &&
        !findContradictions(mine, { other: { ...call, body: theirs } }).includes('other_endpoint')
      );
    };
    const bodies = await Promise.all([app, ...neighbours].map(agrees));
    if (bodies.every(Boolean)) return { tells, columns, body: await ask(app, service, found, own), call };
  }
  return undefined;
}

/** The endpoint's parsed answer; null if the call fails. */
async function ask(
  app: InjectableApp,
  service: Service,
  { operation_id: name }: Endpoint,
  args: Call['arguments'],
): Promise<unknown> {
  const request = FORMULATIONS.rest.requestOf(service, { name, arguments: args });
  const { statusCode, body } = await app.inject({ method: request.method, url: addressOf(request) });
  return statusCode === 200 ? parseExactJson(body) : null;
}

/** Facts that the question implies for a call's answer; only for the last call, and only if it returns all gold columns. */
function factsOf(
  { gold_answer: rows, gold_columns, output }: Sample,
  at: number,
  endpoint: Endpoint | undefined,
  gold: GoldQuery | undefined,
): QuestionFact[] {
  const isWhole = endpoint ? endpoint.columns.length === gold_columns.length : gold_columns.length === 1;
  if (!gold || !isWhole || at !== output.length - 1) return [];
  const names = endpoint ? endpoint.columns.map(({ name }) => name) : [null];
  const shown = rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i] ?? '', value])));
  // Dropped if the true answer contradicts it.
  return questionFacts(gold.query, gold.question, names).filter((fact) => holds(fact, shown));
}

/** Everything an agent can compare an answer with. */
interface Surroundings {
  /** REST: the endpoint, with its specification. */
  readonly endpoint?: Endpoint | undefined;
  /** SLOT and SEL: the earlier answer with the table of a whole column. */
  readonly table?: TableAnswer | undefined;
  /** REST: the answer of another endpoint over the same rows. */
  readonly other?: (Pick<OtherEndpoint, 'tells' | 'columns'> & { readonly body: unknown }) | undefined;
  /** Implied by the question. */
  readonly facts?: readonly QuestionFact[] | undefined;
}

/** The witnesses that contradict a parsed answer; empty for a plausible answer. */
export function findContradictions(
  body: unknown,
  { endpoint, table, other, facts = [] }: Surroundings,
): FaultWitness[] {
  const rest = restAnswer.safeParse(body);
  if (rest.success) {
    const { data, row_count } = rest.data;
    return [
      ...(data.length === row_count ? [] : (['row_count'] as const)),
      ...(endpoint && !fitsSchema(data, endpoint) ? (['schema'] as const) : []),
      ...(other && !fitsOther(data, other) ? (['other_endpoint'] as const) : []),
      ...(facts.every((fact) => holds(fact, data)) ? [] : (['question'] as const)),
    ];
  }
  const column = columnAnswer.safeParse(body);
  if (!column.success) return [];
  return [
    ...(column.data.values.length === column.data.row_count ? [] : (['row_count'] as const)),
    ...(table && !fitsTable(column.data, table) ? (['earlier_answer'] as const) : []),
    ...(facts.every((fact) => holds(fact, rowsOfColumn(column.data))) ? [] : (['question'] as const)),
  ];
}

function fitsSchema(rows: readonly Readonly<Record<string, unknown>>[], { columns }: Endpoint): boolean {
  return rows.every((row) =>
    columns.every(({ name, type, nullable }) => {
      const value = row[name] ?? null;
      return value === null ? nullable : IS_OF[type](value);
    }),
  );
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';

const IS_OF: Readonly<Record<Endpoint['columns'][number]['type'], (value: unknown) => boolean>> = {
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  number: isNumber,
  string: (value) => typeof value === 'string',
  any: () => true,
};

function fitsTable({ column, values }: ColumnAnswer, { row_count, preview }: TableAnswer): boolean {
  if (row_count !== null && row_count !== values.length) return false;
  return preview.every((row, i) => !(column in row) || sameCell(row[column] ?? null, values[i] ?? null));
}

function rowsOfColumn({ values }: ColumnAnswer): CellRow[] {
  return values.map((value) => ({ '': value }));
}

/** Whether the row count, and the values that both have, agree with another endpoint. */
function fitsOther(
  rows: readonly CellRow[],
  { tells, columns, body }: NonNullable<Surroundings['other']>,
): boolean {
  const read = restAnswer.safeParse(body);
  if (!read.success) return false;
  const { data } = read.data;
  if (tells === 'count') return Number(Object.values(data[0] ?? {})[0]) === rows.length;
  return (
    data.length === rows.length &&
    columns.every(({ own, other }) =>
      sameBag(
        rows.map((row) => row[own]),
        data.map((row) => row[other]),
      ),
    )
  );
}

function sameBag(some: readonly unknown[], others: readonly unknown[]): boolean {
  const texts = (values: readonly unknown[]) => values.map((value) => `${typeof value} ${value}`).sort();
  return isDeepStrictEqual(texts(some), texts(others));
}

type QuestionText = Pick<Question, 'question' | 'evidence'>;
type Bound = Extract<QuestionFact, { kind: 'bound' }>;

const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const SUPERLATIVE = /\b(?:\w{2,}est|most|least|first|last|top|best|worst)\b/i;
const NO_ROW_TWICE = /\b(?:distinct|different|unique)\b/i;

/**
 * Facts that the gold SQL and the words of a question or its hint imply for every true answer: a maximum of rows,
 * no repeats, bounds of a column. `columns` are the answer's names, [null] for a single column.
 */
export function questionFacts(
  query: Query,
  { question, evidence }: QuestionText,
  columns: readonly (string | null)[],
): QuestionFact[] {
  if (query.kind !== 'select') return [];
  const words = `${question} ${evidence}`;
  const rows = query.limit?.count;
  const most = rows?.kind === 'literal' && rows.type === 'integer' ? Number(rows.value) : null;
  return [
    ...(most !== null && most > 0 && asksForAtMost(most, words)
      ? [{ kind: 'at_most', rows: most } as const]
      : []),
    ...(query.distinct && NO_ROW_TWICE.test(words) ? [{ kind: 'distinct' } as const] : []),
    ...boundsOf(query, words, columns),
  ];
}

function asksForAtMost(rows: number, words: string): boolean {
  return rows === 1 ? SUPERLATIVE.test(words) : mentionsNumber(rows, words);
}

function mentionsNumber(value: number, words: string): boolean {
  const word = NUMBER_WORDS[value];
  const digits = String(value).replace('.', '\\.').replace('-', '\\-');
  const plain = words.replaceAll(/(?<=\d),(?=\d{3})/g, '');
  return (
    new RegExp(`(?<![\\d.])${digits}(?![\\d]|\\.\\d)`).test(plain) ||
    (word !== undefined && new RegExp(`\\b${word}\\b`, 'i').test(words))
  );
}

/** Conditions that compare a result column with a value in the question. */
function boundsOf(
  { columns: results, where }: Select,
  words: string,
  names: readonly (string | null)[],
): Bound[] {
  const nameOf = new Map(results.map(({ expr }, i) => [exprKey(expr), names[i]]));
  const bound = (expr: Expr, op: Bound['op'], literal: Expr): Bound[] => {
    const column = expr.kind === 'column' ? nameOf.get(exprKey(expr)) : undefined;
    const value = literal.kind === 'literal' ? literalValue(literal) : null;
    if (column === undefined || value === null || !mentions(value, words)) return [];
    return [{ kind: 'bound', column, op, value }];
  };
  return conjuncts(where).flatMap((condition) => {
    if (condition.kind === 'between' && !condition.negated) {
      const { expr, low, high } = condition;
      return [...bound(expr, '>=', low), ...bound(expr, '<=', high)];
    }
    if (condition.kind !== 'compare') return [];
    const { op, left, right } = condition;
    if (!isBoundOp(op)) return [];
    return [...bound(left, op, right), ...bound(right, MIRRORED[op], left)];
  });
}

function isBoundOp(op: string): op is Bound['op'] {
  return op in MIRRORED;
}

const MIRRORED: Readonly<Record<Bound['op'], Bound['op']>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function mentions(value: number | string, words: string): boolean {
  if (typeof value === 'number') return mentionsNumber(value, words);
  return value.length > 1 && words.toLowerCase().includes(value.toLowerCase());
}

type CellRow = Readonly<Record<string, unknown>>;

export function holds(fact: QuestionFact, rows: readonly CellRow[]): boolean {
  switch (fact.kind) {
    case 'at_most':
      return rows.length <= fact.rows;
    case 'distinct':
      return new Set(rows.map(textOf)).size === rows.length;
    case 'bound':
      return rows.every((row) => isWithin(row[fact.column ?? ''], fact));
  }
}

function textOf(row: CellRow): string {
  return JSON.stringify(Object.values(row), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** Values of another type are outside: where SQLite disagrees, the true answer drops the fact. */
function isWithin(value: unknown, { op, value: bound }: QuestionFact & { kind: 'bound' }): boolean {
  if (typeof bound === 'number' ? !isNumber(value) : typeof value !== 'string') return false;
  const left = value as number | bigint | string;
  switch (op) {
    case '=':
      // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number may be the same.
      return left == bound;
    case '<':
      return left < bound;
    case '<=':
      return left <= bound;
    case '>':
      return left > bound;
    case '>=':
      return left >= bound;
  }
}

interface Exchange {
  readonly key: string;
  readonly text: string;
}

/** Passes requests on and records the answers, in order. */
function recordingApp(app: InjectableApp): {
  readonly app: InjectableApp;
  readonly texts: readonly Exchange[];
} {
  const texts: Exchange[] = [];
  return {
    texts,
    app: {
      async inject(request) {
        const answer = await app.inject(request);
        texts.push({ key: requestKey(request), text: answer.body });
        return { statusCode: answer.statusCode, body: answer.body };
      },
    },
  };
}

/** Another endpoint that reads the same rows by the same arguments. */
interface SameRows extends Pick<OtherEndpoint, 'tells' | 'columns'> {
  readonly endpoint: Endpoint;
}

/** The parts of an endpoint's SELECT, as texts. */
interface Reading {
  /** Expressions of the result columns. */
  readonly results: readonly string[];
  /** FROM and what follows, without ORDER BY. */
  readonly rows: string;
  /** Whether the only result is the number of rows. */
  readonly counts: boolean;
}

/** Endpoints with the same FROM, WHERE and parameters, as agents can see. Most common columns first. */
export function endpointsOfSameRows(endpoint: Endpoint, all: readonly Endpoint[]): SameRows[] {
  const own = readSelect(endpoint);
  if (!own || own.counts) return [];
  const names = new Set(endpoint.parameters.map(({ name }) => name));
  const found = all.flatMap((other): SameRows[] => {
    if (other === endpoint || !other.parameters.every(({ name }) => names.has(name))) return [];
    const read = readSelect(other);
    if (!read || read.rows !== own.rows) return [];
    if (read.counts) return [{ endpoint: other, tells: 'count', columns: [] }];
    const columns = own.results.flatMap((result, i) => {
      const at = read.results.indexOf(result);
      const [mine, theirs] = [endpoint.columns[i]?.name, other.columns[at]?.name];
      return mine === undefined || theirs === undefined ? [] : [{ own: mine, other: theirs }];
    });
    return [{ endpoint: other, tells: 'rows', columns }];
  });
  return found.sort(
    (a, b) => b.columns.length - a.columns.length || (a.endpoint.name < b.endpoint.name ? -1 : 1),
  );
}

/** With these words, rows are not simply those of FROM and WHERE. */
const OTHER_ROWS = ['LIMIT', 'GROUP', 'HAVING', 'UNION', 'INTERSECT', 'EXCEPT', 'WINDOW'];
const AGGREGATES = 'count sum avg min max total group_concat string_agg json_group_array'.split(' ');

/** null when the rows are not simply those of FROM and WHERE. */
function readSelect({ sql }: Pick<Endpoint, 'sql'>): Reading | null {
  const tokens = withDepth(tokenize(sql));
  const outer = tokens.filter(({ depth }) => depth === 0);
  const from = outer.find(({ upper, kind }) => kind === 'word' && upper === 'FROM');
  const [first, second] = outer;
  if (first?.upper !== 'SELECT' || second?.upper === 'DISTINCT' || !from) return null;
  if (outer.some(({ kind, upper }) => kind === 'word' && OTHER_ROWS.includes(upper))) return null;
  const order = outer.find(
    ({ kind, upper, start }) => kind === 'word' && upper === 'ORDER' && start > from.start,
  );
  const results = resultsOf(sql, tokens, first.end, from.start);
  const rows = sql.slice(from.start, order?.start ?? sql.length).trim();
  const counts = results.length === 1 && /^count\((?!DISTINCT)[^()]*\)$/i.test(results[0] as string);
  return !counts && aggregates(tokens, from.start) ? null : { results, rows, counts };
}

interface PlacedToken extends Token {
  readonly depth: number;
}

function withDepth(tokens: readonly Token[]): PlacedToken[] {
  let depth = 0;
  return tokens.map((token) => {
    if (token.text === '(' && token.kind === 'operator') return { ...token, depth: depth++ };
    if (token.text === ')' && token.kind === 'operator') return { ...token, depth: --depth };
    return { ...token, depth };
  });
}

/** The expressions of the result columns, without their names. */
function resultsOf(sql: string, tokens: readonly PlacedToken[], start: number, end: number): string[] {
  const outer = tokens.filter((token) => token.depth === 0 && token.start >= start && token.start < end);
  const commas = outer.filter(({ kind, text }) => kind === 'operator' && text === ',');
  const edges = [start, ...commas.map((comma) => comma.end)];
  return edges.map((edge, i) => {
    const until = commas[i]?.start ?? end;
    const as = outer.findLast((token) => token.upper === 'AS' && token.start >= edge && token.start < until);
    return sql.slice(edge, as?.start ?? until).trim();
  });
}

/** Whether an aggregate or a window is among the results. */
function aggregates(tokens: readonly PlacedToken[], end: number): boolean {
  return tokens.some(
    ({ kind, text, upper, start }, i) =>
      start < end &&
      kind === 'word' &&
      (upper === 'OVER' || (AGGREGATES.includes(text.toLowerCase()) && tokens[i + 1]?.text === '(')),
  );
}
