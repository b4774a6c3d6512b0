import { operation } from '../operations/operations.ts';
import type { AggregatePlan, CalculatePlan } from '../plan/plan.ts';
import { join, type Sql, sql } from '../sql/sql.ts';
import { compileAggregateCall } from './compile-group.ts';
import { argumentReader, compileOperand } from './compile-operand.ts';
import type { Compiler } from './compiler.ts';
import { nested, opened, orderTerms, type Relation, select } from './relation.ts';

/** A calculation as one SQL expression; the results it uses are subqueries. */
export function compileValue(plan: CalculatePlan, compiler: Compiler): Sql {
  const column = (key: string): Sql => {
    throw new Error(`a calculation has no column ${key}`);
  };
  const definition = operation(plan.operation);
  if (definition.scope !== 'row') throw new Error(`${plan.operation} needs rows`);
  const value = compileOperand(plan.value, column, compiler);
  return definition.sql(value, argumentReader(plan.args, column, compiler));
}

/** An aggregate over all rows of a table, as a subquery. */
export function compileAggregate(plan: AggregatePlan, compiler: Compiler): Sql {
  const table = compiler.relation(plan.input);
  const input = plan.limit < 0 ? opened(table, compiler.aliases) : firstRows(table, plan.limit, compiler);
  const { type } = plan.aggregate;
  if (type === 'argmin' || type === 'argmax') return positionOf(input, plan.aggregate.key as string, type);
  return sql`(${select(input, () => [compileAggregateCall(plan.aggregate, input)], false)})`;
}

function firstRows(table: Relation, n: number, compiler: Compiler): Relation {
  const inner = table.slice ? nested(table, compiler.aliases) : table;
  return nested({ ...inner, slice: { n, offset: 0 } }, compiler.aliases);
}

function positionOf(input: Relation, key: string, type: 'argmin' | 'argmax'): Sql {
  const terms = orderTerms(input);
  const over = terms.length === 0 ? sql`()` : sql`(ORDER BY ${join(terms)})`;
  const columns = () => [sql`${input.column(key)} AS v`, sql`row_number() OVER ${over} - 1 AS n`];
  const direction = type === 'argmax' ? sql` DESC` : sql``;
  return sql`(SELECT n FROM (${select(input, columns, false)}) WHERE v IS NOT NULL ORDER BY v${direction}, n LIMIT 1)`;
}
