import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { TableRenames } from '../../contracts/renames.ts';
import { snake } from '../english/names.ts';
import { plural, singular, splitWords } from '../english/words.ts';
import { Random } from '../variants/random.ts';

const LONGEST = 60;

/**
 * A new name for every table and column, drawn by the seed: another word that people use for it, its words abbreviated,
 * or its words with those of its table. No new name is a name or one of the words in `used`, so that none can be mistaken.
 */
export function drawRenames({ db, tables }: Catalog, used: Iterable<string>, seed: string): TableRenames {
  const random = new Random(`${seed}\n${db}\nrenames`);
  const named = tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]);
  const taken = new Set([...named, ...used].map((name) => name.toLowerCase()));
  const tableNames = new Set<string>();
  return Object.fromEntries(
    tables
      .filter(({ view }) => !view)
      .map((table) => {
        const name = draw(tableNamesOf(table), random, [taken, tableNames]);
        tableNames.add(name);
        const columnNames = new Set<string>();
        const columns = table.columns.map((column) => {
          const own = draw(columnNamesOf(table, column), random, [taken, columnNames]);
          columnNames.add(own);
          return [column.name, own];
        });
        return [table.name, { name, columns: Object.fromEntries(columns) }];
      }),
  );
}

function draw(candidates: readonly string[], random: Random, taken: readonly ReadonlySet<string>[]): string {
  const isFree = (name: string) => name !== '' && taken.every((names) => !names.has(name));
  const free = candidates.map(identifier).filter(isFree);
  const drawn = random.pick([...new Set(free)]);
  if (drawn !== undefined) return drawn;
  const base = identifier(candidates[0] ?? '');
  for (let n = 2; ; n++) if (isFree(`${base}_${n}`)) return `${base}_${n}`;
}

function identifier(words: string): string {
  const name = snake(splitWords(words)).slice(0, LONGEST);
  return /^[a-z]/.test(name) ? name : `c_${name}`;
}

function tableNamesOf({ name, friendly_name, words }: CatalogTable): string[] {
  const own = splitWords(name);
  const alike = [friendly_name, words?.one, words?.many, ...(words?.synonyms ?? [])];
  return [
    [...singular(own), 'data'].join(' '),
    abbreviated(own),
    plural(own).join(' '),
    singular(own).join(' '),
    ...alike.filter(isShort),
  ];
}

function columnNamesOf(table: CatalogTable, { name, friendly_name, words }: CatalogColumn): string[] {
  const own = splitWords(name);
  const alike = [friendly_name, words?.noun, ...(words?.synonyms ?? [])];
  return [
    [...singular(splitWords(table.name)), ...own].join(' '),
    abbreviated(own),
    ...alike.filter(isShort),
  ];
}

function isShort(text: string | null | undefined): text is string {
  const { length } = splitWords(text ?? '');
  return length > 0 && length <= 4;
}

/** As people abbreviate names of columns: `published year` gives `pblshd yr`. */
function abbreviated(words: readonly string[]): string {
  return words.map((word) => word.slice(0, 1) + word.slice(1).replace(/[aeiou]/gi, '')).join(' ');
}
