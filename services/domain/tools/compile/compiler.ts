import type { Catalog } from '../../../../contracts/catalog.ts';
import type { Plan } from '../plan/plan.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { compileTable } from './compile-table.ts';
import { compileAggregate, compileValue } from './compile-value.ts';
import { Aliases, type Relation, select } from './relation.ts';

/** Shared state of compiling one statement. */
export class Compiler {
  readonly catalog: Catalog;
  readonly aliases = new Aliases();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  /** Any plan as rows: a value is one row of one column. */
  relation(plan: Plan): Relation {
    return compileTable(plan, this, []);
  }

  /** A plan where SQL wants one value: the first of a column, NULL when it is empty. */
  scalar(plan: Plan): Sql {
    if (plan.op === 'calculate') return compileValue(plan, this);
    if (plan.op === 'aggregate') return compileAggregate(plan, this);
    const relation = this.relation(plan);
    const first: Relation = { ...relation, slice: relation.slice ?? { n: 1, offset: 0 } };
    return sql`(${select(first, () => [relation.column(firstKey(plan))], true)})`;
  }

  /** A plan where SQL wants a list: `(SELECT …)` of one column. */
  list(plan: Plan): Sql {
    const relation = this.relation(plan);
    return select(relation, () => [relation.column(firstKey(plan))], false);
  }
}

function firstKey(plan: Plan): string {
  return (plan.columns[0] as { key: string }).key;
}
