import type { Expr, Literal } from '../../../sql/index.ts';
import type { Choice } from './choice.ts';

/** The choices among parts of expressions, in their order, each as often as it stands there. */
export function choicesIn(parts: readonly Expr[], choiceOf: ReadonlyMap<Literal, Choice>): readonly Choice[] {
  return parts.flatMap((part) => (part.kind === 'literal' ? (choiceOf.get(part) ?? []) : []));
}
