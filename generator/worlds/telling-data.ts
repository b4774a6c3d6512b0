import { chmodSync } from 'node:fs';
import type { Query } from '../../sql/index.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Sharpen } from '../search/messages.ts';
import { applyChanges } from '../variants/change.ts';
import { makeNeighbour, planNeighbours } from '../variants/plan-neighbours.ts';
import type { AlterReply, AlterRequest } from './alter/messages.ts';
import { makePlainCopy } from './plain-copy.ts';

/**
 * Makes data that tell wrong calls from right ones: random changes, and rows that nearly meet the conditions of the
 * questions, or, with `sharpen`, changes by which wrong versions of the gold queries were seen to answer otherwise. Not
 * plausible, nor of the farm's sizes. The same farm and seed give the same data.
 */
export async function makeTellingData(
  { served, catalog, seed, target }: AlterRequest,
  queries: readonly Query[],
  { oracle, sharpen }: { readonly oracle: Oracle; readonly sharpen: Sharpen | null },
): Promise<AlterReply> {
  const request = { file: served, catalog, queries, seed, oracle };
  const [planned = []] = await (sharpen ? planNeighbours(request, 0) : planNeighbours(request, 1, 0));
  const more = await sharpen?.({
    ...{ file: served, catalog, queries, seed },
    scratch: `${target.served}-draft`,
    plans: [planned],
  });
  const changes = [...planned, ...(more ?? [])];
  makeNeighbour(served, target.served, changes);
  makePlainCopy(served, target.plain);
  applyChanges(target.plain, changes);
  for (const file of [target.served, target.plain]) chmodSync(file, 0o444);
  return { literals: [], rowCounts: [] };
}
