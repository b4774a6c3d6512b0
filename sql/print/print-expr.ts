import type {
  Aggregate,
  BinaryOp,
  Case,
  CompareOp,
  Expr,
  ExprKind,
  Frame,
  FrameBound,
  Literal,
  Window,
} from '../ir/nodes.ts';
import { type PrintOptions, printOrder, printSubquery } from './print-query.ts';
import { quoteIdentifier, quoteText } from './quote.ts';

/** How tightly SQLite's operators bind; an operand that binds less gets parentheses. */
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

export const LOOSEST = OR;

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
  /** The expression, in parentheses if it binds less than `binding`. */
  at(binding: number, expr: Expr): string;
  list(exprs: readonly Expr[]): string;
}

/** Prints an expression, in parentheses if it binds less tightly than `binding`. */
export function printExpr(expr: Expr, options: PrintOptions, binding: number = LOOSEST): string {
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

/** A literal as SQL. */
export function printLiteral(literal: Literal): string {
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
