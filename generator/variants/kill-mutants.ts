import type { Catalog } from '../../contracts/catalog.ts';
import { printQuery, type Query } from '../../sql/index.ts';
import { VISITED } from '../oracle/engines.ts';
import type { Change } from './changes.ts';
import { mutantsOf } from './mutants.ts';
import {
  combinationsOf,
  independentColumns,
  type ProposalContext,
  proposeEdge,
  type Target,
  targetOf,
} from './proposals.ts';
import { Random } from './random.ts';
import type { AnswerDigest, ScratchDatabase } from './scratch-database.ts';
import { countVisits } from './visits.ts';

/** Guesses per query. */
const GUESSES = 150;
/** Rows that one query, all guesses at it, and the guesses since the last kill may visit. */
const MAX_VISITS = 10_000;
const VISITS = 200_000;
const VISITS_IN_VAIN = 60_000;
/** Changes for one query may undo those for another, so each round compares again. */
const ROUNDS = 3;

interface Watched {
  readonly target: Target;
  readonly isOrdered: boolean;
  /** Mutants killed neither on the original nor on an earlier neighbour. */
  remaining: readonly string[];
  /** The mutants that the last neighbour, as it is now, does not kill either. */
  survivors: readonly string[];
}

/** Guesses at changes to the last neighbour, and keeps those that kill further mutants. Seeded. */
export function killMutants(
  scratch: ScratchDatabase,
  queries: readonly Query[],
  plans: readonly (readonly Change[])[],
  { catalog, seed }: { readonly catalog: Catalog; readonly seed: string },
): readonly Change[] {
  const watched = watch(scratch, queries, catalog);
  for (const each of watched) dropKilled(scratch, each);
  for (const plan of plans.slice(0, -1)) {
    scratch.attempt(plan, () => {
      for (const each of watched) dropKilled(scratch, each);
      return false;
    });
  }
  scratch.attempt(plans.at(-1) ?? [], () => true);
  const planned = scratch.kept.length;

  const random = new Random(`${seed}/${catalog.db}/sharpen`);
  const context = independentColumns(scratch, random);
  for (const each of watched) each.remaining = each.survivors;
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of watched) {
      each.survivors = each.remaining;
      dropKilled(scratch, each);
      guessAt(each, context);
      // Mutants that survive so many guesses count as equivalent.
      const abandoned = new Set(each.survivors);
      each.remaining = each.remaining.filter((sql) => !abandoned.has(sql));
    }
  }
  return scratch.kept.slice(planned);
}

function watch(scratch: ScratchDatabase, queries: readonly Query[], catalog: Catalog): Watched[] {
  const counted = (query: Query) => printQuery(countVisits(query, VISITED, scratch.shapes));
  const bySql = new Map(queries.map((query) => [printQuery(query), query]));
  return [...bySql.values()].map((query) => ({
    target: targetOf(query, scratch.shapes),
    isOrdered: query.kind !== 'values' && query.orderBy.length > 0,
    remaining: [],
    survivors: [...new Set(mutantsOf(query, catalog).map((mutant) => counted(mutant.query)))],
  }));
}

/** Drops killed and failing mutants. Returns the query's answer, null if none survives. */
function dropKilled(scratch: ScratchDatabase, watched: Watched): AnswerDigest | null {
  if (watched.survivors.length === 0) return null;
  const { target, isOrdered, survivors } = watched;
  const right = scratch.answer(target.sql, MAX_VISITS, isOrdered);
  watched.survivors = right
    ? survivors.filter((sql) => scratch.answer(sql, MAX_VISITS, isOrdered)?.digest === right.digest)
    : [];
  return right;
}

function guessAt(watched: Watched, context: ProposalContext): void {
  const { scratch, random } = context;
  const { parts } = watched.target;
  const budget = scratch.spent + VISITS;
  let found = parts.map((part) => combinationsOf(scratch, part));
  let lastKill = scratch.spent;
  for (let guess = 0; guess < GUESSES && watched.survivors.length > 0; guess++) {
    if (scratch.spent >= Math.min(budget, lastKill + VISITS_IN_VAIN)) break;
    const at = random.below(Math.max(parts.length, 1));
    const [part, chosen] = [parts[at], random.pick(found[at] ?? [])];
    if (!part || !chosen) continue;
    const before = watched.survivors;
    const kept = scratch.attempt(proposeEdge(part, chosen.rows, context), () => {
      const right = dropKilled(scratch, watched);
      return right !== null && watched.survivors.length < before.length;
    });
    if (kept) {
      found = parts.map((each) => combinationsOf(scratch, each));
      lastKill = scratch.spent;
    } else watched.survivors = before;
  }
}
