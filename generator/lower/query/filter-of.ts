import { hasType, type Property } from '../../../services/domain/query-tool/collections.ts';
import { hasUnconvertedNumbers } from '../../../services/domain/query-tool/compile-query.ts';
import { likePattern } from '../../../services/domain/query-tool/like-pattern.ts';
import type { CompareOp, Expr, Literal } from '../../../sql/index.ts';
import { MIRRORED } from '../../../sql/index.ts';

/** An argument of the tool. */
export interface FilterArgument {
  readonly name: string;
  readonly value: { readonly property_name: string; readonly operator: string; readonly value: unknown };
}

/** A condition as a filter; null for one that no filter is. */
export function filterOf(test: Expr, propertyOf: (expr: Expr) => Property | null): FilterArgument | null {
  if (test.kind === 'like') return likeFilter(test, propertyOf);
  if (test.kind !== 'compare') return null;
  const [left, right] = [propertyOf(test.left), propertyOf(test.right)];
  const [property, literal] = left ? [left, test.right] : [right, test.left];
  if (!property || literal.kind !== 'literal') return null;
  const operator = left ? test.op : MIRRORED[test.op];
  const type = property.alsoType === null ? property.type : literal.type === 'text' ? 'text' : 'integer';
  const value = FILTER_VALUES[type](property, operator, literal);
  return value && argument(type, property, value.operator, value.value);
}

interface OperatorAndValue {
  readonly operator: string;
  readonly value: unknown;
}

const FILTER_VALUES: Readonly<
  Record<Property['type'], (property: Property, op: CompareOp, literal: Literal) => OperatorAndValue | null>
> = {
  integer(_, operator, literal) {
    if (literal.type !== 'integer' && literal.type !== 'real') return null;
    if (!['=', '<', '>', '<=', '>='].includes(operator)) return null;
    const whole = typeof literal.value === 'bigint' && Number.isSafeInteger(Number(literal.value));
    return { operator, value: whole ? Number(literal.value) : literal.value };
  },
  text(property, operator, literal) {
    // SQL keeps such a text apart from the number that the tool also finds.
    if (hasUnconvertedNumbers(property) && !Number.isNaN(Number(literal.value))) return null;
    return literal.type === 'text' && operator === '=' ? { operator, value: literal.value } : null;
  },
  boolean({ truth }, operator, literal) {
    if (operator !== '=' && operator !== '!=') return null;
    if (literal.value === truth?.true) return { operator, value: true };
    return literal.value === truth?.false ? { operator, value: false } : null;
  },
};

function likeFilter(
  { op, expr, pattern, escape: escapedBy, negated }: Extract<Expr, { kind: 'like' }>,
  propertyOf: (expr: Expr) => Property | null,
): FilterArgument | null {
  const property = propertyOf(expr);
  if (op !== 'like' || escapedBy || negated || !property || !hasType(property, 'text')) return null;
  if (pattern.kind !== 'literal' || pattern.type !== 'text') return null;
  return likePattern(pattern.value) === pattern.value
    ? argument('text', property, 'LIKE', pattern.value)
    : null;
}

function argument(
  type: Property['type'],
  { name }: Property,
  operator: string,
  value: unknown,
): FilterArgument {
  return { name: `${type}_property_filter`, value: { property_name: name, operator, value } };
}
