import { z } from 'zod';

/** Words inside a sentence: one line, without a period at the end. */
const phrase = z
  .string()
  .regex(/^[^\n]*[^\s.](?:\.[a-z])*[^\n]*$/, 'must be words on one line')
  .refine((text) => text === text.trim() && text !== '' && !/[.;:]$/.test(text), {
    message: 'must be words on one line, without a period at the end',
  });

/** A noun that is also a name once its words are joined by `_`. */
const noun = phrase.regex(
  /^\p{L}[\p{L}\p{N}]*(?:[ '’-]+[\p{L}\p{N}]+)*$/u,
  'must be letters, digits, spaces and hyphens, and begin with a letter',
);

/** A predicate: `was opened`. */
const predicate = phrase;

const flag = z.boolean();

/** Whether a model drafted the words and no person has read them. */
const drafted = z.boolean();

/** The words that people use for a column; all optional, what is missing is guessed. */
export const columnWords = z
  .strictObject({
    noun,
    /** The plural, if it is irregular; the noun itself for mass nouns. */
    nouns: noun,
    /** What happened to a row at this moment: `was opened`. */
    when: predicate,
    /** What the column is a number of: `beds`. */
    counts: phrase,
    /** The unit of its numbers, in the plural: `kilograms`. */
    unit: phrase,
    /** The word for a threshold: `amount`, `weight`. */
    quantity: phrase,
    /** Superlatives before the table's noun: `heaviest`, `lightest`. */
    highest: phrase,
    lowest: phrase,
    /** Predicates of a row with a threshold: `heavier than`, `lighter than`. */
    above: phrase,
    below: phrase,
    sum: flag,
    average: flag,
    rank: flag,
    /** What NULL means, and what a value means, of several rows: `are still alive`, `have died`. */
    missing: predicate,
    present: predicate,
    /** The meaning of each stored code. */
    codes: z.record(z.string(), phrase),
    /** For a foreign key: this row → the other, and back: `was born to`, `gave birth to`. */
    verb: predicate,
    inverse: predicate,
    synonyms: z.array(phrase),
    drafted,
  })
  .partial()
  .refine(({ missing, present }) => (missing === undefined) === (present === undefined), {
    message: 'has only one of missing and present; write both or neither',
  });
export type ColumnWords = z.infer<typeof columnWords>;

/** The words that people use for a table's rows. */
export const tableWords = z
  .strictObject({
    one: noun,
    many: noun,
    /** What a row is: `one animal seen once at a clinic`. */
    row: phrase,
    /** Columns by which people identify a row. */
    called: z.array(z.string()).min(1),
    synonyms: z.array(phrase),
    drafted,
  })
  .partial();
export type TableWords = z.infer<typeof tableWords>;

/** A sentence or several, as written. */
const prose = z
  .string()
  .trim()
  .regex(/^\P{C}+$/u, 'must be one line');

/** The words for the endpoint that answers a question; what is missing is made by rules. */
export const endpointWords = z
  .strictObject({
    /** The last part of its path; its tool is `get_<name>`. */
    name: z
      .string()
      .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'must be words of a-z and 0-9, joined by _')
      .max(60),
    summary: prose.max(240),
    /** The tables are added to it. */
    description: prose.max(1000),
    /** The beginning of the SHA-256 of the SQL that was described. The words of another query are not used. */
    sql: z.string().regex(/^[0-9a-f]{12}$/, 'must be the first 12 digits of the SHA-256 of the SQL'),
    drafted,
  })
  .partial();
export type EndpointWords = z.infer<typeof endpointWords>;

export function isWorded({ name, summary, description }: EndpointWords = {}): boolean {
  return (name ?? summary ?? description) !== undefined;
}

/** What stands in backticks in a text: names of parameters and columns. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]*)`/g)].map(([, name = '']) => name);
}

/** `vocabulary/<db>.yaml`: the words of one database. */
export const vocabulary = z.strictObject({
  /** By the id of a question that the endpoint answers. */
  endpoints: z.record(z.string(), endpointWords).optional(),
  tables: z
    .record(
      z.string(),
      z.strictObject({ ...tableWords.shape, columns: z.record(z.string(), columnWords).optional() }),
    )
    .default({}),
});
export type Vocabulary = z.infer<typeof vocabulary>;

/** The databases whose words can be edited in a browser. */
export interface VocabularyIndex {
  readonly domains: readonly {
    readonly db: string;
    readonly file: string;
    /** Whether the file is there. */
    readonly exists: boolean;
    readonly tables: number;
    readonly questions: number;
  }[];
}

export interface EditedColumn {
  readonly name: string;
  readonly type: string;
  readonly primary_key: boolean;
  readonly nullable: boolean;
  /** The table that it points to. */
  readonly references: string | null;
  /** What the split says about it; may be empty. */
  readonly description: string;
  /** Some of its values. */
  readonly values: readonly string[];
  readonly words: ColumnWords;
  /** What the rules say where there is no word. */
  readonly guess: ColumnWords;
}

export interface EditedTable {
  readonly name: string;
  readonly rows: number;
  readonly description: string | null;
  readonly words: TableWords;
  readonly guess: TableWords;
  readonly columns: readonly EditedColumn[];
}

/** An endpoint that a split makes, by the question whose words it has, or the first that it answers. */
export interface EditedEndpoint {
  readonly id: string;
  readonly question: string;
  /** Of the question's SQL. */
  readonly hash: string;
  readonly sql: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** What people wrote for it. */
  readonly words: EndpointWords;
}

/** The words of one database as they are edited, and the endpoints in these words. */
export interface EditedWords {
  readonly db: string;
  readonly file: string;
  /** The hash of the file; a change names the one that it is made to. */
  readonly base: string;
  readonly text: string;
  readonly tables: readonly EditedTable[];
  /** In the order of their first questions, whatever their words are. */
  readonly endpoints: readonly EditedEndpoint[];
}
