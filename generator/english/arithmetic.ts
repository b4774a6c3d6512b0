import {
  type Aggregate,
  type Binary,
  columnsOf,
  conjuncts,
  type Expr,
  exprsWithin,
  holdsAggregate,
  isCondition,
  keyTable,
  type Origins,
  type Query,
  type Select,
  type SourceId,
  sameExpr,
  soleKey,
} from '../../sql/index.ts';
import { canonicalExpr, isNotNull, isPadded } from '../template/canonical-form.ts';
import { typeOf } from '../template/template.ts';
import {
  type Arithmetic,
  type Condition,
  type Count,
  combinationOf,
  type Known,
  manyOf,
  oneOf,
  type Share,
  type Summary,
  signature,
  type Term,
  type Thing,
  type Wording,
} from './clause.ts';
import { isYesNo } from './column-text.ts';
import { durationTerm, isBirth, partOf, writtenAs } from './dates.ts';
import { itemOf, joinFilters, rowSources } from './joins.ts';
import { isThing } from './lists.ts';
import {
  asAggregate,
  bare,
  conditionalCount,
  conditionalValue,
  flatten,
  isCount,
  isPiece,
  numberLiteral,
  testIn,
} from './patterns.ts';
import type { Scope } from './query-context.ts';
import { wordsOf } from './term-words.ts';
import { isPersonName, personOf, plural } from './words.ts';

/** The term of an operator: enrollment difference, full name, percentage of loans, weeks between two dates. */
export function arithmeticTerm(expr: Binary, scope: Scope): Term {
  const { op } = expr;
  if (op === '||') return joinedText(textParts(expr), scope);
  const amounts = quarter(expr, scope) ?? compactPart(expr, scope) ?? stepped(expr, scope);
  if (amounts !== null) return amounts;
  const plain = inUnit(expr, scope) ?? asPercentage(expr, scope) ?? operation(expr, scope);
  return op === '/' && isWhole(expr, scope) ? (withoutFraction(plain) ?? derivedWhole(plain)) : plain;
}

function operation(expr: Binary, scope: Scope): Term {
  const { op, left, right } = expr;
  switch (op) {
    case '/':
      return quotientTerm(left, right, scope);
    case '-':
      return durationTerm(left, right, scope) ?? elapsed(arithmetic('-', [left, right], scope));
    case '+':
      return sum(expr, scope);
    case '*':
      return arithmetic('*', flatten(expr, '*'), scope);
    case '%':
      return arithmetic('%', [left, right], scope);
    case '->':
    case '->>': {
      const [of, path] = [scope.term(left), scope.term(right)];
      return { kind: 'derived', word: 'field', place: 'of', of, more: [path] };
    }
    default: {
      return {
        kind: 'derived',
        word: BITWISE[op] ?? 'bitwise and',
        place: 'of',
        of: scope.term(left),
        more: [scope.term(right)],
      };
    }
  }
}

/** A difference of two moments in milliseconds is a duration. */
function elapsed(term: Arithmetic): Term {
  const [to, from] = term.items;
  const isMoment = (of: Term | undefined) =>
    of?.kind === 'property' && of.base?.column.words?.unit?.startsWith('milliseconds since ');
  if (to === undefined || from === undefined || !isMoment(to) || !isMoment(from)) return term;
  return { kind: 'duration', unit: 'milliseconds', from, to, full: false };
}

const BITWISE: Readonly<Record<string, string>> = {
  '|': 'bitwise or',
  '<<': 'left shift',
  '>>': 'right shift',
};

export function arithmetic(op: Arithmetic['op'], items: readonly Expr[], scope: Scope): Arithmetic {
  return { kind: 'arithmetic', op, items: items.map((item) => scope.term(item)), whole: false, step: null };
}

function derivedWhole(of: Term): Term {
  return { kind: 'derived', word: 'whole part', place: 'of', of, more: [] };
}

/** A term without its fraction, for kinds that record it; else null. */
export function withoutFraction(term: Term): Term | null {
  switch (term.kind) {
    case 'age':
      return { ...term, years: term.years === 'exact' ? 'whole' : term.years };
    case 'duration':
      return { ...term, full: true };
    case 'arithmetic':
      return term.op === '/' ? { ...term, whole: true } : null;
    default:
      return null;
  }
}

/** Whether a division is of integers, which drops the remainder. */
function isWhole({ left, right }: Binary, { context: { origins } }: Scope): boolean {
  return [left, right].every((side) => isDatePart(side) || typeOf(side, origins) === 'integer');
}

/** A part of a date is text, and in arithmetic the integer that it writes. */
function isDatePart(expr: Expr): boolean {
  const [format] = expr.kind === 'call' && expr.name === 'strftime' ? expr.args : [];
  return format?.kind === 'literal' && /^%[YmdHMSjwWs]$/.test(String(format.value));
}

/** `(month + 2) / 3` and `(month - 1) / 3 + 1` are the quarter. */
function quarter(expr: Binary, scope: Scope): Term | null {
  const isBy = ({ op, right }: Binary, sign: Binary['op'], number: number) =>
    op === sign && Number(numberLiteral(right)?.value) === number;
  const later = isBy(expr, '+', 1);
  const divided = later ? bare(expr.left) : expr;
  if (divided.kind !== 'binary' || !isBy(divided, '/', 3) || !isWhole(divided, scope)) return null;
  const moved = bare(divided.left);
  if (moved.kind !== 'binary' || !isBy(moved, later ? '-' : '+', later ? 1 : 2)) return null;
  const month = scope.term(moved.left);
  return month.kind === 'date_part' && month.part === 'month' ? { ...month, part: 'quarter' } : null;
}

/** `year / 10 * 10` is the decade; of other numbers they are rounded down. */
function stepped({ op, left, right }: Binary, scope: Scope): Term | null {
  const [by, divided] = [numberLiteral(right), bare(left)];
  if (op !== '*' || by === null || divided.kind !== 'binary' || divided.op !== '/') return null;
  if (!isWhole(divided, scope) || numberLiteral(divided.right)?.value !== by.value) return null;
  const of = scope.term(divided.left);
  const isYear =
    of.kind === 'date_part' ? of.part === 'year' : of.kind === 'property' && /year$/i.test(of.own.text);
  if (isYear && by.value === 10n)
    return { kind: 'date_part', part: 'decade', of: of.kind === 'date_part' ? of.of : of };
  return { kind: 'arithmetic', op: '/', items: [of], whole: true, step: Number(by.value) };
}

/** The part of `201208` that division by 100 leaves: the year, and as the remainder the month. */
function compactPart({ op, left, right }: Binary, scope: Scope): Term | null {
  const format = writtenAs(left, scope);
  if (!format.startsWith('YYYYMM')) return null;
  const by = Number(numberLiteral(right)?.value);
  const of = scope.term(left);
  const part = (name: string): Term => ({ kind: 'date_part', part: name, of });
  if (format === 'YYYYMMDD' && by === 10_000) return op === '/' ? part('year') : null;
  if (by !== 100) return null;
  const [quotient, remainder] = format === 'YYYYMM' ? ['year', 'month'] : ['month', 'day'];
  return op === '/' ? part(quotient) : op === '%' ? part(remainder) : null;
}

/** A ratio, a share or a change times 100, in whichever order it is multiplied. */
function asPercentage({ op, left, right }: Binary, scope: Scope): Term | null {
  if (op === '*') {
    const factor = isHundred(right) ? left : isHundred(left) ? right : null;
    return factor === null ? null : percentOf(scope.term(factor));
  }
  if (op !== '/') return null;
  const top = bare(left);
  if (top.kind !== 'binary' || top.op !== '*') return null;
  const factor = isHundred(top.right) ? top.left : isHundred(top.left) ? top.right : null;
  return factor === null ? null : percentOf(quotientTerm(bare(factor), right, scope));
}

function isHundred(expr: Expr): boolean {
  return Number(numberLiteral(expr)?.value) === 100;
}

function percentOf(of: Term): Term | null {
  return of.kind === 'share' || of.kind === 'ratio' || of.kind === 'change' ? { ...of, percent: true } : null;
}

/** The unit of a duration that is multiplied or divided. */
const UNITS: readonly (readonly [from: string, op: Binary['op'], by: number, to: string])[] = [
  ['days', '*', 24, 'hours'],
  ['days', '*', 1440, 'minutes'],
  ['days', '*', 86_400, 'seconds'],
  ['days', '/', 7, 'weeks'],
  ['days', '/', 30, 'months'],
  ['days', '/', 365, 'years'],
  ['days', '/', 365.25, 'years'],
  ['seconds', '/', 60, 'minutes'],
  ['seconds', '/', 3600, 'hours'],
  ['seconds', '/', 86_400, 'days'],
  ['milliseconds', '/', 1000, 'seconds'],
  ['milliseconds', '/', 60_000, 'minutes'],
  ['milliseconds', '/', 3_600_000, 'hours'],
  ['milliseconds', '/', 86_400_000, 'days'],
];

/** The unit of a column, as the vocabulary has it, after a multiplication or division. */
const QUANTITIES: typeof UNITS = [
  ['euro cents', '/', 100, 'euros'],
  ['cents or pence', '/', 100, 'euros or pounds'],
  ['pence', '/', 100, 'pounds'],
  ['grams', '/', 1000, 'kilograms'],
  ['kilograms', '/', 1000, 'tonnes'],
  ['tonnes', '*', 1000, 'kilograms'],
  ['metres', '/', 1000, 'kilometres'],
  ['seconds', '/', 60, 'minutes'],
  ['seconds', '/', 3600, 'hours'],
  ['minutes', '/', 60, 'hours'],
  ['hours', '*', 60, 'minutes'],
];

/** A duration or a quantity in another unit, also inside an aggregate of it; null for anything else. */
function inUnit({ op, left, right }: Binary, scope: Scope): Term | null {
  const by = Number(numberLiteral(right)?.value);
  if ((op !== '*' && op !== '/') || Number.isNaN(by)) return null;
  return converted(scope.term(left), op, by);
}

function converted(of: Term, op: Binary['op'], by: number): Term | null {
  if (of.kind === 'summary') {
    const inner = converted(of.of, op, by);
    return inner === null ? null : { ...of, of: inner };
  }
  if (of.kind === 'property') {
    const unit = of.base?.column.words?.unit ?? '';
    const found = QUANTITIES.find(
      ([from, sign, number]) =>
        sign === op && number === by && (unit === from || unit.startsWith(`${from} `)),
    );
    if (found === undefined) return null;
    const word = `in ${found[3]}${unit.slice(found[0].length)}`;
    return { kind: 'derived', word, place: 'after', of, more: [] };
  }
  if (of.kind !== 'duration') return null;
  const unit = UNITS.find(([from, sign, number]) => from === of.unit && sign === op && number === by)?.[3];
  if (unit === undefined) return null;
  const { from, to } = of;
  if (unit === 'years' && isBirth(from) && to.kind === 'constant') {
    return { kind: 'age', of: from, on: to, years: 'exact' };
  }
  return { ...of, unit };
}

function sum(expr: Binary, scope: Scope): Term {
  const items = flatten(expr, '+');
  // A time split into parts that are added up is still that time.
  const [only, ...others] = items.flatMap(columnsOf);
  if (only !== undefined && others.every((other) => sameExpr(other, only)) && items.every(isPiece)) {
    const of = scope.term(only);
    const unit = timeUnit(expr);
    return unit === null ? of : { kind: 'derived', word: unit, place: 'after', of, more: [] };
  }
  return arithmetic('+', items, scope);
}

/** The unit of a time whose minutes and hours are multiplied and added up; null if the factors do not show it. */
function timeUnit(expr: Binary): string | null {
  const factors = exprsWithin(expr).flatMap((part) =>
    part.kind === 'binary' && part.op === '*' ? [Number(numberLiteral(part.right)?.value)] : [],
  );
  if (factors.some((factor) => factor === 60_000 || factor === 3_600_000)) return 'in milliseconds';
  return factors.some((factor) => factor === 60 || factor === 3600) ? 'in seconds' : null;
}

function textParts(expr: Binary): readonly Expr[] {
  return flatten(expr, '||').filter((part) => {
    const inner = bare(part);
    return inner.kind !== 'literal' || /[\p{L}\p{N}]/u.test(String(inner.value));
  });
}

/** Several texts written one after the other: full name, city and state. */
export function joinedText(parts: readonly Expr[], scope: Scope): Term {
  const items = parts.map((part) => scope.term(part));
  const [first, ...others] = items;
  if (first !== undefined && others.length === 0) return first;
  const moment = rearrangedDate(items);
  if (moment !== null) return moment;
  return { kind: 'joined_text', items, person: personName(items) };
}

/** A date whose parts are rearranged, which is still that date; null for other texts. */
function rearrangedDate(items: readonly Term[]): Term | null {
  const parts = items.flatMap((item) => (item.kind === 'date_part' ? [item] : []));
  const [first] = parts;
  if (first === undefined || parts.length < items.length) return null;
  if (parts.some(({ of }) => signature(of) !== signature(first.of))) return null;
  const names = parts.map(({ part }) => part).join(' ');
  return /^year month( day)?$/.test(names)
    ? partOf(names === 'year month' ? 'month' : 'date', first.of)
    : null;
}

/** A manager's first and last name are the manager's full name. */
function personName(items: readonly Term[]): Wording | null {
  const words = items.flatMap((item) => (item.kind === 'property' ? [item.own.words] : []));
  if (words.length < items.length || !isPersonName(words)) return null;
  const [first] = items;
  const full = first?.kind === 'property' && !first.clear ? first.full.words : (words[0] ?? []);
  const name = [...(personOf(full)?.whose ?? []), 'full', 'name'];
  return { words: name, text: name.join(' ') };
}

/** One quantity divided by another: a relative change, a share, an average, or just a ratio. */
function quotientTerm(top: Expr, bottom: Expr, scope: Scope): Term {
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

/** `(a - b) / b` is the change from b to a, `(a - b) / a` the loss from a to b; null for others. */
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

/** The share of rows that meet a condition, or of their total; null for other quotients. */
function share(top: Expr, bottom: Expr, scope: Scope): Term | null {
  const { origins } = scope.context;
  const [sumTop, sumBottom] = [asAggregate(top), asAggregate(bottom)];
  const flagged = sumTop?.name === 'sum' && !sumTop.distinct ? flagOf(sumTop.args[0], origins) : null;
  const condition = conditionalCount(top) ?? flagged;
  const countsAll = countsAllRows(bottom, scope);
  if (condition !== null) {
    if (sumTop?.distinct) return null;
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

/** The condition that a column is 1 whose values are 0 and 1 in every row; null for other columns. */
function flagOf(expr: Expr | undefined, origins: Origins): Expr | null {
  const base = expr?.kind === 'column' ? origins.baseColumn(expr) : null;
  if (expr === undefined || base === null || !isYesNo(base.column) || base.column.type !== 'integer')
    return null;
  if (!isKnown(expr, origins)) return null;
  return {
    kind: 'compare',
    op: '=',
    left: expr,
    right: { kind: 'literal', type: 'integer', value: 1n, pinned: false, span: null },
  };
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

/** A share of the rows that have the value in the condition. */
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
  const [tested] = condition.kind === 'compare' && condition.op === '=' ? [condition.left] : [];
  const value = top.args[0] === undefined ? undefined : conditionalValue(top.args[0])?.value;
  const own =
    sameMeaning(tested, known, origins) || (top.name === 'count' && sameMeaning(value, known, origins));
  return own
    ? shareOf(rowsOf(scope), scope.condition(condition), { known: { of: scope.term(known), always: false } })
    : null;
}

/** An average: a sum divided by a count, or a count by another; null for other quotients. */
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

/** Whether two expressions are the same apart from casts, rounding and defaults. */
function sameMeaning(a: Expr | undefined, b: Expr | undefined, origins: Origins): boolean {
  const written = (expr: Expr) => canonicalExpr(bare(expr), origins, (source) => source);
  return a !== undefined && b !== undefined && written(a) === written(b);
}

/** Whether no row lacks a value: its columns are declared, tested or stored as not NULL. */
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

/** Whether a count counts exactly the rows with a value to add up. */
function countsValues(count: Aggregate, summed: Expr, origins: Origins): boolean {
  const [counted] = count.args;
  if (sameMeaning(counted, summed, origins)) return true;
  return isKnown(summed, origins) && (counted === undefined || isKnown(counted, origins));
}

/** The term of an aggregate: number of superheroes, average height, total amount of those with a type. */
export function aggregateTerm(expr: Aggregate, scope: Scope): Term {
  const condition = conditionalCount(expr);
  const [arg] = expr.args;
  if (condition !== null) {
    const where = scope.condition(condition);
    const counted = countedValue(expr);
    if (counted !== undefined && expr.distinct)
      return { ...countTerm({ ...expr, args: [counted] }, scope), where };
    const known = knownOf(counted, scope);
    // A condition on a value implies that it is known.
    const implied = known !== null && 'of' in where && signature(where.of) === signature(known.of);
    return countOf(rowsOf(scope), { where, distinct: expr.distinct, known: implied ? null : known });
  }
  if (expr.name === 'count') return countTerm(expr, scope);
  if (arg === undefined) return countOf(rowsOf(scope));
  if (expr.name === 'avg' && !expr.distinct && expr.filter === null) {
    const test = testIn(arg) ?? flagOf(arg, scope.context.origins);
    if (test !== null) return shareOf(rowsOf(scope), scope.condition(test));
  }
  // Rows that count as zero do not change a sum, but they change an average.
  const inside = conditionalValue(arg, /^(sum|total)$/.test(expr.name));
  const limits = [expr.filter, inside?.when ?? null].flatMap((one) =>
    one === null ? [] : [scope.condition(one)],
  );
  return {
    ...summaryOf(expr.name, scope.term(inside?.value ?? arg)),
    distinct: expr.distinct,
    where: allOf(limits),
    order: listOrder(expr, scope),
  };
}

/** The value that a conditional count counts; undefined if it counts ones. */
function countedValue({ name, args, filter }: Aggregate): Expr | undefined {
  const [arg] = args;
  if (filter !== null || arg === undefined) return arg;
  return name === 'count' ? conditionalValue(arg)?.value : undefined;
}

const SUMMARIES: Readonly<Record<string, Summary['name']>> = {
  avg: 'average',
  sum: 'total',
  total: 'total',
  max: 'highest',
  min: 'lowest',
  group_concat: 'list',
  string_agg: 'list',
};

/** The aggregate of a value by a function's name. */
export function summaryOf(call: string, of: Term): Summary {
  const name = SUMMARIES[call] ?? 'other';
  return {
    kind: 'summary',
    name,
    call,
    of,
    distinct: false,
    where: null,
    zeros: false,
    known: null,
    order: null,
  };
}

function listOrder({ orderBy }: Aggregate, scope: Scope): Term | null {
  const [by] = orderBy.filter((term) => !(term.expr.kind === 'column' && term.expr.name === 'rowid'));
  return by === undefined ? null : scope.term(by.expr);
}

/** The conjunction of several conditions; null for none. */
export function allOf(items: readonly Condition[]): Condition | null {
  const [first, ...others] = items;
  if (first === undefined) return null;
  return others.length === 0 ? first : { kind: 'all', items };
}

export function countOf(of: Thing | Term, more: Partial<Count> = {}): Count {
  return { kind: 'count', of, distinct: false, known: null, where: null, having: null, ...more };
}

export function shareOf(of: Thing | Term, where: Condition | null, more: Partial<Share> = {}): Share {
  return { kind: 'share', of, where, percent: false, distinct: false, met: null, known: null, ...more };
}

function countTerm(expr: Aggregate, scope: Scope): Count {
  const { context, query } = scope;
  const [arg] = expr.args;
  const keyed = arg === undefined ? null : keyTable(arg, context.origins);
  if (expr.distinct && arg !== undefined && keyed === null)
    return countOf(scope.term(arg), { distinct: true });
  if (expr.distinct && arg !== undefined && keyed !== null) return distinctRows(arg, scope);
  const made = expr.distinct ? null : madeRows(scope);
  if (made !== null) return countOf(made, { known: knownOf(arg, scope) });
  const pairs = pairsOf(scope);
  if (pairs !== null) return countOf(pairs);
  const kept = keptRows(arg, scope);
  if (kept !== null) return countOf(kept);
  const thing =
    paddedRows(arg, scope) ??
    context.rowThing(query, arg ?? null) ??
    (keyed === null ? null : context.thing(keyed));
  if (thing === null) return countOf(ROWS);
  return countOf(thing, { known: knownOf(arg, scope) });
}

/** A count of distinct rows: clients, or clients that have loans if only the loans are read. */
function distinctRows(arg: Expr, scope: Scope): Count {
  const { context, query } = scope;
  const keyed = keyTable(arg, context.origins);
  if (keyed === null) return countOf(ROWS, { distinct: true });
  const column = bare(arg);
  const own = column.kind === 'column' && context.origins.tableOf(column.source) === keyed;
  const role = own || column.kind !== 'column' ? null : context.referredThing(column);
  const thing =
    (own && column.kind === 'column' ? context.thingOf(column.source) : role) ?? context.thing(keyed);
  const rows = context.rowTable(query, arg);
  const apart = rows !== null && rows !== keyed && !context.reads(query, keyed);
  // An outer join counts only those that have a partner.
  const partner =
    column.kind === 'column' && !own && isPadded(column.source, context.origins)
      ? context.thingOf(column.source)
      : null;
  const read = column.kind === 'column' && !own ? context.thingOf(column.source) : null;
  const having = apart ? (read ?? context.thing(rows)) : partner;
  const where = column.kind === 'column' && having === partner ? partnerConditions(column.source, scope) : [];
  return countOf(thing, { distinct: true, having: having && { thing: having, where } });
}

/** The conditions of the outer join of a source, besides its keys. */
function partnerConditions(source: SourceId, scope: Scope): readonly Condition[] {
  const { query, context } = scope;
  const item = itemOf(source, context.origins);
  if (query.kind !== 'select' || item === undefined) return [];
  return joinFilters(item, query, context.origins).map((one) => scope.condition(one));
}

/** The rows of a source that an outer join keeps others without, if its own key is counted. */
function paddedRows(arg: Expr | undefined, { context }: Scope): Thing | null {
  const column = arg === undefined ? null : bare(arg);
  if (column?.kind !== 'column' || !isPadded(column.source, context.origins)) return null;
  const base = context.origins.baseColumn(column);
  if (base === null || soleKey(base.table) !== base.column) return null;
  // A row that is looked up is not counted, but those that refer to it.
  return context.edges.some(({ parent }) => parent.source === column.source)
    ? null
    : context.thingOf(column.source);
}

const ROWS: Thing = { one: ['row'], many: ['rows'] };

/** The noun for the rows of the query. */
export function rowsOf(scope: Scope): Thing {
  return (
    madeRows(scope) ??
    pairsOf(scope) ??
    keptRows(undefined, scope) ??
    scope.context.rowThing(scope.query) ??
    ROWS
  );
}

/** The noun for rows of an outer join if rows without a partner count: pairs of studio and film, also studios without. */
function keptRows(arg: Expr | undefined, { context, query }: Scope): Thing | null {
  if (query.kind !== 'select') return null;
  const { origins } = context;
  const rows = context.rowTable(query);
  const own = query.from.filter(({ source }) => origins.tableOf(source.id) === rows);
  const [padded] = own.filter(({ source }) => isPadded(source.id, origins));
  const [kept] = query.from.filter(({ source }) => !isPadded(source.id, origins));
  if (rows === null || own.length !== 1 || padded === undefined || kept === undefined) return null;
  const column = arg === undefined ? null : bare(arg);
  // Values of the joined rows are counted only where these exist.
  if (column?.kind === 'column' && column.source === padded.source.id) return null;
  const tested = [query.where, query.having].flatMap(conjuncts).flatMap(columnsOf);
  if (tested.some((one) => one.source === padded.source.id && isNotNull(one, origins))) return null;
  const things = [kept, padded].flatMap(({ source }) => context.thingOf(source.id) ?? []);
  const [whole] = things;
  const pair = combinationOf(things);
  if (whole === undefined || pair === null) return null;
  const also = (text: string) => `${text} (also ${manyOf(whole)} without)`;
  return { ...pair, text: { one: also(oneOf(pair)), many: also(manyOf(pair)) } };
}

/**
 * The noun for rows of which some are another query's groups, or its different rows, if these are no rows of a table:
 * days of a ward, from the different days and wards of orders. What the query groups by is the same in all rows counted.
 */
function madeRows(scope: Scope): Thing | null {
  const { context, query } = scope;
  if (query.kind !== 'select' || query.from.every(({ source }) => source.kind === 'table')) return null;
  const { origins, edges } = context;
  const sources = rowSources(query, edges, origins);
  const makers = sources.map((id) => makerOf(id, context));
  if (!makers.some((maker) => maker !== null && keysOf(maker).length > 1)) return null;
  const held = query.groupBy.flatMap((expr) => origins.baseColumn(expr) ?? []);
  const heldTables = query.groupBy.flatMap((expr) => keyTable(expr, origins) ?? []);
  const things = sources.flatMap((id, i): readonly Thing[] => {
    const maker = makers[i];
    if (maker === null || maker === undefined) return rowNoun(id, context);
    const keyed = keysOf(maker).map((key) => ({
      key,
      table: keyTable(key, origins),
      base: origins.baseColumn(key),
    }));
    const free = keyed.filter(
      ({ table, base, key }, at) =>
        !(table !== null && heldTables.includes(table)) &&
        !held.some(({ source, column }) => source === base?.source && column === base?.column) &&
        // The name of a reader goes with the reader, and the number of a month with the month.
        !keyed.some((other) => other.base !== base && base !== null && other.table === base.table) &&
        !keyed.slice(0, at).some((other) => isMadeOf(key, other.key, origins)),
    );
    // Of rows that differ in one thing only; others are rows of their table, repeats left out.
    if (free.length > 1 && maker.groupBy.length === 0) return rowNoun(id, context);
    return free.map(({ key, table }) => {
      const one = table === null ? wordsOf(scope.within(maker).term(key), 'short') : [];
      return table === null ? { one, many: plural(one) } : context.thing(table);
    });
  });
  const [only, ...others] = things;
  return others.length === 0 ? (only ?? null) : null;
}

/** Whether a value is made of the columns that another one is made of. */
function isMadeOf(value: Expr, of: Expr, origins: Origins): boolean {
  const bases = (expr: Expr) => columnsOf(expr).map((column) => origins.baseColumn(column)?.column ?? null);
  const [own, others] = [bases(value), bases(of)];
  return own.length > 0 && own.every((column) => column !== null && others.includes(column));
}

/** The query that makes a source's rows by grouping or leaving out repeated ones; null for rows of tables. */
function makerOf(id: SourceId, context: Scope['context']): Select | null {
  const query = context.origins.queryAt(id);
  if (query?.kind !== 'select') return null;
  if (keysOf(query).length > 0) return query;
  if (query.columns.some(({ expr }) => holdsAggregate(expr))) return null;
  const [inner, ...others] = rowSources(query, context.edges, context.origins);
  return inner === undefined || others.length > 0 ? null : makerOf(inner, context);
}

function keysOf({ groupBy, distinct, columns }: Select): readonly Expr[] {
  if (groupBy.length > 0) return groupBy;
  return distinct ? columns.map(({ expr }) => expr) : [];
}

/** The noun for the rows of a source that no query makes. */
function rowNoun(id: SourceId, context: Scope['context']): readonly Thing[] {
  const thing = context.thingOf(id);
  if (thing !== null) return [thing];
  const query = context.origins.queryAt(id);
  return [(query === null ? null : context.rowThing(query)) ?? ROWS];
}

/** The noun for rows that combine several tables: pairs of visit and test. */
function pairsOf({ context, query }: Scope): Thing | null {
  return combinationOf(context.pairedTables(query).map((table) => context.thing(table)));
}

/** The value that a row must have to be counted; null if none can lack it. */
export function knownOf(expr: Expr | undefined, scope: Scope): Known | null {
  if (expr === undefined) return null;
  const { origins } = scope.context;
  const base = origins.baseColumn(expr);
  if (base === null) {
    const inner = bare(expr);
    const unsure =
      inner.kind !== 'is_null' &&
      isCondition(inner) &&
      columnsOf(inner).some((column) => !isNotNull(column, origins));
    return unsure || isSometimesNull(inner) ? { of: scope.term(expr), always: false } : null;
  }
  const { statistics, primary_key } = base.column;
  const always = statistics.nulls === 0 && !isPadded(base.source, origins);
  if (isNotNull(expr, origins) || (always && primary_key > 0)) return null;
  return { of: scope.term(expr), always };
}

/** Whether a CASE may be NULL for some rows. */
function isSometimesNull(expr: Expr): boolean {
  if (expr.kind !== 'case') return false;
  const results = [...expr.whens.map(({ result }) => result), expr.else];
  return !results.every((result) => result?.kind === 'literal' && result.type !== 'null');
}
