import {
  type Aggregate,
  type BinaryOp,
  type Case,
  type CompareOp,
  type Cte,
  type Expr,
  type ExprKind,
  type Frame,
  type FrameBound,
  type FromItem,
  type Limit,
  type Literal,
  node,
  type OrderTerm,
  type Query,
  type Select,
  type Source,
  type Window,
} from './ir.ts';

export interface PrintOptions {
  /** Replaces a literal, compared by identity (`:county_name`), unless null. */
  readonly literal?: (literal: Literal) => string | null;
  /** Replaces a whole expression, unless null. */
  readonly expr?: (expr: Expr) => string | null;
  /** Names of the outermost result columns, by position. */
  readonly outputNames?: readonly string[];
}

/** Without options, the SQL returns exactly the rows of the query it was bound from. */
export function printQuery(query: Query, options: PrintOptions = {}): string {
  return print(query, options, options.outputNames ?? null);
}

/** With columns named for outer queries when `named`. */
function printSubquery(query: Query, options: PrintOptions, named: boolean): string {
  return print(query, options, named ? namesOf(query) : null);
}

function namesOf(query: Query): readonly string[] | null {
  if (query.kind === 'select') return query.columns.map((column) => column.name);
  return query.kind === 'set_operation' ? namesOf(query.left) : null;
}

function print(query: Query, options: PrintOptions, names: readonly string[] | null): string {
  const clauses = [printWith(query.with, options)];
  switch (query.kind) {
    case 'select':
      clauses.push(printSelect(query, options, names));
      break;
    case 'set_operation':
      clauses.push(
        printOperand(query.left, options, names),
        SET_OPERATORS[query.op],
        printOperand(query.right, options, null),
      );
      break;
    case 'values':
      clauses.push(
        `VALUES ${query.rows.map((row) => `(${row.map((cell) => printExpr(cell, options)).join(', ')})`).join(', ')}`,
      );
      break;
  }
  if (query.kind !== 'values')
    clauses.push(printOrder(query.orderBy, options), printLimit(query.limit, options));
  return clauses.filter((clause) => clause !== '').join(' ');
}

const SET_OPERATORS = {
  union: 'UNION',
  union_all: 'UNION ALL',
  intersect: 'INTERSECT',
  except: 'EXCEPT',
} as const;

/** SQLite takes no parentheses in set operations: a side with clauses of its own becomes a derived table. */
function printOperand(query: Query, options: PrintOptions, names: readonly string[] | null): string {
  const bare =
    query.with.length === 0 &&
    (query.kind === 'values' || (query.orderBy.length === 0 && query.limit === null));
  const text = print(query, options, names);
  return bare ? text : `SELECT * FROM (${text})`;
}

function printWith(ctes: readonly Cte[], options: PrintOptions): string {
  if (ctes.length === 0) return '';
  const items = ctes.map(({ name, columns, query }) => {
    const list = columns.map(quoteIdentifier).join(', ');
    return `${quoteIdentifier(name)}(${list}) AS (${print(query, options, null)})`;
  });
  return `WITH ${ctes.some((cte) => cte.recursive) ? 'RECURSIVE ' : ''}${items.join(', ')}`;
}

function printSelect(select: Select, options: PrintOptions, names: readonly string[] | null): string {
  const columns = select.columns.map(({ expr }, i) => {
    const name = names?.[i];
    const text = printExpr(expr, options);
    return name === undefined ? text : `${text} AS ${quoteIdentifier(name)}`;
  });
  const clauses = [`SELECT ${select.distinct ? 'DISTINCT ' : ''}${columns.join(', ')}`];
  if (select.from.length > 0) clauses.push(printFrom(select.from, options));
  if (select.where) clauses.push(`WHERE ${printExpr(select.where, options)}`);
  if (select.groupBy.length > 0) {
    clauses.push(`GROUP BY ${select.groupBy.map((term) => printTerm(term, options)).join(', ')}`);
  }
  if (select.having) clauses.push(`HAVING ${printExpr(select.having, options)}`);
  return clauses.join(' ');
}

/** `FROM` with its joins, of at least one item. */
export function printFrom(from: readonly FromItem[], options: PrintOptions = {}): string {
  return `FROM ${from.map((item) => printFromItem(item, options)).join(' ')}`;
}

const JOINS: Readonly<Record<FromItem['join'], string>> = {
  from: '',
  inner: 'JOIN ',
  cross: 'CROSS JOIN ',
  left: 'LEFT JOIN ',
  right: 'RIGHT JOIN ',
  full: 'FULL JOIN ',
};

function printFromItem({ join, source, on }: FromItem, options: PrintOptions): string {
  // A comma lets SQLite reorder where CROSS JOIN does not, but takes no ON.
  const keyword = join === 'cross' && on === null ? ', ' : JOINS[join];
  const condition = on ? ` ON ${printExpr(on, options)}` : '';
  return `${keyword}${printSource(source, options)}${condition}`;
}

function printSource(source: Source, options: PrintOptions): string {
  const alias = quoteIdentifier(source.id);
  switch (source.kind) {
    case 'table':
      return `${quoteIdentifier(source.table)} AS ${alias}`;
    case 'cte':
      return `${quoteIdentifier(source.name)} AS ${alias}`;
    case 'derived':
      return `(${printSubquery(source.query, options, true)}) AS ${alias}`;
  }
}

function printOrder(terms: readonly OrderTerm[], options: PrintOptions): string {
  if (terms.length === 0) return '';
  const items = terms.map(({ expr, direction, nulls }) => {
    const order = direction === 'desc' ? ' DESC' : '';
    return `${printTerm(expr, options)}${order}${nulls === null ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
  });
  return `ORDER BY ${items.join(', ')}`;
}

/** Casts a bare integer, which ORDER BY and GROUP BY would take for a position. */
function printTerm(expr: Expr, options: PrintOptions): string {
  if (expr.kind !== 'literal' || expr.type !== 'integer') return printExpr(expr, options);
  return printExpr(node({ kind: 'cast', expr, type: 'INTEGER' }), options);
}

function printLimit(limit: Limit | null, options: PrintOptions): string {
  if (!limit) return '';
  const offset = limit.offset ? ` OFFSET ${printExpr(limit.offset, options, LOOSEST)}` : '';
  return `LIMIT ${printExpr(limit.count, options, LOOSEST)}${offset}`;
}

/** Operator precedences; an operand that binds less gets parentheses. */
const OR = 1;
const AND = 2;
const NOT = 3;
const EQUALITY = 4;
const COMPARISON = 5;
const BITWISE = 6;
const SUM = 7;
const PRODUCT = 8;
const CONCATENATION = 9;
const COLLATE = 10;
const UNARY = 11;
const ATOM = 12;

const LOOSEST = OR;

const BINARY: Readonly<Record<BinaryOp, number>> = {
  '&': BITWISE,
  '|': BITWISE,
  '<<': BITWISE,
  '>>': BITWISE,
  '+': SUM,
  '-': SUM,
  '*': PRODUCT,
  '/': PRODUCT,
  '%': PRODUCT,
  '||': CONCATENATION,
  '->': CONCATENATION,
  '->>': CONCATENATION,
};

const COMPARE: Readonly<Record<CompareOp, readonly [string, number]>> = {
  '=': ['=', EQUALITY],
  '!=': ['<>', EQUALITY],
  is: ['IS', EQUALITY],
  is_not: ['IS NOT', EQUALITY],
  '<': ['<', COMPARISON],
  '<=': ['<=', COMPARISON],
  '>': ['>', COMPARISON],
  '>=': ['>=', COMPARISON],
};

type Printed = readonly [text: string, binding: number];
type Printers = { readonly [K in ExprKind]: (expr: Extract<Expr, { kind: K }>, p: Printer) => Printed };

interface Printer {
  readonly options: PrintOptions;
  /** Parenthesized if it binds less than `binding`. */
  at(binding: number, expr: Expr): string;
  list(exprs: readonly Expr[]): string;
}

/** Parenthesized if it binds less than `binding`. */
export function printExpr(expr: Expr, options: PrintOptions = {}, binding: number = LOOSEST): string {
  const replaced = options.expr?.(expr) ?? null;
  if (replaced !== null) return replaced;
  const printer: Printer = {
    options,
    at: (inner, operand) => printExpr(operand, options, inner),
    list: (exprs) => exprs.map((item) => printExpr(item, options)).join(', '),
  };
  const [text, own] = printKind(expr, printer);
  return own < binding ? `(${text})` : text;
}

function printKind<K extends ExprKind>(expr: Extract<Expr, { kind: K }>, printer: Printer): Printed {
  const print: Printers[K] = PRINTERS[expr.kind as K];
  return print(expr, printer);
}

const PRINTERS: Printers = {
  literal: (literal, { options }) => {
    const text = options.literal?.(literal) ?? printLiteral(literal);
    return [text, text.startsWith('-') ? UNARY : ATOM];
  },
  column: ({ source, name }) => [`${quoteIdentifier(source)}.${quoteIdentifier(name)}`, ATOM],
  output: ({ index }) => [String(index + 1), ATOM],
  row: ({ items }, p) => [`(${p.list(items)})`, ATOM],
  unary: ({ op, expr }, p) => [`${op}${p.at(ATOM, expr)}`, UNARY],
  binary: ({ op, left, right }, p) => {
    const binding = BINARY[op];
    return [`${p.at(binding, left)} ${op} ${p.at(binding + 1, right)}`, binding];
  },
  compare: ({ op, left, right }, p) => {
    const [text, binding] = COMPARE[op];
    return [`${p.at(binding + 1, left)} ${text} ${p.at(binding + 1, right)}`, binding];
  },
  and: ({ items }, p) => [items.map((item) => p.at(NOT, item)).join(' AND '), AND],
  or: ({ items }, p) => [items.map((item) => p.at(AND, item)).join(' OR '), OR],
  not: ({ expr }, p) => [`NOT ${p.at(EQUALITY, expr)}`, NOT],
  is_null: ({ expr, negated }, p) => [`${p.at(COMPARISON, expr)} IS ${negated ? 'NOT ' : ''}NULL`, EQUALITY],
  between: ({ expr, low, high, negated }, p) => {
    const range = `${p.at(BITWISE, low)} AND ${p.at(BITWISE, high)}`;
    return [`${p.at(BITWISE, expr)} ${negated ? 'NOT ' : ''}BETWEEN ${range}`, EQUALITY];
  },
  like: ({ op, expr, pattern, escape: escapeChar, negated }, p) => {
    const operator = `${negated ? 'NOT ' : ''}${op.toUpperCase()}`;
    const tail = escapeChar ? ` ESCAPE ${p.at(BITWISE, escapeChar)}` : '';
    return [`${p.at(BITWISE, expr)} ${operator} ${p.at(BITWISE, pattern)}${tail}`, EQUALITY];
  },
  in_list: ({ expr, items, negated }, p) => [
    `${p.at(BITWISE, expr)} ${negated ? 'NOT ' : ''}IN (${p.list(items)})`,
    EQUALITY,
  ],
  in_query: ({ expr, query, negated }, p) => [
    `${p.at(BITWISE, expr)} ${negated ? 'NOT ' : ''}IN (${printSubquery(query, p.options, false)})`,
    EQUALITY,
  ],
  exists: ({ query, negated }, p) => [
    `${negated ? 'NOT ' : ''}EXISTS (${printSubquery(query, p.options, false)})`,
    negated ? NOT : ATOM,
  ],
  scalar_query: ({ query }, p) => [`(${printSubquery(query, p.options, false)})`, ATOM],
  case: (expr, p) => [printCase(expr, p), ATOM],
  cast: ({ expr, type }, p) => [`CAST(${p.at(LOOSEST, expr)} AS ${type})`, ATOM],
  collate: ({ expr, collation }, p) => [
    `${p.at(COLLATE, expr)} COLLATE ${quoteIdentifier(collation)}`,
    COLLATE,
  ],
  call: ({ name, args }, p) => [`${printFunctionName(name)}(${p.list(args)})`, ATOM],
  aggregate: (expr, p) => [printAggregate(expr, p), ATOM],
  window: (expr, p) => [printWindow(expr, p), ATOM],
};

function printLiteral(literal: Literal): string {
  switch (literal.type) {
    case 'integer':
      return literal.value.toString();
    case 'real':
      return literal.text;
    case 'text':
      return quoteText(literal.value);
    case 'blob':
      return `x'${literal.value}'`;
    case 'null':
      return 'NULL';
  }
}

function printFunctionName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : quoteIdentifier(name);
}

function printCase({ operand, whens, else: otherwise }: Case, p: Printer): string {
  const head = operand ? `CASE ${p.at(LOOSEST, operand)}` : 'CASE';
  const branches = whens.map(
    ({ when, result }) => ` WHEN ${p.at(LOOSEST, when)} THEN ${p.at(LOOSEST, result)}`,
  );
  return `${head}${branches.join('')}${otherwise ? ` ELSE ${p.at(LOOSEST, otherwise)}` : ''} END`;
}

function printAggregate({ name, args, star, distinct, filter, orderBy }: Aggregate, p: Printer): string {
  const order = orderBy.length > 0 ? ` ${printOrder(orderBy, p.options)}` : '';
  const inside = star ? '*' : `${distinct ? 'DISTINCT ' : ''}${p.list(args)}${order}`;
  return `${printFunctionName(name)}(${inside})${filter ? ` FILTER (WHERE ${p.at(LOOSEST, filter)})` : ''}`;
}

function printWindow({ name, args, star, filter, partitionBy, orderBy, frame }: Window, p: Printer): string {
  const over = [
    partitionBy.length > 0 ? `PARTITION BY ${p.list(partitionBy)}` : '',
    printOrder(orderBy, p.options),
    frame ? printFrame(frame, p) : '',
  ];
  const call = `${printFunctionName(name)}(${star ? '*' : p.list(args)})`;
  const condition = filter ? ` FILTER (WHERE ${p.at(LOOSEST, filter)})` : '';
  return `${call}${condition} OVER (${over.filter((part) => part !== '').join(' ')})`;
}

function printFrame({ mode, start, end, exclude }: Frame, p: Printer): string {
  const range = `${mode.toUpperCase()} BETWEEN ${printBound(start, p)} AND ${printBound(end, p)}`;
  return exclude ? `${range} EXCLUDE ${exclude.toUpperCase().replace('_', ' ')}` : range;
}

function printBound(bound: FrameBound, p: Printer): string {
  const side = bound.at.toUpperCase().replaceAll('_', ' ');
  return 'offset' in bound ? `${p.at(BITWISE, bound.offset)} ${side}` : side;
}

/** The only place where identifiers are quoted. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The only place where text is quoted. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
