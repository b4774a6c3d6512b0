import { QueryError } from '../../contracts/errors.ts';
import type { Rejection } from '../../contracts/farm.ts';
import { MOST_CHANGES } from '../../contracts/records.ts';
import { sameChanges } from '../../contracts/same-changes.ts';
import type { Call } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';
import { netDiff } from '../../services/domain/records/diff.ts';
import { playRecords } from '../../services/domain/records/play-records.ts';
import { unlessRefused } from '../oracle/oracle.ts';
import { type DatabaseVariant, NEIGHBOURS } from '../variants/neighbours.ts';
import { goldDiff } from './gold-diff.ts';
import { refusalIn, type WritesContext } from './prove-writes.ts';

export type ActionProof =
  | { readonly kept: true; readonly idempotent: boolean }
  | { readonly kept: false; readonly rejection: Rejection };

/**
 * Proves that through the running app the call changes exactly what SQLite changes on a copy of its own: on the original,
 * and on neighbours until the SQL has changed rows on two. Finds whether a second call changes anything more.
 */
export async function proveAction(
  question: Question,
  call: Call,
  context: Pick<WritesContext, 'service' | 'oracle' | 'variants' | 'apps'>,
): Promise<ActionProof> {
  try {
    let [idempotent, decided] = [true, 0];
    for (const variant of context.variants) {
      if (decided > NEIGHBOURS) break;
      variant.ready?.();
      const made = await unlessRefused(context.oracle.writes(variant.plain, question.sql));
      if (!made || made.refused !== null || made.unclear !== null) continue;
      const { changes } = made;
      if (changes.length > MOST_CHANGES / 2) continue;
      const wanted = goldDiff(changes, question.sql, context.service.catalog);
      const play = (times: number) => playOn(variant, question, Array(times).fill(call), context);
      const once = await play(1);
      const refused = refusalIn(once);
      if (refused !== null || !sameChanges(wanted, netDiff(once.journal))) {
        const code = variant.isNeighbour ? 'WRONG_CHANGES_ON_NEIGHBOUR' : 'WRONG_CHANGES';
        throw new QueryError(code, `on ${variant.label}: ${refused ?? 'the call changes other rows'}`);
      }
      const twice = await play(2);
      idempotent &&= refusalIn(twice) === null && sameChanges(wanted, netDiff(twice.journal));
      if (changes.length > 0) decided++;
    }
    return { kept: true, idempotent };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { kept: false, rejection: error.toRejection() };
  }
}

function playOn(
  variant: DatabaseVariant,
  { policies }: Question,
  calls: readonly Call[],
  { service, apps }: Pick<WritesContext, 'service' | 'apps'>,
) {
  // The rules of a domain are not made for the rows of a neighbour.
  return playRecords(apps.calls(variant), service, calls, variant.isNeighbour ? 'recorded' : policies);
}
