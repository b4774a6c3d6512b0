import type { Catalog, CatalogColumn } from '../../contracts/catalog.ts';
import { groupBy } from '../../contracts/grouping.ts';
import { listSql, type ParameterType, type ResultColumn } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import {
  type Aggregate,
  type BinaryOp,
  type Call,
  declaredAffinity,
  type Expr,
  holdsAggregate,
  isCondition,
  keyTable,
  type Literal,
  leftmost,
  node,
  Origins,
  printQuery,
  type Query,
  rewriteExprs,
  type Window,
} from '../../sql/index.ts';
import { canonicalExpr, canonicalForm, isNotNull } from './canonical-form.ts';
import { type Choice, findChoices, foldSigns, joinSameNumbers } from './choices.ts';

/** One question's query, split into its template and its choices. */
export interface Member {
  readonly question: Question;
  readonly query: Query;
  readonly origins: Origins;
  /** In canonical order: the n-th choices of a template's members correspond. */
  readonly choices: readonly Choice[];
}

/** Questions that differ only in chosen values; becomes one endpoint. */
export interface Template {
  readonly key: string;
  /** The first one's SQL is the endpoint's. */
  readonly members: readonly [Member, ...Member[]];
  readonly types: readonly ParameterType[];
}

/** Extracts the choices of a question's query. Questions with equal keys share a template. */
export function memberOf(
  question: Question,
  bound: Query,
  catalog: Catalog,
): { readonly member: Member; readonly key: string } {
  const query = foldSigns(bound, question.sql);
  const origins = new Origins(query, catalog);
  const unified = unifyChoices(findChoices(query, question.question, origins), origins);
  const found = joinSameNumbers(unified, query, question.question);
  const choiceOf = new Map<Literal, Choice>();
  for (const choice of found) {
    for (const { literals } of choice.occurrences) {
      for (const literal of literals) choiceOf.set(literal, choice);
    }
  }
  const { text, choices: places } = canonicalForm(query, choiceOf, origins);
  const choices = [...new Set(places)];
  const pattern = places.map((choice) => choices.indexOf(choice)).join(',');
  return { member: { question, query, origins, choices }, key: `${text} | ${pattern}` };
}

export function gatherTemplates(
  members: readonly { readonly member: Member; readonly key: string }[],
): readonly Template[] {
  return [...groupBy(members, ({ key }) => key)].map(([key, [first, ...others]]) => {
    const group = [first.member, ...others.map(({ member }) => member)] as const;
    return { key, members: group, types: groupTypes(group) };
  });
}

function groupTypes(members: readonly [Member, ...Member[]]): readonly ParameterType[] {
  return members[0].choices.map((choice, i) => {
    const types = new Set(members.map((member) => member.choices[i]?.type));
    if (types.size > 1) return 'number';
    if (choice.type === 'integer' && choice.anyNumber && isRealColumn(choice, members[0])) return 'number';
    return choice.type;
  });
}

/** An integer compared with a column of reals is a real. */
function isRealColumn({ column }: Choice, { origins }: Member): boolean {
  if (column === null) return false;
  const table = origins.tableNamed(column.table);
  return table?.columns.find(({ name }) => name === column.column)?.type === 'number';
}

/** The first member's query with `:name` for each choice. */
export function printTemplate(
  { members: [{ query, choices }] }: Template,
  parameterNames: readonly string[],
  columnNames: readonly string[],
): string {
  const written = new Map<Literal, string>();
  choices.forEach((choice, i) => {
    const text = placeholder(choice, parameterNames[i] as string);
    for (const { literals } of choice.occurrences) for (const literal of literals) written.set(literal, text);
  });
  return printQuery(shortenLists(query, choices), {
    literal: (literal) => written.get(literal) ?? null,
    outputNames: columnNames,
  });
}

function placeholder({ array, prefix, suffix }: Choice, parameter: string): string {
  if (array) return listSql(parameter);
  const name = `:${parameter}`;
  if (prefix === '' && suffix === '') return name;
  const before = prefix === '' ? '' : `'${prefix}' || `;
  const after = suffix === '' ? '' : ` || '${suffix}'`;
  return `(${before}${name}${after})`;
}

/** Leaves one item of each chosen list, which is printed as a subquery that reads the whole array. */
function shortenLists(query: Query, choices: readonly Choice[]): Query {
  const lists = new Set(choices.flatMap(({ occurrences }) => occurrences.map(({ list }) => list)));
  return rewriteExprs(query, (expr) => {
    if (expr.kind !== 'in_list' || !lists.has(expr) || expr.items.length === 1) return null;
    return node({ ...expr, items: expr.items.slice(0, 1) });
  });
}

/** Merges choices with the same place, or the same value, role and column, except in a self-join. */
function unifyChoices(choices: readonly Choice[], origins: Origins): readonly Choice[] {
  const unified: Choice[] = [];
  for (const choice of choices) {
    const at = unified.findIndex((earlier) => meansTheSame(earlier, choice, origins));
    const earlier = unified[at];
    if (earlier === undefined) unified.push(choice);
    else unified[at] = { ...earlier, occurrences: [...earlier.occurrences, ...choice.occurrences] };
  }
  return unified;
}

function meansTheSame(a: Choice, b: Choice, origins: Origins): boolean {
  if (a.type !== b.type || a.array !== b.array || a.prefix !== b.prefix || a.suffix !== b.suffix)
    return false;
  if (JSON.stringify(a.value) !== JSON.stringify(b.value)) return false;
  if (spans(a) === spans(b)) return true;
  if (a.role !== b.role || a.subject === null || b.subject === null) return false;
  const exact = a.scope === b.scope;
  if (!exact && sameKey(a.subject, b.subject, origins)) return true;
  const nameOf = (source: string) => (exact ? source : (origins.tableOf(source)?.name ?? source));
  return canonicalExpr(a.subject, origins, nameOf) === canonicalExpr(b.subject, origins, nameOf);
}

function spans({ occurrences }: Choice): string {
  const [first] = occurrences;
  return (first?.literals ?? []).map(({ span }) => `${span?.start}-${span?.end}`).join();
}

/** Whether both columns identify rows of the same table, as its key or a reference to it. */
function sameKey(a: Expr, b: Expr, origins: Origins): boolean {
  const table = keyTable(a, origins);
  return table !== null && table === keyTable(b, origins);
}

type Type = ResultColumn['type'];

/** The type of an expression's values, if not NULL; `any` if unsure. `number` includes integers. */
export function typeOf(expr: Expr, origins: Origins): Type {
  const one = (part: Expr) => typeOf(part, origins);
  if (isCondition(expr)) return 'integer';
  switch (expr.kind) {
    case 'column': {
      const origin = origins.of(expr);
      if (origin.kind === 'column') return columnType(origin.column);
      if (origin.kind === 'computed') return one(origin.expr);
      return expr.name === 'rowid' ? 'integer' : 'any';
    }
    case 'literal':
      if (expr.type === 'integer') return 'integer';
      return expr.type === 'real' ? 'number' : expr.type === 'null' ? 'any' : 'string';
    case 'unary':
      return expr.op === '~' ? 'integer' : arithmetic('-', one(expr.expr), 'integer');
    case 'binary':
      return arithmetic(expr.op, one(expr.left), one(expr.right));
    case 'scalar_query': {
      const first = leftmost(expr.query);
      const column = first.kind === 'select' && expr.query.kind === 'select' ? first.columns[0] : undefined;
      return column === undefined ? 'any' : one(column.expr);
    }
    case 'case': {
      const results = [...expr.whens.map(({ result }) => result), ...(expr.else === null ? [] : [expr.else])];
      return union(results.filter((result) => !isNull(result)).map(one));
    }
    case 'cast':
      return CASTS[declaredAffinity(expr.type)];
    case 'collate':
      return one(expr.expr);
    case 'call':
    case 'aggregate':
    case 'window':
      return functionType(expr, one);
    case 'output':
    case 'row':
      return 'any';
  }
}

export function columnTypes(query: Query, origins: Origins): readonly Type[] {
  switch (query.kind) {
    case 'select':
      return query.columns.map(({ expr }) => typeOf(expr, origins));
    case 'set_operation': {
      const right = columnTypes(query.right, origins);
      return columnTypes(query.left, origins).map((type, i) => union([type, right[i] ?? 'any']));
    }
    case 'values':
      return (query.rows[0] ?? []).map((_, i) =>
        union(query.rows.map((row) => (row[i] === undefined ? 'any' : typeOf(row[i], origins)))),
      );
  }
}

const CASTS: Readonly<Record<ReturnType<typeof declaredAffinity>, Type>> = {
  integer: 'integer',
  real: 'number',
  numeric: 'number',
  text: 'string',
  blob: 'any',
};

/** By the values stored, since SQLite stores anything anywhere, else by the declaration. */
function columnType({ type, statistics: { storage } }: CatalogColumn): Type {
  const texts = storage.text + storage.blob;
  const numbers = storage.integer + storage.real;
  if (texts === 0 && numbers === 0) return type;
  if (texts > 0) return numbers > 0 ? 'any' : 'string';
  return storage.real > 0 ? 'number' : 'integer';
}

function arithmetic(op: BinaryOp, left: Type, right: Type): Type {
  if (op === '||' || op === '->') return 'string';
  if (op === '->>') return 'any';
  const bits = op === '&' || op === '|' || op === '<<' || op === '>>';
  return bits || (left === 'integer' && right === 'integer') ? 'integer' : 'number';
}

function union(types: readonly Type[]): Type {
  const [first, ...others] = types;
  if (first === undefined) return 'any';
  if (others.every((type) => type === first)) return first;
  return types.every((type) => type === 'integer' || type === 'number') ? 'number' : 'any';
}

const STRINGS =
  /^(substr|substring|lower|upper|trim|ltrim|rtrim|replace|strftime|date|time|datetime|printf|format|hex|quote|typeof|char|concat|concat_ws|group_concat|string_agg|json|json_array|json_object|json_group_array|json_group_object)$/;
const INTEGERS =
  /^(length|instr|unicode|sign|count|row_number|rank|dense_rank|ntile|unixepoch|changes|json_array_length)$/;
const NUMBERS =
  /^(round|avg|total|julianday|percent_rank|cume_dist|sqrt|pow|power|ln|log|log10|exp|ceil|ceiling|floor|random|acos|asin|atan|atan2|cos|sin|tan|degrees|radians|pi|mod)$/;

/** Functions of one row, and those of several, that give a value of their first argument, or of any. */
const FIRST = { call: /^nullif$/, rows: /^(min|max|lag|lead|first_value|last_value|nth_value)$/ };
const ANY = /^(coalesce|ifnull|max|min)$/;

function functionType({ kind, name, args }: Call | Aggregate | Window, one: (expr: Expr) => Type): Type {
  if (STRINGS.test(name)) return 'string';
  if (INTEGERS.test(name)) return 'integer';
  if (NUMBERS.test(name)) return 'number';
  const [first] = args;
  if (name === (kind === 'call' ? 'abs' : 'sum'))
    return first !== undefined && one(first) === 'integer' ? 'integer' : 'number';
  if (kind === 'call' && ANY.test(name)) return union(args.filter((arg) => !isNull(arg)).map(one));
  return first !== undefined && FIRST[kind === 'call' ? 'call' : 'rows'].test(name) ? one(first) : 'any';
}

function isNull(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.type === 'null';
}

/** Whether the schema allows NULL in each result column; true if unsure. */
export function nullableColumns(query: Query, origins: Origins): readonly boolean[] {
  switch (query.kind) {
    case 'select': {
      // An aggregate query over no rows still returns one, with plain columns NULL.
      const singleRow = query.groupBy.length === 0 && query.columns.some(({ expr }) => holdsAggregate(expr));
      return query.columns.map(({ expr }) => !neverNull(expr, origins, singleRow));
    }
    case 'set_operation': {
      const right = nullableColumns(query.right, origins);
      return nullableColumns(query.left, origins).map((left, i) => left || (right[i] ?? true));
    }
    case 'values':
      return (query.rows[0] ?? []).map(() => true);
  }
}

const COUNTS = /^(count|total|row_number|rank|dense_rank|ntile|percent_rank|cume_dist)$/;

function neverNull(expr: Expr, origins: Origins, singleRow: boolean): boolean {
  switch (expr.kind) {
    case 'column':
      return !singleRow && isNotNull(expr, origins);
    case 'literal':
      return expr.type !== 'null';
    case 'aggregate':
    case 'window':
      return COUNTS.test(expr.name);
    case 'exists':
    case 'is_null':
      return true;
    case 'case': {
      const results = expr.whens.map(({ result }) => result);
      return (
        expr.else !== null && [...results, expr.else].every((result) => neverNull(result, origins, singleRow))
      );
    }
    default:
      return false;
  }
}
