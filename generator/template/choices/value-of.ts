import type { ParameterType } from '../../../contracts/service.ts';
import {
  affinityOf,
  type Expr,
  type InList,
  isNumeric,
  type Literal,
  type Origins,
} from '../../../sql/index.ts';
import type { Choice, Role } from './choice.ts';

type Value = string | number;
type Place = Pick<Choice, 'role' | 'clause' | 'negated' | 'removed' | 'scope'>;

interface Scalar extends Place {
  readonly literal: Literal;
  readonly subject: Expr | null;
  /** True when the literal itself is compared, with nothing around it. */
  readonly bare?: boolean;
  /** The part of the literal between the wildcards that stay in the SQL. */
  readonly value?: string;
  readonly prefix?: string;
  readonly suffix?: string;
}

const COMPARISONS: ReadonlySet<Role> = new Set([
  'equal',
  'not_equal',
  'at_least',
  'above',
  'at_most',
  'below',
  'low',
  'high',
]);

/** A literal as a choice; null when it has to stay as it is. */
export function toScalar(scalar: Scalar, origins: Origins): Choice | null {
  const { literal, subject, role, clause, negated, removed, scope, prefix = '', suffix = '' } = scalar;
  const direct = subject !== null && (scalar.bare ?? false);
  const typed = typeOf(literal, direct ? subject : null, origins);
  if (typed === null) return null;
  return {
    role,
    clause,
    negated,
    removed,
    scope,
    subject,
    column: direct || scalar.value !== undefined ? columnOf(subject, origins) : null,
    type: typed.type,
    array: false,
    anyNumber: direct && COMPARISONS.has(role) && affinityOf(subject, origins) !== 'text',
    prefix,
    suffix,
    occurrences: [{ literals: [literal], list: null }],
    value: scalar.value ?? typed.value,
  };
}

/** An IN list as one choice of several values; null when its items are not literals of one kind. */
export function toArray(place: Place & { readonly list: InList }, origins: Origins): Choice | null {
  const { list, role, clause, negated, removed, scope } = place;
  const literals = list.items.filter((item) => item.kind === 'literal');
  if (literals.length === 0 || literals.length < list.items.length) return null;
  const typed = literals.map((literal) => typeOf(literal, list.expr, origins));
  const values = typed.flatMap((one) => (one === null ? [] : [one.value]));
  const type = typed[0]?.type;
  // Reals stay scalars: a number is not sure to pass through JSON unchanged.
  if (type === undefined || type === 'number') return null;
  if (values.length < literals.length || typed.some((one) => one?.type !== type)) return null;
  return {
    role,
    clause,
    negated,
    removed,
    scope,
    subject: list.expr,
    column: columnOf(list.expr, origins),
    type,
    array: true,
    anyNumber: false,
    prefix: '',
    suffix: '',
    occurrences: [{ literals, list }],
    value: values,
  };
}

function columnOf(subject: Expr | null, origins: Origins): Choice['column'] {
  const base = subject === null ? null : origins.baseColumn(subject);
  return base === null ? null : { table: base.table.name, column: base.column.name };
}

/**
 * The argument that is bound in a literal's place with the same effect. SQLite applies the affinity of a
 * column to a bound value as it does to a literal, so the type may follow the column where the outcome is
 * the same: `'2008'` beside a numeric column is a number, `90210` beside a text column is text.
 */
function typeOf(
  literal: Literal,
  beside: Expr | null,
  origins: Origins,
): { readonly type: ParameterType; readonly value: Value } | null {
  // Nothing to choose, or nothing in the gold SQL to put another value in place of.
  if (literal.pinned || literal.span === null) return null;
  const affinity = beside === null ? 'none' : affinityOf(beside, origins);
  switch (literal.type) {
    case 'integer': {
      const value = Number(literal.value);
      if (!Number.isSafeInteger(value)) return null;
      return affinity === 'text' ? { type: 'string', value: String(value) } : { type: 'integer', value };
    }
    case 'real':
      return Number.isFinite(literal.value) ? { type: 'number', value: literal.value } : null;
    case 'text': {
      if (literal.value === '') return null;
      const base = beside === null ? null : origins.baseColumn(beside);
      const numeric = base !== null && base.column.type !== 'string' && isNumeric(affinity);
      if (numeric && /^-?(0|[1-9]\d{0,14})$/.test(literal.value)) {
        return { type: 'integer', value: Number(literal.value) };
      }
      return { type: 'string', value: literal.value };
    }
    case 'blob':
    case 'null':
      return null;
  }
}
