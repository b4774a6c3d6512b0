import { aggregatesIn, type Expr, integerLiteral, isCorrelated, type Select } from '../../../../sql/index.ts';
import { unsupported } from '../sequence/unsupported.ts';

const COUNT: Expr = {
  kind: 'aggregate',
  name: 'count',
  args: [],
  star: true,
  distinct: false,
  filter: null,
  orderBy: [],
};

/** EXISTS where a value is wanted: whether the number of the subquery's rows is more than 0. */
export function existsAsCount({ query, negated }: Extract<Expr, { kind: 'exists' }>): Expr {
  const counted = query.kind === 'select' && isPlain(query) ? counting(query) : countingRowsOf(query);
  return {
    kind: 'compare',
    op: negated ? '=' : '>',
    left: { kind: 'scalar_query', query: counted },
    right: integerLiteral(0n),
  };
}

/** Whether a SELECT has as many rows as its FROM and WHERE leave. */
function isPlain(select: Select): boolean {
  const grouped = select.groupBy.length > 0 || select.having !== null;
  return !grouped && !select.limit && !select.columns.some(({ expr }) => aggregatesIn(expr).length > 0);
}

function counting(select: Select): Select {
  return { ...select, distinct: false, columns: [{ expr: COUNT, name: 'c1', alias: null }], orderBy: [] };
}

function countingRowsOf(query: Extract<Expr, { kind: 'exists' }>['query']): Select {
  if (isCorrelated(query)) throw unsupported('exists', 'EXISTS of an aggregate');
  return {
    kind: 'select',
    with: [],
    distinct: false,
    columns: [{ expr: COUNT, name: 'c1', alias: null }],
    from: [{ join: 'from', source: { kind: 'derived', id: 'rows', query, alias: '' }, on: null }],
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
  };
}
