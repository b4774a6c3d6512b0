import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import { node } from '../ir/build.ts';
import type { Cte, Limit, Query, SetOperation, Values } from '../ir/nodes.ts';
import { readName } from '../parse/carried.ts';
import { child, children, need, unwrap } from '../parse/tree.ts';
import { bindExpr } from './bind-expr.ts';
import { bindSelect } from './bind-select.ts';
import { bindSetOrder } from './bind-set-order.ts';
import type { Binder, CteScope, KnownCte } from './binder.ts';
import { foldName } from './fold-name.ts';
import { Scope } from './scope.ts';

/** The parts of the enclosing query that a query can see. */
export interface QueryContext {
  readonly binder: Binder;
  readonly outer: Scope | null;
  readonly ctes: CteScope;
}

/** ORDER BY, LIMIT and WITH of a query, kept apart from its body. */
export interface Modifiers {
  readonly order: Expression | null;
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/** Binds a SELECT, a set operation, VALUES, or any of these in parentheses. */
export function bindQuery(tree: Expression, context: QueryContext): Query {
  const body = unwrapQuery(tree);
  const { ctes, bound } = bindCtes(body, context);
  const inner = { ...context, ctes };
  switch (body.key) {
    case 'select':
      return bindSelect(body, bound, modifiersOf(body), inner);
    case 'values':
      return bindValues(body, bound, inner);
    case 'union':
    case 'intersect':
    case 'except':
      return bindSetOperation(body, bound, inner);
    default:
      throw new QueryError('SQL_UNSUPPORTED', `a statement of kind ${body.key} is not read`, body.key);
  }
}

/** The names by which a query's result columns are read from outside. */
export function outputNames(query: Query): string[] {
  switch (query.kind) {
    case 'select':
      return query.columns.map((column) => column.name);
    case 'set_operation':
      return outputNames(query.left);
    case 'values':
      return (query.rows[0] ?? []).map((_, i) => `column${i + 1}`);
  }
}

/** Binds LIMIT and OFFSET, which see no columns. */
export function bindLimit({ limit, offset }: Modifiers, context: QueryContext): Limit | null {
  if (!limit) return null;
  const bindCount = (tree: Expression) =>
    bindExpr(need(tree, 'this'), {
      binder: context.binder,
      scope: new Scope(null),
      ctes: context.ctes,
    });
  return node({ count: bindCount(limit), offset: offset ? bindCount(offset) : null });
}

function unwrapQuery(tree: Expression): Expression {
  const body = unwrap(tree);
  if (body.key === 'subquery' && !child(body, 'order') && !child(body, 'limit'))
    return unwrapQuery(need(body, 'this'));
  return body;
}

function modifiersOf(tree: Expression): Modifiers {
  return { order: child(tree, 'order'), limit: child(tree, 'limit'), offset: child(tree, 'offset') };
}

const SET_OPERATORS: Readonly<Record<string, SetOperation['op']>> = {
  union: 'union',
  intersect: 'intersect',
  except: 'except',
};

function bindSetOperation(tree: Expression, ctes: readonly Cte[], context: QueryContext): SetOperation {
  const right = unwrapQuery(need(tree, 'expression'));
  const left = bindQuery(need(tree, 'this'), context);
  const op =
    tree.key === 'union' && tree.args.distinct === false ? 'union_all' : (SET_OPERATORS[tree.key] ?? 'union');
  // SQLite allows ORDER BY and LIMIT only at the end; sqlglot hangs them on the last SELECT.
  const own = modifiersOf(tree);
  const modifiers = own.order || own.limit ? own : modifiersOf(right);
  const rightQuery =
    right.key === 'select'
      ? bindSelect(right, [], { order: null, limit: null, offset: null }, context)
      : bindQuery(right, context);
  return node({
    kind: 'set_operation',
    with: ctes,
    op,
    left,
    right: rightQuery,
    orderBy: modifiers.order ? bindSetOrder(modifiers.order, left, rightQuery, context) : [],
    limit: bindLimit(modifiers, context),
  });
}

function bindValues(
  tree: Expression,
  ctes: readonly Cte[],
  { binder, outer, ctes: known }: QueryContext,
): Values {
  const context = { binder, scope: new Scope(outer), ctes: known };
  const rows = children(tree, 'expressions').map((row) =>
    (row.key === 'tuple' ? children(row, 'expressions') : [unwrap(row)]).map((cell) =>
      bindExpr(cell, context),
    ),
  );
  return node({ kind: 'values', with: ctes, rows });
}

/** Binds the WITH of a query and adds its names to the scope. */
function bindCtes(body: Expression, context: QueryContext): { ctes: CteScope; bound: Cte[] } {
  const clause = child(body, 'with_');
  if (!clause) return { ctes: context.ctes, bound: [] };
  const { binder } = context;
  const reach = new Map<string, KnownCte>(context.ctes);
  const bound: Cte[] = [];
  for (const item of children(clause, 'expressions')) {
    const alias = need(item, 'alias');
    const written = readName(binder.carrier, need(alias, 'this')).name;
    const renamed = children(alias, 'columns').map((name) => readName(binder.carrier, name).name);
    const name = binder.uniqueCteName(written);
    const query = need(item, 'this');
    const recursive = clause.args.recursive === true && refersTo(query, written, binder);
    if (recursive) {
      // The columns must be known before the body is bound: from the list, or from the first SELECT.
      const columns =
        renamed.length > 0
          ? renamed
          : outputNames(bindQuery(firstBranch(query), { ...context, ctes: reach }));
      reach.set(foldName(written), { name, columns });
    }
    const boundQuery = bindQuery(query, { ...context, ctes: reach });
    const columns = renamed.length > 0 ? renamed : outputNames(boundQuery);
    reach.set(foldName(written), { name, columns });
    bound.push(node({ name, recursive, columns, query: boundQuery }));
  }
  return { ctes: reach, bound };
}

function firstBranch(tree: Expression): Expression {
  const body = unwrapQuery(tree);
  return body.key in SET_OPERATORS ? firstBranch(need(body, 'this')) : body;
}

function refersTo(tree: Expression, name: string, binder: Binder): boolean {
  for (const found of tree.bfs()) {
    if (found.key !== 'table') continue;
    const identifier = child(found, 'this');
    if (identifier && foldName(readName(binder.carrier, identifier).name) === foldName(name)) return true;
  }
  return false;
}
