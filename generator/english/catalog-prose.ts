import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { codeText } from '../../services/domain/tools/plan.ts';
import type { ValueGuard } from './realizer.ts';
import { listed, lowerWords } from './words.ts';

const LONGEST = 180;

/** The catalog's description of a column, in whole sentences, without values that questions choose; '' if there is none. */
export function columnProse(column: CatalogColumn, text: string, guard: ValueGuard): string {
  const pieces = [...piecesOf(column.description), ...unitsOf(column.value_description)];
  const kept: string[] = [];
  for (const piece of pieces) {
    const known = [text, column.name, ...kept].some((other) => repeats(piece, other));
    if (!known && !BARE_QUESTION.test(piece) && !guard.holdsValue(piece)) kept.push(piece);
  }
  const { unit } = column.words ?? {};
  const inUnit = unit === undefined || repeats(unit, [text, ...kept].join(' ')) ? [] : [`In ${unit}`];
  return [...kept.slice(0, 3), ...inUnit, ...legendOf(column, guard)].map(asSentence).join(' ');
}

/** Says nothing that the column's noun does not: Why. */
const BARE_QUESTION = /^(who|what|when|where|why|how)\W*$/i;

/** The meaning of a column's codes; without the codes if a question chooses one of them. */
function legendOf({ words }: CatalogColumn, guard: ValueGuard): readonly string[] {
  const codes = Object.entries(words?.codes ?? {});
  if (codes.length < 2) return [];
  const pairs = codes.map(codeText);
  if (!pairs.some((pair) => guard.holdsValue(pair))) return [pairs.join(', ')];
  const meanings = codes.map(([, meaning]) => meaning);
  return meanings.some((one) => guard.holdsValue(one)) ? [] : [`Stored as a code: ${listed(meanings, 'or')}`];
}

/** Whether another text has every word of a piece. */
function repeats(piece: string, text: string): boolean {
  const words = new Set(lowerWords(text));
  return lowerWords(piece).every((word) => words.has(word) || /^(the|a|an|of|in|is|this|for)$/.test(word));
}

/** The sentences of a description, without notes on how to use the column in queries. */
function piecesOf(description: string | null): readonly string[] {
  const [own = ''] = (description ?? '').split(/commonsense evidence/i);
  const sentences = own
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?])\s+(?=[A-Z])|[•·]|\s-\s/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
  let length = 0;
  return sentences.filter((sentence) => {
    length += sentence.length;
    return length <= LONGEST;
  });
}

/** The unit or format from the notes on a column's values. Legends of codes are left out, since codes are values. */
function unitsOf(notes: string | null): readonly string[] {
  return (notes ?? '')
    .split(/[\n.;]+/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line.length <= 60 && /\b(unit|in the form|format|measured in)\b/i.test(line))
    .slice(0, 1);
}

function asSentence(text: string): string {
  const clean = text.replace(/[\s,;:]+$/, '');
  const capital = clean.charAt(0).toUpperCase() + clean.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** The format of a text column, judged by its least and greatest value: `YYYY-MM-DD`; '' if unknown. */
export function formatOf({ statistics: { min, max } }: CatalogColumn): string {
  if (typeof min !== 'string' || typeof max !== 'string') return '';
  const written = FORMATS.find(([pattern, , last = pattern]) => pattern.test(min) && last.test(max));
  return written?.[1] ?? '';
}

/** A pattern of all values, the format, and for ambiguous formats a stricter pattern of the greatest value. */
const FORMATS: readonly (readonly [all: RegExp, written: string, last?: RegExp])[] = [
  [/^\d{4}-\d{2}-\d{2}$/, 'YYYY-MM-DD'],
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'YYYY-MM-DD HH:MM:SS'],
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d$/, 'YYYY-MM-DD HH:MM:SS.S'],
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+$/, 'YYYY-MM-DD HH:MM:SS.SSS'],
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/, 'YYYY-MM-DD HH:MM'],
  [/^\d{2}\.\d{2}\.\d{4}$/, 'DD.MM.YYYY'],
  [/^\d{2}\.\d{2}\.\d{4} \d{2}:\d{2}$/, 'DD.MM.YYYY HH:MM'],
  [/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, 'YYYY-MM-DDTHH:MM:SS'],
  [/^\d{4}-\d{2}$/, 'YYYY-MM'],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/, 'YYYY/MM/DD'],
  [/^\d{2}\/\d{2}\/\d{4}$/, 'DD/MM/YYYY', /^(1[3-9]|[23]\d)\/\d{2}\/\d{4}$/],
  [/^\d{1,2}\/\d{1,2}\/\d{4}$/, 'MM/DD/YYYY'],
  [/^\d{1,2}\.? \p{L}+ \d{4}$/u, 'D month YYYY'],
  [/^(1[6-9]|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/, 'YYYYMMDD'],
  [/^\d{8}$/, 'eight digits'],
  [/^\d{6}$/, 'six digits'],
  [/^\d{2}:\d{2}:\d{2}$/, 'HH:MM:SS'],
  [/^\d{2}:\d{2}$/, 'HH:MM'],
];

/** Where a column is found: schools.NumTstTakr. */
export function placeOf(table: CatalogTable, column: CatalogColumn): string {
  return `${table.name}.${column.name}`;
}
