import type Database from 'better-sqlite3';
import type { PropertyType } from '../../contracts/query-tool.ts';
import type { Collection, Property } from '../../services/domain/query/collections.ts';
import { uniqueKey } from '../../services/domain/tools/plan.ts';
import { quoteIdentifier } from '../../sql/index.ts';

/** A property that is computed from another one of its table. */
export interface DerivedProperty {
  readonly name: string;
  readonly type: PropertyType;
  readonly declaredType: string;
  readonly friendlyName: string;
  readonly description: string;
  /** Its value, as an expression over all rows of the table. */
  readonly sql: string;
}

interface Derivation extends Pick<DerivedProperty, 'type' | 'declaredType'> {
  readonly from: PropertyType;
  readonly suffix: string;
  readonly friendlyName: (of: string) => string;
  readonly description: (of: string) => string;
  readonly sql: (column: string) => string;
}

/** NULL stays NULL in each; equal values give equal ones. */
const DERIVATIONS: readonly Derivation[] = [
  {
    type: 'text',
    declaredType: 'TEXT',
    from: 'integer',
    suffix: 'level',
    friendlyName: (of) => `level of the ${of}`,
    description: (of) => `The third that the ${of} belongs to among all: low, middle or high.`,
    sql: (column) => {
      const place = `cume_dist() OVER (PARTITION BY ${column} IS NULL ORDER BY ${column})`;
      return `CASE WHEN ${column} IS NULL THEN NULL WHEN ${place} * 3 <= 1 THEN 'low' WHEN ${place} * 3 <= 2 THEN 'middle' ELSE 'high' END`;
    },
  },
  {
    type: 'text',
    declaredType: 'TEXT',
    from: 'text',
    suffix: 'initial',
    friendlyName: (of) => `first letter of the ${of}`,
    description: (of) => `The first character of the ${of}, in upper case.`,
    sql: (column) => `upper(substr(${column}, 1, 1))`,
  },
  {
    type: 'integer',
    declaredType: 'INTEGER',
    from: 'text',
    suffix: 'length',
    friendlyName: (of) => `length of the ${of}`,
    description: (of) => `The number of characters of the ${of}.`,
    sql: (column) => `length(${column})`,
  },
  {
    type: 'integer',
    declaredType: 'INTEGER',
    from: 'text',
    suffix: 'words',
    friendlyName: (of) => `number of words of the ${of}`,
    description: (of) => `The number of spaces in the ${of}, plus one.`,
    sql: (column) => `length(${column}) - length(replace(${column}, ' ', '')) + 1`,
  },
  {
    type: 'boolean',
    declaredType: 'INTEGER',
    from: 'integer',
    suffix: 'above_average',
    friendlyName: (of) => `high ${of}`,
    description: (of) => `Whether the ${of} is above the average of all.`,
    sql: (column) => `${column} > avg(${column}) OVER ()`,
  },
  {
    type: 'boolean',
    declaredType: 'INTEGER',
    from: 'text',
    suffix: 'is_long',
    friendlyName: (of) => `long ${of}`,
    description: (of) => `Whether the ${of} has more characters than all have on average.`,
    sql: (column) => `length(${column}) > avg(length(${column})) OVER ()`,
  },
];

/** The properties of a type that can be computed from a collection's own, in the order of derivations and columns. */
export function derivedProperties(
  { table, properties }: Collection,
  type: PropertyType,
  connection: Database.Database,
): DerivedProperty[] {
  const taken = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  const keys = table.foreign_keys.flatMap(({ columns }) => columns);
  const isPlain = ({ column, alsoType }: Property) =>
    column.primary_key === 0 &&
    !keys.includes(column.name) &&
    alsoType === null &&
    column.statistics.storage.blob === 0;
  const from = quoteIdentifier(table.name);
  return DERIVATIONS.filter((each) => each.type === type).flatMap((derivation) =>
    properties
      .filter((property) => property.type === derivation.from && isPlain(property))
      .flatMap(({ column }): DerivedProperty[] => {
        const sql = derivation.sql(quoteIdentifier(column.name));
        const distinct = connection
          .prepare<[], number>(`SELECT count(DISTINCT value) FROM (SELECT ${sql} AS value FROM ${from})`)
          .pluck()
          .get();
        // One value for all rows says nothing.
        if (distinct === undefined || distinct < 2) return [];
        const called = column.friendly_name ?? column.name;
        return [
          {
            name: uniqueKey(`${column.name}_${derivation.suffix}`, taken),
            type,
            declaredType: derivation.declaredType,
            friendlyName: derivation.friendlyName(called),
            description: derivation.description(called),
            sql,
          },
        ];
      }),
  );
}
