import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Options, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Catalog, CatalogColumn, CatalogTable, Facet } from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { faultIn, insteadOf } from '../../contracts/wording.ts';
import { type EndpointWords, type Vocabulary, vocabulary } from '../../contracts/words.ts';
import {
  type Confines,
  filesIn,
  matchName,
  parseJson,
  parseYaml,
  readLegacyText,
  readText,
  relatedFirst,
} from './files.ts';

/** Descriptions of tables and columns from a split's files. */
export interface Annotations {
  readonly files: readonly string[];
  /** The file whose every row has to name a table or column of the database; others may have more. */
  readonly exact?: string;
  /** In order of preference: the first description wins. */
  readonly tables: readonly TableAnnotation[];
}

interface TableAnnotation {
  /** As the file spells it; matched leniently. */
  readonly table: string;
  readonly friendly_name?: string | null;
  readonly description?: string | null;
  readonly columns: readonly ColumnAnnotation[];
}

interface ColumnAnnotation {
  readonly column: string;
  readonly friendly_name: string | null;
  readonly description?: string | null;
  readonly value_description?: string | null;
  /** Subjects of its texts, for search. */
  readonly facets?: readonly Facet[];
}

const NO_ANNOTATIONS: Annotations = { files: [], tables: [] };

/** Adds descriptions to a catalog. Unknown names are ignored, but in a file of our own SPLIT_INVALID. */
export function annotate(catalog: Catalog, annotations: Annotations): Catalog {
  const names = catalog.tables.map((table) => table.name);
  if (annotations.exact !== undefined) requireKnown(annotations.exact, catalog, annotations.tables);
  const matched = annotations.tables.map((found) => ({ found, name: matchName(names, found.table) }));
  return {
    ...catalog,
    tables: catalog.tables.map((table) => annotateTable(table, ofName(matched, table.name))),
  };
}

function requireKnown(file: string, catalog: Catalog, found: readonly TableAnnotation[]): void {
  const names = catalog.tables.map((table) => table.name);
  for (const { table, columns } of found) {
    const name = matchName(names, table);
    if (name === null) throw unknown(file, 'table of the database', table, names);
    const own = catalog.tables.find((one) => one.name === name)?.columns.map((column) => column.name) ?? [];
    for (const { column } of columns) {
      if (matchName(own, column) === null) throw unknown(file, `column of ${name}`, column, own);
    }
  }
}

function unknown(file: string, kind: string, name: string, names: readonly string[]): UserError {
  const fault = `${JSON.stringify(name)} is no ${kind}${insteadOf(name, names)}`;
  return new UserError('SPLIT_INVALID', file, fault);
}

function annotateTable(table: CatalogTable, found: readonly TableAnnotation[]): CatalogTable {
  const names = table.columns.map((column) => column.name);
  const matched = found
    .flatMap((one) => one.columns)
    .map((column) => ({ found: column, name: matchName(names, column.column) }));
  return {
    ...table,
    friendly_name: firstText(found, 'friendly_name', table.name),
    description: firstText(found, 'description'),
    columns: table.columns.map((column) => annotateColumn(column, ofName(matched, column.name))),
  };
}

function annotateColumn(column: CatalogColumn, found: readonly ColumnAnnotation[]): CatalogColumn {
  const facets = found.find((one) => one.facets)?.facets;
  return {
    ...column,
    ...(facets ? { facets: [...facets] } : {}),
    friendly_name: firstText(found, 'friendly_name', column.name),
    description: firstText(found, 'description'),
    value_description: firstText(found, 'value_description'),
  };
}

function ofName<T>(matched: readonly { found: T; name: string | null }[], name: string): T[] {
  return matched.filter((one) => one.name === name).map((one) => one.found);
}

/** The first text that is not `unless`: a friendly name that repeats the real one adds nothing. */
function firstText<K extends string>(
  found: readonly { readonly [key in K]?: string | null }[],
  key: K,
  unless?: string,
): string | null {
  return found.map((one) => one[key] ?? null).find((text) => text !== null && text !== unless) ?? null;
}

const HEADERS = [
  'original_column_name',
  'column_name',
  'column_description',
  'data_format',
  'value_description',
];

/** BIRD's `database_description/<table>.csv` beside a database. */
export function readBirdDescriptions(databaseFile: string, confines: Confines): Annotations {
  const folder = join(dirname(databaseFile), 'database_description');
  if (!existsSync(folder)) return NO_ANNOTATIONS;
  const files = filesIn(folder).filter((file) => file.toLowerCase().endsWith('.csv'));
  return {
    files,
    tables: files.map((file) => ({
      table: basename(file).slice(0, -'.csv'.length),
      columns: csvRecords(readLegacyText(file, confines), HEADERS).flatMap(toColumn),
    })),
  };
}

function toColumn(record: (column: string) => string | null): ColumnAnnotation[] {
  const column = record('original_column_name');
  // A row without a column's name continues a note broken over two lines.
  if (column === null) return [];
  return [
    {
      column,
      friendly_name: record('column_name'),
      description: record('column_description'),
      value_description: record('value_description'),
    },
  ];
}

const ROOKERY_HEADERS = ['table', 'column', 'name', 'description', 'value_description', 'facets'];

/** rookery's `descriptions/<db>.csv`; a row with an empty column describes the table. */
export function readTableDescriptions(file: string, confines: Confines): Annotations {
  if (!existsSync(file)) return NO_ANNOTATIONS;
  return {
    files: [file],
    exact: file,
    tables: csvRecords(readLegacyText(file, confines), ROOKERY_HEADERS).flatMap(toTable),
  };
}

function toTable(record: CsvRecord): TableAnnotation[] {
  const table = record('table');
  if (table === null) return [];
  const column = record('column');
  const named = { friendly_name: record('name'), description: record('description') };
  if (column === null) return [{ table, ...named, columns: [] }];
  const facets = facetsIn(record('facets'));
  const about = facets.length > 0 ? { facets } : {};
  const columns = [{ column, ...named, value_description: record('value_description'), ...about }];
  return [{ table, columns }];
}

/** One facet per line: `phrase / phrase = term, term`. */
function facetsIn(cell: string | null): Facet[] {
  return (cell ?? '').split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' = ');
    const phrases = partsOf(left, ' / ');
    return phrases.length > 0 ? [{ phrases, terms: partsOf(right, ',') }] : [];
  });
}

function partsOf(text: string, separator: string): string[] {
  return text.split(separator).flatMap((part) => part.trim() || []);
}

/** Friendly names from `tables.json`; files that share the questions file's first word come first. */
export function readTablesJson(
  files: readonly string[],
  questionsFile: string,
  db: string,
  confines: Confines,
): Annotations {
  const candidates = files.filter((file) => /(^|_)tables\.json$/.test(basename(file)));
  for (const file of relatedFirst(candidates, questionsFile)) {
    const schema = parseSchemas(file, confines).find((one) => one.db_id === db);
    if (schema !== undefined) return { files: [file], tables: toTables(schema) };
  }
  return NO_ANNOTATIONS;
}

const named = z.array(z.tuple([z.number().int(), z.string()]));
const schemas = z.array(
  z.object({
    db_id: z.string(),
    table_names_original: z.array(z.string()),
    table_names: z.array(z.string()).default([]),
    column_names_original: named,
    column_names: named.default([]),
  }),
);
type Schema = z.infer<typeof schemas>[number];

/** One file serves every database of a split, so the last one read is kept. */
let lastRead:
  | { readonly file: string; readonly text: string; readonly schemas: readonly Schema[] }
  | undefined;

function parseSchemas(file: string, confines: Confines): readonly Schema[] {
  const text = readText(file, confines);
  if (lastRead?.file === file && lastRead.text === text) return lastRead.schemas;
  const result = schemas.safeParse(parseJson(file, text));
  if (!result.success) throw new UserError('SPLIT_INVALID', file, faultIn(result.error));
  lastRead = { file, text, schemas: result.data };
  return result.data;
}

function toTables(schema: Schema): TableAnnotation[] {
  return schema.table_names_original.map((table, index) => ({
    table,
    friendly_name: nonBlank(schema.table_names[index]),
    columns: schema.column_names_original.flatMap(([owner, column], position) =>
      owner === index ? [{ column, friendly_name: nonBlank(schema.column_names[position]?.[1]) }] : [],
    ),
  }));
}

function nonBlank(name: string | undefined): string | null {
  return name?.trim() || null;
}

type CsvRecord = (column: string) => string | null;

/** Lenient: headers ignore case and spaces, any delimiter, ragged rows, unbalanced quotes taken literally. */
export function csvRecords(text: string, headers: readonly string[]): CsvRecord[] {
  const [first, ...rows] = parseRows(text);
  if (first === undefined) return [];
  const written = first.map((header) => header.trim().toLowerCase().replace(/\s+/g, '_'));
  // Without the first header, this is no header line, and columns are taken by position.
  const known = written.includes(headers[0] ?? '');
  const position = new Map(headers.map((header, i) => [header, known ? written.indexOf(header) : i]));
  return (known ? rows : [first, ...rows]).map(
    (row) => (column) => nonBlank(row[position.get(column) ?? -1]),
  );
}

/** Spreadsheets write semicolons in countries with decimal commas. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  return header.includes(',') ? ',' : (/[;\t]/.exec(header)?.[0] ?? ',');
}

function parseRows(text: string): string[][] {
  const options = {
    bom: true,
    delimiter: delimiterOf(text),
    relax_column_count: true,
    skip_empty_lines: true,
  } satisfies Options;
  try {
    return parse(text, { ...options, relax_quotes: true });
  } catch {
    return parse(text, { ...options, quote: false });
  }
}

/** A catalog with people's words for its tables and columns, and those for endpoints by question id. */
export interface Worded {
  readonly catalog: Catalog;
  readonly endpoints: ReadonlyMap<string, EndpointWords>;
}

/** Adds the words of a split's `vocabulary/<db>.yaml`, if there is such a file. */
export function withVocabularyFile(catalog: Catalog, file: string, confines: Confines): Worded {
  if (!existsSync(file)) return { catalog, endpoints: new Map() };
  return withVocabulary(catalog, file, readText(file, confines));
}

/** Adds the words in the text of a vocabulary to a catalog. UserError names file, field and fix. */
export function withVocabulary(catalog: Catalog, file: string, text: string): Worded {
  const { tables, endpoints = {} } = parseYaml(file, text, vocabulary);
  requireNames(file, 'tables', Object.keys(tables), catalog.tables);
  const words = catalog.tables.map((table) => wordsOf(file, table, tables[table.name]));
  requireUnique(
    file,
    words.map(({ name, words: own }) => ({ at: `tables.${name}.many`, noun: own?.many })),
  );
  const written = Object.entries(endpoints);
  for (const field of ['name', 'summary'] as const) {
    const noun = ([id, own]: (typeof written)[number]) => ({
      at: `endpoints.${id}.${field}`,
      noun: own[field],
    });
    requireUnique(file, written.map(noun));
  }
  return { catalog: { ...catalog, tables: words }, endpoints: new Map(written) };
}

/** What words for an endpoint have as `sql`: the beginning of the SHA-256 of the query that they describe. */
export function sqlHash(sql: string): string {
  return createHash('sha256').update(sql).digest('hex').slice(0, 12);
}

/** Whether words for an endpoint are about this SQL, as far as they say. */
export function areAbout({ sql: hash }: EndpointWords, sql: string): boolean {
  return hash === undefined || hash === sqlHash(sql);
}

function wordsOf(
  file: string,
  table: CatalogTable,
  found: Vocabulary['tables'][string] | undefined,
): CatalogTable {
  if (found === undefined) return table;
  const { columns = {}, ...words } = found;
  const at = `tables.${table.name}`;
  requireNames(file, `${at}.columns`, Object.keys(columns), table.columns);
  requireNames(file, `${at}.called`, words.called ?? [], table.columns);
  requireUnique(
    file,
    Object.entries(columns).map(([name, { noun }]) => ({ at: `${at}.columns.${name}.noun`, noun })),
  );
  return {
    ...table,
    words,
    columns: table.columns.map((column) => {
      const own = columns[column.name];
      return own === undefined ? column : { ...column, words: own };
    }),
  };
}

function requireNames(
  file: string,
  field: string,
  names: readonly string[],
  all: readonly { readonly name: string }[],
): void {
  const known = all.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const fault = `${field} has ${JSON.stringify(unknown)}, which the database has not${insteadOf(unknown, known)}`;
  throw new UserError('SPLIT_INVALID', file, fault);
}

/** Words with equal keys would be the same in a name. */
export function nameKey(words: string): string {
  return words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}

/** Nothing may have the noun of something else, or a sentence would not say which of the two it means. */
function requireUnique(
  file: string,
  nouns: readonly { readonly at: string; readonly noun: string | undefined }[],
): void {
  const seen = new Map<string, string>();
  for (const { at, noun } of nouns) {
    if (noun === undefined) continue;
    const name = nameKey(noun);
    const other = seen.get(name);
    const fault = `${at} is ${JSON.stringify(noun)}, as ${other} is; use different words`;
    if (other !== undefined) throw new UserError('SPLIT_INVALID', file, fault);
    seen.set(name, at);
  }
}
