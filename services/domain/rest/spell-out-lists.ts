import { listSql } from '../../../contracts/list-sql.ts';
import type { SqlParameters, SqlValue } from '../../base/sqlite/driver.ts';

/** Lists by the name of their parameter; each has a value at least. */
export type SqlLists = Readonly<Record<string, readonly SqlValue[]>>;

/** The values of an endpoint's parameters: all of them as they are bound, and the lists also value by value. */
export interface BoundParameters {
  /** A list is the JSON text of an array here. */
  readonly values: SqlParameters;
  readonly lists: SqlLists;
}

/** Up to so many values, every length has a statement of its own. */
const EXACT = 8;
/** A longer list stays JSON: by then a subquery costs SQLite no more than so many comparisons. */
const LONGEST = 512;

/**
 * The statement and its parameters with a placeholder for each value of a list. SQLite plans `x IN (?, ?)` as it plans
 * the list that the gold SQL has; of `x IN (SELECT …)` it only knows that it is a subquery, and may choose a plan that
 * takes a thousand times as long. A list is filled up with its last value to one of a few lengths, which changes nothing
 * for IN and NOT IN, so that there are only a few statements to prepare.
 */
export function spellOutLists(
  sql: string,
  { values, lists }: BoundParameters,
): { readonly sql: string; readonly parameters: SqlParameters } {
  const parameters: Record<string, SqlValue> = { ...values };
  let spelled = sql;
  for (const [name, items] of Object.entries(lists)) {
    if (items.length > LONGEST) continue;
    const length = items.length <= EXACT ? items.length : 2 ** Math.ceil(Math.log2(items.length));
    delete parameters[name];
    // `$` is part of a name for SQLite, and of no other parameter's.
    const names = Array.from({ length }, (_, i) => `${name}$${i}`);
    names.forEach((each, i) => {
      parameters[each] = items[Math.min(i, items.length - 1)] as SqlValue;
    });
    spelled = spelled.replaceAll(listSql(name), () => names.map((each) => `:${each}`).join(', '));
  }
  return { sql: spelled, parameters };
}
