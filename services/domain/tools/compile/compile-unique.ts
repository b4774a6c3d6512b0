import { identifier, join, type Sql, sql } from '../sql/sql.ts';
import type { Compiler } from './compiler.ts';
import { opened, orderTerms, type Relation, select, selectList } from './relation.ts';

/** Equal rows once. The order, that of each row's first place, is only worked out where it matters. */
export function compileUnique(table: Relation, compiler: Compiler): Relation {
  const input = opened(table, compiler.aliases);
  const alias = compiler.aliases.next();
  let ordered = false;
  const columns = () => new Map(input.keys.map((key) => [key, () => input.column(key)]));
  return {
    from: () => {
      if (!ordered) {
        const list = () => [sql`DISTINCT ${join(selectList(columns()))}`];
        return sql`(${select(input, list, false)}) AS ${alias}`;
      }
      const terms = orderTerms(input);
      const over = terms.length === 0 ? sql`()` : sql`(ORDER BY ${join(terms)})`;
      const numbered = columns().set('place', () => sql`row_number() OVER ${over}`);
      const names = join(input.keys.map((key) => identifier(key)));
      const inner = select(input, () => selectList(numbered), false);
      return sql`(SELECT ${names}, MIN("place") AS "place" FROM (${inner}) GROUP BY ${names}) AS ${alias}`;
    },
    where: [],
    keys: input.keys,
    column: (key): Sql => sql`${alias}.${identifier(key)}`,
    order: [
      {
        expr: () => {
          ordered = true;
          return sql`${alias}."place"`;
        },
        descending: false,
      },
    ],
    slice: null,
    windowed: false,
  };
}
