import { SCALARS_BY_NAME } from '../../services/base/scalars/registry.ts';
import { type Call, exprsOf, type Query } from '../../sql/index.ts';

/** The calls of scalar APIs in a query, subqueries included. */
export function scalarCalls(query: Query): Call[] {
  return exprsOf(query).filter(
    (expr): expr is Call => expr.kind === 'call' && SCALARS_BY_NAME.has(expr.name),
  );
}

/** Whether a query calls a scalar API. */
export function callsScalarApi(query: Query): boolean {
  return scalarCalls(query).length > 0;
}
