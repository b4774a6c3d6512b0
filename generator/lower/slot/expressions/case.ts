import type { Case, Expr } from '../../../../sql/index.ts';
import { NULL_LITERAL } from '../../../../sql/index.ts';
import { conditionOf } from '../conditions/condition-of.ts';
import { asTests } from '../conditions/truth.ts';
import { compute } from '../sequence/compute.ts';
import { asOperand, type Evaluated, type LowerContext } from '../sequence/context.ts';
import { evaluateExactly } from '../sequence/exact-argument.ts';
import type { Frame } from '../sequence/frame.ts';

type Outcome = () => unknown;

/**
 * CASE as choices, the last WHEN first: each `choose` tests one condition and otherwise gives the previous choice. AND
 * nests in the one branch, OR in the other.
 */
export function lowerCase(expr: Case, frame: Frame | null, context: LowerContext): Evaluated {
  const [first, ...rest] = expr.whens;
  if (!first) return context.evaluate(expr.else ?? NULL_LITERAL, frame);
  // The operand stands once in the query but is tested by every choice.
  if (expr.operand && rest.length > 0) frame?.countAllUses(expr.operand);
  const otherwise: Expr = rest.length === 0 ? (expr.else ?? NULL_LITERAL) : { ...expr, whens: rest };
  const condition: Expr =
    expr.operand === null ? first.when : { kind: 'compare', op: '=', left: expr.operand, right: first.when };
  const yes = () => evaluateExactly(first.result, frame, context);
  const no = () => evaluateExactly(otherwise, frame, context);
  return choose(expr, asTests(condition), yes, no, frame, context);
}

function choose(
  expr: Expr | null,
  condition: Expr,
  yes: Outcome,
  no: Outcome,
  frame: Frame | null,
  context: LowerContext,
): Evaluated {
  if (condition.kind === 'and' || condition.kind === 'or') {
    const [first, ...rest] = condition.items as readonly [Expr, ...Expr[]];
    const others: Expr = rest.length === 1 ? (rest[0] as Expr) : { ...condition, items: rest };
    const inner = once(() => asOperand(choose(null, others, yes, no, frame, context)));
    return condition.kind === 'and'
      ? choose(expr, first, inner, no, frame, context)
      : choose(expr, first, yes, inner, frame, context);
  }
  const [if_true, if_false] = [yes(), no()];
  const { subject, condition: name, value } = conditionOf(condition, frame, context);
  const args = { condition: name, ...(value === undefined ? {} : { value }), if_true, if_false };
  return compute(expr, subject, 'choose', args, frame, context);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
