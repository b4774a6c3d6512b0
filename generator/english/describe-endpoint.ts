import { capital } from '../../contracts/wording.ts';
import type { Choice, Role } from '../template/choices.ts';
import { columnProse, formatOf, placeOf } from './catalog-prose.ts';
import {
  type Clauses,
  type ListClauses,
  manyOf,
  oneOf,
  type Property,
  type Relation,
  type Scale,
  type Sort,
  signature,
  type Term,
} from './clause.ts';
import { paddedText } from './condition-text.ts';
import { leftmostList } from './lists.ts';
import { shiftText } from './moments.ts';
import type { Chosen } from './names.ts';
import { joinTexts, type NounPhrase, singularText, theText } from './noun-phrase.ts';
import { readText } from './query-text.ts';
import { cutText } from './ranking.ts';
import { descriptionRealizer, type PhraseResolver, parameterRealizer } from './realize.ts';
import type { Realizer, ValueGuard } from './realizer.ts';
import { isMatch, isMoment, isRelation, MATCHES, RELATIONS, relationWords } from './relations.ts';
import { constantText, sortText } from './terms.ts';
import { listed } from './words.ts';

/** A paragraph for choosing a tool: what an endpoint returns, which rows, in which order and how many. */
export function describeEndpoint(
  clauses: Clauses,
  columns: readonly string[],
  rounded: readonly string[],
  nameOf: (choice: Choice) => string,
  phrases?: PhraseResolver,
): string {
  const r = descriptionRealizer(nameOf, phrases);
  const sentences = [returned(clauses, columns, rounded, r), ...selection(clauses, r), ordered(clauses, r)];
  return withSources(sentences.filter((sentence) => sentence !== '').join(' '), clauses);
}

/** What an action does to which rows: `does` is a verb phrase, such as "deletes"; all conditions follow. */
export function describeAction(
  clauses: ListClauses,
  does: (r: Realizer) => string,
  nameOf: (choice: Choice) => string,
  phrases?: PhraseResolver,
): string {
  const r = descriptionRealizer(nameOf, phrases);
  const rows = clauses.subject === null ? 'rows' : manyOf(clauses.subject);
  const all = `${capital(does(r))} all ${rows}`;
  const conditions = r.adjuncts(clauses.conditions);
  const sentences = listSelection({ ...clauses, grain: [] }, conditions, r);
  const isPlain = sentences.length === 1 && conditions !== '';
  const said = isPlain ? [`${all} ${conditions}.`] : [`${all} that meet the conditions.`, ...sentences];
  return withSources(said.join(' '), clauses);
}

/** A description, and the tables that are read. */
export function withSources(description: string, { tables }: Clauses): string {
  return tables.length === 0 ? description : `${description} Source: ${[...tables].sort().join(', ')}.`;
}

/** The text of a result column, with the names of parameters for values chosen in it. */
export function columnText(term: Term, rounded: string, r: Realizer): string {
  return `${singularText(r.noun(term))}${rounded}`;
}

function returned(
  clauses: Clauses,
  columns: readonly string[],
  rounded: readonly string[],
  r: Realizer,
): string {
  const first = leftmostList(clauses);
  const terms = first?.columns ?? [];
  const list = listed(
    columns.map((name, i) => {
      const term = terms[i];
      const text = term === undefined ? '' : columnText(term, rounded[i] ?? '', r);
      const others = constantsAt(i, clauses);
      if (others.length > 1) return `${name} (${listed(others, 'or')})`;
      return text === '' || text.replaceAll(' ', '_').toLowerCase() === name ? name : `${name} (${text})`;
    }),
  );
  // A set operation has a row of each side.
  const one = first?.about === 'all' && clauses.kind === 'list';
  return `${one ? 'One row' : first?.distinct ? 'Each different row once' : 'Rows'} with ${list}.`;
}

/** The fixed values that the parts of a combination have in a column. */
function constantsAt(index: number, clauses: Clauses): readonly string[] {
  if (clauses.kind === 'combined')
    return [...new Set([clauses.left, clauses.right].flatMap((side) => constantsAt(index, side)))];
  const term = clauses.columns[index];
  return term?.kind === 'constant' ? [constantText(term)] : [];
}

function selection(clauses: Clauses, r: Realizer): readonly string[] {
  if (clauses.kind === 'fixed') return [];
  if (clauses.kind === 'combined') {
    return [
      `${capital(r.query(clauses))}.`,
      clauses.op === 'union_all' ? 'Rows may repeat.' : 'Each different row once.',
    ];
  }
  return listSelection(clauses, r.adjuncts(clauses.conditions), r);
}

function listSelection(clauses: ListClauses, where: string, r: Realizer): readonly string[] {
  const read = clauses.read.map((inner) => theText(readText(inner, r)));
  const padded = paddedText(clauses, r);
  return [
    grainText(clauses, r),
    clauses.over === null ? '' : `Numbers are over rows of each ${oneOf(clauses.over)}.`,
    read.length === 0 ? '' : `Read from ${listed(read)}.`,
    crossedText(clauses),
    where === '' ? '' : `Conditions: ${where.slice('where '.length)}.`,
    padded === '' ? '' : `${capital(padded)}.`,
  ].filter((sentence) => sentence !== '');
}

function crossedText({ crossed }: ListClauses): string {
  const [first, ...others] = crossed.map(oneOf);
  return first === undefined ? '' : `Every ${first} is combined with every ${listed(others)}.`;
}

/** The meaning of each row, if the rows are named after something else. */
function grainText({ groups, grain, distinct, about }: ListClauses, r: Realizer): string {
  if (about === 'all') return '';
  if (groups !== null && groups.keys.length > 0) {
    const keys = listed([...new Set(groups.keys.map((key) => singularText(r.noun(key))))]);
    return distinct ? `Numbers are per ${keys}.` : `One row per ${keys}.`;
  }
  if (distinct) return '';
  return grain.length === 0 ? '' : `One row for each ${listed(grain.map(oneOf))}.`;
}

function ordered(clauses: Clauses, r: Realizer): string {
  if (clauses.kind === 'fixed') return '';
  const one = clauses.kind === 'list' && clauses.about === 'all';
  if (one && clauses.limit === null) return '';
  const keys = one
    ? []
    : clauses.order.map(
        (sort: Sort) => sortText(sort, r) + (startsMissing(sort, clauses) ? MISSING_FIRST : ''),
      );
  const order = keys.length === 0 ? '' : `sorted by ${keys.join(', then by ')}`;
  const text = [order, cutText(clauses.limit, r)].filter((part) => part !== '').join('; ');
  return text === '' ? '' : `${capital(text)}.`;
}

const MISSING_FIRST = ' (rows without one before all others)';

/** Whether an order that is cut off begins with rows that have no value, as SQLite sorts them. */
function startsMissing(
  { of, direction }: Sort,
  clauses: Exclude<Clauses, { readonly kind: 'fixed' }>,
): boolean {
  if (direction === 'desc' || clauses.limit === null || clauses.kind !== 'list' || clauses.groups !== null)
    return false;
  // They may be left out, or put last.
  const checked = signature([
    clauses.conditions,
    clauses.order.filter(({ of: key }) => key.kind === 'check'),
  ]);
  return propertiesIn(of).some(
    (one) => (one.base?.column.statistics.nulls ?? 0) > 0 && !checked.includes(signature(one)),
  );
}

/** The columns without which a term has no value. */
function propertiesIn(term: Term): readonly Property[] {
  switch (term.kind) {
    case 'property':
      return [term];
    case 'ratio':
      return [term.top, term.bottom].flatMap(propertiesIn);
    case 'arithmetic':
      return term.items.flatMap(propertiesIn);
    case 'date_part':
    case 'derived':
      return propertiesIn(term.of);
    default:
      return [];
  }
}

/** The description of a result column: its text and, for a base column, the catalog's description. */
export function describeColumn(term: Term, text: string, guard: ValueGuard): string {
  const inner = shown(term);
  const column = inner.kind === 'date_part' ? inner.of : inner;
  const base = column.kind === 'property' ? column.base : null;
  if (base === null) return `${capital(text)}.`;
  const prose = proseOf(base, inner, text, guard);
  return `${capital(text)} (${placeOf(base.table, base.column)}).${prose === '' ? '' : ` ${prose}`}`;
}

/** What the catalog adds to the text of a term; about the column, where the term is a part of its date. */
function proseOf(
  { table, column }: NonNullable<Property['base']>,
  { kind }: Term,
  text: string,
  guard: ValueGuard,
): string {
  const prose = columnProse(column, `${text} ${table.words?.one ?? table.name}`, guard);
  return kind === 'date_part' && prose !== '' ? `Column: ${prose}` : prose;
}

/** The term that a subquery of one value returns. */
function shown(term: Term): Term {
  const [first] = term.kind === 'query' && term.query.kind === 'list' ? term.query.columns : [];
  return first ?? term;
}

/** The surroundings of a parameter's value in the SQL. */
export interface ParameterPlace extends Chosen {
  /** The value as it is compared, moved by a date function; null when it is compared as it is. */
  readonly given: Extract<Term, { kind: 'given' }> | null;
  /** The operation with a number as its operand: a given value times the average height. */
  readonly operation: Term | null;
  /** The escape character of a pattern, or null. */
  readonly sign: string | null;
  /** The format of the value, if its column or date part determines it: YYYY-MM. */
  readonly format: string;
}

/** A parameter's meaning and comparison, from the catalog; never a value. */
export function describeParameter(
  { choice, of, given, operation, sign, format }: ParameterPlace,
  guard: ValueGuard,
  phrases?: PhraseResolver,
): string {
  if (choice.role === 'limit' || of === null) return 'Maximum number of rows to return.';
  const r = parameterRealizer(phrases);
  const np = r.noun(of);
  const text = singularText(np);
  if (choice.role === 'factor') {
    const whole =
      operation === null ? `a given value combined with ${text}` : singularText(r.noun(operation));
    return `Used in the calculation: ${whole.replace(/a given (value|year)/, 'this $1')}.`;
  }
  // For a part of a date, the column of the date is named.
  const column = of.kind === 'date_part' ? of.of : of;
  const base = column.kind === 'property' ? column.base : null;
  const place = base === null ? '' : ` (${placeOf(base.table, base.column)})`;
  const about = base === null ? '' : proseOf(base, of, text, guard);
  const written =
    format !== ''
      ? format
      : base !== null && of.kind !== 'date_part' && choice.type === 'string' && hasFormat(choice.role)
        ? formatOf(base.column)
        : '';
  const shifts = (given?.shifts ?? []).map((shift) => shiftText(shift, r));
  const value = joinTexts(`this ${isMoment(np.scale) ? np.scale : 'value'}`, ...shifts);
  const excluded = choice.removed ? ' of what is ruled out' : '';
  const bound = shifts.length === 0 ? boundOf(choice, np) : null;
  const what = `${capital(joinTexts(bound ?? '', text))}${place}${excluded}`;
  const signs = sign === null ? '' : `; ${sign} escapes the sign behind it`;
  const compared =
    bound === null ? `: ${comparison(choice, np.scale, value, shifts.length > 0)}${signs}` : '';
  const format_ = written === '' ? '' : `Format: ${written}.`;
  return [`${what}${compared}.`, about, format_].filter((piece) => piece !== '').join(' ');
}

function hasFormat(role: Role): boolean {
  return !['contains', 'starts_with', 'ends_with', 'pattern', 'glob'].includes(role);
}

/** The relation of a value to what it is compared with, if it is one. */
function relationOf({ role, negated }: Choice): Relation | null {
  if (!negated && (role === 'low' || role === 'high')) return role === 'low' ? 'at_least' : 'at_most';
  if (!isRelation(role)) return null;
  return negated ? RELATIONS[role].opposite : role;
}

/** The adjective of a bound that counts itself: minimum salary, latest opening date; null for others, and of extremes. */
function boundOf(choice: Choice, { lead, scale }: NounPhrase): string | null {
  const relation = relationOf(choice);
  if (scale === 'text' || /\b(highest|lowest|latest|earliest|most|fewest)\b/.test(lead)) return null;
  if (relation === 'at_least') return isMoment(scale) ? 'earliest' : 'minimum';
  if (relation === 'at_most') return isMoment(scale) ? 'latest' : 'maximum';
  return null;
}

function comparison(choice: Choice, scale: Scale, value: string, isShifted: boolean): string {
  const { role, negated } = choice;
  const relation = relationOf(choice);
  if (relation === 'equal') return isShifted ? `exactly ${value}` : 'exact match';
  if (relation === 'not_equal') return `anything but ${value}`;
  if (relation !== null) return `${relationWords(relation, scale).is.replace('is ', '')} ${value}`;
  if (isMatch(role)) return MATCHES[role].parameter[negated ? 1 : 0];
  if (role === 'low') return 'start of the range to leave out';
  if (role === 'high') return 'end of the range to leave out';
  return (role === 'not_among') === negated ? 'one of these values' : 'none of these values';
}
