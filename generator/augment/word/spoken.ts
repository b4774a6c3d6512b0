import type { ApiClass } from '../../../contracts/augmentation.ts';
import type { Catalog } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { placeSources } from '../../../services/base/scalars/place-sources.ts';
import { type Column, Origins } from '../../../sql/index.ts';
import { QueryContext } from '../../english/clauses/query-context.ts';
import { manyOf, oneOf } from '../../english/clauses/thing.ts';
import { countedPlural } from '../../english/noun-phrase.ts';
import { parameterRealizer } from '../../english/realize.ts';
import { singular } from '../../english/words/nouns.ts';
import type { Wording } from '../../synthesize/word/ask.ts';
import type { Scene } from '../scene.ts';
import type { Spoken } from './phrases.ts';

/**
 * What a column and its rows are called in a scene, by the English of all questions. Throws COLUMN_UNCLEAR where people
 * have no word for it, or where it cannot be told from another.
 */
export function spokenOf(
  column: Column,
  kind: ApiClass,
  { select, sources }: Scene,
  { catalog, lexicon }: Wording,
): Spoken {
  const context = new QueryContext(select, new Origins(select, catalog), lexicon, []);
  const rows = context.rowsOf(column.source);
  const property = context.property(column);
  const { own, base } = property;
  if (rows === null || base === null) throw unclear('it is of no table');
  const things = manyOf(rows);
  const alike = sources.filter(({ id }) => {
    const other = context.rowsOf(id);
    return other !== null && manyOf(other) === things;
  });
  if (alike.length > 1)
    throw unclear(`${alike.map(({ table }) => table).join(' and ')} are both called ${things}`);
  // The name of an airport is no place, the airport is.
  const isPlace =
    kind === 'geographic' &&
    placeSources(catalog).some(
      ({ table, names }) => table === base.table.name && names.includes(column.name),
    );
  const thing = oneOf(rows);
  const np = parameterRealizer().about(rows).noun(property);
  const counted = base.column.type === 'integer' ? countedPlural(np) : null;
  // A film's film ID is its ID.
  const short = own.text.startsWith(`${thing} `) ? own.text.slice(thing.length + 1) : own.text;
  // A continent's continent is its name.
  const isName = base.column.type === 'string' && short === thing;
  const text = isName ? 'name' : short;
  const others = base.table.columns.filter(({ name }) => name !== base.column.name);
  if (others.some(({ name }) => lexicon.columnText(base.table.name, name) === text))
    throw unclear(`another column of ${base.table.name} is called ${text}, too`);
  if (!own.words.every(isLegible)) throw unclear(`nobody says ${own.text}`);
  return {
    things,
    thing,
    column: isPlace ? null : counted === null ? text : `number of ${counted}`,
    isPlural: !isPlace && counted === null && isPlural(text),
    parts: partsOf(catalog),
  };

  function unclear(reason: string): QueryError {
    return new QueryError('COLUMN_UNCLEAR', `${column.name}: ${reason}`, column.name);
  }
}

/** Whether a column is called by a plural: tags. */
function isPlural(text: string): boolean {
  const words = text.split(' ');
  const [last = ''] = words.slice(-1);
  return /[a-z]s$/.test(last) && !/(ss|us|is|ies)$/.test(last) && singular(words).join(' ') !== text;
}

/** An abbreviation says nothing, unless it is one that people say. */
function isLegible(word: string): boolean {
  return /^(\d+|tv|cm|mm|km|kg|ft|kwh)$/i.test(word) || (word.length > 1 && /[aeiouy]/i.test(word));
}

/** Parts of places by what a domain calls them, where that is another word. */
const PART_WORDS: Readonly<Record<string, readonly string[]>> = {
  province: ['state', 'region'],
  county: ['district'],
  locality: ['city', 'village', 'municipality', 'town'],
};

function partsOf(catalog: Catalog): Spoken['parts'] {
  const fields = placeSources(catalog).map((source) => source.fields);
  return Object.fromEntries(
    Object.entries(PART_WORDS).flatMap(([part, words]) => {
      const named = fields
        .flatMap((field) => field[part as keyof typeof field] ?? [])
        .join(' ')
        .toLowerCase();
      const word = words.find((each) => named.includes(each));
      return word === undefined ? [] : [[part, word]];
    }),
  );
}
