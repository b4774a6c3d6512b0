import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../../contracts/split.ts';
import type { EndpointWords } from '../../contracts/words.ts';
import {
  type DraftedEndpoint,
  draftVocabulary,
  vocabularyText,
} from '../../generator/english/draft-vocabulary.ts';
import { lowerRest } from '../../generator/lower/lower-rest.ts';
import { readLabel, readSplit } from '../../generator/read/read-split.ts';
import { readComments, readDbtSchema, withNotes } from '../../generator/read/schema-notes.ts';
import { sqlHash, withVocabulary } from '../../generator/read/vocabulary.ts';
import { parseQuery } from '../../sql/index.ts';
import { writeOutput } from '../files.ts';
import { list } from '../options.ts';
import { withProgress } from '../terminal.ts';

interface VocabularyFlags {
  readonly db?: readonly string[];
  readonly out?: string;
  readonly force: boolean;
  readonly endpoints: boolean;
}

/** `rookery vocabulary <split>`: the words of its databases, for a person to edit. */
export function register(program: Command): void {
  program
    .command('vocabulary')
    .description('write the words that endpoints and questions use for tables and columns, for you to edit')
    .argument('<split>', 'folder of a split, or its questions file')
    .option('--db <db>', 'this database only (may be repeated)', list)
    .option('--out <folder>', "where to write <db>.yaml; the split's folder vocabulary by default")
    .option('--endpoints', 'also list the endpoints, for you to write names and summaries of your own', false)
    .option('--force', 'write files anew, without the edits in them', false)
    .action(async (place: string, { db, out, force, endpoints }: VocabularyFlags) => {
      const split = await withProgress((update) =>
        readSplit(place, {
          only: db,
          onProgress: (read) => update('read', read.done, read.total, readLabel(read)),
        }),
      );
      const folder = resolve(out ?? join(dirname(split.questions_file), 'vocabulary'));
      const beside = realpathSync(dirname(split.questions_file));
      for (const { db: name, file: database, catalog: read } of split.domains) {
        const folders = [join(beside, name), dirname(database), beside];
        const catalog = [readDbtSchema(folders, beside), readComments(database)].reduce(withNotes, read);
        const file = join(folder, `${name}.yaml`);
        const existing = existsSync(file) && !force ? readFileSync(file, 'utf8') : null;
        const questions = split.questions.filter(({ db_id }) => db_id === name);
        const drafted = endpoints ? draftEndpoints(name, catalog, questions) : [];
        const text = vocabularyText(draftVocabulary(catalog, questions), existing, drafted);
        const words = withVocabulary(catalog, file, text).endpoints;
        for (const line of unused(words, questions)) process.stderr.write(`${file}: ${line}\n`);
        if (text !== existing) writeOutput(file, text);
        const how = existing === null ? 'written' : text === existing ? 'complete as it was' : 'completed';
        process.stdout.write(`${file} ${how}\n`);
      }
    });
}

/** Words for endpoints that no endpoint gets, and the reason. */
function unused(
  words: ReadonlyMap<string, EndpointWords>,
  questions: readonly Question[],
): readonly string[] {
  return [...words].flatMap(([id, { sql }]) => {
    const question = questions.find(({ question_id }) => String(question_id) === id);
    if (question === undefined) return [`endpoints.${id}: there is no such question`];
    const hash = sqlHash(question.sql);
    if (sql === undefined || sql === hash) return [];
    return [
      `endpoints.${id}: the SQL of question ${id} is another one now; read the words again and set sql to ${hash}`,
    ];
  });
}

/** The REST endpoints of a domain before any proof, each by the first question that it answers. */
function draftEndpoints(
  db: string,
  catalog: Catalog,
  questions: readonly Question[],
): readonly DraftedEndpoint[] {
  const queries = questions.flatMap((question) => {
    try {
      const query = parseQuery(question.sql, { catalog, referenceTime: DEFAULT_REFERENCE_TIME });
      return [{ question: { ...question, endpoint_words: undefined }, query }];
    } catch (error) {
      if (error instanceof QueryError) return []; // `generate` says why
      throw error;
    }
  });
  const { endpoints, candidates } = lowerRest(queries, { split: 'split', db, catalog, onBug: () => {} });
  return endpoints.flatMap(({ name, summary, sql }) => {
    const answered = candidates.find(({ endpoint }) => endpoint === name)?.question;
    if (answered === undefined) return [];
    return [{ name, summary, sql, question_id: answered.question_id, hash: sqlHash(answered.sql) }];
  });
}
