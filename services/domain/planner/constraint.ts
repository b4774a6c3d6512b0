import type { CatalogColumn } from '../../../contracts/catalog.ts';
import { declaredAffinity } from '../../../contracts/column-affinity.ts';
import type { TableApiStyle } from '../../../contracts/table-api.ts';
import type { Expr, Literal, SourceId } from '../../../sql/index.ts';

/** A comparison of a column with a value that an API can be asked for. */
export interface Atom {
  readonly column: string;
  readonly operator: 'eq' | 'gt' | 'ge' | 'lt' | 'le' | 'like';
  readonly value: string | number | bigint;
}

/** Conditions that hold together. */
export type Conjunction = readonly Atom[];

/** More disjuncts than this count as no constraint at all. */
const MOST_DISJUNCTS = 64;

/** The source whose rows are constrained: its id, its columns, and what its API can compare. */
export interface ConstrainedSource {
  readonly id: SourceId;
  readonly column: (name: string) => CatalogColumn | undefined;
  readonly style: TableApiStyle;
}

/**
 * What some conditions say together about the rows of a source, in disjunctive normal form: every row that fulfils them all
 * fulfils one of the disjuncts. What cannot be asked of the API is left out, since the statement itself asks it again.
 */
export function constraintOf(conditions: readonly Expr[], source: ConstrainedSource): readonly Conjunction[] {
  return conditions.reduce<readonly Conjunction[]>(
    (all, condition) => both(all, disjunctsOf(condition, source)),
    ANYTHING,
  );
}

/** No constraint: one disjunct without conditions. */
export const ANYTHING: readonly Conjunction[] = [[]];

function disjunctsOf(expr: Expr, source: ConstrainedSource): readonly Conjunction[] {
  switch (expr.kind) {
    case 'and':
      return constraintOf(expr.items, source);
    case 'or': {
      const sides = expr.items.map((item) => disjunctsOf(item, source));
      const all = sides.flat();
      const isOpen = all.length > MOST_DISJUNCTS || all.some((disjunct) => disjunct.length === 0);
      return isOpen ? ANYTHING : all;
    }
    case 'compare':
      return atoms(comparison(expr, source));
    case 'between': {
      if (expr.negated) return ANYTHING;
      const low = atom(expr.expr, 'ge', expr.low, source);
      const high = atom(expr.expr, 'le', expr.high, source);
      return atoms(...[low, high].filter((each) => each !== null));
    }
    case 'in_list': {
      if (expr.negated || expr.items.length > MOST_DISJUNCTS) return ANYTHING;
      const values = expr.items.map((item) => atom(expr.expr, 'eq', item, source));
      return values.every((value) => value !== null) ? values.map((value) => [value]) : ANYTHING;
    }
    case 'like':
      if (expr.negated || expr.op !== 'like' || expr.escape !== null) return ANYTHING;
      return atoms(atom(expr.expr, 'like', expr.pattern, source));
    default:
      return ANYTHING;
  }
}

function atoms(...found: readonly (Atom | null)[]): readonly Conjunction[] {
  return [found.filter((each) => each !== null)];
}

function both(a: readonly Conjunction[], b: readonly Conjunction[]): readonly Conjunction[] {
  if (a.length * b.length > MOST_DISJUNCTS) return a.length <= b.length ? a : b;
  return a.flatMap((left) => b.map((right) => [...left, ...right.filter((each) => !isAsked(left, each))]));
}

/** An API takes one value for each column and comparison. */
function isAsked(atoms: Conjunction, { column, operator }: Atom): boolean {
  return atoms.some((each) => each.column === column && each.operator === operator);
}

const OPERATORS = { '=': 'eq', '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' } as const;
const MIRRORED = { eq: 'eq', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge', like: 'like' } as const;

function comparison(expr: Extract<Expr, { kind: 'compare' }>, source: ConstrainedSource): Atom | null {
  const { op, left, right } = expr;
  if (!(op in OPERATORS)) return null;
  const operator = OPERATORS[op as keyof typeof OPERATORS];
  return atom(left, operator, right, source) ?? atom(right, MIRRORED[operator], left, source);
}

function atom(expr: Expr, operator: Atom['operator'], value: Expr, source: ConstrainedSource): Atom | null {
  if (expr.kind !== 'column' || expr.source !== source.id) return null;
  if (operator !== 'eq' && source.style !== 'rich') return null;
  const column = source.column(expr.name);
  const literal = literalOf(value);
  if (!column || literal === null) return null;
  if (operator === 'like')
    return typeof literal === 'string' ? { column: expr.name, operator, value: literal } : null;
  const asked = apiValue(column, literal);
  return asked === null ? null : { column: expr.name, operator, value: asked };
}

/** The value of a literal, or of a number with a sign. */
function literalOf(expr: Expr): string | number | bigint | null {
  if (expr.kind === 'literal') return plainValue(expr);
  if (expr.kind !== 'unary' || expr.op !== '-' || expr.expr.kind !== 'literal') return null;
  const { value } = expr.expr;
  return typeof value === 'bigint' || typeof value === 'number' ? -value : null;
}

function plainValue(literal: Literal): string | number | bigint | null {
  return literal.type === 'blob' ? null : literal.value;
}

const INTEGER = /^-?(?:0|[1-9]\d{0,17})$/;

/**
 * A value as the API of a column takes it, where comparing it there comes to the same as in the statement; null where it may
 * not.
 */
export function apiValue(
  { type, declared_type }: Pick<CatalogColumn, 'type' | 'declared_type'>,
  value: string | number | bigint,
): string | number | bigint | null {
  const affinity = declaredAffinity(declared_type);
  if (type === 'string') {
    if (typeof value === 'string') return value;
    return typeof value === 'bigint' && affinity === 'text' ? String(value) : null;
  }
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : null;
  if (typeof value === 'number') return type === 'number' && Number.isFinite(value) ? value : null;
  // A number in quotes is one for a column of numbers, and a text for any other.
  const isNumeric = affinity === 'integer' || affinity === 'real' || affinity === 'numeric';
  return isNumeric && INTEGER.test(value) ? BigInt(value) : null;
}
