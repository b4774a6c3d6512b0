import type { RECORD_OPERATORS } from '../../contracts/records.ts';
import type { Call } from '../../contracts/sample.ts';
import { type RecordApi, recordApis } from '../../services/domain/records/resources.ts';
import { type CompareOp, conjuncts, type Expr, literalValue, MIRRORED, type Query } from '../../sql/index.ts';

/** A call of `list_<table>`, and which of its records' values are the columns of the query. */
export interface ListCall {
  readonly call: Pick<Call, 'name' | 'arguments'>;
  readonly columns: readonly string[];
}

type Service = Parameters<typeof recordApis>[0];
type RecordOperator = (typeof RECORD_OPERATORS)[number];

/** The gold query as one call that lists records: columns of one table under conditions that all hold; null for others. */
export function lowerToList(query: Query, service: Service): ListCall | null {
  if (query.kind !== 'select' || query.with.length > 0 || query.distinct) return null;
  if (query.groupBy.length > 0 || query.having !== null || query.limit?.offset) return null;
  const [first, ...others] = query.from;
  if (first?.source.kind !== 'table' || others.length > 0) return null;
  const { table } = first.source;
  const api = recordApis(service).find((each) => each.table.name === table);
  if (!api) return null;
  const columns = query.columns.map(({ expr }) => nameOf(expr, api));
  const filters = conjuncts(query.where).map((condition) => filterOf(condition, api));
  const sort = query.orderBy.map(({ expr, direction, nulls }) => {
    const name = nulls === null ? nameOf(expr, api) : null;
    return name && `${direction === 'desc' ? '-' : ''}${name}`;
  });
  const limit = query.limit && plainValue(query.limit.count);
  if ([...columns, ...filters, ...sort].includes(null) || (query.limit && limit === null)) return null;
  const named = filters.flatMap((filter) => filter ?? []);
  // A parameter has one value.
  if (new Set(named.map(([name]) => name)).size < named.length) return null;
  return {
    call: {
      name: `list_${api.name}`,
      arguments: {
        ...Object.fromEntries(named),
        ...(sort.length > 0 ? { sort: sort.join(',') } : {}),
        ...(limit === null ? {} : { limit }),
      },
    },
    columns: columns.map(String),
  };
}

function nameOf(expr: Expr, { columns }: RecordApi): string | null {
  return expr.kind === 'column'
    ? (columns.find(({ column }) => column.name === expr.name)?.name ?? null)
    : null;
}

const OPERATORS: Readonly<Partial<Record<CompareOp, RecordOperator | null>>> = {
  '=': null,
  '!=': 'ne',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
};

type Filter = readonly (readonly [name: string, value: unknown])[];

/** null for a condition that no parameters express. */
function filterOf(expr: Expr, api: RecordApi): Filter | null {
  switch (expr.kind) {
    case 'compare': {
      if (expr.left.kind !== 'column') {
        if (expr.right.kind !== 'column') return null;
        return filterOf({ ...expr, op: MIRRORED[expr.op], left: expr.right, right: expr.left }, api);
      }
      const operator = OPERATORS[expr.op];
      return operator === undefined ? null : filter(expr.left, operator, plainValue(expr.right), api);
    }
    case 'between': {
      if (expr.negated) return null;
      const low = filter(expr.expr, 'gte', plainValue(expr.low), api);
      const high = filter(expr.expr, 'lte', plainValue(expr.high), api);
      return low && high && [...low, ...high];
    }
    case 'like':
      if (expr.op !== 'like' || expr.negated || expr.escape !== null) return null;
      return filter(expr.expr, 'like', plainValue(expr.pattern), api);
    case 'in_list': {
      const values = expr.items.map(plainValue);
      return expr.negated || values.includes(null) ? null : filter(expr.expr, 'in', values, api);
    }
    case 'is_null':
      return filter(expr.expr, 'null', !expr.negated, api);
    default:
      return null;
  }
}

function filter(of: Expr, operator: RecordOperator | null, value: unknown, api: RecordApi): Filter | null {
  const name = nameOf(of, api);
  if (name === null || value === null) return null;
  return [[operator === null ? name : `${name}__${operator}`, value]];
}

/** The text or number of a literal as written; null for others, and for numbers that JavaScript rounds. */
export function plainValue(expr: Expr): string | number | null {
  if (expr.kind === 'unary' && expr.op === '-') {
    const value = plainValue(expr.expr);
    return typeof value === 'number' ? -value : null;
  }
  return expr.kind === 'literal' && !expr.pinned ? literalValue(expr) : null;
}
