import type { Choice, Role } from '../template/choices.ts';
import type { Apart } from './apart.ts';
import { columnProse, formatOf, placeOf } from './catalog-prose.ts';
import type { Term } from './clauses/clause.ts';
import { shiftText } from './moments.ts';
import type { Chosen } from './names/name-parameters.ts';
import { capital, joinTexts, singularText } from './noun-phrase.ts';
import { parameterRealizer } from './realize.ts';
import { isMatch, isRelation, MATCHES, RELATIONS } from './relations.ts';
import type { ValueGuard } from './value-guard.ts';

/** What stands around a parameter's value in the SQL. */
export interface ParameterPlace extends Chosen {
  /** The value as it is compared, moved by a date function; null when it is compared as it is. */
  readonly given: Extract<Term, { kind: 'given' }> | null;
  /** The operation that a number stands in: a given value times the average height. */
  readonly operation: Term | null;
  /** What stands before a sign of a pattern that means itself; null for none. */
  readonly sign: string | null;
  /** How the value is written, where its column or the part of a date tells: YYYY-MM. */
  readonly format: string;
}

/** What a parameter is and how it is compared, from the catalog; never a value. */
export function describeParameter(
  { choice, of, given, operation, sign, format }: ParameterPlace,
  guard: ValueGuard,
  apart?: Apart,
): string {
  if (choice.role === 'limit' || of === null) return 'How many rows to return at most.';
  const r = parameterRealizer(apart);
  const text = singularText(r.noun(of));
  if (choice.role === 'factor') {
    const whole = operation === null ? `what is combined with ${text}` : singularText(r.noun(operation));
    return `The given number in: ${whole}.`;
  }
  // Of a part of a date it is told whose part it is.
  const column = of.kind === 'date_part' ? of.of : of;
  const base = column.kind === 'property' ? column.base : null;
  const place = base === null ? '' : ` (${placeOf(base.table, base.column)})`;
  const prose = base === null ? '' : columnProse(base.column, text, guard);
  const written =
    format !== ''
      ? format
      : base !== null && of.kind !== 'date_part' && choice.type === 'string' && hasFormat(choice.role)
        ? formatOf(base.column)
        : '';
  const value = joinTexts('this value', ...(given?.shifts ?? []).map((shift) => shiftText(shift, r)));
  const signs = sign === null ? '' : `; ${sign} before a sign means the sign itself`;
  const compared = `${comparison(choice).split('this value').join(value)}${signs}`;
  const format_ = written === '' ? '' : `Written as ${written}.`;
  return [`${capital(text)}${place}: ${compared}.`, prose, format_].filter((piece) => piece !== '').join(' ');
}

function hasFormat(role: Role): boolean {
  return !['contains', 'starts_with', 'ends_with', 'pattern', 'glob'].includes(role);
}

/** The other comparisons, as they are and turned round. */
const OTHERS: Partial<Record<Role, readonly [plain: string, negated: string]>> = {
  low: ['this value or more, up to the other bound', 'the lowest value that does not count'],
  high: ['this value or less, down to the other bound', 'the highest value that does not count'],
  among: ['one of these values', 'none of these values'],
  not_among: ['none of these values', 'one of these values'],
};

function comparison({ role, negated, removed }: Choice): string {
  const other = isMatch(role) ? MATCHES[role].parameter : OTHERS[role];
  const text = isRelation(role)
    ? RELATIONS[negated ? RELATIONS[role].opposite : role].parameter
    : (other?.[negated ? 1 : 0] ?? 'a number');
  return removed ? `${text}, in the rows that are left out` : text;
}
