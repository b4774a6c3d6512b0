import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { isYesNo } from '../english/column-text.ts';
import { ABBREVIATIONS, COMMON_WORDS, lowerWords } from '../english/words.ts';
import {
  type ColumnKind,
  isCode,
  isPartOfName,
  labelOf,
  type Profile,
  type ProfiledColumn,
} from './profile.ts';

/**
 * A profile as questions use it: without columns that people would not ask about, though a change may set them; numbers
 * with few distinct values count as quantities or ordinals, not as categories.
 */
export function profileOfAsked(profile: Profile): Profile {
  const leftOut: Profile['leftOut'][number][] = [];
  const tables = profile.tables
    .filter(({ table }) => !isUnspokenTable(table))
    .map((each) => {
      const columns = each.columns.flatMap((column): ProfiledColumn[] => {
        const kind = isCodeBesideName(column, each.columns)
          ? { reason: 'is a code of what another column names' }
          : column.kind === 'name' && column !== each.label && isCode(column.column.name)
            ? { reason: 'holds codes, one for nearly each row' }
            : kindOfAsked(column);
        if (typeof kind === 'string') return [{ ...column, kind }];
        leftOut.push({ table: column.table, column: column.column.name, reason: kind.reason });
        return [];
      });
      return { ...each, columns, label: labelOfAsked(each.table, columns) };
    });
  return { ...profile, tables, leftOut: [...profile.leftOut, ...leftOut] };
}

/** A person's name, or else the names that differ most: schools rather than districts. */
function labelOfAsked(table: CatalogTable, columns: readonly ProfiledColumn[]): ProfiledColumn | null {
  const label = labelOf(table, columns);
  if (label === null || isPartOfName(label.column.name)) return label;
  const others = columns.filter(
    ({ kind, column }) => kind === 'name' && /name|title|label/i.test(column.name),
  );
  return others.reduce(
    (best, one) => (one.column.statistics.distinct > best.column.statistics.distinct * 1.2 ? one : best),
    label,
  );
}

function kindOfAsked(profiled: ProfiledColumn): ColumnKind | { readonly reason: string } {
  const { column, kind, use } = profiled;
  const words = lowerWords(column.name);
  const last = words.at(-1) ?? '';
  if (kind === 'key') return kind;
  if (isUnspoken(column)) return { reason: 'its name says too little, and it has no description' };
  if (kind === 'category' && isYesNo(column))
    return /^(gender|sex|type|class|group)$/.test(last) ? { reason: 'has codes for values' } : 'flag';
  if (column.type !== 'string') {
    if (isOrdinal(column.name) && kind === 'number') return { reason: 'is a place in an order' };
    if (/^(account|card|ticket|passport|isbn)$/.test(last)) return { reason: 'says which one, not how much' };
    if (kind !== 'category') return kind;
    if (use === 'year') return 'year';
    return use === 'code' || isOrdinal(column.name) ? 'ordinal' : 'number';
  }
  if (kind !== 'category' && kind !== 'name') return kind;
  if (words.some((word) => CONTACTS.has(word))) return { reason: 'holds addresses' };
  if (HANDLES.has(last)) return { reason: 'is a name for programs' };
  if (/(^| )(unit|units|uom)$/i.test(column.words?.noun ?? last)) return { reason: 'is a unit of measure' };
  const texts = [...profiled.common.map(({ value }) => value), ...profiled.steps].map(String);
  if (REMARKS.has(last) || texts.some((text) => SENTENCES.test(text))) return { reason: 'holds free text' };
  const spelled = texts.filter((text) => /\p{L}{2}/u.test(text)).length * 2 >= texts.length;
  if (kind === 'name' && !spelled) return { reason: 'holds numbers in texts' };
  return kind;
}

/** Whether numbers say which one, not how much. */
export function isOrdinal(name: string): boolean {
  return ORDINALS.has(lowerWords(name).at(-1) ?? '');
}

const ORDINALS = new Set(
  'position finish order round stop lap seq sequence place grid ordinal line edition episode chapter revision priority prio severity'.split(
    ' ',
  ),
);

const CONTACTS = new Set(
  'phone telephone telefon telefono mobile fax email mail url uri website homepage link www street address'.split(
    ' ',
  ),
);

const HANDLES = new Set('ref slug uuid guid hash token checksum path filename'.split(' '));

const REMARKS = new Set(
  'note notes comment comments remark remarks bio biography content body text inscription'.split(' '),
);

/** A sentence, or several; an address has short words with points. */
const SENTENCES = /\p{Ll}{3}[.!?] \p{Lu}|^(\S+ ){4,}\S+\.$/u;

/** Whether an undescribed name says nothing: a letter before a word, digits after one, no vowels, the highest of what. */
export function isUnspoken({ name, description, friendly_name, words }: CatalogColumn): boolean {
  if (words?.noun !== undefined) return false;
  // Free meal count (ages 5-17), address line 2
  if (/[()%]/.test(friendly_name ?? name) || /(?<![ck]?m|co)\d$/i.test(name)) return true;
  if (description !== null) return false;
  // Whatever is highest or lowest.
  if (
    /^(highest|lowest|average|total|maximum|minimum|max|min|count|number|value)$/i.test(friendly_name ?? name)
  )
    return true;
  // Country abbrev, edispl
  if (/\babbr(ev)?$|[bcdfgkmnpst]l$/i.test(friendly_name ?? lowerWords(name).join(' '))) return true;
  if (friendly_name !== null) return false;
  const parts = lowerWords(name);
  const last = parts.at(-1) ?? '';
  return (
    (parts.length > 1 &&
      (/^(since|until|from|to)$/.test(last) || /^(since|until)$/.test(parts[0] ?? '') || isTooShort(last))) ||
    /^[b-df-hj-np-tv-z](name|type|code|date|value|num)$/i.test(name) ||
    parts.some((part) => /^\p{L}{2,}\d+$/u.test(part)) ||
    parts.some((part) => /^[b-df-hj-np-tv-xz]{3,}$/.test(part) && !COMMON_WORDS.has(part)) ||
    parts.some(
      (part) => /^[b-df-hj-np-tv-xz]{2}$/.test(part) && !COMMON_WORDS.has(part) && !isSpelledOut(part),
    )
  );
}

/** Whether rows would be called stk records. */
function isUnspokenTable({ name, description, words }: CatalogTable): boolean {
  const last = lowerWords(name).at(-1) ?? '';
  return (
    description === null &&
    words === undefined &&
    /^[b-df-hj-np-tv-xz]{3,}$/.test(last) &&
    !COMMON_WORDS.has(last) &&
    !ABBREVIATIONS.has(last)
  );
}

/** Whether a last word is a letter or two that are no word and no unit: pay terms d, quantity oh. */
function isTooShort(part: string): boolean {
  return (
    /^([b-fh-kn-su-z]|[a-z]{2})$/.test(part) &&
    !COMMON_WORDS.has(part) &&
    !isSpelledOut(part) &&
    !/^(in|on|of|by|up|at|as|go|no|tv|pc|ha|oz|mi|ph)$/.test(part)
  );
}

/** Whether two letters stand for a word, or for a unit. */
function isSpelledOut(part: string): boolean {
  return ABBREVIATIONS.has(part) || /^(ft|kw|mg|ml|ms|mw)$/.test(part);
}

/** Whether a column abbreviates another of its table: a state code beside a state name. */
function isCodeBesideName({ column }: ProfiledColumn, all: readonly ProfiledColumn[]): boolean {
  const bare = (name: string, left: RegExp) =>
    lowerWords(name)
      .filter((word) => !left.test(word))
      .join(' ');
  const rest = bare(column.name, /^(code|short|abbr|abbrev|abbreviation|abbreviated|iso|iso2|iso3)$/);
  return (
    column.type === 'string' &&
    rest !== '' &&
    rest !== bare(column.name, /^$/) &&
    all.some(
      (other) =>
        other.column !== column &&
        /^(category|name)$/.test(other.kind) &&
        bare(other.column.name, /^(name|type|title|description|label|full|long)$/) === rest,
    )
  );
}
