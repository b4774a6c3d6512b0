import { sameCell, sameRow, sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog, Cell, Row } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import { groupBy } from '../../contracts/grouping.ts';
import type { Sample } from '../../contracts/sample.ts';
import {
  Determined,
  type Expr,
  integerLiteral,
  isCorrelated,
  node,
  type OutputColumn,
  outputNames,
  ownExprs,
  printQuery,
  type Query,
  queriesOf,
  replaceNode,
  type Select,
  type SetOperation,
  type Source,
  type SourceId,
  sameExpr,
  selectBlocks,
  type Values,
} from '../../sql/index.ts';
import type { Oracle, StatementAhead } from '../oracle/oracle.ts';

/** The gold answer on one database, and which parts of it SQL determines. */
export interface Expectation {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly pinned: boolean;
  /** See `sample.order_groups`; null without ORDER BY. */
  readonly orderGroups: readonly number[] | null;
  /** Whether LIMIT cuts through rows with equal (or no) sort keys. */
  readonly cutsTie: () => Promise<boolean>;
  /** If so: the rows that could be at each position; null when there are too many. */
  readonly choices: () => Promise<readonly (readonly Row[])[] | null>;
}

export interface ExpectationContext {
  readonly oracle: Oracle;
  readonly catalog: Catalog;
  /** Visit unsorted rows in the opposite order. */
  readonly reversed?: boolean;
}

/** The statements that `expectAnswer` runs, for `Oracle.runAhead`; with the one that finds sorted ties that LIMIT cuts if `cut`. */
export function statementsFor(
  sql: string,
  query: Query,
  catalog: Catalog,
  { cut = false } = {},
): StatementAhead[] {
  const gold = { sql };
  if (query.kind === 'values') return [gold];
  const keyed = withSortKeys(query, catalog);
  const sorted = keyed?.exact ? keyed : withEveryKey(query, catalog);
  const first = cut && keyed && query.limit ? firstRows(query, keyed) : null;
  return [
    gold,
    ...(sorted && sorted.query !== query ? [{ sql: printQuery(sorted.query), least: 2 }] : []),
    ...(first ? [{ sql: printQuery(first), least: 1 }] : []),
  ];
}

/** The rows up to a LIMIT that is reached, and one more; null if it is no plain number. */
function firstRows(query: Exclude<Query, Values>, keyed: KeyedQuery): Query | null {
  const most = query.limit && numberOf(query.limit.count);
  const offset = numberOf(query.limit?.offset ?? integerLiteral(0n));
  if (most === null || most < 0 || offset === null) return null;
  return withLimit(keyed.query, BigInt(offset + most + 1));
}

/** Runs the gold SQL. Throws QueryErrors of the oracle. */
export async function expectAnswer(
  sql: string,
  query: Query,
  file: string,
  { oracle, catalog, reversed = false }: ExpectationContext,
): Promise<Expectation> {
  const { columns, rows, pinned } = await oracle.run(file, sql, { reversed });
  const keyed = withSortKeys(query, catalog);
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  const run = runOn(file, oracle);

  const orderGroups = ordered ? await groupRows(query, rows, keyed, catalog, run) : null;
  let known: ReturnType<typeof cutOf> | undefined;
  const cut = () => {
    known ??= cutOf(query, keyed, ordered, rows.length, run);
    return known;
  };
  return {
    columns,
    rows,
    pinned,
    orderGroups,
    cutsTie: async () => (await cut()) !== null,
    choices: async () => (await cut())?.() ?? null,
  };
}

/** A subquery in which LIMIT picks among rows. */
export type Cut = Select | SetOperation;

/** Whether LIMIT cuts through ties in a subquery; true for a correlated one, which cannot be run alone. */
export async function cutsInnerTie(
  inner: Cut,
  outermost: Query,
  file: string,
  { oracle, catalog }: ExpectationContext,
): Promise<boolean> {
  const alone = asStandalone(inner, outermost);
  if (!alone) return true;
  const run = runOn(file, oracle);
  const rows = await orNullIfTooMany(run(alone));
  if (!rows) return true;
  const keyed = withSortKeys(alone, catalog);
  return keyed === null || (await cutOf(alone, keyed, true, rows.length, run)) !== null;
}

/** Most rows that a sample stores for one tie. */
const MAX_TIED_ROWS = 1000;
/** Most other rows of a subquery that are tried. */
const MAX_CHOICES = 50;

/** The rows among which the outermost LIMIT picks; empty if too many. */
export async function tiedRows({
  rows,
  orderGroups,
  choices,
}: Expectation): Promise<NonNullable<Sample['tied_rows']>> {
  const possible = orderGroups && (await choices());
  if (!possible) return [];
  const groups = new Map(rows.map((_, i) => [orderGroups[i] ?? i, possible[i] ?? []]));
  const cut = [...groups].filter(
    ([group, tied]) => tied.length > orderGroups.filter((each) => each === group).length,
  );
  if (cut.reduce((sum, [, tied]) => sum + tied.length, 0) > MAX_TIED_ROWS) return [];
  return cut.map(([group, tied]) => ({ group, rows: tied.map((row) => [...row]) }));
}

/** The distinct answers for each other row that the `LIMIT 1` of a subquery could pick. */
export async function otherAnswers(
  inner: Cut,
  outermost: Query,
  { rows: gold }: Expectation,
  file: string,
  { oracle, catalog }: ExpectationContext,
): Promise<Row[][]> {
  const alone = asStandalone(inner, outermost);
  const keyed = alone && withSortKeys(alone, catalog);
  const offset = numberOf(inner.limit?.offset ?? integerLiteral(0n));
  if (!keyed?.exact || offset === null || !inner.limit || numberOf(inner.limit.count) !== 1) return [];
  const run = runOn(file, oracle);
  const all = await orNullIfTooMany(run(withLimit(keyed.query, null)));
  const groups = all ? groupsOf(all, keyed) : [];
  const others = groups.flatMap((group, i) => (group === groups[offset] && i !== offset ? [i] : []));
  if (others.length > MAX_CHOICES) return [];
  const found: Row[][] = [];
  for (const at of others) {
    const limit = { count: integerLiteral(1n), offset: integerLiteral(BigInt(at)) };
    const rows = await orNullIfTooMany(run(replaceNode(outermost, inner, node({ ...inner, limit }))));
    if (rows && ![gold, ...found].some((known) => sameRows(known, rows, null))) found.push([...rows]);
  }
  return found.reduce((sum, rows) => sum + rows.length, 0) > MAX_TIED_ROWS ? [] : found;
}

/** A subquery with the CTEs it sees; null if correlated. */
function asStandalone(inner: Cut, outermost: Query): Select | null {
  const block = selectBlocks(outermost).find(({ select }) => select === inner);
  if (!block || isCorrelated(inner)) return null;
  return node({ ...block.select, with: Object.freeze([...block.ctes, ...inner.with]) });
}

/** Whether the rows are the expected ones; rows tied on the sort keys may swap. */
export function isExpected(expected: Expectation, rows: readonly Row[]): boolean {
  return sameRows(expected.rows, rows, expected.orderGroups);
}

/** As `isExpected`, but LIMIT may have kept others of the tied rows. */
export async function isExpectedUpToTies(expected: Expectation, rows: readonly Row[]): Promise<boolean> {
  if (expected.rows.length !== rows.length || !(await expected.cutsTie())) return false;
  const choices = await expected.choices();
  if (!choices) return false;
  const left = new Map<readonly Row[], Row[]>();
  return rows.every((row, i) => {
    const possible = choices[i] ?? [];
    const rest = left.get(possible) ?? [...possible];
    left.set(possible, rest);
    const at = rest.findIndex((each) => sameRow(each, row));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

type Run = (query: Query) => Promise<readonly Row[]>;

function runOn(file: string, oracle: Oracle): Run {
  return (query) => oracle.run(file, printQuery(query)).then(({ rows }) => rows);
}

async function groupRows(
  query: Query,
  rows: readonly Row[],
  keyed: KeyedQuery | null,
  catalog: Catalog,
  run: Run,
): Promise<number[]> {
  const strict = rows.map((_, i) => i);
  if (rows.length < 2) return strict;
  if (keyed?.exact) {
    const shown = keyed.query === query ? rows : await run(keyed.query);
    return shown.length === rows.length ? groupsOf(shown, keyed) : strict;
  }
  const everyKey = withEveryKey(query, catalog);
  const every = everyKey && (await orNullIfTooMany(run(everyKey.query)));
  return every ? groupsOfDistinct(rows, every, everyKey) : strict;
}

/** When LIMIT cuts through tied rows: how to get all rows that could be at each position. */
async function cutOf(
  query: Query,
  keyed: KeyedQuery | null,
  ordered: boolean,
  count: number,
  run: Run,
): Promise<(() => Promise<Row[][] | null>) | null> {
  if (query.kind === 'values' || !query.limit || count === 0 || (ordered && !keyed)) return null;
  const offset = numberOf(query.limit.offset ?? integerLiteral(0n));
  if (offset === null) return null;
  const shown: Query = keyed?.query ?? query;
  const keys: KeyedQuery = keyed ?? { query, keys: [], exact: true };
  const end = offset + count;
  const first = groupsOf(await run(withLimit(shown, BigInt(end + 1))), keys);
  const cutsEnd = first.length > end && first[end] === first[end - 1];
  const cutsStart = offset > 0 && first[offset] === first[offset - 1];
  if (!cutsEnd && !cutsStart) return null;

  const width = query.kind === 'select' ? query.columns.length : undefined;
  return async () => {
    const all = await orNullIfTooMany(run(withLimit(shown, null)));
    if (!all) return null;
    const groups = groupsOf(all, keys);
    const tied = groupBy(all.keys(), (i) => groups[i] ?? 0);
    const rows = new Map(
      [...tied].map(([group, own]) => [group, own.map((i) => all[i]?.slice(0, width) ?? [])]),
    );
    return groups.slice(offset, end).map((group) => rows.get(group) ?? []);
  };
}

function withLimit(query: Query, count: bigint | null): Query {
  if (query.kind === 'values') return query;
  return node({ ...query, limit: count === null ? null : { count: integerLiteral(count), offset: null } });
}

function numberOf(expr: Expr): number | null {
  return expr.kind === 'literal' && expr.type === 'integer' ? Number(expr.value) : null;
}

async function orNullIfTooMany<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QueryError && (error.code === 'SQL_TOO_LARGE' || error.code === 'TOO_SLOW')) {
      return null;
    }
    throw error;
  }
}

/** A query that also returns its sort keys, and their positions. */
interface KeyedQuery {
  /** Sort keys that are not returned already are appended; the query itself if there are none. */
  readonly query: Query;
  readonly keys: readonly { readonly index: number; readonly collation: string }[];
  /** Whether the keys belong to the answer's rows; SQLite may take them from other rows. */
  readonly exact: boolean;
}

/** null without ORDER BY, for set operations, and with DISTINCT groups. */
function withSortKeys(query: Query, catalog: Catalog): KeyedQuery | null {
  if (query.kind === 'values' || query.orderBy.length === 0) return null;
  if (query.kind === 'set_operation') {
    const keys = query.orderBy.map(({ expr }) => {
      const inner = expr.kind === 'collate' ? expr.expr : expr;
      return {
        index: inner.kind === 'output' ? inner.index : -1,
        collation: collationOf(expr, query, catalog),
      };
    });
    return keys.every(({ index }) => index >= 0) ? { query, keys, exact: true } : null;
  }
  const columns: OutputColumn[] = [...query.columns];
  const keys = query.orderBy.map(({ expr }) => {
    let index = columns.findIndex((column) => sameExpr(column.expr, bare(expr)));
    if (index < 0) {
      index = columns.length;
      columns.push(node({ expr: bare(expr), name: `sort_key_${index}`, alias: null }));
    }
    return { index, collation: collationOf(expr, query, catalog) };
  });
  const added = columns.slice(query.columns.length);
  if (added.length === 0) return { query, keys, exact: true };
  if (query.distinct) {
    const row = new Determined(
      query,
      catalog,
      query.columns.map(({ expr }) => expr),
    );
    if (!added.every(({ expr }) => row.has(expr))) return firstAppearances(query, columns, keys);
  }
  return { query: node({ ...query, columns: Object.freeze(columns) }), keys, exact: true };
}

function bare(expr: Expr): Expr {
  return expr.kind === 'collate' ? bare(expr.expr) : expr;
}

/** SELECT DISTINCT as groups: a result row has the sort keys of the first row equal to it. */
function firstAppearances(
  select: Select,
  columns: readonly OutputColumn[],
  keys: KeyedQuery['keys'],
): KeyedQuery | null {
  const parts = [...select.columns, ...select.orderBy].flatMap(({ expr }) => [...ownExprs(expr)]);
  const plain = !parts.some(({ kind }) => kind === 'aggregate' || kind === 'window');
  if (select.groupBy.length > 0 || !plain) return null;
  const groupBy = Object.freeze(select.columns.map(({ expr }) => expr));
  return {
    query: node({ ...select, distinct: false, columns: Object.freeze([...columns]), groupBy }),
    keys,
    exact: false,
  };
}

/** SELECT DISTINCT with each row once for each of its sort keys; null for other queries. */
function withEveryKey(query: Query, catalog: Catalog): KeyedQuery | null {
  if (query.kind !== 'select' || !query.distinct || query.orderBy.length === 0) return null;
  const columns: OutputColumn[] = [...query.columns];
  const keys = query.orderBy.map(({ expr }, i) => {
    columns.push(node({ expr: bare(expr), name: `sort_key_${i}`, alias: null }));
    return { index: columns.length - 1, collation: collationOf(expr, query, catalog) };
  });
  return { query: node({ ...query, columns: Object.freeze(columns), limit: null }), keys, exact: false };
}

/** Numbers runs of equal sort keys, as `groupsOf`; a row with several keys is a run of its own. */
function groupsOfDistinct(rows: readonly Row[], every: readonly Row[], { keys }: KeyedQuery): number[] {
  const [width] = keys.map(({ index }) => index);
  const textOf = (row: Row) => printExactJson(row.slice(0, width));
  const keyed = new Map<string, Row | null>();
  for (const row of every) {
    const text = textOf(row);
    const known = keyed.get(text);
    const isOther = known && !keys.every((key) => sameKey(known, row, key));
    keyed.set(text, known === null || isOther ? null : (known ?? row));
  }
  return groupsOf(
    rows.map((row) => keyed.get(textOf(row)) ?? null),
    { keys },
  );
}

/** For each row the number of its run of equal sort keys: 0, 0, 1, …; null is a run of its own. */
export function groupsOf(rows: readonly (Row | null)[], { keys }: Pick<KeyedQuery, 'keys'>): number[] {
  let group = -1;
  return rows.map((row, i) => {
    const before = rows[i - 1];
    const tied = row && before && keys.every((key) => sameKey(row, before, key));
    if (!tied) group++;
    return group;
  });
}

/** Whether two rows sort together. */
export function sameKey(a: Row, b: Row, key: KeyedQuery['keys'][number]): boolean {
  return sameCell(fold(a[key.index] ?? null, key.collation), fold(b[key.index] ?? null, key.collation));
}

function fold(cell: Cell, collation: string): Cell {
  if (typeof cell !== 'string') return cell;
  if (collation === 'NOCASE') return cell.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return collation === 'RTRIM' ? cell.replace(/ +$/, '') : cell;
}

/** The collation of comparisons, upper case: `BINARY` by default. */
function collationOf(expr: Expr, query: Query, catalog: Catalog): string {
  const sources = new Map<SourceId, Source>();
  const ctes = new Map<string, { query: Query; columns: readonly string[] }>();
  for (const inner of queriesOf(query)) {
    for (const cte of inner.with) ctes.set(cte.name, cte);
    if (inner.kind === 'select') for (const { source } of inner.from) sources.set(source.id, source);
  }

  const ofColumn = (source: SourceId, name: string): string => {
    const from = sources.get(source);
    if (from?.kind === 'table') {
      const table = catalog.tables.find((each) => each.name === from.table);
      return table?.columns.find((column) => column.name === name)?.collation ?? 'BINARY';
    }
    const inner = from?.kind === 'derived' ? from : from && ctes.get(from.name);
    if (!inner) return 'BINARY';
    const names = 'columns' in inner ? inner.columns : outputNames(inner.query);
    return ofOutput(inner.query, names.indexOf(name));
  };
  const ofOutput = (inner: Query, index: number): string => {
    if (inner.kind === 'set_operation') return ofOutput(inner.left, index);
    const output = inner.kind === 'select' ? inner.columns[index]?.expr : undefined;
    return output ? of(output, inner) : 'BINARY';
  };
  const of = (each: Expr, inside: Query): string => {
    switch (each.kind) {
      case 'collate':
        return each.collation.toUpperCase();
      case 'column':
        return ofColumn(each.source, each.name);
      case 'output':
        return ofOutput(inside, each.index);
      case 'cast':
        return of(each.expr, inside);
      case 'unary':
        return each.op === '+' ? of(each.expr, inside) : 'BINARY';
      default:
        return 'BINARY';
    }
  };
  return of(expr, query);
}

/** How the rows differ from the expected ones: one sentence for coverage.json. */
export function describeDifference(expected: Expectation, rows: readonly Row[]): string {
  const gold = expected.rows;
  if (gold.length !== rows.length) return `${count(rows)} where the gold SQL gives ${gold.length}`;
  const widths = [gold[0]?.length ?? 0, rows[0]?.length ?? 0];
  if (widths[0] !== widths[1]) return `${widths[1]} columns where the gold SQL gives ${widths[0]}`;
  if (expected.orderGroups === null) return `${count(rows)}, but not those of the gold SQL`;
  for (const [i, row] of gold.entries()) {
    const column = row.findIndex((cell, j) => !sameCell(cell, rows[i]?.[j] ?? null));
    if (column >= 0) return `row ${i + 1} differs from the gold SQL's in column ${column + 1}`;
  }
  return 'the rows come in another order';
}

function count(rows: readonly Row[]): string {
  return rows.length === 1 ? '1 row' : `${rows.length} rows`;
}
