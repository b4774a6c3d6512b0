import { type Call, exprsOf } from '../../../sql/index.ts';
import type { Choice, Role } from '../choices/choice.ts';
import type { NamedChoice } from '../names/name-parameters.ts';
import { datePart } from '../outline/date-parts.ts';
import { writtenAs } from '../outline/function-phrase.ts';
import { bare } from '../outline/patterns.ts';
import { capital, plainPhrase } from '../outline/phrase.ts';
import type { Saying } from '../outline/phrase-of.ts';
import { shiftedPhrase } from '../outline/shifted-phrase.ts';
import { columnProse, formatOf, placeOf } from './column-prose.ts';
import type { ValueGuard } from './guard.ts';

/** What a parameter is and how it is compared, from the catalog; never a value. */
export function describeParameter({ choice, of }: NamedChoice, saying: Saying, guard: ValueGuard): string {
  if (choice.role === 'limit') return 'How many rows to return at most.';
  if (choice.role === 'factor') return `Number that the ${of.text} is multiplied or divided by.`;
  const { speaker } = saying;
  const inner = choice.subject === null ? null : bare(choice.subject);
  const base = inner === null ? null : speaker.origins.baseColumn(inner);
  const what = capital(of.text.replace(/ with a given .*$/, ''));
  const place = base === null ? '' : ` (${placeOf(base.table, base.column)})`;
  const prose = base === null ? '' : columnProse(base.column, of.text, guard);
  const call = dateCallOf(choice);
  const format =
    call !== null
      ? 'YYYY-MM-DD'
      : base === null
        ? partFormat(inner, saying)
        : choice.type === 'string' && hasFormat(choice.role)
          ? formatOf(base.column)
          : '';
  const written = format === '' ? '' : `Written as ${format}.`;
  const compared = comparison(choice).replace('this value', call === null ? '$&' : movedText(call, saying));
  return [`${what}${place}: ${compared}.`, prose, written].filter((piece) => piece !== '').join(' ');
}

/** The date function that the value is given to; null when it is compared as it is. */
function dateCallOf({ scope, occurrences }: Choice): Call | null {
  const literals = occurrences.flatMap((occurrence) => occurrence.literals);
  const calls = exprsOf(scope).filter((part) => part.kind === 'call');
  const isDate = ({ name }: Call) => /^(date|datetime|strftime|julianday|unixepoch)$/.test(name);
  return calls.find((call) => isDate(call) && literals.some((one) => call.args.includes(one))) ?? null;
}

/** this value plus 1 month */
function movedText(call: Call, saying: Saying): string {
  const modifiers = datePart(call, () => '')?.modifiers ?? [];
  return shiftedPhrase(plainPhrase(['this', 'value']), modifiers, saying).text;
}

function partFormat(inner: Choice['subject'], saying: Saying): string {
  if (inner?.kind !== 'call') return '';
  return datePart(inner, (of) => writtenAs(of, saying))?.format ?? '';
}

function hasFormat(role: Role): boolean {
  return !['contains', 'starts_with', 'ends_with', 'pattern', 'glob'].includes(role);
}

function comparison({ role, negated, removed }: Choice): string {
  const text = negated ? NEGATED[role] : PLAIN[role];
  return removed ? `${text}, in the rows that are left out` : text;
}

const PLAIN: Record<Role, string> = {
  equal: 'equal to this value',
  not_equal: 'any but this value',
  at_least: 'this value or more',
  above: 'more than this value',
  at_most: 'this value or less',
  below: 'less than this value',
  low: 'the lowest value that counts',
  high: 'the highest value that counts',
  contains: 'a text that it contains, in any case of letters',
  starts_with: 'a text that it starts with, in any case of letters',
  ends_with: 'a text that it ends with, in any case of letters',
  like: 'equal to this value in any case of letters',
  pattern: 'a pattern that it matches; % stands for any text and _ for any one character',
  glob: 'a pattern that it matches; * stands for any text, ? for any one character and [abc] for one of these',
  among: 'one of these values',
  not_among: 'none of these values',
  factor: 'a number',
  limit: 'a number of rows',
};

const NEGATED: Record<Role, string> = {
  ...PLAIN,
  equal: 'any but this value',
  not_equal: 'equal to this value',
  at_least: 'less than this value',
  above: 'this value or less',
  at_most: 'more than this value',
  below: 'this value or more',
  low: 'the lowest value that does not count',
  high: 'the highest value that does not count',
  contains: 'a text that it does not contain, in any case of letters',
  starts_with: 'a text that it does not start with, in any case of letters',
  ends_with: 'a text that it does not end with, in any case of letters',
  like: 'any but this value in any case of letters',
  pattern: 'a pattern that it does not match; % stands for any text and _ for any one character',
  glob: 'a pattern that it does not match; * stands for any text, ? for any one character and [abc] for one of these',
  among: 'none of these values',
  not_among: 'one of these values',
};
