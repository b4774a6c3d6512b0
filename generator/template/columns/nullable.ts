import { type Expr, holdsAggregate, type Origins, type Query } from '../../../sql/index.ts';
import { isNotNull } from '../is-not-null.ts';

/** Whether a result column may be NULL on some rows the schema allows; true where that is not sure. */
export function nullableColumns(query: Query, origins: Origins): readonly boolean[] {
  switch (query.kind) {
    case 'select': {
      // Over no rows an aggregate query still answers one, its plain columns NULL.
      const one = query.groupBy.length === 0 && query.columns.some(({ expr }) => holdsAggregate(expr));
      return query.columns.map(({ expr }) => !isSure(expr, origins, one));
    }
    case 'set_operation': {
      const right = nullableColumns(query.right, origins);
      return nullableColumns(query.left, origins).map((left, i) => left || (right[i] ?? true));
    }
    case 'values':
      return (query.rows[0] ?? []).map(() => true);
  }
}

const COUNTS = /^(count|total|row_number|rank|dense_rank|ntile|percent_rank|cume_dist)$/;

function isSure(expr: Expr, origins: Origins, one: boolean): boolean {
  switch (expr.kind) {
    case 'column':
      return !one && isNotNull(expr, origins);
    case 'literal':
      return expr.type !== 'null';
    case 'aggregate':
    case 'window':
      return COUNTS.test(expr.name);
    case 'exists':
    case 'is_null':
      return true;
    case 'case': {
      const results = expr.whens.map(({ result }) => result);
      return expr.else !== null && [...results, expr.else].every((result) => isSure(result, origins, one));
    }
    default:
      return false;
  }
}
