import Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import type { Query } from '../sql/index.ts';
import { type Ambiguity, ambiguitiesOf } from './ambiguities.ts';
import { tieBreakers } from './tie-breakers.ts';
import { visitOrder } from './visit-order.ts';

/** A query that an endpoint can run on any copy of the rows, whatever its indexes. */
export interface TiesBroken {
  /** Has the same literals, by identity, as the query it was made from. */
  readonly query: Query;
  /** What SQL still leaves open: none, and the answer is the same under every plan. */
  readonly open: readonly Ambiguity[];
  /** Other ways to break the ties that give the gold rows on the original, the likeliest first. */
  readonly others: readonly Query[];
}

export interface TieContext {
  readonly catalog: Catalog;
  /** The original database, without indexes of ours: how SQLite plans a query there tells how its ties fell. */
  readonly file: string;
  /** How many states of the data there are to agree with, the original among them. */
  readonly states: number;
  /** In how many of these states a version of the query gives the gold rows; 0 when not on the original. */
  readonly agreement: (version: Query) => Promise<number>;
}

/**
 * Spells out, as sort keys, what the gold SQL leaves open and SQLite decided by the plan it chose on the
 * original database, so that indexes cannot change the answer. On the original the gold rows must come out; the
 * other states of the data say which of several ways generalises. When there is none, the query comes back as it
 * was, with what it leaves open.
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
  // What leaves less open comes first: indexes cannot change it.
  const [best, ...rest] = found.sort((a, b) => a.left.length - b.left.length || b.score - a.score);
  if (!best) return { query, open, others: [] };
  return { query: best.query, open: best.left, others: rest.map((other) => other.query) };
}

/** Versions of a query with sort keys for what it leaves open, those first that follow its plan on this database. */
export function tieBrokenVersions(
  query: Query,
  open: readonly Ambiguity[],
  file: string,
  catalog: Catalog,
): Query[] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return tieBreakers(query, open, visitOrder(db, query), catalog);
  } finally {
    db.close();
  }
}
