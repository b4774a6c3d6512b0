import type { Catalog } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { sameRows } from '../../../contracts/same-rows.ts';
import type { Row } from '../../../contracts/value.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import { printQuery, type Query } from '../../sql/index.ts';
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

/**
 * Why a query makes no good question, or null when it does: it runs, its answer is neither empty nor trivial nor left
 * open by ties, and each of its clauses matters.
 */
export async function whyNotAsk(
  { sql, query, catalog }: { readonly sql: string; readonly query: Query; readonly catalog: Catalog },
  { oracle, file }: { readonly oracle: Oracle; readonly file: string },
): Promise<string | null> {
  if (query.kind === 'values') return 'asks nothing of the data';
  const ordered = query.orderBy.length > 0;
  const run = async (text: string, reversed = false): Promise<readonly Row[] | null> => {
    try {
      return (await oracle.run(file, text, { reversed })).rows;
    } catch (error) {
      if (error instanceof QueryError) return null;
      throw error;
    }
  };
  const rows = await run(sql);
  if (rows === null) return 'does not run';
  const trivial = whyTrivial(rows);
  if (trivial !== null) return trivial;
  const same = (other: readonly Row[] | null) =>
    other !== null && sameRows(rows, other, ordered ? rows.map((_, i) => i) : null);
  if (!same(await run(sql, true))) return 'its answer depends on ties';
  for (const { kind, query: mutant } of mutantsOf(query, catalog)) {
    // Sorting the whole answer the other way round always shows.
    if (!LEFT_OUT.has(kind) || (kind === 'sort direction' && query.limit === null)) continue;
    if (same(await run(printQuery(mutant)))) return `${kind}: changes nothing`;
  }
  return null;
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
