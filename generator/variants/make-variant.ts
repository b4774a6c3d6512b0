import type { Catalog } from '../../contracts/catalog.ts';
import type { Query } from '../../sql/index.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { makeNeighbour, planNeighbours } from './plan-neighbours.ts';

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
