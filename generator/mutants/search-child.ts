import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import { printQuery } from '../../sql/index.ts';
import { VISITED } from '../oracle/engines.ts';
import { parseGold } from '../oracle/gold-sql.ts';
import { mutantsOf } from '../variants/mutants.ts';
import {
  combinationsOf,
  independentColumns,
  MAX_VISITS,
  type ProposalContext,
  proposeEdge,
  type Target,
  targetOf,
} from '../variants/proposals.ts';
import { Random } from '../variants/random.ts';
import { ScratchDatabase } from '../variants/scratch-database.ts';
import { countVisits } from '../variants/visits.ts';
import type { SearchReply, SearchRequest } from './measure-mutants.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

serveChild<SearchRequest, SearchReply>(({ file, scratch, catalog, seed, referenceTime, suspects }) =>
  ScratchDatabase.on(file, scratch, catalog, (copy) => {
    const random = new Random(`${seed}/${catalog.db}/mutants`);
    const context = independentColumns(copy, random);
    return suspects.map(({ sql, mutants }) => {
      const query = parseGold(sql, { catalog, referenceTime });
      const all = mutantsOf(query, catalog);
      const runnable = mutants.flatMap((index) => {
        const mutant = all[index]?.query;
        return mutant ? [{ index, sql: printQuery(countVisits(mutant, VISITED, copy.shapes)) }] : [];
      });
      const isOrdered = query.kind !== 'values' && query.orderBy.length > 0;
      return findKilled(targetOf(query, copy.shapes), runnable, isOrdered, context);
    });
  }),
);

const GUESSES = 60;
/** Rows that the guesses at one query and its mutants may visit. */
const VISITS = 3_000_000;

interface RunnableMutant {
  readonly index: number;
  readonly sql: string;
}

/** Mutants killed by guessed changes to the rows that the query reads. Seeded, bounded by rows visited. */
function findKilled(
  gold: Target,
  mutants: readonly RunnableMutant[],
  isOrdered: boolean,
  { scratch, ...context }: ProposalContext,
): number[] {
  const killed: number[] = [];
  let left = [...mutants];
  const compare = () => {
    const right = scratch.answer(gold.sql, MAX_VISITS, isOrdered);
    if (!right) return;
    left = left.filter(({ index, sql }) => {
      const wrong = scratch.answer(sql, MAX_VISITS, isOrdered);
      if (!wrong || wrong.digest === right.digest) return true;
      killed.push(index);
      return false;
    });
  };
  const budget = scratch.spent + VISITS;
  const found = gold.parts.map((part) => combinationsOf(scratch, part));
  for (let guess = 0; guess < GUESSES && left.length > 0 && scratch.spent < budget; guess++) {
    const at = context.random.below(Math.max(gold.parts.length, 1));
    const [part, chosen] = [gold.parts[at], context.random.pick(found[at] ?? [])];
    if (!part || !chosen) continue;
    scratch.attempt(proposeEdge(part, chosen.rows, { scratch, ...context }), () => {
      compare();
      return false;
    });
  }
  return killed;
}
