import type { ParameterType } from '../../contracts/service.ts';
import {
  affinityOf,
  type Case,
  type CompareOp,
  childExprs,
  childQueries,
  columnsOf,
  type Expr,
  exprsOf,
  exprsWithin,
  type InList,
  integerLiteral,
  isCondition,
  isNumeric,
  type Like,
  type Literal,
  literalTruth,
  MIRRORED,
  type Origins,
  type Query,
  realLiteral,
  rewriteExprs,
  subqueryOf,
  type Unary,
} from '../../sql/index.ts';

/** Where an expression is, as far as choices depend on it. */
type Position = Omit<ChoiceSite, 'role'>;

/**
 * Every literal that is a user's choice, in tree order. Others stay fixed: formats, factors, positions, THEN
 * and ELSE, defaults, pinned times, NULL, ''.
 */
export function findChoices(query: Query, question: string, origins: Origins): readonly Choice[] {
  const finder = new Finder(question, origins);
  finder.query(query, false);
  return finder.withLimits();
}

class Finder {
  readonly #question: string;
  readonly #origins: Origins;
  readonly #found: Choice[] = [];
  readonly #limits: { readonly literal: Literal; readonly place: Position; readonly at: number }[] = [];

  constructor(question: string, origins: Origins) {
    this.#question = question;
    this.#origins = origins;
  }

  /** Runs last, since a number that the question uses for another choice is no mention of a limit. */
  withLimits(): readonly Choice[] {
    const numbers = this.#found.map((choice) => choice.value);
    const named = this.#limits.flatMap(({ literal, place, at }) => {
      const value = Number(literal.value);
      const others = numbers.filter((other) => String(other) === String(value)).length;
      if (limitMentions(this.#question, value) <= others) return [];
      const choice = toScalar({ literal, role: 'limit', subject: null, ...place }, this.#origins);
      return choice === null ? [] : [{ choice, at }];
    });
    const all = [...this.#found];
    for (const { choice, at } of named.toReversed()) all.splice(at, 0, choice);
    return all;
  }

  query(query: Query, removed: boolean): void {
    for (const inner of childQueries(query)) {
      const taken = query.kind === 'set_operation' && query.op === 'except' && inner === query.right;
      this.query(inner, removed !== taken);
    }
    const at = (clause: Clause): Position => ({ clause, negated: false, removed, scope: query });
    if (query.kind === 'values') return;
    if (query.kind === 'select') {
      for (const { expr } of query.columns) this.#expr(expr, at('value'));
      for (const { on } of query.from) this.#maybe(on, at('filter'));
      this.#maybe(query.where, at('filter'));
      for (const expr of query.groupBy) this.#expr(expr, at('value'));
      this.#maybe(query.having, at('having'));
    }
    for (const { expr } of query.orderBy) this.#expr(expr, at('value'));
    this.#limit(query.limit?.count ?? null, at('limit'));
  }

  #maybe(expr: Expr | null, place: Position): void {
    if (expr !== null) this.#expr(expr, place);
  }

  #expr(expr: Expr, place: Position): void {
    // A value without effect is no choice.
    if (isIdle(expr)) return;
    this.#claim(expr, place);
    const inside = expr.kind === 'not' ? { ...place, negated: !place.negated } : place;
    for (const child of childExprs(expr)) this.#expr(child, inside);
    const query = subqueryOf(expr);
    if (query === null) return;
    const taken = (expr.kind === 'in_query' || expr.kind === 'exists') && expr.negated !== place.negated;
    this.query(query, place.removed !== taken);
  }

  /** Finds choices among an expression's direct operands. */
  #claim(expr: Expr, place: Position): void {
    switch (expr.kind) {
      case 'compare':
        return this.#compare(expr.op, expr.left, expr.right, place);
      case 'between':
        this.#scalar(expr.low, 'low', expr.expr, negatedIf(place, expr.negated));
        return this.#scalar(expr.high, 'high', expr.expr, negatedIf(place, expr.negated));
      case 'like':
        return this.#like(expr, place);
      case 'in_list':
        return this.#inList(expr, place);
      case 'in_query': {
        const [first] = expr.query.kind === 'select' ? expr.query.columns : [];
        return this.#scalar(expr.expr, 'equal', first?.expr ?? null, negatedIf(place, expr.negated));
      }
      case 'case':
        return this.#case(expr, place);
      case 'binary':
        if (expr.op === '||' || expr.op === '->' || expr.op === '->>') return;
        this.#factor(expr.left, expr.right, place);
        return this.#factor(expr.right, expr.left, place);
      default:
        return;
    }
  }

  #compare(op: CompareOp, left: Expr, right: Expr, place: Position): void {
    if (left.kind === 'row' && right.kind === 'row') {
      left.items.forEach((item, i) => {
        const other = right.items[i];
        if (other !== undefined) this.#compare(op, item, other, place);
      });
      return;
    }
    const [literal, subject] = literalWithin(right) === null ? [left, right] : [right, left];
    if (subject.kind === 'call' && subject.name === 'instr') return this.#search(subject.args, place);
    if (isExistenceTest(literal, subject)) return;
    this.#scalar(literal, ROLE_OF[literal === right ? op : MIRRORED[op]], subject, place);
  }

  /** `INSTR(title, 'sql') > 0`: the text is the user's choice, the number is not. */
  #search([text, part]: readonly Expr[], place: Position): void {
    if (part?.kind !== 'literal' || part.type !== 'text' || !/[\p{L}\p{N}]/u.test(part.value)) return;
    this.#scalar(part, 'contains', text ?? null, place);
  }

  #like(like: Like, place: Position): void {
    const { expr, pattern, negated, op } = like;
    const at = negatedIf(place, negated);
    if (pattern.kind !== 'literal' || pattern.type !== 'text' || op !== 'like') {
      return this.#scalar(pattern, op === 'glob' ? 'glob' : 'pattern', expr, at);
    }
    const shape = shapeOfPattern(pattern.value, like.escape !== null);
    if (shape === null || !hasColumn(expr)) return;
    this.#add(toScalar({ literal: pattern, subject: expr, ...at, ...shape }, this.#origins));
  }

  #inList(list: InList, place: Position): void {
    const { expr, items, negated } = list;
    const at = negatedIf(place, negated);
    const role: Role = negated ? 'not_among' : 'among';
    const array =
      hasColumn(expr) && expr.kind !== 'row' ? toArray({ list, role, ...place }, this.#origins) : null;
    if (array !== null) return this.#add(array);
    for (const item of items) {
      if (item.kind === 'row' && expr.kind === 'row') this.#compare('=', expr, item, at);
      else this.#scalar(item, 'equal', expr, at);
    }
    // 'x' IN (a, b): the value is the user's, the columns are fixed.
    const [first] = items;
    if (first !== undefined) this.#scalar(expr, 'equal', first, at);
  }

  #case(expr: Case, place: Position): void {
    const { operand, whens } = expr;
    if (operand === null || isLegend(expr)) return;
    for (const { when } of whens) this.#scalar(when, 'equal', operand, place);
  }

  /** `weight * 79`: a choice only if the question mentions the number and it converts no unit. */
  #factor(expr: Expr, other: Expr, place: Position): void {
    if (expr.kind !== 'literal' || (expr.type !== 'integer' && expr.type !== 'real')) return;
    const value = Number(expr.value);
    if (CONVERSIONS.has(value) || digitMentions(this.#question, value) === 0) return;
    this.#scalar(expr, 'factor', other, place);
  }

  #limit(count: Expr | null, place: Position): void {
    if (count?.kind !== 'literal' || count.type !== 'integer' || count.span === null || count.value < 1n)
      return;
    this.#limits.push({ literal: count, place, at: this.#found.length });
  }

  #scalar(expr: Expr | undefined, role: Role, subject: Expr | null, place: Position): void {
    const literal = expr === undefined ? null : literalWithin(expr);
    if (literal === null || subject === null || isFixedBeside(subject, this.#origins)) return;
    if (isRanking(subject, this.#origins) && limitMentions(this.#question, Number(literal.value)) === 0)
      return;
    const bare = literal === expr;
    this.#add(toScalar({ literal, role, subject, bare, ...place }, this.#origins));
  }

  #add(choice: Choice | null): void {
    if (choice !== null) this.#found.push(choice);
  }
}

const ROLE_OF: Record<CompareOp, Role> = {
  '=': 'equal',
  is: 'equal',
  '!=': 'not_equal',
  is_not: 'not_equal',
  '>=': 'at_least',
  '>': 'above',
  '<=': 'at_most',
  '<': 'below',
};

/** `COUNT(*) > 0` tests only whether rows exist. */
function isExistenceTest(literal: Expr, subject: Expr): boolean {
  return (
    literal.kind === 'literal' &&
    literal.value === 0n &&
    subject.kind === 'aggregate' &&
    /^(count|sum)$/.test(subject.name)
  );
}

/** Whether literals inside have no effect: a COUNT of literals, an AND with a false item, an OR with a true one. */
function isIdle(expr: Expr): boolean {
  if (expr.kind === 'and') return expr.items.some((item) => truthOf(item) === false);
  if (expr.kind === 'or') return expr.items.some((item) => truthOf(item) === true);
  if (expr.kind !== 'aggregate' || expr.name !== 'count' || expr.distinct || expr.filter !== null)
    return false;
  const [arg] = expr.args;
  return arg?.kind === 'case' && [...arg.whens.map(({ result }) => result), arg.else].every(isSureLiteral);
}

function truthOf(expr: Expr): boolean | null {
  return expr.kind === 'literal' && !expr.pinned ? literalTruth(expr) : null;
}

function isSureLiteral(expr: Expr | null): boolean {
  return expr?.kind === 'literal' && expr.type !== 'null';
}

/** Whether a literal beside the expression is part of the query's structure. */
function isFixedBeside(subject: Expr, origins: Origins): boolean {
  if (isCondition(subject) || (!hasColumn(subject) && !hasAggregate(subject))) return true;
  switch (subject.kind) {
    case 'case':
      return [...subject.whens.map((one) => one.result), subject.else].every(isLabel);
    case 'binary':
      return subject.op === '%' || subject.op === '&' || subject.op === '|';
    case 'column': {
      const origin = origins.of(subject);
      return origin.kind === 'computed' && isFixedBeside(origin.expr, origins);
    }
    default:
      return false;
  }
}

function isLabel(expr: Expr | null): boolean {
  return expr === null || expr.kind === 'literal';
}

/** Whether the value is a row's rank: selecting the n-th is `LIMIT n` in other words. */
function isRanking(subject: Expr, origins: Origins): boolean {
  if (subject.kind === 'window') return /^(row_number|rank|dense_rank)$/.test(subject.name);
  if (subject.kind !== 'column') return false;
  const origin = origins.of(subject);
  return origin.kind === 'computed' && isRanking(origin.expr, origins);
}

function hasColumn(expr: Expr): boolean {
  return columnsOf(expr).length > 0;
}

function hasAggregate(expr: Expr): boolean {
  return exprsWithin(expr).some(({ kind }) => kind === 'aggregate');
}

function negatedIf(place: Position, negated: boolean): Position {
  return negated ? { ...place, negated: !place.negated } : place;
}

/** `CASE status WHEN 1 THEN 'pending' WHEN 2 THEN 'done' END`: the meaning of codes is no choice. */
function isLegend({ whens }: Case): boolean {
  return whens.length > 1 && whens.every(({ result }) => result.kind === 'literal' && result.type === 'text');
}

export type Role =
  | 'equal'
  | 'not_equal'
  /** `>=` and `>` */
  | 'at_least'
  | 'above'
  /** `<=` and `<` */
  | 'at_most'
  | 'below'
  | 'low'
  | 'high'
  /** LIKE with the wildcards kept in the SQL. */
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  /** LIKE without wildcards: equality that ignores case. */
  | 'like'
  /** The whole pattern is the user's. */
  | 'pattern'
  /** As `pattern`, for GLOB: `*` and `?`. */
  | 'glob'
  | 'among'
  | 'not_among'
  | 'factor'
  | 'limit';

type Clause = 'filter' | 'having' | 'value' | 'limit';

/** One place in the gold SQL where a choice is written. */
interface Occurrence {
  readonly literals: readonly Literal[];
  /** The IN list of an array. */
  readonly list: InList | null;
}

/** A literal, or several that must have the same value. */
export interface Choice {
  readonly role: Role;
  readonly clause: Clause;
  /** Under an odd number of NOTs of its own query. */
  readonly negated: boolean;
  /** Inside a query whose rows EXCEPT, NOT IN or NOT EXISTS removes. */
  readonly removed: boolean;
  readonly subject: Expr | null;
  /** The base column, if the subject is just that. */
  readonly column: { readonly table: string; readonly column: string } | null;
  /** The innermost query that contains it. */
  readonly scope: Query;
  readonly type: ParameterType;
  readonly array: boolean;
  /** Whether an integer and an equal real have the same effect: a plain comparison. */
  readonly anyNumber: boolean;
  /** Wildcards of LIKE that stay in the SQL. */
  readonly prefix: string;
  readonly suffix: string;
  readonly occurrences: readonly Occurrence[];
  /** The argument for the gold SQL's literals. */
  readonly value: string | number | readonly (string | number)[];
}

type Value = string | number;
type ChoiceSite = Pick<Choice, 'role' | 'clause' | 'negated' | 'removed' | 'scope'>;

interface Scalar extends ChoiceSite {
  readonly literal: Literal;
  readonly subject: Expr | null;
  /** Compared directly, not within a function or CAST. */
  readonly bare?: boolean;
  /** The text between the wildcards that stay in the SQL. */
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

/** null when the literal must stay in the SQL. */
function toScalar(scalar: Scalar, origins: Origins): Choice | null {
  const { literal, subject, bare = false, value, prefix = '', suffix = '', ...site } = scalar;
  const direct = subject !== null && bare;
  const typed = typeOf(literal, direct ? subject : null, origins);
  if (typed === null) return null;
  return {
    ...site,
    subject,
    column: direct || value !== undefined ? columnOf(subject, origins) : null,
    type: typed.type,
    array: false,
    anyNumber: direct && COMPARISONS.has(site.role) && affinityOf(subject, origins) !== 'text',
    prefix,
    suffix,
    occurrences: [{ literals: [literal], list: null }],
    value: value ?? typed.value,
  };
}

/** null when the items are not literals of one type. */
function toArray({ list, ...site }: ChoiceSite & { readonly list: InList }, origins: Origins): Choice | null {
  const literals = list.items.filter((item) => item.kind === 'literal');
  if (literals.length === 0 || literals.length < list.items.length) return null;
  const typed = literals.map((literal) => typeOf(literal, list.expr, origins));
  const values = typed.flatMap((one) => (one === null ? [] : [one.value]));
  const type = typed[0]?.type;
  // Reals stay scalars, since JSON may change them.
  if (type === undefined || type === 'number') return null;
  if (values.length < literals.length || typed.some((one) => one?.type !== type)) return null;
  return {
    ...site,
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

/** The argument with the same effect when bound; by affinity, a column's type may replace the literal's. */
function typeOf(
  literal: Literal,
  beside: Expr | null,
  origins: Origins,
): { readonly type: ParameterType; readonly value: Value } | null {
  // Not written in the gold SQL.
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

/** Functions that only change the form of an argument, and its index. */
const FORMS: Readonly<Record<string, number>> = {
  date: 0,
  datetime: 0,
  time: 0,
  julianday: 0,
  unixepoch: 0,
  strftime: 1,
  lower: 0,
  upper: 0,
  trim: 0,
};

/** The only literal in an expression: itself, or within CAST, COLLATE, DATE('2020-01-01'), LOWER('X'). */
export function literalWithin(expr: Expr): Literal | null {
  switch (expr.kind) {
    case 'literal':
      return expr;
    case 'cast':
    case 'collate':
      return literalWithin(expr.expr);
    case 'unary':
      return expr.op === '+' ? literalWithin(expr.expr) : null;
    case 'call': {
      const at = FORMS[expr.name];
      const value = at === undefined ? undefined : expr.args[at];
      const others = expr.args.filter((_, i) => i !== at);
      if (value === undefined || !others.every((other) => other.kind === 'literal')) return null;
      return literalWithin(value);
    }
    default:
      return null;
  }
}

interface LikeShape {
  readonly role: Role;
  /** Wildcards that stay in the SQL. */
  readonly prefix: string;
  readonly suffix: string;
  readonly value: string;
}

/** The chosen part of a LIKE pattern; null without a letter or digit, since it describes a format. */
function shapeOfPattern(pattern: string, hasEscape: boolean): LikeShape | null {
  if (!/[\p{L}\p{N}]/u.test(pattern)) return null;
  const whole: LikeShape = { role: 'pattern', prefix: '', suffix: '', value: pattern };
  if (hasEscape) return whole;
  return plainPattern(pattern) ?? whole;
}

/** null unless the pattern only tests how a text begins, ends, or what it contains or is. */
export function plainPattern(pattern: string): (LikeShape & { readonly role: PlainRole }) | null {
  const [, prefix = '', value = '', suffix = ''] = pattern.match(/^([%_]*)(.*?)([%_]*)$/s) ?? [];
  const role = ROLES[`${prefix} ${suffix}`];
  return role === undefined || value === '' || /[%_]/.test(value) ? null : { role, prefix, suffix, value };
}

type PlainRole = 'like' | 'contains' | 'starts_with' | 'ends_with';

const ROLES: Record<string, PlainRole> = {
  ' ': 'like',
  '% %': 'contains',
  ' %': 'starts_with',
  '% ': 'ends_with',
};

const WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ');
const TENS: Readonly<Record<number, string>> = { 30: 'thirty', 40: 'forty', 50: 'fifty', 100: 'hundred' };

/** How often a question has the number in digits: once in "79% of", never in "1979" or "the 79th". */
function digitMentions(question: string, value: number): number {
  const plain = question.replace(/(\d),(?=\d{3}\b)/g, '$1');
  const digits = String(Math.abs(value)).replace('.', '\\.');
  const pattern = new RegExp(`(?<![\\d.\\p{L}])${digits}(?!\\d|\\.\\d|st\\b|nd\\b|rd\\b|th\\b)`, 'giu');
  return [...plain.matchAll(pattern)].length;
}

/** How often a question limits its rows to the number: `5`, "five"; "one" only next to a superlative. */
function limitMentions(question: string, value: number): number {
  const text = question.toLowerCase();
  if (value === 1) return [...text.matchAll(/\b(top|first|bottom|last|best|worst)[ -](1|one)\b/g)].length;
  const word = WORDS[value] ?? TENS[value];
  const words = word === undefined ? 0 : [...text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].length;
  return words + digitMentions(text, value);
}

/** Parts of a whole and of time: numbers that only convert. */
const CONVERSIONS: ReadonlySet<number> = new Set([
  0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 7, 12, 24, 60, 365, 365.25, 3_600, 86_400,
]);

/**
 * Merges occurrences of a number that the question mentions once. If it is mentioned as often as it is
 * written, those in arithmetic stay fixed, since they cannot be assigned.
 */
export function joinSameNumbers(
  choices: readonly Choice[],
  query: Query,
  question: string,
): readonly Choice[] {
  const chosen = new Map<Literal, Choice>(
    choices.flatMap((choice) => literalsOf(choice).map((literal) => [literal, choice] as const)),
  );
  const amounts = amountsOf(query);
  return choices.flatMap((choice): readonly Choice[] => {
    if (choice.array || typeof choice.value !== 'number') return [choice];
    const same = amounts.filter(
      (literal) => isSame(literal, choice) && !literalsOf(choice).includes(literal),
    );
    const other = choices.some((one) => one.role !== 'factor' && !one.array && one.value === choice.value);
    const mentioned = digitMentions(question, choice.value);
    if (choice.role !== 'factor') {
      const once = mentioned === 1 && !CONVERSIONS.has(choice.value);
      const joined = same.filter((literal) => (chosen.get(literal)?.role ?? 'factor') === 'factor');
      return [once ? withLiterals(choice, joined) : choice];
    }
    // The comparison has the same number already.
    if (other && mentioned === 1) return [];
    const first = choices.find((one) => one.role === 'factor' && one.value === choice.value);
    if (same.length === 0) return [choice];
    if (mentioned > 1) return same.every((literal) => chosen.has(literal)) ? [choice] : [];
    return first === choice ? [withLiterals(choice, same)] : [];
  });
}

function literalsOf({ occurrences }: Choice): readonly Literal[] {
  return occurrences.flatMap(({ literals }) => literals);
}

function isSame({ type, value, span }: Literal, choice: Choice): boolean {
  return span !== null && (type === 'integer' || type === 'real') && Number(value) === choice.value;
}

function withLiterals(choice: Choice, literals: readonly Literal[]): Choice {
  const more = literals.map((literal) => ({ literals: [literal], list: null }));
  return more.length === 0 ? choice : { ...choice, occurrences: [...choice.occurrences, ...more] };
}

/** Functions whose arguments are amounts, not positions or formats. */
const AMOUNTS = /^(max|min|coalesce|ifnull|nullif|abs)$/;

function amountsOf(query: Query): readonly Literal[] {
  return exprsOf(query).flatMap((expr) => {
    const parts = amountParts(expr);
    return parts.flatMap((part) => (part.kind === 'literal' && !part.pinned ? [part] : []));
  });
}

function amountParts(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'binary':
      return expr.op === '||' || expr.op === '->' || expr.op === '->>' ? [] : childExprs(expr);
    case 'call':
      return AMOUNTS.test(expr.name) ? expr.args : [];
    case 'case':
      return [...expr.whens.map(({ result }) => result), ...(expr.else === null ? [] : [expr.else])];
    default:
      return [];
  }
}

export function foldSigns(query: Query, sql: string): Query {
  return rewriteExprs(query, (expr) =>
    expr.kind === 'unary' && expr.op === '-' ? negated(expr, sql) : null,
  );
}

function negated({ expr }: Unary, sql: string): Literal | null {
  if (expr.kind !== 'literal' || expr.span === null) return null;
  const start = signBefore(sql, expr.span.start);
  if (start === null) return null;
  const span = { start, end: expr.span.end };
  if (expr.type === 'integer' && expr.value > 0n) return integerLiteral(-expr.value, span);
  if (expr.type === 'real') return realLiteral(`-${expr.text}`, span);
  return null;
}

function signBefore(sql: string, at: number): number | null {
  const sign = sql.slice(0, at).match(/-\s*$/);
  return sign?.index ?? null;
}
