import Database from 'better-sqlite3';
import type { Catalog } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { printQuery, type Query } from '../../sql/index.ts';
import { type Expectation, isExpected } from '../../verify/answer/expectation.ts';
import type { Oracle } from '../../verify/oracle/oracle.ts';
import { type Ambiguity, ambiguities } from './ambiguity.ts';
import { settlements } from './settlements.ts';
import { visitOrder } from './visit-order.ts';

/** The gold answer in one database, and the database without our indexes. */
export interface SettleWorld {
  readonly plain: string;
  readonly expected: Expectation;
}

/** A query that an endpoint can run on any copy of the rows, whatever its indexes. */
export interface SettledQuery {
  /** Has the same literals, by identity, as the query it was made from. */
  readonly query: Query;
  /** What SQL still leaves open: none, and the answer is the same under every plan. */
  readonly open: readonly Ambiguity[];
  /** Other ways to spell it out that give the gold rows on the original, the likeliest first. */
  readonly others: readonly Query[];
}

/**
 * Spells out, as sort keys, what the gold SQL leaves open and SQLite decided by the plan it chose on the
 * original database, so that indexes cannot change the answer. The first world is the original, where the
 * gold rows must come out; the others say which of several ways generalises. When there is none, the query
 * comes back as it was, with what it leaves open.
 */
export async function settleQuery(
  query: Query,
  worlds: readonly [SettleWorld, ...SettleWorld[]],
  { oracle, catalog }: { readonly oracle: Oracle; readonly catalog: Catalog },
): Promise<SettledQuery> {
  const open = ambiguities(query, catalog);
  if (open.length === 0) return { query, open, others: [] };
  const found: { readonly query: Query; readonly left: readonly Ambiguity[]; readonly score: number }[] = [];
  for (const candidate of settledVersions(query, open, worlds[0].plain, catalog)) {
    const left = ambiguities(candidate, catalog);
    if (left.length >= open.length) continue;
    const score = await agreement(candidate, worlds, oracle);
    if (score > 0) found.push({ query: candidate, left, score });
    if (score === worlds.length && left.length === 0) break;
  }
  // What leaves less open comes first: indexes cannot change it.
  const [best, ...rest] = found.sort((a, b) => a.left.length - b.left.length || b.score - a.score);
  if (!best) return { query, open, others: [] };
  return { query: best.query, open: best.left, others: rest.map((other) => other.query) };
}

/** Versions of a query with sort keys for what it leaves open, those first that follow its plan on this database. */
export function settledVersions(
  query: Query,
  open: readonly Ambiguity[],
  file: string,
  catalog: Catalog,
): Query[] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return settlements(query, open, visitOrder(db, query), catalog);
  } finally {
    db.close();
  }
}

/** In how many worlds, from the first on, the candidate gives the gold rows; 0 when not in the first. */
async function agreement(candidate: Query, worlds: readonly SettleWorld[], oracle: Oracle): Promise<number> {
  let agreed = 0;
  for (const [i, { plain, expected }] of worlds.entries()) {
    try {
      const { rows } = await oracle.run(plain, printQuery(candidate));
      if (isExpected(expected, rows)) agreed++;
      else if (i === 0) return 0;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      if (i === 0) return 0;
    }
  }
  return agreed;
}
