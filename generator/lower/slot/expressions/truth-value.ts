import { conjunction, disjunction, type Expr, integerLiteral } from '../../../../sql/index.ts';
import { conditionOf, isTest } from '../conditions/condition-of.ts';
import { asTests, opposite } from '../conditions/truth.ts';
import { compute } from '../sequence/compute.ts';
import { asOperand, type Evaluated, type LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { unsupported } from '../sequence/unsupported.ts';

/** A condition whose value is wanted: 1, 0 or NULL. */
export function lowerTruthValue(expr: Expr, frame: Frame | null, context: LowerContext): Evaluated {
  if (expr.kind === 'not') return compute1(opposite(expr.expr));
  if (expr.kind === 'and' || expr.kind === 'or') {
    const [first, ...rest] = expr.items as readonly [Expr, ...Expr[]];
    let value = context.evaluate(first, frame);
    rest.forEach((item, i) => {
      const operand = asOperand(context.evaluate(item, frame));
      value = compute(i === rest.length - 1 ? expr : null, value, expr.kind, { operand }, frame, context);
    });
    return value;
  }
  if (expr.kind === 'compare' && (expr.op === 'is' || expr.op === 'is_not')) {
    const tests = asTests(expr);
    if (tests.kind === 'is_null') return compute1(tests);
    // Each side occurs once in the query but is used twice.
    for (const side of [expr.left, expr.right]) frame?.countAllUses(side);
    return context.evaluate(identity(expr), frame);
  }
  if (expr.kind === 'in_list' && expr.expr.kind === 'row') {
    for (const _ of expr.items) frame?.countAllUses(expr.expr);
    return lowerTruthValue(asTests(expr), frame, context);
  }
  if (!isTest(expr)) throw unsupported(expr.kind, `${expr.kind} as a value`);
  return compute1(expr);

  function compute1(test: Expr): Evaluated {
    if (test.kind === 'and' || test.kind === 'or') return lowerTruthValue(test, frame, context);
    const { subject, condition, value } = conditionOf(test, frame, context);
    const args = { condition, ...(value === undefined ? {} : { value }) };
    return compute(expr, subject, 'compare', args, frame, context);
  }
}

/** IS between values as an `=` that is never NULL: if either side is NULL, it tests whether both are. */
function identity({ op, left, right }: Extract<Expr, { kind: 'compare' }>): Expr {
  const negated = op === 'is_not';
  const equal: Expr = { kind: 'compare', op: negated ? '!=' : '=', left, right };
  const ends = [left, right].map((expr): Expr => ({ kind: 'is_null', expr, negated }));
  const bothNull: Expr = negated ? disjunction(ends) : conjunction(ends);
  const otherwise = right.kind === 'literal' ? integerLiteral(negated ? 1n : 0n) : bothNull;
  return { kind: 'call', name: 'coalesce', args: [equal, otherwise] };
}
