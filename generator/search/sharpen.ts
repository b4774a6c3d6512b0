import type { Catalog } from '../../contracts/catalog.ts';
import { printQuery, type Query } from '../../sql/index.ts';
import { VISITED } from '../oracle/oracle.ts';
import { type Change, sampleRows } from '../variants/changes.ts';
import { mutantsOf } from '../variants/mutants.ts';
import { Random } from '../variants/random.ts';
import { countVisits } from '../variants/visits.ts';
import {
  combinationsOf,
  FreshRows,
  type ProposalContext,
  proposeEdge,
  type Target,
  targetOf,
} from './proposals.ts';
import type { Answer, Draft } from './scratch-database.ts';

/** Guesses at one query. */
const GUESSES = 150;
/** Rows visited to look at one query, by all guesses at it, and since the last killed mutant. */
const MAX_VISITS = 10_000;
const VISITS = 200_000;
const VISITS_IN_VAIN = 60_000;
/** Changes for one query may undo those for another, so each round looks again. */
const ROUNDS = 3;

interface Watched {
  readonly target: Target;
  readonly isOrdered: boolean;
  /** Mutants killed neither on the original nor on an earlier neighbour. */
  hidden: readonly string[];
  /** Those that the last neighbour, as it is now, does not kill either. */
  alive: readonly string[];
}

/** Guesses at changes to the last neighbour, and keeps those that kill further mutants. Seeded. */
export function sharpen(
  draft: Draft,
  queries: readonly Query[],
  plans: readonly (readonly Change[])[],
  { catalog, seed }: { readonly catalog: Catalog; readonly seed: string },
): readonly Change[] {
  const watched = watch(draft, queries, catalog);
  for (const each of watched) look(draft, each);
  for (const plan of plans.slice(0, -1)) {
    draft.attempt(plan, () => {
      for (const each of watched) look(draft, each);
      return false;
    });
  }
  draft.attempt(plans.at(-1) ?? [], () => true);
  const planned = draft.kept.length;

  const random = new Random(`${seed}/${catalog.db}/sharpen`);
  const samples = new Map(
    [...draft.shapes.values()].map((table) => [table.name, sampleRows(draft.db, table, random)]),
  );
  const context = {
    draft,
    random,
    fresh: new FreshRows(draft, random),
    sampleOf: ({ name }: { readonly name: string }) => samples.get(name) ?? [],
  };
  for (const each of watched) each.hidden = each.alive;
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of watched) {
      each.alive = each.hidden;
      look(draft, each);
      guessAt(each, context);
      // Mutants that survive so many guesses are taken for equivalent.
      const given = new Set(each.alive);
      each.hidden = each.hidden.filter((sql) => !given.has(sql));
    }
  }
  return draft.kept.slice(planned);
}

function watch(draft: Draft, queries: readonly Query[], catalog: Catalog): Watched[] {
  const counted = (query: Query) => printQuery(countVisits(query, VISITED, draft.shapes));
  const bySql = new Map(queries.map((query) => [printQuery(query), query]));
  return [...bySql.values()].map((query) => ({
    target: targetOf(query, draft.shapes),
    isOrdered: query.kind !== 'values' && query.orderBy.length > 0,
    hidden: [],
    alive: [...new Set(mutantsOf(query, catalog).map((mutant) => counted(mutant.query)))],
  }));
}

/** Drops killed and failing mutants. Returns the query's answer, null if none survives. */
function look(draft: Draft, watched: Watched): Answer | null {
  if (watched.alive.length === 0) return null;
  const { target, isOrdered, alive } = watched;
  const right = draft.answer(target.sql, MAX_VISITS, isOrdered);
  watched.alive = right
    ? alive.filter((sql) => draft.answer(sql, MAX_VISITS, isOrdered)?.digest === right.digest)
    : [];
  return right;
}

function guessAt(watched: Watched, context: ProposalContext): void {
  const { draft, random } = context;
  const { parts } = watched.target;
  const budget = draft.spent + VISITS;
  let found = parts.map((part) => combinationsOf(draft, part));
  let told = draft.spent;
  for (let guess = 0; guess < GUESSES && watched.alive.length > 0; guess++) {
    if (draft.spent >= Math.min(budget, told + VISITS_IN_VAIN)) break;
    const at = random.below(Math.max(parts.length, 1));
    const [part, chosen] = [parts[at], random.pick(found[at] ?? [])];
    if (!part || !chosen) continue;
    const before = watched.alive;
    const kept = draft.attempt(proposeEdge(part, chosen.rows, context), () => {
      const right = look(draft, watched);
      return right !== null && watched.alive.length < before.length;
    });
    if (kept) {
      found = parts.map((each) => combinationsOf(draft, each));
      told = draft.spent;
    } else watched.alive = before;
  }
}
