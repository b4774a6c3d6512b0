import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../../contracts/errors.ts';
import { conjunction, node } from '../ir/build.ts';
import type { Expr, FromItem, Source } from '../ir/nodes.ts';
import { readFunction, readName } from '../parse/carried.ts';
import { child, children, need, textOf } from '../parse/tree.ts';
import { type BindContext, bindExpr } from './bind-expr.ts';
import { bindQuery, outputNames } from './bind-query.ts';
import type { ScopeSource } from './scope.ts';

/** Binds FROM and its joins, and makes their sources known to the scope. */
export function bindFrom(select: Expression, context: BindContext): FromItem[] {
  const from = child(select, 'from_');
  if (!from) return [];
  const items: FromItem[] = [
    node({ join: 'from', source: bindSource(need(from, 'this'), context), on: null }),
  ];
  for (const join of children(select, 'joins')) {
    const kind = joinKind(join);
    const left = [...context.scope.sources];
    const source = bindSource(need(join, 'this'), context);
    items.push(node({ join: kind, source, on: bindCondition(join, left, context) }));
  }
  return items;
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

function bindCondition(join: Expression, left: readonly ScopeSource[], context: BindContext): Expr | null {
  const right = context.scope.sources.at(-1) as ScopeSource;
  const using = children(join, 'using').map((name) => readName(context.binder.carrier, name).name);
  if (using.length > 0) return mergeColumns(using, left, right, context);
  if (textOf(join, 'method').toUpperCase() === 'NATURAL') {
    const shared = right.columns.filter((name) => left.some((source) => find(source, name) !== null));
    return shared.length > 0 ? mergeColumns(shared, left, right, context) : null;
  }
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
  return source.columns.find((column) => column.toLowerCase() === name.toLowerCase()) ?? null;
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
    const cte = child(tree, 'db') ? undefined : ctes.get(name.toLowerCase());
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
