import type { Catalog } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { sameRow, sameRows } from '../../../contracts/same-rows.ts';
import type { Sample } from '../../../contracts/sample.ts';
import type { Row } from '../../../contracts/value.ts';
import {
  integerLiteral,
  isCorrelated,
  node,
  printQuery,
  type Query,
  replaceNode,
  type Select,
  type SetOperation,
  selectBlocks,
} from '../../../sql/index.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import { groupsOf, groupsOfDistinct, type KeyedQuery, withEveryKey, withSortKeys } from './order-groups.ts';

/** The gold answer on one database, and which parts of it SQL determines. */
export interface Expectation {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly pinned: boolean;
  /** See `sample.order_groups`; null without ORDER BY. */
  readonly orderGroups: readonly number[] | null;
  /** Whether LIMIT cuts through rows with equal sort keys (all rows, when there are no sort keys). */
  readonly cutsTie: boolean;
  /** If so: all rows that could be at each position of the answer; null when there are too many. */
  readonly choices: () => Promise<readonly (readonly Row[])[] | null>;
}

export interface ExpectationContext {
  readonly oracle: Oracle;
  readonly catalog: Catalog;
  /** Visit rows in the opposite order wherever the SQL asks for none. */
  readonly reversed?: boolean;
}

/** What SQLite answers to the gold SQL on a database file. Throws QueryErrors of the oracle. */
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

  const orderGroups = ordered ? await groupRows(rows, keyed, withEveryKey(query, catalog), run) : null;
  const cut = await cutOf(query, keyed, ordered, rows.length, run);
  return { columns, rows, pinned, orderGroups, cutsTie: cut !== null, choices: async () => cut?.() ?? null };
}

/** A subquery in which LIMIT picks among rows. */
export type Cut = Select | SetOperation;

/**
 * Whether LIMIT cuts through tied rows in a subquery, in one database; also true when this cannot be checked because
 * the subquery is correlated.
 */
export async function cutsInnerTie(
  inner: Cut,
  outermost: Query,
  file: string,
  { oracle, catalog }: ExpectationContext,
): Promise<boolean> {
  const alone = standingAlone(inner, outermost);
  if (!alone) return true;
  const run = runOn(file, oracle);
  const rows = await orNullIfTooMany(run(alone));
  if (!rows) return true;
  const keyed = withSortKeys(alone, catalog);
  return keyed === null || (await cutOf(alone, keyed, true, rows.length, run)) !== null;
}

/** The most rows that a sample holds for one tie. */
const MAX_TIED_ROWS = 1000;
/** The most other choices in a subquery that are tried. */
const MAX_CHOICES = 50;

/** The rows among which the LIMIT of the whole query picks; none where they are too many to be listed. */
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

/**
 * The other answers of a query where the `LIMIT 1` of a subquery picks one of some tied rows: one for each other row
 * that it could pick, each once.
 */
export async function otherAnswers(
  inner: Cut,
  outermost: Query,
  { rows: gold }: Expectation,
  file: string,
  { oracle, catalog }: ExpectationContext,
): Promise<Row[][]> {
  const alone = standingAlone(inner, outermost);
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

/** A subquery with the CTEs that it sees; null where it is correlated. */
function standingAlone(inner: Cut, outermost: Query): Select | null {
  const block = selectBlocks(outermost).find(({ select }) => select === inner);
  if (!block || isCorrelated(inner)) return null;
  return node({ ...block.select, with: Object.freeze([...block.ctes, ...inner.with]) });
}

/** Whether the rows are the gold rows; rows tied on the sort keys may swap. */
export function isExpected(expected: Expectation, rows: readonly Row[]): boolean {
  return sameRows(expected.rows, rows, expected.orderGroups);
}

/** Whether the rows are the gold rows, except that LIMIT may have kept other tied rows. */
export async function isExpectedUpToTies(expected: Expectation, rows: readonly Row[]): Promise<boolean> {
  if (!expected.cutsTie || expected.rows.length !== rows.length) return false;
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
  rows: readonly Row[],
  keyed: KeyedQuery | null,
  everyKey: KeyedQuery | null,
  run: Run,
): Promise<number[]> {
  const strict = rows.map((_, i) => i);
  if (rows.length < 2) return strict;
  if (keyed?.exact) {
    const shown = await run(keyed.query);
    return shown.length === rows.length ? groupsOf(shown, keyed) : strict;
  }
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
    const byGroup = new Map<number, Row[]>();
    all.forEach((row, i) => {
      const group = groups[i] ?? 0;
      const rows = byGroup.get(group) ?? [];
      byGroup.set(group, rows);
      rows.push(row.slice(0, width));
    });
    return groups.slice(offset, end).map((group) => byGroup.get(group) ?? []);
  };
}

function withLimit(query: Query, count: bigint | null): Query {
  if (query.kind === 'values') return query;
  return node({ ...query, limit: count === null ? null : { count: integerLiteral(count), offset: null } });
}

function numberOf(expr: { kind: string }): number | null {
  return expr.kind === 'literal' && 'value' in expr && typeof expr.value === 'bigint'
    ? Number(expr.value)
    : null;
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
