import { existsSync } from 'node:fs';
import type { Catalog, CatalogTable } from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { insteadOf } from '../../contracts/wording.ts';
import { type Vocabulary, vocabulary } from '../../contracts/words.ts';
import { type Confines, parseYaml, readText } from './files.ts';

/** Adds the words of a split's `vocabulary/<db>.yaml` to a catalog, if there is such a file. */
export function withVocabularyFile(catalog: Catalog, file: string, confines: Confines): Catalog {
  return existsSync(file) ? withVocabulary(catalog, file, readText(file, confines)) : catalog;
}

/** Adds the words in the text of a vocabulary to a catalog. UserError names file, field and fix. */
export function withVocabulary(catalog: Catalog, file: string, text: string): Catalog {
  const { tables } = parseYaml(file, text, vocabulary);
  requireKnown(file, 'tables', Object.keys(tables), catalog.tables);
  const words = catalog.tables.map((table) => wordsOf(file, table, tables[table.name]));
  requireUnique(
    file,
    words.map(({ name, words: own }) => ({ at: `tables.${name}.many`, noun: own?.many })),
  );
  return { ...catalog, tables: words };
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

/** Nothing may have the noun of something else, or a sentence would not say which of the two it means. */
function requireUnique(
  file: string,
  nouns: readonly { readonly at: string; readonly noun: string | undefined }[],
): void {
  const seen = new Map<string, string>();
  for (const { at, noun } of nouns) {
    const name = noun?.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
    if (name === undefined) continue;
    const other = seen.get(name);
    if (other !== undefined)
      throw new UserError(
        'SPLIT_INVALID',
        file,
        `${at} is ${JSON.stringify(noun)}, as ${other} is; use different nouns`,
      );
    seen.set(name, at);
  }
}
