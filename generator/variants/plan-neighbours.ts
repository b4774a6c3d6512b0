import { chmodSync, constants, copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import { type Block, printQuery, type Query, selectBlocks } from '../../sql/index.ts';
import { VISITED } from '../oracle/messages.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { applyChanges, type Change } from './change.ts';
import { countVisits } from './count-visits.ts';
import { FreshKeys, nearMisses, type Tuple, tuplesOf } from './near-misses.ts';
import { perturbTable } from './perturb-table.ts';
import { Random } from './random.ts';
import { type TableShape, tableShapes } from './table-shape.ts';
import { type Witness, witnessOf } from './witness.ts';

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
