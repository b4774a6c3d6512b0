import type { Catalog } from '../../contracts/catalog.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Query } from '../sql/index.ts';
import { makeNeighbour, planNeighbours } from './plan-neighbours.ts';

export interface VariantRequest {
  /** The database; only read. */
  readonly file: string;
  readonly catalog: Catalog;
  /** What will be asked: the variant has rows that these queries find, and rows that they nearly find. */
  readonly queries: readonly Query[];
  readonly seed: string;
  readonly oracle: Oracle;
  /** Where the variant goes; a file that is there is replaced. */
  readonly target: string;
}

/**
 * Makes one other state of a database: values moved within their columns, rows gone and added, schema and keys as they
 * were. The same database, catalog, queries and seed give the same bytes on any machine. What the queries answer there
 * is for the caller to find out; some may answer nothing.
 */
export async function makeVariant({ target, ...request }: VariantRequest): Promise<void> {
  const [changes = []] = await planNeighbours(request, 1);
  makeNeighbour(request.file, target, changes);
}
