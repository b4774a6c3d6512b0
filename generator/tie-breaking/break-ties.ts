import Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import { registerScalars } from '../../services/base/workspace/register-scalars.ts';
import type { Query } from '../../sql/index.ts';
import { callsScalarApi } from '../oracle/scalar-calls.ts';
import { type Ambiguity, ambiguitiesOf } from './ambiguities.ts';
import { tieBreakers } from './tie-breakers.ts';
import { visitOrder } from './visit-order.ts';

/** A query that an endpoint can run on any copy of the rows, whatever its indexes. */
export interface TiesBroken {
  /** Has the same literal objects as the query it was made from. */
  readonly query: Query;
  /** The ambiguities left; with none, the answer is the same under every plan. */
  readonly open: readonly Ambiguity[];
  /** Other ways to break the ties that also give the gold rows on the original, the likeliest first. */
  readonly others: readonly Query[];
}

export interface TieContext {
  readonly catalog: Catalog;
  /** The original database, without rookery's indexes: SQLite's plan there shows how it broke the ties. */
  readonly file: string;
  /** How many states of the data there are, including the original. */
  readonly states: number;
  /** In how many of these states a version of the query gives the gold rows; 0 when not on the original. */
  readonly agreement: (version: Query) => Promise<number>;
}

/**
 * Adds sort keys where the gold SQL leaves the answer to SQLite's plan, so that indexes cannot change the answer. On
 * the original database the result must be the gold rows; the other states of the data show which of several ways
 * generalises. If none works, returns the query unchanged, with its ambiguities.
 */
export async function breakTies(
  query: Query,
  { catalog, file, states, agreement }: TieContext,
): Promise<TiesBroken> {
  const open = ambiguitiesOf(query, catalog);
  if (open.length === 0) return { query, open, others: [] };
  const found: { readonly query: Query; readonly left: readonly Ambiguity[]; readonly score: number }[] = [];
  for (const version of tieBrokenVersions(query, open, file, catalog)) {
    const left = ambiguitiesOf(version, catalog);
    if (left.length >= open.length) continue;
    const score = await agreement(version);
    if (score > 0) found.push({ query: version, left, score });
    if (score === states && left.length === 0) break;
  }
  // Versions with fewer ambiguities come first, since indexes cannot change their answers.
  const [best, ...rest] = found.sort((a, b) => a.left.length - b.left.length || b.score - a.score);
  if (!best) return { query, open, others: [] };
  return { query: best.query, open: best.left, others: rest.map((other) => other.query) };
}

/** Versions of a query with added sort keys; those that follow its plan on this database come first. */
export function tieBrokenVersions(
  query: Query,
  open: readonly Ambiguity[],
  file: string,
  catalog: Catalog,
): Query[] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    // A plan does not depend on values.
    if (callsScalarApi(query)) registerScalars(db, () => null);
    return tieBreakers(query, open, visitOrder(db, query), catalog);
  } finally {
    db.close();
  }
}
