import Database from 'better-sqlite3';
import type { Facet } from '../../contracts/catalog.ts';
import { type Metric, PROPERTY_TYPES, type QueryArguments } from '../../contracts/query-tool.ts';
import type { Collection } from '../../services/domain/query/collections.ts';
import { searchWords } from '../../services/domain/query/compile-query.ts';
import { parseQuery, quoteIdentifier, quoteText, type SqlContext } from '../../sql/index.ts';
import { type CollectionSql, collectionSql } from '../oracle/served-copy.ts';
import type { Random } from '../variants/random.ts';
import { phraseOf, type Wording } from './wording.ts';

interface WordingOfCalls {
  readonly wording: Wording;
  readonly sql: SqlContext;
  readonly random: Random;
}

/** Words a plain query with the same filters, then replaces its head. null where words would lose a value. */
export function wordArguments(
  args: QueryArguments,
  collection: Collection,
  words: WordingOfCalls,
): string | null {
  const plain = collectionSql(collection);
  const phrase = phraseFor(args, plain, words);
  const things = thingsIn(collection, words);
  if (phrase === null || things === null) return null;
  const { random } = words;
  const text = collection.joined ? withoutJoin(phrase.text, things.of) : phrase.text;
  const question = phrase.isList ? ofMany(text, random) : ofFigure(text, random);
  const whole = inCollection(question, args.search_query, things, random);
  return literalsOf(args).every((literal) => whole.includes(literal)) ? whole : null;
}

/** The items of a collection, in the plural. */
interface Things {
  readonly of: string;
  /** For joined tables, the things that each item is paired with. */
  readonly with: string | null;
  /** Whether searches are for subjects rather than words. */
  readonly about: boolean;
}

function thingsIn({ table, joined, about: property }: Collection, words: WordingOfCalls): Things | null {
  const plural = (name: string) =>
    phraseAfter(`SELECT COUNT(*) FROM ${quoteIdentifier(name)}`, NUMBER_OF, words);
  const of = plural(table.name);
  const about = property !== null;
  if (of === null || !joined) return of === null ? null : { of, with: null, about };
  const others = plural(joined.to.name);
  return others === null ? null : { of, with: others, about };
}

/** A permit counts as often as it has objections, so the join is not a condition. */
function withoutJoin(text: string, things: string): string {
  return text.replace(`, counting only those that have ${things}`, '').replace(` that have ${things}`, '');
}

interface Phrase {
  /** A noun phrase in lower case. */
  readonly text: string;
  /** Several items rather than a figure. */
  readonly isList: boolean;
}

const NUMBER_OF = /^Number of /;
const LOWEST = /^(?:The )?(?:Lowest|Earliest|Smallest|First) /;

function phraseFor(
  args: QueryArguments,
  { from, column }: CollectionSql,
  words: WordingOfCalls,
): Phrase | null {
  const group = args.groupby_property === undefined ? null : column(args.groupby_property);
  const select = (expr: string) =>
    `SELECT ${group ? `${group}, ` : ''}${expr} FROM ${from}${whereOf(args, column)}${group ? ` GROUP BY ${group}` : ''}`;
  const type = PROPERTY_TYPES.find((each) => args[`${each}_property_aggregation`] !== undefined);
  if (type === undefined) {
    const items = phraseAfter(select('COUNT(*)'), NUMBER_OF, words);
    if (items === null) return null;
    return { text: group ? `number of ${perGroup(items, words.random)}` : items, isList: !group };
  }
  const aggregation = args[`${type}_property_aggregation`];
  if (!aggregation) return null;
  const values = phraseAfter(select(`MIN(${column(aggregation.property_name)})`), LOWEST, words);
  const top = args.text_property_aggregation?.top_occurrences_limit;
  if (!values) return null;
  const head = headOf(aggregation.metrics, top, values, words.random);
  return { text: head.replace('…', perGroup(values, words.random)), isList: false };
}

/** A query's phrase without its head; null if it does not begin with that. */
function phraseAfter(sql: string, head: RegExp, { wording, sql: context }: WordingOfCalls): string | null {
  const text = phraseOf(sql, parseQuery(sql, context), wording);
  return head.test(text) ? text.replace(head, '') : null;
}

/** The metric in words; `…` stands for the values. */
const HEADS: Readonly<Record<Exclude<Metric, 'TOP_OCCURRENCES'>, readonly string[]>> = {
  COUNT: ['number of known values of the …', 'count of values that there are of the …'],
  TYPE: ['data type of the …', 'type of value (number, text or boolean) of the …'],
  MIN: ['lowest …', 'minimum …'],
  MAX: ['highest …', 'maximum …'],
  MEAN: ['average …', 'mean …'],
  MEDIAN: ['median …', 'median of the …'],
  MODE: ['most frequent value of the …', 'most common value of the …'],
  SUM: ['total …', 'sum of the …'],
  TOTAL_TRUE: ['number of true values of the …', 'number of times that "true" is the …'],
  TOTAL_FALSE: ['number of false values of the …', 'number of times that "false" is the …'],
  PERCENTAGE_TRUE: [
    'share of true values (0 to 1) of the …',
    'fraction of "true" (0 to 1) among the known values of the …',
  ],
  PERCENTAGE_FALSE: [
    'share of false values (0 to 1) of the …',
    'fraction of "false" (0 to 1) among the known values of the …',
  ],
};

function headOf(metric: Metric, top: number | undefined, values: string, random: Random): string {
  if (metric !== 'TOP_OCCURRENCES') {
    // Avoids "the average average score".
    const heads = HEADS[metric].filter((head) => head.split(' ')[0] !== values.split(' ')[0]);
    return random.pick(heads) ?? HEADS[metric][0] ?? '';
  }
  const frequent = random.pick(['most frequent', 'most common']) ?? '';
  return top === 1
    ? `${frequent} value of the …, with how often it occurs`
    : `${top} ${frequent} values of the …, with how often each occurs`;
}

function perGroup(text: string, random: Random): string {
  return random.chance(0.5) ? text : text.replace(' per ', ' for each ');
}

function ofFigure(text: string, random: Random): string {
  const opening = random.pick(['What is the', 'What is the', 'Give the', 'Tell me the', 'Find the']) ?? '';
  const isSeveral = /^\d/.test(text);
  const agreeing = isSeveral ? opening.replace('What is', 'What are') : opening;
  return `${agreeing} ${text}${agreeing.startsWith('What') ? '?' : '.'}`;
}

function ofMany(text: string, random: Random): string {
  const opening =
    random.pick(['List all', 'Show me the', 'Find the', 'Give all details of the', 'Which are the']) ?? '';
  return `${opening} ${text}${opening.startsWith('Which') ? '?' : '.'}`;
}

/** Adds the collection and the search to the question. */
function inCollection(question: string, search: string | undefined, things: Things, random: Random): string {
  const named = things.with === null ? things.of : `${things.of} with their ${things.with}`;
  if (search !== undefined) {
    const openings = (things.about ? ABOUT : MENTION)(named, `"${search}"`);
    return `${random.pick(openings)}${question.charAt(0).toLowerCase()}${question.slice(1)}`;
  }
  if (things.with === null && question.includes(things.of)) return question;
  return `Of all ${named}: ${question.charAt(0).toLowerCase()}${question.slice(1)}`;
}

/** Quoted words are found in any form, which a filter does not do. */
const MENTION = (things: string, words: string) => [
  `Search the ${things} for ${words}: `,
  `Among the ${things} that are about ${words}, `,
  `Of the ${things} whose texts mention ${words} in any form: `,
  `Looking only at what a search for ${words} finds among the ${things}, `,
];

/** The search is quoted, but texts may phrase it differently. */
const ABOUT = (things: string, words: string) => [
  `Search the ${things} for ${words}: `,
  `Among the ${things} that are about ${words}, `,
  `Of the ${things} whose texts are about ${words} in whatever words: `,
  `Looking only at what a search for ${words} finds among the ${things}, `,
];

function whereOf(args: QueryArguments, column: CollectionSql['column']): string {
  const { integer_property_filter: number, text_property_filter: text, boolean_property_filter: flag } = args;
  const tests = [
    number && `${column(number.property_name)} ${number.operator} ${number.value}`,
    text &&
      `${column(text.property_name)} ${text.operator} ${quoteText(text.operator === 'LIKE' ? `%${text.value}%` : text.value)}`,
    // The column may hold a flag as 1 or as Y, for which the tool has words.
    flag && `${column(flag.property_name)} ${flag.operator === '=' ? '=' : '<>'} '${flag.value}'`,
  ].flatMap((test) => test ?? []);
  return tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`;
}

/** Values that the question must contain, since they cannot be guessed. */
function literalsOf(args: QueryArguments): string[] {
  const filters = PROPERTY_TYPES.flatMap((type) => args[`${type}_property_filter`] ?? []);
  return [...filters.map(({ value }) => String(value)), ...(args.search_query ? [args.search_query] : [])];
}

/** Forms of a word that the index does not distinguish. */
export interface WordFamily {
  /** Forms in the texts, in lower case, sorted. */
  readonly forms: readonly string[];
  /** Also forms that could occur: one letter shorter, or with an s. */
  readonly all: readonly string[];
  /** The share of rows with one of the forms. */
  readonly share: number;
}

const SAMPLED_ROWS = 5_000;
/** The share of rows that a word must be in to be worth a search. */
const RARE = 0.02;
const USUAL = 0.6;

/** Searchable words with their forms, sorted. The table and columns are SQL. */
export function wordFamilies(
  connection: Database.Database,
  from: string,
  columns: readonly string[],
): readonly WordFamily[] {
  const list = columns.map((column) => `CAST(${column} AS TEXT)`).join(', ');
  const rows = connection
    .prepare<[], (string | null)[]>(`SELECT ${list} FROM ${from} LIMIT ${SAMPLED_ROWS}`)
    .raw()
    .all();
  const rowsOf = new Map<string, Set<number>>();
  rows.forEach((cells, row) => {
    for (const token of cells.flatMap((cell) => cell?.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])) {
      rowsOf.set(token, (rowsOf.get(token) ?? new Set()).add(row));
    }
  });
  const tokens = [...rowsOf.keys()].sort();
  return families(tokens).flatMap((all) => {
    const forms = all.filter((form) => rowsOf.has(form));
    const found = new Set(forms.flatMap((form) => [...(rowsOf.get(form) ?? [])]));
    const share = rows.length === 0 ? 0 : found.size / rows.length;
    const isUseful = found.size >= 2 && share >= RARE && share <= USUAL && forms.some(isSearchable);
    return isUseful && all.every(isPlain) ? [{ forms, all, share }] : [];
  });
}

/** A word that only one facet has. */
export interface FacetWord {
  /** Its forms in the facet's terms (or phrases without terms), in lower case, sorted. */
  readonly forms: readonly string[];
  readonly facet: Facet;
}

/** Words by which a text can be searched for its subject, sorted. */
export function facetWords(facets: readonly Facet[]): readonly FacetWord[] {
  const facetsOf = new Map<string, Set<Facet>>();
  for (const facet of facets) {
    for (const token of tokensIn([...facet.phrases, ...facet.terms])) {
      facetsOf.set(token, (facetsOf.get(token) ?? new Set()).add(facet));
    }
  }
  return families([...facetsOf.keys()].sort()).flatMap((all) => {
    const [facet, ...others] = new Set(all.flatMap((form) => [...(facetsOf.get(form) ?? [])]));
    if (!facet || others.length > 0) return [];
    const searched = new Set(tokensIn(facet.terms.length > 0 ? facet.terms : facet.phrases));
    const forms = all.filter((form) => searched.has(form));
    return forms.some(isSearchable) ? [{ forms, facet }] : [];
  });
}

function tokensIn(texts: readonly string[]): readonly string[] {
  return (
    texts
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

/** Whether people would search for the word. */
export function isSearchable(form: string): boolean {
  return /^[a-z]{4,}$/.test(form) && searchWords(form) !== null;
}

/** Whether a LIKE pattern finds the word as the accent-free index does. */
function isPlain(form: string): boolean {
  return /^[a-z0-9]+$/.test(form);
}

/** The words and their inflections, grouped by the index's own stemmer. */
function families(words: readonly string[]): string[][] {
  const near = words.flatMap((word) => [word, `${word}s`, ...(word.length > 3 ? [word.slice(0, -1)] : [])]);
  const tokens = [...new Set(near)].sort();
  const db = new Database(':memory:');
  try {
    db.exec(`CREATE VIRTUAL TABLE word USING fts5(text, tokenize='porter unicode61 remove_diacritics 2');
      CREATE VIRTUAL TABLE stem USING fts5vocab(word, instance);`);
    const insert = db.prepare('INSERT INTO word (rowid, text) VALUES (?, ?)');
    db.transaction(() => {
      tokens.forEach((token, i) => {
        insert.run(i + 1, token);
      });
    })();
    const stems = db
      .prepare<[], [string, number]>('SELECT term, doc FROM stem ORDER BY term, doc')
      .raw()
      .all();
    const byStem = new Map<string, string[]>();
    for (const [stem, place] of stems) {
      const token = tokens[place - 1] ?? '';
      byStem.set(stem, [...(byStem.get(stem) ?? []), token]);
    }
    return [...byStem.values()];
  } finally {
    db.close();
  }
}
