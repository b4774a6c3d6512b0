import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import { node } from '../ir/build.ts';
import { sameExpr } from '../ir/equal.ts';
import type { OrderTerm, Output, Query, Select } from '../ir/nodes.ts';
import { readName, readToken } from '../parse/carried.ts';
import { child } from '../parse/tree.ts';
import { bindExpr } from './bind-expr.ts';
import { outputNames, type QueryContext } from './bind-query.ts';
import { bindOrderTerms } from './bind-window.ts';
import { foldName } from './fold-name.ts';
import { Scope } from './scope.ts';

/** Binds the ORDER BY of a set operation: its terms number, name or repeat result columns of either side. */
export function bindSetOrder(
  order: Expression,
  left: Query,
  right: Query,
  context: QueryContext,
): OrderTerm[] {
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
