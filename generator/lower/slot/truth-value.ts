import type { Expr } from '../../sql/index.ts';
import { conditionOf, isTest } from './condition-of.ts';
import { asOperand, type Evaluated, type LowerContext } from './context.ts';
import { compute, evaluate } from './evaluate.ts';
import type { Frame } from './frame.ts';
import { asTests, opposite } from './truth.ts';
import { unsupported } from './unsupported.ts';

/** A condition whose value is wanted: 1, 0 or NULL. */
export function lowerTruthValue(expr: Expr, frame: Frame | null, context: LowerContext): Evaluated {
  if (expr.kind === 'not') return compute1(opposite(expr.expr));
  if (expr.kind === 'and' || expr.kind === 'or') {
    const [first, ...rest] = expr.items as readonly [Expr, ...Expr[]];
    let value = evaluate(first, frame, context);
    rest.forEach((item, i) => {
      const operand = asOperand(evaluate(item, frame, context));
      value = compute(i === rest.length - 1 ? expr : null, value, expr.kind, { operand }, frame, context);
    });
    return value;
  }
  if (expr.kind === 'compare' && (expr.op === 'is' || expr.op === 'is_not')) {
    const tests = asTests(expr);
    if (tests.kind !== 'is_null') throw unsupported(expr.op, 'IS with something else than NULL, as a value');
    return compute1(tests);
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
