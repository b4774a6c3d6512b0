import type { Collection } from '../../services/domain/query-tool/collections.ts';
import { quoteIdentifier } from '../../sql/index.ts';

/** How people write a collection of the query tool in SQL. */
export interface CollectionSql {
  /** What stands behind FROM. */
  readonly from: string;
  /** A property, by its name. */
  readonly column: (property: string) => string;
}

/** A table by its name; joined tables as a join on their key, their columns with the table before them. */
export function collectionSql({ name, joined, properties }: Collection): CollectionSql {
  if (!joined) return { from: quoteIdentifier(name), column: quoteIdentifier };
  const { from, to, key } = joined;
  const [first, second] = [quoteIdentifier(from.name), quoteIdentifier(to.name)];
  const pairs = key.columns.map(
    (column, i) =>
      `${first}.${quoteIdentifier(column)} = ${second}.${quoteIdentifier(key.references_columns[i] ?? '')}`,
  );
  return {
    from: `${first} JOIN ${second} ON ${pairs.join(' AND ')}`,
    column(wanted) {
      const property = properties.find((each) => each.name === wanted);
      if (!property) throw new Error(`${name} has no property ${wanted}`);
      return `${quoteIdentifier(property.table)}.${quoteIdentifier(property.column.name)}`;
    },
  };
}
