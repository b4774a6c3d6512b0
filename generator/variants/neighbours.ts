import { chmodSync, constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import { type Block, printQuery, type Query, selectBlocks } from '../../sql/index.ts';
import { type Oracle, VISITED } from '../oracle/oracle.ts';
import { applyChanges, type Change, perturbTable } from './changes.ts';
import { FreshKeys, nearMisses, type Tuple, tuplesOf } from './near-misses.ts';
import { Random } from './random.ts';
import { type TableShape, tableShapes } from './table-shape.ts';
import { countVisits } from './visits.ts';
import { type Witness, witnessOf } from './witness.ts';

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

/** Rows that one search for witnesses may visit; a query that visits more goes without. A few seconds' work. */
const MAX_VISITS = 5_000_000;

/** Rows added to one neighbour. */
const MAX_INSERTS = 10_000;

export interface NeighbourRequest {
  /** The original database (or a copy of its rows with indexes, which is quicker). Only read. */
  readonly file: string;
  readonly catalog: Catalog;
  /** The domain's gold queries: what their conditions name is what the neighbours differ in. */
  readonly queries: readonly Query[];
  readonly seed: string;
  readonly oracle: Oracle;
}

interface Found {
  readonly block: Block;
  readonly witness: Witness;
  readonly exact: readonly Tuple[];
  readonly loose: readonly Tuple[];
  readonly apart: readonly Tuple[];
}

/**
 * The changes that lead from a database to each of `count` neighbours: random ones in every table, and rows
 * that nearly meet the conditions of the queries; and to each of `standIns` more, with random ones only. The same input
 * gives the same changes.
 */
export async function planNeighbours(
  request: NeighbourRequest,
  count: number,
  standIns = 1,
): Promise<Change[][]> {
  const { file, catalog, seed } = request;
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const shapes = tableShapes(db, catalog);
    const found = await findWitnesses(request, new Map(shapes.map((each) => [each.name, each])));
    return Array.from({ length: count + standIns }, (_, i) => {
      const random = new Random(`${seed}/${catalog.db}/${i}`);
      const keys = new FreshKeys(catalog);
      const inserts: Change[] = [];
      for (const { block, witness, ...tuples } of i < count ? found : []) {
        if (inserts.length >= MAX_INSERTS) break;
        inserts.push(...nearMisses(block, witness, tuples, { catalog, keys, random }));
      }
      return [...shapes.flatMap((shape) => perturbTable(db, shape, random)), ...inserts];
    });
  } finally {
    db.close();
  }
}

/** Copies a database file and makes the changes in the copy. */
export function makeNeighbour(file: string, target: string, changes: readonly Change[]): void {
  copyFileSync(file, target, constants.COPYFILE_FICLONE);
  chmodSync(target, 0o600);
  applyChanges(target, changes);
}

async function findWitnesses(
  { file, queries, oracle }: NeighbourRequest,
  shapes: ReadonlyMap<string, TableShape>,
): Promise<Found[]> {
  const ask = async (witness: Witness, query: Query | null): Promise<Tuple[]> => {
    const counted = query && countVisits(query, VISITED, shapes);
    const rows = counted && (await oracle.readStored(file, printQuery(counted), MAX_VISITS));
    return rows ? tuplesOf(witness, rows) : [];
  };
  const asked = queries
    .flatMap((query) => selectBlocks(query))
    .map(async (block): Promise<Found | null> => {
      const witness = witnessOf(block, shapes);
      if (!witness) return null;
      const [exact, loose] = await Promise.all([ask(witness, witness.exact), ask(witness, witness.loose)]);
      const some = loose.length > 0 ? loose : exact;
      return {
        block,
        witness,
        exact,
        loose: some,
        apart: some.length > 0 ? [] : await ask(witness, witness.apart),
      };
    });
  return (await Promise.all(asked)).filter((each) => each !== null);
}

export interface VariantRequest {
  /** The database; only read. */
  readonly file: string;
  readonly catalog: Catalog;
  /** The queries that the variant will be asked. It has rows that they find, and rows that they nearly find. */
  readonly queries: readonly Query[];
  readonly seed: string;
  readonly oracle: Oracle;
  /** Path of the variant; an existing file is replaced. */
  readonly target: string;
}

/**
 * Makes another state of a database: values are moved within their columns, rows are removed and added, schema and keys
 * stay the same. The same database, catalog, queries and seed give the same bytes on any machine. The caller must run
 * the queries to learn their answers; some may return no rows.
 */
export async function makeVariant({ target, ...request }: VariantRequest): Promise<void> {
  const [changes = []] = await planNeighbours(request, 1);
  makeNeighbour(request.file, target, changes);
}
