import { chmodSync } from 'node:fs';
import type { Oracle } from '../oracle/oracle.ts';
import type { Query } from '../sql/index.ts';
import { applyChanges } from '../variants/change.ts';
import { makeNeighbour, planNeighbours } from '../variants/plan-neighbours.ts';
import type { AlterReply, AlterRequest } from './alter/messages.ts';
import { makePlainCopy } from './plain-copy.ts';

/**
 * Makes data that tell wrong calls from right ones: random changes, and rows that nearly meet the conditions of the
 * questions. Not plausible, nor of the farm's sizes. The same farm and seed give the same data.
 */
export async function makeTellingData(
  { served, catalog, seed, target }: AlterRequest,
  queries: readonly Query[],
  oracle: Oracle,
): Promise<AlterReply> {
  const [changes = []] = await planNeighbours({ file: served, catalog, queries, seed, oracle }, 1);
  makeNeighbour(served, target.served, changes);
  makePlainCopy(served, target.plain);
  applyChanges(target.plain, changes);
  for (const file of [target.served, target.plain]) chmodSync(file, 0o444);
  return { literals: [], rowCounts: [] };
}
