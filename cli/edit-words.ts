import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';
import { UserError } from '../contracts/errors.ts';
import type { EditedWords, VocabularyIndex } from '../contracts/words.ts';
import { draftVocabulary, type Edits, editedText } from '../generator/english/draft-vocabulary.ts';
import { withVocabulary } from '../generator/read/descriptions.ts';
import { readSampleValues } from '../generator/read/schema-notes.ts';
import { createApp } from '../services/base/http/create-app.ts';
import { INDEX_ROUTE, sendConsolePage, serveConsole } from '../services/base/http/index-page.ts';
import { type Listening, listen } from '../services/base/http/listen.ts';
import { HttpProblem, unknownDomain } from '../services/base/http/problem.ts';
import { checked, typedRoutes } from '../services/base/http/typed-routes.ts';
import { DEFAULT_LIMITS } from '../services/base/limits.ts';
import { writeOutput } from './files.ts';
import { draftEndpoints, type WordedDomain, withoutWords } from './worded-domain.ts';

/** Words as they are sent; whether the file may have them is checked once they are in it. */
const edits = z.object({
  /** The hash of the file that was edited. */
  base: z.string(),
  tables: z.record(
    z.string(),
    z.looseObject({ columns: z.record(z.string(), z.looseObject({})).optional() }),
  ),
  endpoints: z.record(z.string(), z.looseObject({})).optional(),
});

export interface EditOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The folder of the built console. */
  readonly console: string;
}

const MOST_VALUES = 5;

/** Serves the page on which the words of databases are edited, to this machine only. */
export async function editWords(
  domains: readonly WordedDomain[],
  { port, console }: EditOptions,
): Promise<Listening> {
  const app = typedRoutes(await createApp(DEFAULT_LIMITS));
  app.addHook('onRequest', async ({ headers: { host = '', origin } }) => {
    // A name that another site has pointed to this machine would let its pages write files here.
    if (/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host) && (origin ?? `http://${host}`) === `http://${host}`)
      return;
    throw new HttpProblem(
      'FOREIGN_ORIGIN',
      'Only pages of this server, at 127.0.0.1 or localhost, may ask it.',
    );
  });
  const byName = new Map(domains.map((domain) => [domain.db, domain]));
  const find = (db: string): WordedDomain => {
    const domain = byName.get(db);
    if (domain === undefined) throw unknownDomain(db, byName.keys());
    return domain;
  };
  serveConsole(app, console);
  app.get('/', { config: INDEX_ROUTE }, (_request, reply) =>
    sendConsolePage(reply, 'rookery', '<p>Editing words needs JavaScript.</p>', { edits: 'words' }),
  );
  const config = { kind: 'catalog' };
  app.get(
    '/vocabulary',
    { config },
    (): VocabularyIndex => ({
      domains: domains.map(({ db, file, catalog: { tables }, questions }) => ({
        db,
        file: shownFile({ file }),
        exists: existsSync(file),
        tables: tables.length,
        questions: questions.length,
      })),
    }),
  );
  const params = z.object({ db: z.string() });
  const place = '/vocabulary/:db';
  app.get(place, { config, schema: { params } }, ({ params: { db } }) => {
    const domain = find(db);
    return wordsOf(domain, textOf(domain));
  });
  // What the words would make of the file and the endpoints.
  app.post(place, { config, schema: { params } }, ({ params: { db }, body }) => {
    const domain = find(db);
    const { base: _, ...words } = checked(edits, body);
    const text = edited(domain, words);
    return { text, endpoints: endpointsOf(domain, text) };
  });
  app.put(place, { config, schema: { params } }, ({ params: { db }, body }) => {
    const domain = find(db);
    const { base, ...words } = checked(edits, body);
    if (base !== hashOf(textOf(domain)))
      throw new HttpProblem(
        'RECORD_CHANGED',
        `${shownFile(domain)} was changed in the meantime; copy your YAML, and load this page again.`,
      );
    const text = edited(domain, words);
    const answer = wordsOf(domain, text);
    writeOutput(domain.file, text);
    return answer;
  });
  return listen(app, { port });
}

/** A file below the current folder by its path from there. */
function shownFile({ file }: Pick<WordedDomain, 'file'>): string {
  const path = relative('', file);
  return path.startsWith('..') ? file : path;
}

function textOf({ file }: WordedDomain): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function hashOf(text: string | null): string {
  return createHash('sha256')
    .update(text ?? '')
    .digest('hex');
}

/** The text of the file with the edits. Throws INVALID_PARAMETERS if it would not be one. */
function edited(domain: WordedDomain, words: Edits): string {
  return orProblem(() => {
    const text = editedText(textOf(domain), words);
    withVocabulary(withoutWords(domain.catalog), domain.file, text);
    return text;
  });
}

function orProblem<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) throw new HttpProblem('INVALID_PARAMETERS', error.message);
    throw error;
  }
}

/** Everything that the page of a database shows, with the words in the text of its file. */
function wordsOf(domain: WordedDomain, text: string | null): EditedWords {
  const { db, file, database, questions } = domain;
  const plain = withoutWords(domain.catalog);
  const rules = draftVocabulary(plain, questions);
  const { catalog } = text === null ? { catalog: plain } : orProblem(() => withVocabulary(plain, file, text));
  const samples = readSampleValues(database, plain, MOST_VALUES);
  return {
    db,
    file: shownFile(domain),
    base: hashOf(text),
    text: text ?? '',
    tables: catalog.tables.map((table) => {
      const { columns: guessed = {}, ...guess } = rules.tables[table.name] ?? {};
      return {
        name: table.name,
        rows: table.rows,
        description: table.description,
        words: table.words ?? {},
        guess,
        columns: table.columns.map((column) => {
          const key = table.foreign_keys.find(({ columns }) => columns.includes(column.name));
          return {
            name: column.name,
            type: column.type,
            primary_key: column.primary_key > 0,
            nullable: column.statistics.nulls > 0,
            references: key?.references_table ?? null,
            description: [column.friendly_name, column.description, column.value_description]
              .filter((one) => one)
              .join('; '),
            values: samples.get(table.name)?.[column.name] ?? [],
            words: column.words ?? {},
            guess: guessed[column.name] ?? {},
          };
        }),
      };
    }),
    endpoints: endpointsOf(domain, text),
  };
}

/** What was made last of each domain: a reload, and saving what was previewed, make nothing anew. */
const lastMade = new WeakMap<
  WordedDomain,
  { readonly text: string | null; readonly endpoints: EditedWords['endpoints'] }
>();

function endpointsOf(domain: WordedDomain, text: string | null): EditedWords['endpoints'] {
  const last = lastMade.get(domain);
  if (last && last.text === text) return last.endpoints;
  const endpoints = makeEndpoints(domain, text);
  lastMade.set(domain, { text, endpoints });
  return endpoints;
}

function makeEndpoints(domain: WordedDomain, text: string | null): EditedWords['endpoints'] {
  const plain = withoutWords(domain.catalog);
  const { catalog, endpoints: words } =
    text === null ? { catalog: plain, endpoints: new Map() } : withVocabulary(plain, domain.file, text);
  return draftEndpoints(domain, catalog, words, true).map(
    ({ question_id, question, hash, sql, name, summary, description }) => ({
      id: String(question_id),
      question,
      hash,
      sql,
      name,
      summary,
      description,
      words: words.get(String(question_id)) ?? {},
    }),
  );
}
