import { chmodSync, constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import { type Block, printQuery, type Query, selectBlocks } from '../../sql/index.ts';
import { type Oracle, VISITED } from '../oracle/oracle.ts';
import { applyChanges, type Change, perturbTable } from './changes.ts';
import { FreshKeys, nearMisses, type Tuple, type Tuples, tuplesOf } from './near-misses.ts';
import { Random } from './random.ts';
import { type TableShape, tableShapes } from './table-shape.ts';
import { countVisits } from './visits.ts';
import { type Witness, witnessOf } from './witness.ts';

/** One state of a domain's data: the original or a neighbour. */
export interface DatabaseVariant {
  readonly label: string;
  /** As in the split (or nearly): the gold SQL runs on it. */
  readonly plain: string;
  /** The same rows as served: the calls run on it. */
  readonly served: string;
  readonly isNeighbour?: boolean;
  /** For a stand-in: writes its files once; must be called before they are read. */
  readonly ready?: () => void;
}

interface VariantsRequest {
  readonly catalog: Catalog;
  readonly original: DatabaseVariant;
  readonly queries: readonly Query[];
  /** A folder for the neighbours' files only. */
  readonly folder: string;
  readonly seed: string;
  readonly count: number;
  readonly oracle: Oracle;
  /** Finds changes by which the last neighbour kills more mutants. */
  readonly killMutants?: (request: KillRequest) => Promise<readonly Change[]>;
}

/** Input of the search for further changes to the last neighbour. */
export interface KillRequest {
  /** The served original; only read. */
  readonly file: string;
  /** A path for a copy. */
  readonly scratch: string;
  readonly catalog: Catalog;
  readonly seed: string;
  readonly queries: readonly Query[];
  /** The changes that lead to each neighbour. */
  readonly plans: readonly (readonly Change[])[];
}

/** Neighbours that replace those where a gold query is too slow or its answer too large. */
const STAND_INS = 2;

/**
 * The original, `count` neighbours, and stand-ins with few random changes. Served copies have the original's
 * indexes and statistics; later stand-ins are written on demand.
 */
export async function makeVariants(
  request: VariantsRequest,
): Promise<readonly [DatabaseVariant, ...DatabaseVariant[]]> {
  const { catalog, original, queries, folder, seed, count, oracle } = request;
  mkdirSync(folder, { recursive: true });
  // Sharpening starts from random changes only, since mutants hide among rows that nearly meet other
  // conditions.
  const sharpened = request.killMutants ? 1 : 0;
  const planned = await planNeighbours(
    { file: original.served, catalog, queries, seed, oracle },
    count - sharpened,
    STAND_INS + sharpened,
  );
  const more = await request.killMutants?.({
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

export function removeVariants(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A query that visits more rows is not searched for witnesses. */
const MAX_VISITS = 5_000_000;

/** Rows added to one neighbour. */
const MAX_INSERTS = 10_000;

interface NeighbourRequest {
  /** The original database, or a quicker copy of its rows with indexes. Only read. */
  readonly file: string;
  readonly catalog: Catalog;
  /** The neighbours differ in the values that these queries' conditions compare. */
  readonly queries: readonly Query[];
  readonly seed: string;
  readonly oracle: Oracle;
}

interface Found extends Tuples {
  readonly block: Block;
  readonly witness: Witness;
}

/** Random changes, with near misses for `count` neighbours, without for `standIns`. Deterministic. */
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
  const searches = queries
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
  return (await Promise.all(searches)).filter((each) => each !== null);
}

interface VariantRequest {
  readonly file: string;
  readonly catalog: Catalog;
  /** The variant gets rows that these match, and nearly match. */
  readonly queries: readonly Query[];
  readonly seed: string;
  readonly oracle: Oracle;
  /** The file to write; an existing one is replaced. */
  readonly target: string;
}

/** Another state of a database with the same schema and keys. Queries may find nothing. Deterministic. */
export async function makeVariant({ target, ...request }: VariantRequest): Promise<void> {
  const [changes = []] = await planNeighbours(request, 1);
  makeNeighbour(request.file, target, changes);
}
