import type { Expression } from 'sqlglot-ts/expressions';
import type { Catalog } from '../contracts/catalog.ts';
import { QueryError } from '../contracts/errors.ts';
import { columnsOf, isInner, outputNames } from './analyse.ts';
import {
  type BindContext,
  Binder,
  bindExpr,
  bindOrderTerms,
  type CteScope,
  foldName,
  type KnownCte,
  Scope,
  type ScopeSource,
} from './bind-expr.ts';
import {
  type Cte,
  conjunction,
  conjuncts,
  type Expr,
  type FromItem,
  type Limit,
  node,
  type OrderTerm,
  type Output,
  type OutputColumn,
  type Query,
  type Select,
  type SetOperation,
  type Source,
  sameExpr,
  type Values,
} from './ir.ts';
import {
  carry,
  child,
  children,
  need,
  parseCarrier,
  readFunction,
  readName,
  readToken,
  textOf,
  unwrap,
} from './parse.ts';

/** The parts of the enclosing query that a query can see. */
interface QueryContext {
  readonly binder: Binder;
  readonly outer: Scope | null;
  readonly ctes: CteScope;
}

/** ORDER BY, LIMIT and WITH, apart from the query's body. */
interface Modifiers {
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

/** LIMIT and OFFSET see no columns. */
function bindLimit({ limit, offset }: Modifiers, context: QueryContext): Limit | null {
  if (!limit) return null;
  const { binder, ctes } = context;
  const bindCount = (tree: Expression) =>
    bindExpr(need(tree, 'this'), { binder, scope: new Scope(null), ctes });
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

/** Adds the names of a query's WITH to the scope. */
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

/** ORDER BY and LIMIT come from `modifiers`. */
function bindSelect(
  tree: Expression,
  ctes: readonly Cte[],
  modifiers: Modifiers,
  query: QueryContext,
): Select {
  const scope = new Scope(query.outer, children(tree, 'windows'));
  const context: BindContext = { binder: query.binder, scope, ctes: query.ctes };
  const from = bindFrom(tree, context);
  const columns = bindColumns(children(tree, 'expressions'), context);
  for (const { alias, expr } of columns) {
    if (alias !== null && !scope.aliases.has(foldName(alias))) scope.aliases.set(foldName(alias), expr);
  }
  const group = child(tree, 'group');
  return node({
    kind: 'select',
    with: ctes,
    distinct: tree.args.distinct !== undefined && tree.args.distinct !== null && tree.args.distinct !== false,
    columns,
    from,
    where: condition(tree, 'where', context),
    groupBy: group ? children(group, 'expressions').map((term) => bindGroupTerm(term, columns, context)) : [],
    having: condition(tree, 'having', context),
    orderBy: modifiers.order
      ? bindOrderTerms(modifiers.order, (term) => bindOrderTerm(term, columns, context))
      : [],
    limit: bindLimit(modifiers, query),
  });
}

function condition(tree: Expression, key: 'where' | 'having', context: BindContext): Expr | null {
  const clause = child(tree, key);
  return clause ? bindExpr(need(clause, 'this'), context) : null;
}

function bindColumns(trees: readonly Expression[], context: BindContext): OutputColumn[] {
  const columns = trees.flatMap((tree): { expr: Expr; alias: string | null }[] => {
    if (tree.key === 'star') return context.scope.star(null).map((expr) => ({ expr, alias: null }));
    if (tree.key === 'column' && child(tree, 'this')?.key === 'star') {
      const table = readName(context.binder.carrier, need(tree, 'table')).name;
      return context.scope.star(table).map((expr) => ({ expr, alias: null }));
    }
    if (tree.key === 'alias') {
      const alias = readName(context.binder.carrier, need(tree, 'alias')).name;
      return [{ expr: bindExpr(need(tree, 'this'), context), alias }];
    }
    return [{ expr: bindExpr(tree, context), alias: null }];
  });
  const taken = new Set<string>();
  return columns.map(({ expr, alias }, i) => {
    const wanted = alias ?? (expr.kind === 'column' ? expr.name : `c${i + 1}`);
    let name = wanted;
    for (let n = 1; taken.has(foldName(name)); n++) name = `${wanted}:${n}`;
    taken.add(foldName(name));
    return node({ expr, name, alias });
  });
}

/** GROUP BY takes positions, then columns, then aliases. */
function bindGroupTerm(term: Expression, columns: readonly OutputColumn[], context: BindContext): Expr {
  return positional(term, columns, context) ?? bindExpr(term, context);
}

/** ORDER BY takes positions, then aliases, then columns. */
function bindOrderTerm(term: Expression, columns: readonly OutputColumn[], context: BindContext): Expr {
  const position = positional(term, columns, context);
  if (position) return position;
  if (term.key === 'column' && !child(term, 'table')) {
    const { name } = readName(context.binder.carrier, need(term, 'this'));
    const found = columns.find(({ alias }) => alias !== null && foldName(alias) === foldName(name));
    if (found) return found.expr;
  }
  return bindExpr(term, context);
}

function positional(
  term: Expression,
  columns: readonly OutputColumn[],
  { binder }: BindContext,
): Expr | null {
  if (term.key !== 'literal') return null;
  const token = readToken(binder.carrier, term);
  if (token.kind !== 'number' || !/^\d+$/.test(token.text)) return null;
  return columns[Number(token.text) - 1]?.expr ?? null;
}

/** A condition may name a table that is joined later, and then moves to it. */
function bindFrom(select: Expression, context: BindContext): FromItem[] {
  const from = child(select, 'from_');
  if (!from) return [];
  const { sources } = context.scope;
  const items: FromItem[] = [
    node({ join: 'from', source: bindSource(need(from, 'this'), context), on: null }),
  ];
  // Columns merged by USING and NATURAL are those of the tables so far; ON sees all of them.
  const joins = children(select, 'joins').map((join) => {
    const left = [...sources];
    const source = bindSource(need(join, 'this'), context);
    return { join, source, merged: mergedCondition(join, left, sources.at(-1) as ScopeSource, context) };
  });
  for (const { join, source, merged } of joins)
    items.push(node({ join: joinKind(join), source, on: merged ?? onCondition(join, context) }));
  return withConditionsInPlace(items);
}

/** Moves inner joins' conditions to the last table they name, unless an outer join comes between. */
function withConditionsInPlace(items: readonly FromItem[]): FromItem[] {
  const place = new Map(items.map(({ source }, i) => [source.id, i]));
  const moved: { readonly to: number; readonly condition: Expr }[] = [];
  const kept = items.map((item, i): FromItem => {
    if (item.on === null || !isInner(item)) return item;
    const own = conjuncts(item.on).filter((condition) => {
      const named = columnsOf(condition).flatMap(({ source }) => place.get(source) ?? []);
      const to = Math.max(i, ...named);
      const stays = to === i || !items.slice(i, to + 1).every(isInner);
      if (!stays) moved.push({ to, condition });
      return stays;
    });
    return own.length === 0 ? node({ ...item, on: null }) : node({ ...item, on: conjunction(own) });
  });
  if (moved.length === 0) return [...items];
  return kept.map((item, i) => {
    const here = moved.flatMap(({ to, condition }) => (to === i ? [condition] : []));
    return here.length === 0
      ? item
      : node({ ...item, join: 'inner', on: conjunction([...conjuncts(item.on), ...here]) });
  });
}

function joinKind(join: Expression): FromItem['join'] {
  const side = textOf(join, 'side').toUpperCase();
  const kind = textOf(join, 'kind').toUpperCase();
  if (side === 'LEFT') return 'left';
  if (side === 'RIGHT') return 'right';
  if (side === 'FULL') return 'full';
  if (kind === 'SEMI' || kind === 'ANTI')
    throw new QueryError('SQL_UNSUPPORTED', `${kind} JOIN is not read`, kind);
  // sqlglot gives a comma neither kind nor condition; to JOIN without ON it adds ON TRUE.
  const comma =
    kind === '' && !child(join, 'on') && !textOf(join, 'method') && children(join, 'using').length === 0;
  return kind === 'CROSS' || comma ? 'cross' : 'inner';
}

/** The condition of USING or NATURAL, or null. */
function mergedCondition(
  join: Expression,
  left: readonly ScopeSource[],
  right: ScopeSource,
  context: BindContext,
): Expr | null {
  const using = children(join, 'using').map((name) => readName(context.binder.carrier, name).name);
  if (using.length > 0) return mergeColumns(using, left, right, context);
  if (textOf(join, 'method').toUpperCase() !== 'NATURAL') return null;
  const shared = right.columns.filter((name) => left.some((source) => find(source, name) !== null));
  return shared.length > 0 ? mergeColumns(shared, left, right, context) : null;
}

function onCondition(join: Expression, context: BindContext): Expr | null {
  const on = child(join, 'on');
  return on && on.key !== 'boolean' ? bindExpr(on, context) : null;
}

function mergeColumns(
  names: readonly string[],
  left: readonly ScopeSource[],
  right: ScopeSource,
  { scope }: BindContext,
): Expr {
  const equalities = names.map((name) => {
    const leftSource = left.find((source) => find(source, name) !== null);
    const leftName = leftSource && find(leftSource, name);
    const rightName = find(right, name);
    if (!leftSource || leftName == null || rightName === null) {
      throw new QueryError('SQL_NOT_BOUND', `no column ${name} on both sides of the join`, name);
    }
    scope.merged.push({ name: rightName, right: right.id });
    return node({
      kind: 'compare',
      op: '=',
      left: node({ kind: 'column', source: leftSource.id, name: leftName }),
      right: node({ kind: 'column', source: right.id, name: rightName }),
    } as const);
  });
  return conjunction(equalities);
}

function find(source: ScopeSource, name: string): string | null {
  return source.columns.find((column) => foldName(column) === foldName(name)) ?? null;
}

function bindSource(tree: Expression, context: BindContext): Source {
  if (tree.key === 'alias') {
    const alias = readName(context.binder.carrier, need(tree, 'alias')).name;
    return bindNamedSource(need(tree, 'this'), alias, context);
  }
  const alias = child(tree, 'alias');
  const name = alias && (alias.key === 'identifier' ? alias : child(alias, 'this'));
  return bindNamedSource(tree, name ? readName(context.binder.carrier, name).name : null, context);
}

function bindNamedSource(tree: Expression, alias: string | null, context: BindContext): Source {
  const { binder, scope, ctes } = context;
  const id = binder.nextSource();
  if (tree.key === 'table') {
    const call = need(tree, 'this');
    if (call.key === 'anonymous') {
      const called = readFunction(call) ?? '';
      throw new QueryError('SQL_UNSUPPORTED', `the function ${called}() is not read as a table`, called);
    }
    const { name } = readName(binder.carrier, need(tree, 'this'));
    const cte = child(tree, 'db') ? undefined : ctes.get(foldName(name));
    if (cte) {
      scope.sources.push({ id, alias: alias ?? name, columns: cte.columns, table: null });
      return node({ kind: 'cte', id, name: cte.name, alias: alias ?? name });
    }
    const table = binder.table(name);
    if (!table) throw new QueryError('SQL_NOT_BOUND', `no table is called ${name}`, name);
    scope.sources.push({
      id,
      alias: alias ?? name,
      columns: table.columns.map((column) => column.name),
      table,
    });
    return node({ kind: 'table', id, table: table.name, alias: alias ?? name });
  }
  if (tree.key === 'subquery' || tree.key === 'values' || tree.key === 'paren') {
    // A derived table sees what encloses the SELECT, not its neighbours in FROM.
    const query = bindQuery(tree, { binder, outer: scope.parent, ctes });
    scope.sources.push({ id, alias: alias ?? '', columns: outputNames(query), table: null });
    return node({ kind: 'derived', id, query, alias: alias ?? '' });
  }
  throw new QueryError('SQL_UNSUPPORTED', `a source of kind ${tree.key} is not read`, tree.key);
}

/** Each term is the number, the name or the expression of a result column of either side. */
function bindSetOrder(order: Expression, left: Query, right: Query, context: QueryContext): OrderTerm[] {
  const sides = [...branches(left), ...branches(right)];
  return bindOrderTerms(order, (term) => {
    for (const side of sides) {
      const index = positionOf(term, side, context);
      if (index >= 0) return output(index);
    }
    throw new QueryError(
      'SQL_UNSUPPORTED',
      'ORDER BY of a set operation must name a result column',
      'ORDER BY',
    );
  });
}

function positionOf(term: Expression, side: Query, context: QueryContext): number {
  const { carrier } = context.binder;
  if (term.key === 'literal') {
    const token = readToken(carrier, term);
    return token.kind === 'number' ? Number(token.text) - 1 : -1;
  }
  const identifier = term.key === 'column' ? child(term, 'this') : null;
  if (identifier) {
    const name = readName(carrier, identifier).name;
    const index = outputNames(side).findIndex((column) => foldName(column) === foldName(name));
    if (index >= 0) return index;
  }
  return side.kind === 'select' ? repeatedColumn(term, side, context) : -1;
}

/** The result column of a SELECT whose expression the term repeats. */
function repeatedColumn(term: Expression, select: Select, { binder, outer, ctes }: QueryContext): number {
  const scope = new Scope(outer);
  for (const { source } of select.from) {
    if (source.kind !== 'table') return -1;
    const table = binder.table(source.table);
    const columns = table?.columns.map((column) => column.name) ?? [];
    scope.sources.push({ id: source.id, alias: source.alias, columns, table });
  }
  try {
    const wanted = bindExpr(term, { binder, scope, ctes });
    return select.columns.findIndex(({ expr }) => sameExpr(expr, wanted));
  } catch (error) {
    if (error instanceof QueryError) return -1;
    throw error;
  }
}

function branches(query: Query): Query[] {
  return query.kind === 'set_operation' ? [...branches(query.left), ...branches(query.right)] : [query];
}

function output(index: number): Output {
  return node({ kind: 'output', index });
}

export interface SqlContext {
  readonly catalog: Catalog;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
}

/** Parses one SELECT. Throws SQL_NOT_PARSED, SQL_NOT_BOUND, SQL_UNSUPPORTED or NONDETERMINISTIC. */
export function parseQuery(sql: string, { catalog, referenceTime }: SqlContext): Query {
  const carrier = carry(sql);
  const tree = parseCarrier(carrier);
  const binder = new Binder(carrier, catalog, referenceTime);
  return bindQuery(tree, { binder, outer: null, ctes: new Map() });
}
