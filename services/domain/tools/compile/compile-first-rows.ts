import { join, sql } from '../sql/sql.ts';
import type { Compiler } from './compiler.ts';
import { nested, opened, orderTerms, type Relation } from './relation.ts';

/** In the inner SELECT: the place of a row among those that are equal. */
const PLACE_AMONG_EQUALS = 'place among equals';

/** Of the rows that are equal in the given columns the first, whole; the row order stays. */
export function compileFirstRows(keys: readonly string[], table: Relation, compiler: Compiler): Relation {
  const input = opened(table, compiler.aliases);
  const terms = orderTerms(input);
  const order = terms.length === 0 ? sql`` : sql` ORDER BY ${join(terms)}`;
  const place = sql`row_number() OVER (PARTITION BY ${join(keys.map((key) => input.column(key)))}${order})`;
  const numbered = nested(
    { ...input, column: (key) => (key === PLACE_AMONG_EQUALS ? place : input.column(key)), groups: null },
    compiler.aliases,
  );
  return { ...numbered, where: [sql`${numbered.column(PLACE_AMONG_EQUALS)} = 1`] };
}
