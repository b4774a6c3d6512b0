import type { Catalog } from '../contracts/catalog.ts';
import { QueryError } from '../contracts/errors.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../contracts/split.ts';
import { type EndpointWords, isWorded, type Vocabulary } from '../contracts/words.ts';
import { lowerRest } from '../generator/lower/lower-rest.ts';
import { areAbout, sqlHash } from '../generator/read/descriptions.ts';
import { parseQuery } from '../sql/index.ts';
import type { EndpointToDraft } from './draft-words.ts';

/** A database, its questions, and the file of its words. */
export interface WordedDomain {
  readonly db: string;
  /** The database itself. */
  readonly database: string;
  readonly catalog: Catalog;
  readonly questions: readonly Question[];
  readonly file: string;
  readonly existing: string | null;
  readonly rules: Vocabulary;
}

/** A catalog without the words of a split's vocabulary, which it is read with. */
export function withoutWords(catalog: Catalog): Catalog {
  const tables = catalog.tables.map((table) => ({
    ...table,
    words: undefined,
    columns: table.columns.map((column) => ({ ...column, words: undefined })),
  }));
  return { ...catalog, tables };
}

/**
 * The REST endpoints of a domain before any proof, each by the question whose words it has, or the first that it
 * answers; in the words of the rules for tables and columns or, if `asWritten`, in those that people wrote for it.
 */
export function draftEndpoints(
  { db, questions }: Pick<WordedDomain, 'db' | 'questions'>,
  catalog: Catalog,
  words: ReadonlyMap<string, EndpointWords>,
  asWritten = false,
): readonly EndpointToDraft[] {
  const queries = questions.flatMap((question) => {
    const own = asWritten ? words.get(String(question.question_id)) : undefined;
    const endpoint_words = own && areAbout(own, question.sql) ? own : undefined;
    try {
      const query = parseQuery(question.sql, { catalog, referenceTime: DEFAULT_REFERENCE_TIME });
      return [{ question: { ...question, endpoint_words }, query }];
    } catch (error) {
      if (error instanceof QueryError) return []; // `generate` says why
      throw error;
    }
  });
  const { endpoints, candidates } = lowerRest(queries, { split: 'split', db, catalog, onBug: () => {} });
  return endpoints.flatMap((endpoint) => {
    const calls = candidates.filter((candidate) => candidate.endpoint === endpoint.name);
    const answered = calls.map(({ question }) => question);
    const question =
      answered.find(({ question_id }) => isWorded(words.get(String(question_id)))) ?? answered[0];
    if (question === undefined) return [];
    const values = calls.flatMap(({ output }) => output.flatMap((call) => Object.values(call.arguments)));
    const { question_id, question: text, sql } = question;
    return [{ ...endpoint, question_id, question: text, hash: sqlHash(sql), values }];
  });
}
