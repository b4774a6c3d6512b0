import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import type { Question } from '../../contracts/split.ts';
import { type EndpointWords, isWorded } from '../../contracts/words.ts';
import { draftVocabulary, vocabularyText } from '../../generator/english/draft-vocabulary.ts';
import { areAbout, sqlHash, withVocabulary } from '../../generator/read/descriptions.ts';
import { readLabel, readSplit } from '../../generator/read/read-split.ts';
import {
  readComments,
  readDbtSchema,
  readSampleValues,
  withNotes,
} from '../../generator/read/schema-notes.ts';
import { stopOnSignals } from '../../services/base/http/listen.ts';
import { requireConsole } from '../board.ts';
import { type Drafter, endpointAsks, openDrafter, tableAsks } from '../draft-words.ts';
import { editWords } from '../edit-words.ts';
import { writeOutput } from '../files.ts';
import { list, wholeNumber } from '../options.ts';
import { withProgress } from '../terminal.ts';
import { draftEndpoints, type WordedDomain, withoutWords } from '../worded-domain.ts';

interface VocabularyFlags {
  readonly db?: readonly string[];
  readonly out?: string;
  readonly force: boolean;
  readonly endpoints: boolean;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyFrom?: string;
  readonly concurrency: number;
  readonly estimate: boolean;
  readonly edit: boolean;
  readonly port: number;
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
    .option('--model <provider/name>', 'a model drafts what is missing: openai/gpt-4o-mini')
    .option('--base-url <address>', 'where the model is: http://127.0.0.1:8000/v1')
    .option('--api-key-from <variable>', 'the environment variable that holds its key')
    .option('--concurrency <n>', 'prompts sent at once', wholeNumber(1, 64), 4)
    .option('--estimate', 'count the prompts and their tokens, without sending them', false)
    .option('--edit', 'edit the words in a browser, beside the sentences that they change', false)
    .option('-p, --port <port>', 'port of the page, on this machine only', wholeNumber(0, 65535), 8090)
    .action(vocabulary);
}

/** A database with the prompts for its tables; none without a model. */
interface DraftedDomain extends WordedDomain {
  readonly asks: ReturnType<typeof tableAsks>;
}

async function vocabulary(
  place: string,
  { db, out, force, model, edit, port, ...flags }: VocabularyFlags,
): Promise<void> {
  if (flags.estimate && model === undefined)
    throw new OptionError('--estimate', 'counts prompts to a model; give --model');
  if (edit && model !== undefined)
    throw new OptionError('--edit', 'is for what a model has drafted; run this with --model first');
  const page = edit ? requireConsole() : undefined;
  const split = await withProgress((update) =>
    readSplit(place, {
      only: db,
      onProgress: (read) => update('read', read.done, read.total, readLabel(read)),
    }),
  );
  const folder = resolve(out ?? join(dirname(split.questions_file), 'vocabulary'));
  const beside = realpathSync(dirname(split.questions_file));
  const domains = split.domains.map(({ db: name, file: database, catalog: read }): DraftedDomain => {
    const folders = [join(beside, name), dirname(database), beside];
    const noted = [readDbtSchema(folders, beside), readComments(database)].reduce(withNotes, read);
    const file = join(folder, `${name}.yaml`);
    const existing = existsSync(file) && !force ? readFileSync(file, 'utf8') : null;
    const worded = force ? withoutWords(noted) : noted;
    const catalog = existing === null ? worded : withVocabulary(worded, file, existing).catalog;
    const questions = split.questions.filter(({ db_id }) => db_id === name);
    const rules = draftVocabulary(catalog, questions);
    const asks = model === undefined ? [] : tableAsks(catalog, rules, readSampleValues(database, catalog, 5));
    return { db: name, database, catalog, questions, file, existing, rules, asks };
  });
  if (page !== undefined) {
    const server = await editWords(domains, { port, console: page });
    stopOnSignals({ stop: () => server.stop() });
    process.stdout.write(`Edit the words at ${server.address}/; Ctrl-C ends this\n`);
    return;
  }
  const drafter = model === undefined ? null : await openDrafter({ ...flags, model, folder });
  try {
    if (drafter !== null) {
      const asks = domains.flatMap((domain) => {
        if (!flags.endpoints) return domain.asks;
        // By the rules' words: those of the model are not known yet.
        const { asks: ofEndpoints } = endpointsOf(domain, vocabularyText(domain.rules, domain.existing));
        return [...domain.asks, ...ofEndpoints];
      });
      process.stderr.write(`${drafter.estimate(asks)}\n`);
    }
    if (flags.estimate) return;
    for (const domain of domains) await complete(domain, flags.endpoints, drafter);
  } finally {
    drafter?.close();
  }
}

/** Writes the file of a domain with what it lacks. */
async function complete(
  domain: DraftedDomain,
  hasEndpoints: boolean,
  drafter: Drafter | null,
): Promise<void> {
  const { catalog, questions, file, existing, rules } = domain;
  const tables = (await drafter?.draft(file, domain.asks)) ?? [];
  const draft = { tables: { ...rules.tables, ...Object.fromEntries(tables) } };
  let text = vocabularyText(draft, existing);
  if (hasEndpoints) {
    const { listed, asks } = endpointsOf(domain, text);
    if (asks.length > 0 && drafter !== null) writeOutput(file, text);
    const drafted = (await drafter?.draft(file, asks)) ?? [];
    const words = new Map(drafted.map((one) => [one.question_id, one]));
    text = vocabularyText(
      draft,
      text,
      listed.map((one) => words.get(one.question_id) ?? one),
    );
  }
  const words = withVocabulary(catalog, file, text).endpoints;
  for (const line of unused(words, questions)) process.stderr.write(`${file}: ${line}\n`);
  if (text !== existing) writeOutput(file, text);
  const how = existing === null ? 'written' : text === existing ? 'complete as it was' : 'completed';
  process.stdout.write(`${file} ${how}\n`);
}

/** The endpoints that a vocabulary makes, and prompts for those without words of a person, or of a model for their SQL. */
function endpointsOf(domain: WordedDomain, text: string) {
  const { catalog: worded, endpoints: words } = withVocabulary(domain.catalog, domain.file, text);
  const listed = draftEndpoints(domain, worded, words);
  const open = listed.filter(({ question_id, hash }) => {
    const own = words.get(String(question_id));
    return !isWorded(own) || (own?.drafted === true && own.sql !== hash);
  });
  return { listed, asks: endpointAsks(open, worded, words) };
}

/** Words for endpoints that no endpoint gets, and the reason. */
function unused(
  words: ReadonlyMap<string, EndpointWords>,
  questions: readonly Question[],
): readonly string[] {
  return [...words].flatMap(([id, own]) => {
    const question = questions.find(({ question_id }) => String(question_id) === id);
    if (question === undefined) return [`endpoints.${id}: there is no such question`];
    if (areAbout(own, question.sql)) return [];
    return [
      `endpoints.${id}: the SQL of question ${id} is another one now; read the words again and set sql to ${sqlHash(question.sql)}`,
    ];
  });
}
