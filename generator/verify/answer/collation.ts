import type { Catalog } from '../../../contracts/catalog.ts';
import { type Expr, type Query, queriesOf, type Source, type SourceId } from '../../../sql/index.ts';

/** The collation SQLite compares an expression's values with, upper case: `BINARY` unless declared otherwise. */
export function collationOf(expr: Expr, query: Query, catalog: Catalog): string {
  const sources = new Map<SourceId, Source>();
  const ctes = new Map<string, { query: Query; columns: readonly string[] }>();
  for (const inner of queriesOf(query)) {
    for (const cte of inner.with) ctes.set(cte.name, cte);
    if (inner.kind === 'select') for (const { source } of inner.from) sources.set(source.id, source);
  }

  const ofColumn = (source: SourceId, name: string): string => {
    const from = sources.get(source);
    if (from?.kind === 'table') {
      const table = catalog.tables.find((each) => each.name === from.table);
      return table?.columns.find((column) => column.name === name)?.collation ?? 'BINARY';
    }
    const inner = from?.kind === 'derived' ? from : from && ctes.get(from.name);
    if (!inner) return 'BINARY';
    const names = 'columns' in inner ? inner.columns : outputNames(inner.query);
    return ofOutput(inner.query, names.indexOf(name));
  };
  const ofOutput = (inner: Query, index: number): string => {
    if (inner.kind === 'set_operation') return ofOutput(inner.left, index);
    const output = inner.kind === 'select' ? inner.columns[index]?.expr : undefined;
    return output ? of(output, inner) : 'BINARY';
  };
  const of = (each: Expr, inside: Query): string => {
    switch (each.kind) {
      case 'collate':
        return each.collation.toUpperCase();
      case 'column':
        return ofColumn(each.source, each.name);
      case 'output':
        return ofOutput(inside, each.index);
      case 'cast':
        return of(each.expr, inside);
      case 'unary':
        return each.op === '+' ? of(each.expr, inside) : 'BINARY';
      default:
        return 'BINARY';
    }
  };
  return of(expr, query);
}

function outputNames(query: Query): string[] {
  if (query.kind === 'set_operation') return outputNames(query.left);
  return query.kind === 'select' ? query.columns.map(({ name }) => name) : [];
}
