import {
  conjunction,
  conjuncts,
  type Expr,
  type FromItem,
  node,
  type Query,
  queriesOf,
  realLiteral,
  rewriteNodes,
  type Select,
} from '../../sql/index.ts';
import type { TableShape } from './table-shape.ts';

/**
 * The query with a call of a function, always true, for each table row it visits. The function can then stop the query
 * after a number of rows rather than a time, and every machine visits the same rows. The function reads only what names
 * the row, which every index holds, and `likelihood(…, 1.0)` tells SQLite that it rules nothing out, so the query plan
 * stays the same.
 */
export function countVisits(query: Query, visited: string, shapes: ReadonlyMap<string, TableShape>): Query {
  const selects = queriesOf(query).filter((each) => each.kind === 'select');
  return rewriteNodes(
    query,
    new Map(selects.map((each) => [each, (now) => counting(now as Select, visited, shapes)])),
  );
}

function counting(select: Select, visited: string, shapes: ReadonlyMap<string, TableShape>): Select {
  const inWhere: Expr[] = [];
  const from = select.from.map((item): FromItem => {
    const count = countOf(item, visited, shapes);
    if (!count) return item;
    // A row that an outer join does not match never reaches WHERE.
    if (isOuter(item)) return node({ ...item, on: conjunction([count, ...conjuncts(item.on)]) });
    inWhere.push(count);
    return item;
  });
  const where = [...inWhere, ...conjuncts(select.where)];
  return node({ ...select, from, where: where.length > 0 ? conjunction(where) : null });
}

function countOf(
  { source }: FromItem,
  visited: string,
  shapes: ReadonlyMap<string, TableShape>,
): Expr | null {
  const shape = source.kind === 'table' ? shapes.get(source.table) : undefined;
  if (!shape) return null;
  const args = shape.identity.map((name): Expr => node({ kind: 'column', source: source.id, name }));
  return node({
    kind: 'call',
    name: 'likelihood',
    args: [node({ kind: 'call', name: visited, args }), realLiteral('1.0')],
  });
}

function isOuter({ join }: FromItem): boolean {
  return join === 'left' || join === 'right' || join === 'full';
}
