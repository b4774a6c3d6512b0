import type { Query } from '../../../../sql/index.ts';
import { type Aggregate, type Expr, exprsWithin, type Origins } from '../../../../sql/index.ts';
import { canonicalExpr, isNotNull, isPadded } from '../../../template/canonical-form.ts';
import type { Share, Term, Thing } from '../clause.ts';
import { isThing } from '../lists.ts';
import {
  asAggregate,
  bare,
  conditionalCount,
  conditionalValue,
  isCount,
  numberLiteral,
} from '../patterns.ts';
import type { Scope } from '../query-context.ts';
import { countedValue, knownOf, rowsOf, shareOf, summaryOf } from './aggregate.ts';

/** One quantity divided by another: a relative change, a share, an average, or just a ratio. */
export function quotientTerm(top: Expr, bottom: Expr, scope: Scope): Term {
  if (numberLiteral(bottom) !== null || numberLiteral(top) !== null) {
    const items = [scope.term(top), scope.term(bottom)];
    return { kind: 'arithmetic', op: '/', items, whole: false, step: null };
  }
  return (
    growth(top, bottom, scope) ??
    share(top, bottom, scope) ??
    average(top, bottom, scope) ?? {
      kind: 'ratio',
      top: scope.term(top),
      bottom: scope.term(bottom),
      percent: false,
    }
  );
}

/** `(a - b) / b` grows from b to a; `(a - b) / a` is what is lost from a to b. */
function growth(top: Expr, bottom: Expr, scope: Scope): Term | null {
  const inner = bare(top);
  if (inner.kind !== 'binary' || inner.op !== '-') return null;
  const [isLeft, isRight] = [inner.left, inner.right].map((side) =>
    sameMeaning(side, bottom, scope.context.origins),
  );
  if (!isLeft && !isRight) return null;
  const [a, b] = [scope.term(inner.left), scope.term(inner.right)];
  return { kind: 'change', from: isRight ? b : a, to: isRight ? a : b, loss: !isRight, percent: false };
}

/** Rows that meet a condition out of all, or what they add up to. */
function share(top: Expr, bottom: Expr, scope: Scope): Term | null {
  const { origins } = scope.context;
  const [sumTop, sumBottom] = [asAggregate(top), asAggregate(bottom)];
  const condition = conditionalCount(top);
  const countsAll = countsAllRows(bottom, scope);
  if (condition !== null) {
    if (sumTop?.distinct) return distinctShare(sumTop, sumBottom, condition, scope);
    const met = sumTop === null ? null : knownOf(countedValue(sumTop), scope);
    if (countsAll) return shareOf(rowsOf(scope), scope.condition(condition), { met });
    if (countsRows(bottom, origins)) {
      const known = knownOf(sumBottom?.args[0], scope);
      return shareOf(rowsOf(scope), scope.condition(condition), { met, known });
    }
    return knownShare(sumTop, sumBottom, condition, scope);
  }
  if (countsRows(top, origins) && countsAll) return shareOf(rowsOf(scope), null);
  const [summed] = sumTop?.args ?? [];
  const limited = summed === undefined ? null : conditionalValue(summed);
  if (limited === null || sumTop?.name !== 'sum' || sumBottom?.name !== 'sum') return null;
  if (sumTop.distinct || sumBottom.distinct) return null;
  const [divisor] = sumBottom.args;
  if (divisor === undefined || !sameMeaning(limited.value, divisor, origins)) return null;
  return shareOf(scope.term(bottom), scope.condition(limited.when));
}

/** Whether an expression counts all rows of what the query reads, in a query of its own. */
function countsAllRows(bottom: Expr, { context, query: outer }: Scope): boolean {
  const whole = bare(bottom);
  if (whole.kind !== 'scalar_query' || whole.query.kind !== 'select') return false;
  const { query } = whole;
  const [first] = query.columns;
  const tables = (one: Query) => context.rowTable(one);
  return (
    query.where === null &&
    query.groupBy.length === 0 &&
    first !== undefined &&
    countsRows(first.expr, context.origins) &&
    tables(query) === tables(outer)
  );
}

/** `COUNT(DISTINCT CASE WHEN … THEN id END) / COUNT(DISTINCT id)` */
function distinctShare(
  top: Aggregate,
  bottom: Aggregate | null,
  condition: Expr,
  scope: Scope,
): Share | null {
  const [arg] = top.args;
  const value = top.filter === null && arg !== undefined ? conditionalValue(arg)?.value : arg;
  if (!bottom?.distinct || bottom.filter !== null || value === undefined) return null;
  if (!sameMeaning(value, bottom.args[0], scope.context.origins) || conditionalCount(bottom) !== null)
    return null;
  const counted = scope.term(bottom);
  const of: Thing | Term = counted.kind === 'count' ? counted.of : rowsOf(scope);
  return shareOf(of, scope.condition(condition), { distinct: true });
}

/** A share of those rows that have the value which the condition is about. */
function knownShare(
  top: Aggregate | null,
  bottom: Aggregate | null,
  condition: Expr,
  scope: Scope,
): Share | null {
  const [known] = bottom?.args ?? [];
  if (top === null || known === undefined || bottom?.name !== 'count' || bottom.distinct) return null;
  if (bottom.filter !== null || bare(known).kind !== 'column') return null;
  const { origins } = scope.context;
  const [asked] = condition.kind === 'compare' && condition.op === '=' ? [condition.left] : [];
  const value = top.args[0] === undefined ? undefined : conditionalValue(top.args[0])?.value;
  const own =
    sameMeaning(asked, known, origins) || (top.name === 'count' && sameMeaning(value, known, origins));
  return own
    ? shareOf(rowsOf(scope), scope.condition(condition), { known: { of: scope.term(known), always: false } })
    : null;
}

/** A sum by a count, or one count by another. */
function average(top: Expr, bottom: Expr, scope: Scope): Term | null {
  if (!isCount(bottom) || conditionalCount(bottom) !== null) return null;
  const [all, per] = [asAggregate(top), asAggregate(bottom)];
  const [summed] = all?.args ?? [];
  if (per === null || conditionalCount(top) !== null) return null;
  const counted = scope.term(bottom);
  const owner =
    counted.kind === 'count' && isThing(counted.of) && (counted.known?.always ?? true) ? counted.of : null;
  if (all?.name === 'sum' && summed !== undefined && !all.distinct) {
    const limited = conditionalValue(summed) !== null;
    if (!per.distinct && !limited && countsValues(per, summed, scope.context.origins)) {
      const same = sameMeaning(per.args[0], summed, scope.context.origins);
      return {
        ...summaryOf('avg', scope.term(summed)),
        known: same ? null : knownOf(per.args[0], scope),
      };
    }
    if (!per.distinct && !limited && countsRows(bottom, scope.context.origins)) {
      return { ...summaryOf('avg', scope.term(summed)), zeros: true, known: knownOf(per.args[0], scope) };
    }
    return limited || owner === null
      ? null
      : { kind: 'per_owner', of: scope.term(top), owner, average: false };
  }
  if (all?.name !== 'count' || all.distinct || !per.distinct || owner === null) return null;
  return { kind: 'per_owner', of: scope.term(top), owner, average: true };
}

/** Whether two expressions are the same but for what does not change their meaning. */
function sameMeaning(a: Expr | undefined, b: Expr | undefined, origins: Origins): boolean {
  const written = (expr: Expr) => canonicalExpr(bare(expr), origins, (source) => source);
  return a !== undefined && b !== undefined && written(a) === written(b);
}

/** Whether no row lacks a value: what is read is declared so, asked for, or always there. */
function isKnown(expr: Expr, origins: Origins): boolean {
  const parts = exprsWithin(expr);
  if (parts.some(({ kind }) => kind === 'case' || kind === 'call' || kind === 'scalar_query')) return false;
  const columns = parts.filter((part) => part.kind === 'column');
  return columns.every((column) => {
    if (isNotNull(column, origins)) return true;
    const base = origins.baseColumn(column);
    return base !== null && base.column.statistics.nulls === 0 && !isPadded(column.source, origins);
  });
}

/** Whether an aggregate counts rows, none left out for a missing value. */
function countsRows(expr: Expr, origins: Origins): boolean {
  const inner = bare(expr);
  if (!isCount(inner) || inner.kind !== 'aggregate' || inner.distinct || inner.filter !== null) return false;
  const [arg] = inner.args;
  return arg === undefined || isKnown(arg, origins);
}

/** Whether a count counts just the rows that have a value to add up. */
function countsValues(count: Aggregate, summed: Expr, origins: Origins): boolean {
  const [counted] = count.args;
  if (sameMeaning(counted, summed, origins)) return true;
  return isKnown(summed, origins) && (counted === undefined || isKnown(counted, origins));
}
