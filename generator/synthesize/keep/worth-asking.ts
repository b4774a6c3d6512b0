import type { Catalog } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { sameRows } from '../../../contracts/same-rows.ts';
import type { Row } from '../../../contracts/value.ts';
import { printQuery, type Query } from '../../../sql/index.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import { mutantsOf } from '../../variants/mutants.ts';

/** Nobody checks a longer answer. */
const MAX_ROWS = 100;

/** Changes that leave a clause out; one that changes no answer shows that the clause is idle. */
const LEFT_OUT = new Set([
  'dropped condition',
  'dropped HAVING',
  'dropped LIMIT',
  'dropped group key',
  'AND for OR',
  'OR for AND',
  'sort direction',
]);

/** A query with what it is about. */
interface Drawn {
  readonly sql: string;
  readonly query: Query;
  readonly catalog: Catalog;
}

/** Where queries are run. */
interface Place {
  readonly oracle: Oracle;
  readonly file: string;
}

/**
 * Why a query makes no good question, or null when it does: it runs, its answer is neither empty nor trivial nor left
 * open by ties, and each of its clauses matters.
 */
export async function whyNotAsk(drawn: Drawn, place: Place): Promise<string | null> {
  const rows = await run(drawn.sql, place);
  const reason = await whyNotAnswered(drawn, place, rows);
  if (reason !== null || rows === null) return reason;
  const { query, catalog } = drawn;
  for (const { kind, query: mutant } of mutantsOf(query, catalog)) {
    // Sorting the whole answer the other way round always shows.
    if (!LEFT_OUT.has(kind) || (kind === 'sort direction' && isWhole(query))) continue;
    if (isSame(rows, await run(printQuery(mutant), place), query)) return `${kind}: changes nothing`;
  }
  return null;
}

/** Why a query has no good answer, or null when it has: it runs, and the answer is neither trivial nor left open by ties. */
export async function whyNotAnswered(
  { sql, query }: Drawn,
  place: Place,
  known?: readonly Row[] | null,
): Promise<string | null> {
  if (query.kind === 'values') return 'asks nothing of the data';
  const rows = known === undefined ? await run(sql, place) : known;
  if (rows === null) return 'does not run';
  const trivial = whyTrivial(rows);
  if (trivial !== null) return trivial;
  return isSame(rows, await run(sql, place, true), query) ? null : 'its answer depends on ties';
}

/** The rows of a query, or null when it fails or takes too long. */
async function run(sql: string, { oracle, file }: Place, reversed = false): Promise<readonly Row[] | null> {
  try {
    return (await oracle.run(file, sql, { reversed })).rows;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

function isSame(rows: readonly Row[], other: readonly Row[] | null, query: Query): boolean {
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  return other !== null && sameRows(rows, other, ordered ? rows.map((_, i) => i) : null);
}

function isWhole(query: Query): boolean {
  return query.kind !== 'values' && query.limit === null;
}

function whyTrivial(rows: readonly Row[]): string | null {
  if (rows.length === 0) return 'finds nothing';
  if (rows.length > MAX_ROWS) return 'finds too much';
  const cells = rows.flat();
  if (cells.every((cell) => cell === null)) return 'finds only NULL';
  const [only] = cells;
  const [first] = rows;
  if (rows.length === 1 && first?.length === 1 && (Number(only) === 0 || Number(only) === 100))
    return 'finds all or nothing';
  const distinct = new Set(
    rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
  );
  return distinct.size < rows.length ? 'repeats rows' : null;
}
