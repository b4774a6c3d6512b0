import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import { conjunction, node } from '../ir/build.ts';
import { conjuncts } from '../ir/conjuncts.ts';
import type { Expr, FromItem, Source } from '../ir/nodes.ts';
import { columnsOf } from '../ir/parts.ts';
import { readFunction, readName } from '../parse/carried.ts';
import { child, children, need, textOf } from '../parse/tree.ts';
import { type BindContext, bindExpr } from './bind-expr.ts';
import { bindQuery, outputNames } from './bind-query.ts';
import { foldName } from './fold-name.ts';
import type { ScopeSource } from './scope.ts';

/**
 * Binds FROM and its joins, and makes their sources known to the scope. A condition may name a table that is joined
 * later; it then stands with the last table that it names.
 */
export function bindFrom(select: Expression, context: BindContext): FromItem[] {
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

/** Inner joins' conditions moved to the last table that they name; as they were where an outer join stands between. */
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

function isInner({ join }: FromItem): boolean {
  return join === 'inner' || join === 'cross';
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
