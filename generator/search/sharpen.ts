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
/** Rows that one query may visit to be looked at, all the guesses at it together, and those since one told a mutant apart. */
const MAX_VISITS = 10_000;
const VISITS = 200_000;
const VISITS_IN_VAIN = 60_000;
/** What is changed for one query may hide what was changed for another; each round looks again. */
const ROUNDS = 3;

interface Watched {
  readonly target: Target;
  readonly isOrdered: boolean;
  /** Mutants that neither the original nor an earlier neighbour tells from the query. */
  hidden: readonly string[];
  /** Those of them that the last neighbour does not tell apart either, as it is now. */
  alive: readonly string[];
}

/**
 * Further changes to the last of some neighbours, after which mutants of the queries are told apart there that neither
 * the draft's database nor any neighbour told apart: guesses at changes of the rows that a query reads, each kept if it
 * tells a mutant apart. Seeded, and bounded by rows visited. The draft is left with all changes of the last neighbour.
 */
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
      // What so many guesses did not tell apart is taken for equivalent.
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

/** Drops the mutants that answer otherwise than the query, or not at all. Gives the query's answer, null without any. */
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
