import { type Expr, keyTable, type Origins } from '../../sql/index.ts';
import { canonicalExpr } from './canonical-form.ts';
import type { Choice } from './choices/choice.ts';

/**
 * Makes one choice of those that necessarily mean the same: the same place in the gold SQL (it was copied
 * with an alias), or the same value in the same role for the same column, unless two rows of one table are
 * told apart by it (a self-join in one FROM).
 */
export function unifyChoices(choices: readonly Choice[], origins: Origins): readonly Choice[] {
  const unified: Choice[] = [];
  for (const choice of choices) {
    const at = unified.findIndex((earlier) => meansTheSame(earlier, choice, origins));
    const earlier = unified[at];
    if (earlier === undefined) unified.push(choice);
    else unified[at] = { ...earlier, occurrences: [...earlier.occurrences, ...choice.occurrences] };
  }
  return unified;
}

function meansTheSame(a: Choice, b: Choice, origins: Origins): boolean {
  if (a.type !== b.type || a.array !== b.array || a.prefix !== b.prefix || a.suffix !== b.suffix)
    return false;
  if (JSON.stringify(a.value) !== JSON.stringify(b.value)) return false;
  if (samePlace(a, b)) return true;
  if (a.role !== b.role || a.subject === null || b.subject === null) return false;
  const exact = a.scope === b.scope;
  if (!exact && sameKey(a.subject, b.subject, origins)) return true;
  const nameOf = (source: string) => (exact ? source : (origins.tableOf(source)?.name ?? source));
  return canonicalExpr(a.subject, origins, nameOf) === canonicalExpr(b.subject, origins, nameOf);
}

function samePlace(a: Choice, b: Choice): boolean {
  return spans(a) === spans(b);
}

function spans({ occurrences }: Choice): string {
  const [first] = occurrences;
  return (first?.literals ?? []).map(({ span }) => `${span?.start}-${span?.end}`).join();
}

/** Two columns that tell the rows of one table apart, as its key or by referring to it. */
function sameKey(a: Expr, b: Expr, origins: Origins): boolean {
  const table = keyTable(a, origins);
  return table !== null && table === keyTable(b, origins);
}
