import type { Catalog } from '../../../../contracts/catalog.ts';
import type { Plan, ValuePlan } from '../plan/plan.ts';
import { identifier, type Statement, sql, toStatement } from '../sql/sql.ts';
import { Compiler } from './compiler.ts';
import { type Relation, select } from './relation.ts';

/** Which rows of a result one answer shows. */
export interface RowWindow {
  readonly offset: number;
  readonly limit: number;
}

/** One statement for some rows of a table, all columns, in row order. */
export function rowsStatement(plan: Plan, catalog: Catalog, page: RowWindow): Statement {
  const relation = paged(new Compiler(catalog).relation(plan), page);
  const columns = () => plan.columns.map(({ key }) => sql`${relation.column(key)} AS ${identifier(key)}`);
  return toStatement(select(relation, columns, true));
}

/** One statement for how many rows a table or column has. */
export function countStatement(plan: Plan, catalog: Catalog): Statement {
  const relation = new Compiler(catalog).relation(plan);
  // Which rows a column has can depend on its values.
  const read = () => (plan.op === 'column' ? plan.columns.map(({ key }) => relation.column(key)) : [sql`1`]);
  return toStatement(sql`SELECT COUNT(*) AS "count" FROM (${select(relation, read, false)})`);
}

/** One statement for a single value. */
export function valueStatement(plan: ValuePlan, catalog: Catalog): Statement {
  return toStatement(sql`SELECT ${new Compiler(catalog).scalar(plan)} AS "value"`);
}

/** The page within the slice. */
function paged(relation: Relation, page: RowWindow): Relation {
  const { n, offset } = relation.slice ?? { n: -1, offset: 0 };
  const left = n < 0 ? page.limit : Math.max(0, Math.min(n - page.offset, page.limit));
  return { ...relation, slice: { n: left, offset: offset + page.offset } };
}
