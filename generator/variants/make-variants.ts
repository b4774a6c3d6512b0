import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../contracts/catalog.ts';
import type { Query } from '../../sql/index.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Change } from './change.ts';
import { makeNeighbour, planNeighbours } from './plan-neighbours.ts';

/** One state of a domain's data: the original's, or a neighbour's. */
export interface DatabaseVariant {
  readonly label: string;
  /** As the split has it (or nearly): what the gold SQL runs on. */
  readonly plain: string;
  /** The same rows as the service reads them: what the calls run on. */
  readonly served: string;
  /** Whether it is a neighbour of the original. */
  readonly isNeighbour?: boolean;
  /** Of a stand-in: writes its files, once; must be called before they are read. */
  readonly ready?: () => void;
}

export interface VariantsRequest {
  readonly catalog: Catalog;
  readonly original: DatabaseVariant;
  /** The domain's gold queries. */
  readonly queries: readonly Query[];
  /** A folder for this domain alone; the neighbours' files are written to it. */
  readonly folder: string;
  readonly seed: string;
  readonly count: number;
  readonly oracle: Oracle;
  /** Makes the last neighbour tell more wrong queries apart; without, it tells fewer. */
  readonly sharpen?: (request: SharpenRequest) => Promise<readonly Change[]>;
}

/** What further changes of the last neighbour are found by. */
export interface SharpenRequest {
  /** The original, as the service reads it; only read. */
  readonly file: string;
  /** A path for a copy. */
  readonly scratch: string;
  readonly catalog: Catalog;
  readonly seed: string;
  readonly queries: readonly Query[];
  /** The changes that lead to each neighbour. */
  readonly plans: readonly (readonly Change[])[];
}

/** Neighbours to take the place of those on which a gold query becomes too slow or its answer too large. */
export const STAND_INS = 2;

/**
 * The original, `count` neighbours, and stand-ins that differ from the original by a few random changes only, so that
 * no query becomes large on them. Their served copies have the same indexes and statistics as the original's. The files
 * of all stand-ins but the first are only written when they are needed.
 */
export async function makeVariants(
  request: VariantsRequest,
): Promise<readonly [DatabaseVariant, ...DatabaseVariant[]]> {
  const { catalog, original, queries, folder, seed, count, oracle } = request;
  mkdirSync(folder, { recursive: true });
  // What is sharpened begins with random changes only: among rows that nearly meet the conditions of other queries, it
  // takes more changes for a mutant to show.
  const sharpened = request.sharpen ? 1 : 0;
  const planned = await planNeighbours(
    { file: original.served, catalog, queries, seed, oracle },
    count - sharpened,
    STAND_INS + sharpened,
  );
  const more = await request.sharpen?.({
    file: original.served,
    scratch: join(folder, 'sharpened.sqlite'),
    catalog,
    seed,
    queries,
    plans: planned.slice(0, count),
  });
  const plans = planned.map((changes, i) => (more && i === count - 1 ? [...changes, ...more] : changes));
  const neighbours = plans.map((changes, i): DatabaseVariant => {
    const variant = {
      label: `neighbour ${i + 1}`,
      plain: join(folder, `neighbour-${i + 1}.sqlite`),
      served: join(folder, `neighbour-${i + 1}-served.sqlite`),
      isNeighbour: true,
    };
    const write = once(() => {
      makeNeighbour(original.plain, variant.plain, changes);
      makeNeighbour(original.served, variant.served, changes);
    });
    if (i > count) return { ...variant, ready: write };
    write();
    return variant;
  });
  return [original, ...neighbours];
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

/** Removes the neighbours' files. */
export function removeVariants(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
