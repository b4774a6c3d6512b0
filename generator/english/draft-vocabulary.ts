import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, parseDocument, stringify } from 'yaml';
import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { Endpoint } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import type { ColumnWords, EndpointWords, Vocabulary } from '../../contracts/words.ts';
import { isReferring } from './clause.ts';
import { columnText, eventOf, isDate, isYear } from './column-text.ts';
import { labelOf } from './joins.ts';
import { Lexicon, withoutKey } from './lexicon.ts';

/** The words that the rules give the tables and columns of a database, for a person to edit. */
export function draftVocabulary(catalog: Catalog, questions: readonly Question[]): Vocabulary {
  const lexicon = new Lexicon(catalog, questions);
  const tables = catalog.tables.map((table) => {
    const { one, many } = lexicon.noun(table.name);
    const label = labelOf(table, lexicon);
    const taken = new Set<string>();
    const columns = table.columns.map((column) => {
      const words = columnDraft(table, column, lexicon, taken);
      taken.add(words.noun ?? '');
      return [column.name, words] as const;
    });
    const called = label === null ? {} : { called: [label.name] };
    const noun = { one: asNoun(one.join(' ')), many: asNoun(many.join(' ')) };
    return [table.name, { ...noun, ...called, columns: Object.fromEntries(columns) }] as const;
  });
  return { tables: Object.fromEntries(tables) };
}

function columnDraft(
  table: CatalogTable,
  column: CatalogColumn,
  lexicon: Lexicon,
  taken: ReadonlySet<string>,
): ColumnWords {
  const words = lexicon.column(table.name, column.name);
  const refers = isReferring({ table, column });
  const text = refers
    ? withoutKey(words).join(' ')
    : columnText({ table, column }, lexicon, words).replace(/"(.*)"/, '$1');
  const [noun = text, inText] = text.split(/ in (?=\S+$)/);
  const [, unit = inText] = /\bin (\p{L}{3,}s)\b/u.exec(column.description ?? '') ?? [];
  const when = eventOf(words);
  const identifies = refers || column.primary_key > 0 || isYear(column, text);
  const nouns = [noun, `${noun} ${taken.size + 1}`].map(asNoun);
  return {
    noun: nouns.find((one) => !taken.has(one)) ?? nouns[0],
    ...(isDate(column) && when !== null ? { when } : {}),
    ...(/^number of /.test(noun) ? { counts: asNoun(noun.slice('number of '.length)) } : {}),
    ...(unit === undefined || column.type === 'string' ? {} : { unit }),
    ...(identifies && column.type !== 'string' ? { sum: false, average: false } : {}),
    ...codesOf(column),
  };
}

/** Letters, digits, spaces and hyphens, with a letter first. */
function asNoun(text: string): string {
  const plain = text
    .replace(/[^\p{L}\p{N} -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /^\p{L}/u.test(plain) ? plain : `value ${plain}`.trim();
}

/** The codes of a legend: `Y = yes, N = no`. */
function codesOf({ value_description }: CatalogColumn): Pick<ColumnWords, 'codes'> {
  const pairs = (value_description ?? '').split(/[,;\n]/).map((one) => one.split(/\s*[=:]\s*/));
  const codes = pairs.flatMap(([code = '', meaning = '', ...more]) =>
    /^\S{1,12}$/.test(code.trim()) && meaning.trim() !== '' && more.length === 0
      ? [[code.trim(), meaning.trim().replace(/[.;:]+$/, '')] as const]
      : [],
  );
  return codes.length < 2 || codes.length < pairs.length ? {} : { codes: Object.fromEntries(codes) };
}

/** An endpoint as the rules word it, by a question that it answers. */
export interface DraftedEndpoint extends Pick<Endpoint, 'name' | 'summary' | 'sql'> {
  readonly question_id: Question['question_id'];
  /** Of the question's SQL. */
  readonly hash: string;
  /** Words of a model, in place of what it drafted for an earlier SQL. */
  readonly words?: EndpointWords;
}

/**
 * The file of a vocabulary; of one that exists, its text with the fields that it lacks. Endpoints without an entry get
 * one that changes nothing: the query and its words as a comment above the hash of the SQL.
 */
export function vocabularyText(
  draft: Vocabulary,
  existing: string | null,
  endpoints: readonly DraftedEndpoint[] = [],
): string {
  const document = parseDocument(existing ?? stringify(draft, { lineWidth: 0 }));
  for (const [table, { columns = {}, ...words }] of Object.entries(draft.tables)) {
    for (const [field, value] of Object.entries(words)) addIn(document, ['tables', table, field], value);
    for (const [column, own] of Object.entries(columns)) {
      const place = ['tables', table, 'columns', column];
      if (document.hasIn([...place, 'noun'])) continue;
      // Only the writer of a noun knows what else belongs to it.
      if (own.drafted) document.setIn(place, document.createNode(own));
      else addIn(document, [...place, 'noun'], own.noun);
    }
  }
  for (const { question_id, hash, sql, name, summary, words } of endpoints) {
    const place = ['endpoints', keyOf(document.get('endpoints'), String(question_id))];
    const known = document.getIn(place);
    if (isMap(known) && (words === undefined || known.get('drafted') !== true)) {
      if (words !== undefined || !known.has('sql')) known.set('sql', hash);
      for (const [field, value] of Object.entries(words ?? {})) known.set(field, value);
      continue;
    }
    const entry = document.createNode({ ...words, sql: hash });
    entry.commentBefore = [sql, `name: ${name}`, `summary: ${summary}`].map((line) => ` ${line}`).join('\n');
    document.setIn(place, entry);
  }
  return document.toString({ lineWidth: 0 });
}

/** Tables, columns and endpoints with all of their words. */
export interface Edits {
  readonly tables: Readonly<Record<string, EditedEntry>>;
  readonly endpoints?: Readonly<Record<string, object>> | undefined;
}

interface EditedEntry {
  readonly columns?: Readonly<Record<string, object>> | undefined;
  readonly [field: string]: unknown;
}

/** The text of a vocabulary in which tables, columns and endpoints that are edited have these words, and no others. */
export function editedText(existing: string | null, { tables, endpoints = {} }: Edits): string {
  const document = parseDocument(existing ?? '');
  for (const [table, { columns = {}, ...words }] of Object.entries(tables)) {
    setFields(document, ['tables', table], words, ['columns']);
    for (const [column, own] of Object.entries(columns))
      setFields(document, ['tables', table, 'columns', column], own);
  }
  for (const [id, own] of Object.entries(endpoints)) setFields(document, ['endpoints', id], own);
  return document.toString({ lineWidth: 0 });
}

/** Makes an entry have these fields, besides those of other entries in it. What does not change keeps its comments. */
function setFields(
  document: ReturnType<typeof parseDocument>,
  names: readonly string[],
  fields: object,
  others: readonly string[] = [],
): void {
  const place: unknown[] = [];
  for (const name of names) place.push(keyOf(document.getIn(place), name));
  const known = document.getIn(place);
  const kept: unknown = isMap(known) ? known.toJS(document) : {};
  const before = kept as Readonly<Record<string, unknown>>;
  for (const field of Object.keys(before))
    if (!(field in fields || others.includes(field))) document.deleteIn([...place, field]);
  for (const [field, value] of Object.entries(fields))
    if (!isDeepStrictEqual(before[field], value))
      document.setIn([...place, field], document.createNode(value));
  const left = document.getIn(place);
  if (isMap(left) && left.items.length === 0) document.deleteIn(place);
}

/** The key of a map by its text: `2010` may be a number there. */
function keyOf(map: unknown, name: string): unknown {
  const keys = isMap(map) ? map.items.map(({ key }) => (isScalar(key) ? key.value : key)) : [];
  return keys.find((key) => String(key) === name) ?? name;
}

function addIn(document: ReturnType<typeof parseDocument>, path: readonly string[], value: unknown): void {
  if (!document.hasIn(path)) document.setIn(path, document.createNode(value));
}
