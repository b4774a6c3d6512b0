import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { Lexicon } from '../words/lexicon.ts';

/** The column that people know a row by: `school` in schools, superhero_name, title; null if there is none. */
export function labelOf(table: CatalogTable, lexicon: Lexicon): CatalogColumn | null {
  const ranked = table.columns
    .map((column) => ({ column, rank: rankOf(column, table, lexicon) }))
    .filter(({ rank }) => rank < NONE)
    .sort((a, b) => a.rank - b.rank);
  return ranked[0]?.column ?? onlyText(table);
}

const NONE = 99;

function rankOf(column: CatalogColumn, table: CatalogTable, lexicon: Lexicon): number {
  if (column.type !== 'string') return NONE;
  const words = lexicon.column(table.name, column.name).map((word) => word.toLowerCase());
  const noun = lexicon.noun(table.name).one.map((word) => word.toLowerCase());
  const [text, whole, last] = [words.join(' '), noun.join(' '), noun.at(-1) ?? ''];
  if (text === whole) return 0;
  if (text === `${whole} name` || text === `${last} name`) return 1;
  if (text === 'name') return 2;
  if (text === 'title' || text === `${whole} title` || text === `${last} title`) return 3;
  if (text === last) return 4;
  // power name in superpower
  if (words.at(-1) === 'name' && words.length === 2 && whole.endsWith(words[0] ?? whole)) return 5;
  if (text === 'display name') return 6;
  return text === 'full name' ? 7 : NONE;
}

/** In a small table of codes the one text is what they mean, unless many rows share it. */
function onlyText(table: CatalogTable): CatalogColumn | null {
  if (table.columns.length > 3) return null;
  const texts = table.columns.filter((column) => column.type === 'string' && column.primary_key === 0);
  const [only, ...others] = texts;
  if (only === undefined || others.length > 0 || table.foreign_keys.length > 0) return null;
  const { rows, distinct } = only.statistics;
  return rows === 0 || distinct * 2 > rows ? only : null;
}

/** The one column of a primary key, or null. */
export function keyOf(table: CatalogTable): CatalogColumn | null {
  const [key, ...others] = table.columns.filter(({ primary_key }) => primary_key > 0);
  if (key === undefined) return table.columns.find(({ name }) => name.toLowerCase() === 'id') ?? null;
  return others.length === 0 ? key : null;
}
