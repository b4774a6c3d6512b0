import type { Catalog } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { sameRow, sameRows } from '../../../contracts/same-rows.ts';
import type { Row } from '../../../contracts/value.ts';
import {
  integerLiteral,
  isCorrelated,
  node,
  printQuery,
  type Query,
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
  const run = (shown: Query) => oracle.run(file, printQuery(shown)).then((answer) => answer.rows);

  const orderGroups = ordered ? await groupRows(rows, keyed, withEveryKey(query, catalog), run) : null;
  const cut = await cutOf(query, keyed, ordered, rows.length, run);
  return { columns, rows, pinned, orderGroups, cutsTie: cut !== null, choices: async () => cut?.() ?? null };
}

/**
 * Whether LIMIT cuts through tied rows in a subquery, in one database; also true when this cannot be checked because
 * the subquery is correlated.
 */
export async function cutsInnerTie(
  inner: Select | SetOperation,
  outermost: Query,
  file: string,
  { oracle, catalog }: ExpectationContext,
): Promise<boolean> {
  const block = selectBlocks(outermost).find(({ select }) => select === inner);
  if (!block || isCorrelated(inner)) return true;
  const alone: Select = node({ ...block.select, with: Object.freeze([...block.ctes, ...inner.with]) });
  const run = (shown: Query) => oracle.run(file, printQuery(shown)).then((answer) => answer.rows);
  const rows = await orNullIfTooMany(run(alone));
  if (!rows) return true;
  const keyed = withSortKeys(alone, catalog);
  return keyed === null || (await cutOf(alone, keyed, true, rows.length, run)) !== null;
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
    if (error instanceof QueryError && (error.code === 'SQL_TOO_LARGE' || error.code === 'SQL_TIMEOUT')) {
      return null;
    }
    throw error;
  }
}
