import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Catalog, CatalogTable } from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { insteadOf } from '../../contracts/wording.ts';
import { type EndpointWords, type Vocabulary, vocabulary } from '../../contracts/words.ts';
import { type Confines, parseYaml, readText } from './files.ts';

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
  requireKnown(file, 'tables', Object.keys(tables), catalog.tables);
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
  requireKnown(file, `${at}.columns`, Object.keys(columns), table.columns);
  requireKnown(file, `${at}.called`, words.called ?? [], table.columns);
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

function requireKnown(
  file: string,
  field: string,
  names: readonly string[],
  all: readonly { readonly name: string }[],
): void {
  const known = all.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UserError(
    'SPLIT_INVALID',
    file,
    `${field} has ${JSON.stringify(unknown)}, which the database has not${insteadOf(unknown, known)}`,
  );
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
    if (other !== undefined)
      throw new UserError(
        'SPLIT_INVALID',
        file,
        `${at} is ${JSON.stringify(noun)}, as ${other} is; use different words`,
      );
    seen.set(name, at);
  }
}
