import { z } from 'zod';
import { columnWords, tableWords } from './words.ts';

/**
 * One cell of a result as JSON. SQLite integers and reals are numbers, text is a string, NULL is null, a blob
 * is upper-case hex. An infinite real, which JSON cannot represent, is null. Only an integer that does not
 * fit a double is a bigint; read and write it with exact-json.ts.
 */
export const cell = z.union([z.string(), z.number(), z.bigint(), z.null()]);
export type Cell = z.infer<typeof cell>;

export const row = z.array(cell);
export type Row = z.infer<typeof row>;

export type ColumnAffinity = 'text' | 'numeric' | 'integer' | 'real' | 'blob';

/** The affinity of a declared type, by SQLite's rules (section 3.1 of "Datatypes In SQLite"). */
export function declaredAffinity(declaredType: string): ColumnAffinity {
  const type = declaredType.toUpperCase();
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type === '' || type.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(type) ? 'real' : 'numeric';
}

/** Statistics of a column's values, taken when the farm is generated. */
export const columnStatistics = z.object({
  rows: z.number().int(),
  nulls: z.number().int(),
  /** Distinct values other than NULL. */
  distinct: z.number().int(),
  min: cell,
  max: cell,
  /** Number of values in each SQLite storage class. */
  storage: z.object({
    integer: z.number().int(),
    real: z.number().int(),
    text: z.number().int(),
    blob: z.number().int(),
  }),
});
export type ColumnStatistics = z.infer<typeof columnStatistics>;

/** A topic that texts of a column may mention. */
export const facet = z.object({
  /** Phrases that indicate the topic; each occurs verbatim in the data. */
  phrases: z.array(z.string().min(1)).min(1),
  /** Additional words by which people search for it. */
  terms: z.array(z.string().min(1)),
});
export type Facet = z.infer<typeof facet>;

export const catalogColumn = z.object({
  /** As spelled in the database. */
  name: z.string(),
  /** As declared: `TEXT`, `varchar(20)`, or ''. */
  declared_type: z.string(),
  /** The API type, from the declared type and the values. */
  type: z.enum(['integer', 'number', 'string']),
  not_null: z.boolean(),
  /** Present if its values are computed from those of other columns. */
  generated: z.literal(true).optional(),
  /** 1-based position in the primary key, or 0. */
  primary_key: z.number().int(),
  /** Declared collation, upper case; BINARY unless declared. */
  collation: z.string(),
  /** A friendly name from the split's metadata (`average score in Math`), or null. */
  friendly_name: z.string().nullable(),
  description: z.string().nullable(),
  value_description: z.string().nullable(),
  /** For a text column with few values: all of them, sorted. Only in a farm. */
  values: z.array(z.string()).optional(),
  /** Topics of its texts, which the query tool's search uses. */
  facets: z.array(facet).optional(),
  statistics: columnStatistics,
  words: columnWords.optional(),
});
export type CatalogColumn = z.infer<typeof catalogColumn>;

/** A column with no values, of which only this is known. */
export function bareColumn(name: string, known: Partial<CatalogColumn> = {}): CatalogColumn {
  const storage = { integer: 0, real: 0, text: 0, blob: 0 };
  return {
    name,
    declared_type: '',
    type: 'string',
    not_null: false,
    primary_key: 0,
    collation: 'BINARY',
    friendly_name: null,
    description: null,
    value_description: null,
    statistics: { rows: 0, nulls: 0, distinct: 0, min: null, max: null, storage },
    ...known,
  };
}

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
  /** For a view: every table and view named in its SQL, a superset of those it reads. Absent in older farms. */
  reads: z.array(z.string()).optional(),
  words: tableWords.optional(),
});
export type CatalogTable = z.infer<typeof catalogTable>;

/** A table without rows, of which only this is known. */
export function bareTable(name: string, known: Partial<CatalogTable> = {}): CatalogTable {
  return {
    name,
    friendly_name: null,
    description: null,
    rows: 0,
    columns: [],
    foreign_keys: [],
    has_rowid: true,
    view: false,
    ...known,
  };
}

/** A rule about what may be changed or disclosed, as agents read it. */
export const servedPolicy = z.object({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be words in kebab-case, such as closed-months'),
  rule: z.string().trim().min(1).max(500),
  /** The table whose rows it looks at, and the kinds of changes, or `read`. */
  table: z.string(),
  on: z.array(z.enum(['create', 'update', 'delete', 'read'])).min(1),
});

/** A rule about what may be changed, or disclosed in an answer: a line of `policies/<db>.jsonl` of the split. */
export const policy = z
  .strictObject({
    ...servedPolicy.shape,
    /** A condition on the rows `before` and `after` that a change must not meet, in SQL; or on rows that stay hidden. */
    forbid: z.string().trim().min(1).optional(),
    /** Rows of the table that a run may change at most, or rows of an answer from it. */
    at_most: z.number().int().positive().optional(),
    /** `read` only: columns on which no answer may depend. */
    columns: z.array(z.string()).min(1).optional(),
  })
  .refine(
    (rule) => [rule.forbid, rule.at_most, rule.columns].filter((each) => each !== undefined).length === 1,
    {
      path: ['forbid'],
      message: 'must be there, or at_most instead of it (or, to read, columns)',
    },
  )
  .refine(({ on, columns }) => (on.includes('read') ? on.length === 1 : columns === undefined), {
    path: ['on'],
    message: 'is ["read"] alone, with columns or without, or has changes, without columns',
  });
export type Policy = z.infer<typeof policy>;

export const domainDocument = z.object({ name: z.string(), text: z.string() });
export type DomainDocument = z.infer<typeof domainDocument>;

/** The tables of one domain, with everything known about them. */
export const catalog = z.object({
  db: z.string(),
  tables: z.array(catalogTable),
  /** What the domain's people mean by their words, as Markdown: `glossary/<db>.md` of the split. */
  glossary: z.string().optional(),
  /** What may not be changed or disclosed: `policies/<db>.jsonl` of the split. */
  policies: z.array(policy).optional(),
  /** Other texts about the domain, as Markdown: `documents/<db>/<name>.md` of the split. */
  documents: z.array(domainDocument).optional(),
});
export type Catalog = z.infer<typeof catalog>;
