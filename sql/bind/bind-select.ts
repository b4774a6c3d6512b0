import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import { node } from '../ir/build.ts';
import type { Cte, Expr, OutputColumn, Select } from '../ir/nodes.ts';
import { readName, readToken } from '../parse/carried.ts';
import { child, children, need } from '../parse/tree.ts';
import { type BindContext, bindExpr } from './bind-expr.ts';
import { bindFrom } from './bind-from.ts';
import { bindLimit, type Modifiers, type QueryContext } from './bind-query.ts';
import { bindOrderTerms } from './bind-window.ts';
import { foldName } from './fold-name.ts';
import { Scope } from './scope.ts';

/** Binds one SELECT; its ORDER BY and LIMIT come from `modifiers`. */
export function bindSelect(
  tree: Expression,
  ctes: readonly Cte[],
  modifiers: Modifiers,
  query: QueryContext,
): Select {
  if (child(tree, 'windows') || children(tree, 'windows').length > 0) {
    throw new QueryError('SQL_UNSUPPORTED', 'a WINDOW clause is not read', 'WINDOW');
  }
  const scope = new Scope(query.outer);
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
