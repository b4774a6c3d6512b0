import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import {
  conjunction,
  disjunction,
  integerLiteral,
  NULL_LITERAL,
  negate,
  node,
  textLiteral,
} from '../ir/build.ts';
import type { BinaryOp, CompareOp, Expr, Like, Query } from '../ir/nodes.ts';
import { readFunction, readName, readToken } from '../parse/carried.ts';
import { child, children, need, unwrap } from '../parse/tree.ts';
import { bindCall, filterCondition } from './bind-call.ts';
import { bindLiteral } from './bind-literal.ts';
import { bindQuery } from './bind-query.ts';
import { bindWindow } from './bind-window.ts';
import type { Binder, CteScope } from './binder.ts';
import type { Scope } from './scope.ts';

/** The position of an expression in its query. */
export interface BindContext {
  readonly binder: Binder;
  readonly scope: Scope;
  readonly ctes: CteScope;
}

type Handler = (node: Expression, context: BindContext) => Expr;

/** Binds one expression of sqlglot's tree; throws SQL_NOT_BOUND, SQL_UNSUPPORTED or SQL_NOT_PARSED. */
export function bindExpr(tree: Expression, context: BindContext): Expr {
  const handler = HANDLERS[tree.key];
  if (!handler) throw new QueryError('SQL_UNSUPPORTED', `the expression ${tree.key} is not read`, tree.key);
  return handler(tree, context);
}

const binary =
  (op: BinaryOp): Handler =>
  (tree, context) =>
    node({ kind: 'binary', op, left: left(tree, context), right: right(tree, context) });

const compare =
  (op: CompareOp): Handler =>
  (tree, context) =>
    node({ kind: 'compare', op, left: left(tree, context), right: right(tree, context) });

const like =
  (op: Like['op']): Handler =>
  (tree, context) =>
    node({
      kind: 'like',
      op,
      expr: left(tree, context),
      pattern: right(tree, context),
      escape: optional(tree, 'escape', context),
      negated: false,
    });

const HANDLERS: Readonly<Record<string, Handler>> = {
  paren: (tree, context) => left(tree, context),
  literal: (tree, { binder }) => bindLiteral(readToken(binder.carrier, tree)),
  null: () => NULL_LITERAL,
  boolean: (tree) => integerLiteral(tree.args.this === true ? 1n : 0n),
  column: bindColumn,
  identifier: bindColumn,
  tuple: (tree, context) =>
    node({ kind: 'row', items: children(tree, 'expressions').map((item) => bindExpr(item, context)) }),
  neg: (tree, context) => node({ kind: 'unary', op: '-', expr: left(tree, context) }),
  // `|/` carries the unary plus.
  sqrt: (tree, context) => node({ kind: 'unary', op: '+', expr: left(tree, context) }),
  bitwisenot: (tree, context) => node({ kind: 'unary', op: '~', expr: left(tree, context) }),
  not: (tree, context) => bindNot(tree, context),
  and: (tree, context) => conjunction([left(tree, context), right(tree, context)]),
  or: (tree, context) => disjunction([left(tree, context), right(tree, context)]),
  add: binary('+'),
  sub: binary('-'),
  mul: binary('*'),
  div: binary('/'),
  mod: binary('%'),
  bitwiseand: binary('&'),
  bitwiseor: binary('|'),
  bitwiseleftshift: binary('<<'),
  bitwiserightshift: binary('>>'),
  dpipe: bindConcatenation,
  eq: compare('='),
  neq: compare('!='),
  lt: compare('<'),
  lte: compare('<='),
  gt: compare('>'),
  gte: compare('>='),
  // ILIKE carries IS before anything but NULL.
  ilike: (tree, context) => bindIs(tree, false, context),
  is: (tree, context) => node({ kind: 'is_null', expr: left(tree, context), negated: false }),
  between: (tree, context) =>
    node({
      kind: 'between',
      expr: left(tree, context),
      low: bindExpr(need(tree, 'low'), context),
      high: bindExpr(need(tree, 'high'), context),
      negated: false,
    }),
  like: like('like'),
  glob: like('glob'),
  regexplike: like('regexp'),
  in: bindIn,
  exists: (tree, context) =>
    node({ kind: 'exists', query: subquery(need(tree, 'this'), context), negated: false }),
  subquery: (tree, context) => node({ kind: 'scalar_query', query: subquery(tree, context) }),
  select: (tree, context) => node({ kind: 'scalar_query', query: subquery(tree, context) }),
  case: bindCase,
  anonymous: bindAnonymous,
  filter: (tree, context) => {
    const aggregate = left(tree, context);
    if (aggregate.kind !== 'aggregate') throw new QueryError('SQL_UNSUPPORTED', 'FILTER needs an aggregate');
    return node({ ...aggregate, filter: bindExpr(filterCondition(tree), context) });
  },
  window: bindWindow,
};

function left(tree: Expression, context: BindContext): Expr {
  return bindExpr(need(tree, 'this'), context);
}

function right(tree: Expression, context: BindContext): Expr {
  return bindExpr(need(tree, 'expression'), context);
}

function optional(tree: Expression, key: string, context: BindContext): Expr | null {
  const found = child(tree, key);
  return found ? bindExpr(found, context) : null;
}

function subquery(tree: Expression, context: BindContext): Query {
  return bindQuery(tree, { binder: context.binder, outer: context.scope, ctes: context.ctes });
}

/** A name: a column, else a string if it was in double quotes, else TRUE or FALSE. */
function bindColumn(tree: Expression, { binder, scope }: BindContext): Expr {
  const identifier = tree.key === 'identifier' ? tree : need(tree, 'this');
  const qualifier = tree.key === 'identifier' ? null : child(tree, 'table');
  const { name, doubleQuoted, token } = readName(binder.carrier, identifier);
  const table = qualifier ? readName(binder.carrier, qualifier).name : null;
  const found = scope.resolve(table, name);
  if (found !== null) return found;
  if (table === null && doubleQuoted) {
    return textLiteral(name, { start: token.start, end: token.end });
  }
  if (table === null && /^(true|false)$/i.test(name)) return integerLiteral(/^t/i.test(name) ? 1n : 0n);
  const clause = table === null ? name : `${table}.${name}`;
  const reason =
    table !== null && !scope.hasSource(table) ? `no table is called ${table}` : `no column ${clause}`;
  throw new QueryError('SQL_NOT_BOUND', reason, clause);
}

function bindNot(tree: Expression, context: BindContext): Expr {
  const inner = need(tree, 'this');
  // `x NOT ILIKE y` carries IS NOT; a NOT before parentheses is one.
  if (inner.key === 'ilike') return bindIs(inner, true, context);
  return negate(bindExpr(inner, context));
}

/** IS; before a bare TRUE or FALSE it asks whether a value counts as true: `x IS TRUE` is `(NOT x) IS 0`. */
function bindIs(tree: Expression, negated: boolean, context: BindContext): Expr {
  const op = negated ? 'is_not' : 'is';
  const operand = need(tree, 'expression');
  const value = right(tree, context);
  if (operand.key !== 'column' || value.kind !== 'literal' || value.type !== 'integer') {
    return node({ kind: 'compare', op, left: left(tree, context), right: value });
  }
  const counts: Expr = node({ kind: 'not', expr: left(tree, context) });
  return node({ kind: 'compare', op, left: counts, right: integerLiteral(1n - value.value) });
}

/** `||`, which also carries COLLATE, `->` and `->>`. */
function bindConcatenation(tree: Expression, context: BindContext): Expr {
  const before = need(tree, 'this');
  const arrow = before.key === 'dpipe' ? need(before, 'expression') : null;
  if (arrow?.key === 'anonymous' && readFunction(arrow) === 'arrow') {
    const written = children(arrow, 'expressions')[0];
    const op = written && readToken(context.binder.carrier, written).text;
    if (op !== '->' && op !== '->>') throw new QueryError('SQL_NOT_PARSED', 'an arrow without its token');
    return node({ kind: 'binary', op, left: left(before, context), right: right(tree, context) });
  }
  const operand = need(tree, 'expression');
  if (operand.key === 'anonymous' && readFunction(operand) === 'collate') {
    const name = children(operand, 'expressions')[0];
    if (!name) throw new QueryError('SQL_NOT_PARSED', 'a COLLATE without a name');
    const collation = readToken(context.binder.carrier, name).text.toUpperCase();
    return node({ kind: 'collate', expr: left(tree, context), collation });
  }
  return node({ kind: 'binary', op: '||', left: left(tree, context), right: right(tree, context) });
}

function bindIn(tree: Expression, context: BindContext): Expr {
  const expr = left(tree, context);
  const items = children(tree, 'expressions');
  const [first] = items;
  if (first?.key === 'anonymous' && readFunction(first) === 'query') {
    const [query] = children(first, 'expressions');
    if (!query) throw new QueryError('SQL_NOT_PARSED', 'an IN without a query');
    const bound = subquery(unwrap(query), context);
    const items = literalsOf(bound);
    return items === null
      ? node({ kind: 'in_query', expr, query: bound, negated: false })
      : node({ kind: 'in_list', expr, items, negated: false });
  }
  if (first?.key === 'anonymous' && readFunction(first) === 'nothing') {
    return node({ kind: 'in_list', expr, items: [], negated: false });
  }
  if (child(tree, 'field') || child(tree, 'unnest')) {
    throw new QueryError('SQL_UNSUPPORTED', 'IN with a table is not read', 'IN');
  }
  return node({ kind: 'in_list', expr, items: items.map((item) => bindExpr(item, context)), negated: false });
}

/** The values of `IN (VALUES (1), (2))`, which means what `IN (1, 2)` means; null for any other query. */
function literalsOf(query: Query): readonly Expr[] | null {
  if (query.kind !== 'values' || query.with.length > 0) return null;
  const items = query.rows.flatMap((row) => (row.length === 1 ? row : []));
  return items.length === query.rows.length && items.every(({ kind }) => kind === 'literal') ? items : null;
}

function bindCase(tree: Expression, context: BindContext): Expr {
  return node({
    kind: 'case',
    operand: optional(tree, 'this', context),
    whens: children(tree, 'ifs').map((branch) =>
      node({
        when: bindExpr(need(branch, 'this'), context),
        result: bindExpr(need(branch, 'true'), context),
      }),
    ),
    else: optional(tree, 'default', context),
  });
}

function bindAnonymous(tree: Expression, context: BindContext): Expr {
  const name = readFunction(tree);
  if (name === null) throw new QueryError('SQL_NOT_PARSED', 'a function without a name');
  return bindCall(name, tree, context);
}
