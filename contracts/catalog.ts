import { z } from 'zod';

/**
 * One cell of a result as it appears in JSON: SQLite's integers and reals are numbers, text is a string,
 * NULL is null, and a blob is its upper-case hex digits. An infinite real, which JSON cannot write, is null.
 * An integer that a double cannot hold is a bigint, and only such an integer: read and write it with exact-json.ts.
 */
export const cell = z.union([z.string(), z.number(), z.bigint(), z.null()]);
export type Cell = z.infer<typeof cell>;

/** A result row, by position. */
export const row = z.array(cell);
export type Row = z.infer<typeof row>;

/** SQLite's affinities of columns. */
export type ColumnAffinity = 'text' | 'numeric' | 'integer' | 'real' | 'blob';

/** The affinity that a declared type gives, by SQLite's rules (section 3.1 of its page on datatypes). */
export function declaredAffinity(declaredType: string): ColumnAffinity {
  const type = declaredType.toUpperCase();
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type === '' || type.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(type) ? 'real' : 'numeric';
}

/** What a column's values look like: drawn from the data when the farm is generated. */
export const columnStatistics = z.object({
  /** Rows of the table. */
  rows: z.number().int(),
  nulls: z.number().int(),
  /** Distinct values other than NULL. */
  distinct: z.number().int(),
  min: cell,
  max: cell,
  /** How many values SQLite stores in each class. */
  storage: z.object({
    integer: z.number().int(),
    real: z.number().int(),
    text: z.number().int(),
    blob: z.number().int(),
  }),
});
export type ColumnStatistics = z.infer<typeof columnStatistics>;

/** One thing that texts may be about. */
export const facet = z.object({
  /** What says so in a text; each stands there as it is. */
  phrases: z.array(z.string().min(1)).min(1),
  /** Further words that people search for it by. */
  terms: z.array(z.string().min(1)),
});
export type Facet = z.infer<typeof facet>;

export const catalogColumn = z.object({
  /** As the database spells it. */
  name: z.string(),
  /** As declared: `TEXT`, `varchar(20)`, or ''. */
  declared_type: z.string(),
  /** The type of the values in the API, from the declared type and the values. */
  type: z.enum(['integer', 'number', 'string']),
  not_null: z.boolean(),
  /** 1-based position in the primary key, or 0. */
  primary_key: z.number().int(),
  /** Declared collation, upper case; BINARY unless declared. */
  collation: z.string(),
  /** A friendly name from the split's metadata (`average score in Math`), or null. */
  friendly_name: z.string().nullable(),
  description: z.string().nullable(),
  value_description: z.string().nullable(),
  /** All its texts, sorted, where it has few: what a column of kinds may hold. In a farm only. */
  values: z.array(z.string()).optional(),
  /** What its texts may be about; a search of the query tool is one for these. */
  facets: z.array(facet).optional(),
  statistics: columnStatistics,
});
export type CatalogColumn = z.infer<typeof catalogColumn>;

export const foreignKey = z.object({
  columns: z.array(z.string()),
  references_table: z.string(),
  references_columns: z.array(z.string()),
});
export type ForeignKey = z.infer<typeof foreignKey>;

export const catalogTable = z.object({
  name: z.string(),
  friendly_name: z.string().nullable(),
  description: z.string().nullable(),
  rows: z.number().int(),
  columns: z.array(catalogColumn),
  foreign_keys: z.array(foreignKey),
  /** False for WITHOUT ROWID tables and views. */
  has_rowid: z.boolean(),
  view: z.boolean(),
  /** Of a view: the tables and views whose name its text has, so all that it may read; farms of older versions have none. */
  reads: z.array(z.string()).optional(),
});
export type CatalogTable = z.infer<typeof catalogTable>;

/** The tables of one domain, with all that is known about them. */
export const catalog = z.object({
  db: z.string(),
  tables: z.array(catalogTable),
});
export type Catalog = z.infer<typeof catalog>;
