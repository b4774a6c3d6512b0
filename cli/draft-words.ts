import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import type { z } from 'zod';
import type { Catalog, Cell } from '../contracts/catalog.ts';
import { UserError } from '../contracts/errors.ts';
import { printExactJson } from '../contracts/exact-json.ts';
import { makeFolder } from '../contracts/make-folder.ts';
import type { Endpoint } from '../contracts/service.ts';
import { counted, faultIn } from '../contracts/wording.ts';
import {
  columnWords,
  type EndpointWords,
  endpointWords,
  namesIn,
  tableWords,
  type Vocabulary,
} from '../contracts/words.ts';
import { isObject } from '../eval/json/lossless.ts';
import type { DraftedEndpoint } from '../generator/english/draft-vocabulary.ts';
import { ValueGuard } from '../generator/english/realizer.ts';
import { nameKey } from '../generator/read/descriptions.ts';
import { lastJson } from '../runner/attempt/read-json.ts';
import { CompletionCache, completionClient, requestHash } from '../runner/control/completions.ts';
import { RateGate } from '../runner/control/rate-gate.ts';
import { withAdvice } from '../runner/models/advice.ts';
import { ModelError, unusableModel } from '../runner/models/failures.ts';
import { type ModelRequest, textOf } from '../runner/models/model.ts';
import { openModel } from '../runner/models/open-model.ts';
import { renderPrompt } from '../runner/prompts/prompt-pack.ts';
import { PROMPTS_FOLDER, readSections } from '../runner/prompts/read-pack.ts';
import { tokenize } from '../sql/index.ts';
import { interruptSignal, withProgress } from './terminal.ts';

/** One prompt, and how its reply is read. */
interface Ask<T> {
  /** The place in the file: `tables.patient`. */
  readonly about: string;
  /** The file in `prompts/vocabulary/`. */
  readonly prompt: 'table' | 'endpoint';
  readonly facts: object;
  /** The draft, without parts that `warn` hears about; or the reason to ask once more. */
  readonly read: (reply: unknown, warn: (fault: string) => void) => T | { readonly fault: string };
}

type TableDraft = readonly [table: string, draft: Vocabulary['tables'][string]];
type Samples = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;

/** Asks for the words of tables and columns that have none. Where a reply has no valid ones, those of the rules stay. */
export function tableAsks({ tables }: Catalog, rules: Vocabulary, samples: Samples): Ask<TableDraft>[] {
  const takePlural = takenNouns(Object.entries(rules.tables).map(([table, { many }]) => [table, many]));
  return tables.flatMap((table) => {
    const { columns: ruled = {}, ...ruledTable } = rules.tables[table.name] ?? {};
    const names = table.columns.map(({ name }) => name);
    const asked = table.columns.filter(({ words }) => isEmpty(words)).map(({ name }) => name);
    const isAsked = isEmpty(table.words);
    if (!isAsked && asked.length === 0) return [];
    const about = `tables.${table.name}`;
    const takeNoun = takenNouns(Object.entries(ruled).map(([column, { noun }]) => [column, noun]));
    const read: Ask<TableDraft>['read'] = (reply, warn) => {
      if (!isObject(reply)) return { fault: 'the reply has no JSON object' };
      const { columns: drafted, ...rest } = reply;
      const columns = { ...ruled };
      for (const [name, words] of Object.entries(isObject(drafted) ? drafted : {})) {
        const place = `${about}.columns.${name}`;
        const isWanted = asked.includes(name);
        if (!names.includes(name)) warn(`${place} is no column`);
        const { noun, ...others } = wordsIn(isWanted ? words : {}, columnWords, place, warn);
        const fault = noun === undefined ? null : takeNoun(name, noun);
        if (fault !== null) warn(`${place}.noun ${fault}`);
        const own = { ...(noun === undefined || fault !== null ? {} : { noun }), ...others };
        if (!isEmpty(own)) columns[name] = { ...ruled[name], ...own, drafted: true };
      }
      const { many, called, ...others } = wordsIn(isAsked ? rest : {}, tableWords, about, warn);
      const fault = many === undefined ? null : takePlural(table.name, many);
      if (fault !== null) warn(`${about}.many ${fault}`);
      const isKnown = called?.every((name) => names.includes(name)) ?? false;
      if (called !== undefined && !isKnown) warn(`${about}.called has what is no column`);
      const own = {
        ...others,
        ...(many === undefined || fault !== null ? {} : { many }),
        ...(isKnown ? { called } : {}),
      };
      return [table.name, { ...ruledTable, ...own, ...(isEmpty(own) ? {} : { drafted: true }), columns }];
    };
    const columns = table.columns.map(
      ({ statistics: { nulls, distinct, min, max }, facets: _, ...column }) => ({
        ...column,
        nulls,
        distinct,
        min: shortened(min),
        max: shortened(max),
        samples: samples.get(table.name)?.[column.name],
      }),
    );
    const facts = { ...table, columns, draft: { table: isAsked, columns: asked } };
    return [{ about, prompt: 'table' as const, facts, read }];
  });
}

/** The words of a draft that the file may have. */
function wordsIn<T>(draft: unknown, schema: z.ZodType<T>, place: string, warn: (fault: string) => void): T {
  const isGiven = ([field, value]: [string, unknown]) => value !== null && field !== 'drafted';
  const kept = new Map(Object.entries(isObject(draft) ? draft : {}).filter(isGiven));
  for (;;) {
    const { data, error } = schema.safeParse(Object.fromEntries(kept));
    if (data !== undefined) return data;
    const [issue] = error?.issues ?? [];
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : ['missing', 'present'];
    for (const field of issue?.path[0] === undefined ? unknown : [String(issue.path[0])]) kept.delete(field);
    warn(`${place}: ${error ? faultIn(error, 'the draft') : ''}`);
  }
}

/** Registers nouns with their owners. Returns the fault of a noun that another owner has, else null. */
function takenNouns(known: readonly (readonly [owner: string, noun: string | undefined])[]) {
  const owners = new Map(
    known.flatMap(([owner, noun]) => (noun === undefined ? [] : [[nameKey(noun), owner]])),
  );
  return (owner: string, noun: string): string | null => {
    const other = owners.get(nameKey(noun)) ?? owner;
    owners.set(nameKey(noun), other);
    return other === owner ? null : `is ${JSON.stringify(noun)}, as that of ${other}`;
  };
}

/** An endpoint as the rules make it, and what its words depend on. */
export interface EndpointToDraft
  extends DraftedEndpoint,
    Pick<Endpoint, 'description' | 'parameters' | 'columns'> {
  readonly question: string;
  /** What its questions choose. */
  readonly values: readonly unknown[];
}

const MOST_SUMMARY = 140;
const endpointDraft = endpointWords.pick({ name: true, summary: true, description: true }).required();

/** Asks for the name, summary and description of endpoints. `words` are those in the file. */
export function endpointAsks(
  endpoints: readonly EndpointToDraft[],
  catalog: Catalog,
  words: ReadonlyMap<string, EndpointWords>,
): Ask<EndpointToDraft>[] {
  const takeName = takenNouns([...words].map(([id, { name }]) => [id, name]));
  const takeSummary = takenNouns([...words].map(([id, { summary }]) => [id, summary]));
  return endpoints.map((endpoint) => {
    const { sql, question, parameters, columns, hash } = endpoint;
    const id = String(endpoint.question_id);
    return {
      about: `endpoints.${id}`,
      prompt: 'endpoint',
      facts: {
        sql,
        parameters: parameters.map(({ name, description }) => ({ name, description })),
        columns: columns.map(({ name, description }) => ({ name, description })),
        question,
        tables: wordsFor(sql, catalog),
        rules: { name: endpoint.name, summary: endpoint.summary },
      },
      read: (reply) => {
        const { error, data } = endpointDraft.safeParse(reply);
        if (error) return { fault: faultIn(error, 'the reply') };
        const [name, summary] = [takeName(id, data.name), takeSummary(id, data.summary)];
        const taken = [name && `name ${name}`, summary && `summary ${summary}`].filter(
          (fault) => fault !== null,
        );
        const faults = [...taken, ...faultsOf(data, endpoint)];
        if (faults.length > 0) return { fault: faults.join('; ') };
        return { ...endpoint, words: { ...data, drafted: true, sql: hash } };
      },
    };
  });
}

/** What is wrong with the words for an endpoint in themselves. */
function faultsOf(
  { name, summary, description }: z.infer<typeof endpointDraft>,
  { sql, parameters, columns, values }: EndpointToDraft,
): string[] {
  const quoted = namesIn(`${summary} ${description}`);
  const known = [...parameters, ...columns].map((one) => one.name);
  const missing = parameters.filter((one) => !description.includes(`\`${one.name}\``));
  // Literals that stay, and names of tables and columns, which are the interface itself.
  const fixed = new Set(tokenize(sql).map(({ text }) => text));
  const chosen = [...new Set(values.flat().map(String))].filter(
    (value) => !fixed.has(value) && !isShort(value),
  );
  const prose = [name.replaceAll('_', ' '), summary, description].join(' | ').replace(/`[^`]*`/g, ' ');
  const given = chosen.filter((value) => new ValueGuard([{ value }]).holdsValue(prose));
  return [
    ...(summary.length > MOST_SUMMARY ? [`summary must have at most ${MOST_SUMMARY} characters`] : []),
    ...quoted.filter((one) => !known.includes(one)).map((one) => `\`${one}\` is no parameter and no column`),
    ...missing.map((one) => `description does not name the parameter \`${one.name}\``),
    ...given.map((value) => `gives away ${JSON.stringify(value)}, which the question chooses`),
  ];
}

/** Whether a value is a code of a letter or two, which may be in words by chance or in a list of codes. */
function isShort(value: string): boolean {
  return value.length < 3 && !/\d/.test(value);
}

/** The words for the tables and columns in a query. */
function wordsFor(sql: string, { tables }: Catalog): object {
  const inSql = new Set(tokenize(sql).map(({ text }) => text.toLowerCase()));
  const ofSql = tables.filter(({ name }) => inSql.has(name.toLowerCase()));
  return ofSql.map(({ name, words, columns }) => ({
    name,
    ...words,
    columns: Object.fromEntries(
      columns.filter((one) => inSql.has(one.name.toLowerCase())).map((one) => [one.name, one.words]),
    ),
  }));
}

export interface DrafterOptions {
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly apiKeyFrom?: string | undefined;
  readonly concurrency: number;
  /** The folder of the vocabulary. Replies are kept there, so that an interrupted draft goes on. */
  readonly folder: string;
}

export interface Drafter {
  /** How many prompts are to be sent, and about how many tokens they have. */
  estimate(asks: readonly Ask<unknown>[]): string;
  /** The drafts, without those that are refused twice. Faults go to stderr. */
  draft<T>(file: string, asks: readonly Ask<T>[]): Promise<T[]>;
  close(): void;
}

/** Opens a model. Throws MODEL_UNKNOWN, and while drafting MODEL_REFUSED and MODEL_UNREACHABLE. */
export async function openDrafter(options: DrafterOptions): Promise<Drafter> {
  const { model: id, baseUrl, apiKeyFrom, concurrency, folder } = options;
  const model = await openModel({ model: id, baseUrl, apiKeyFrom });
  makeFolder(folder);
  const cacheFile = join(folder, '.drafts.sqlite');
  const cache = new CompletionCache(cacheFile);
  const target = `${id} ${baseUrl ?? ''}`;
  const gate = new RateGate({ start: concurrency, max: concurrency });
  const limits = { retries: 8, retryBaseMs: 1000, requestTimeoutMs: 600_000 };
  const obtain = completionClient({ model, target, gate, cache, prices: null, ...limits });
  const failed = new AbortController();
  const interrupted = interruptSignal();
  const signal = AbortSignal.any([failed.signal, interrupted]);

  const templates = { table: readTemplate('table'), endpoint: readTemplate('endpoint') };
  const requestFor = ({ about, prompt, facts }: Ask<unknown>, again: string): ModelRequest => {
    const values = { FACTS: printExactJson(facts), AGAIN: again };
    return {
      prompt: renderPrompt(templates[prompt], { values, transport: model.transport, toolsIn: 'prompt' }),
      tools: [],
      decoding: { temperature: 0, response_format: 'json' },
      origin: {
        sampleId: about,
        epoch: 1,
        turn: 0,
        format: 'json_list',
        due: [],
        offeredCall: (call) => call,
      },
    };
  };

  /** The reply; or the failure, if other prompts may do better. */
  const replyTo = async (ask: Ask<unknown>, again: string): Promise<string | ModelError> => {
    try {
      return textOf((await obtain(requestFor(ask, again), signal)).completion);
    } catch (error) {
      if (interrupted.aborted)
        throw new UserError('INTERRUPTED', id, 'drafting was stopped; the same command goes on');
      if (!(error instanceof ModelError)) throw error;
      if (!error.fatal && !error.transient) return error;
      failed.abort();
      const message = withAdvice(error, { model: id, baseUrl: baseUrl ?? null, apiKeyFrom });
      throw unusableModel(error, id, `${message} (the same command goes on)`, { cause: error });
    }
  };

  return {
    estimate(asks) {
      const requests = asks.map((ask) => requestFor(ask, ''));
      const sent = requests.filter((request) => cache.get(requestHash(target, request)) === null);
      const tokens = sent.reduce((sum, { prompt }) => sum + Math.ceil(JSON.stringify(prompt).length / 4), 0);
      const kept = asks.length - sent.length;
      const answered = kept === 0 ? '' : `; ${kept} more are answered in ${cacheFile}`;
      return `${id}: ${counted(sent.length, 'prompt')}, about ${tokens} tokens at four characters each${answered}`;
    },
    async draft<T>(file: string, asks: readonly Ask<T>[]) {
      const warn = (fault: string) => process.stderr.write(`${file}: ${fault}; left to the rules\n`);
      const drafts: T[] = [];
      let open = asks.map((ask) => ({ ask, again: '' }));
      for (const isLast of [false, true]) {
        let done = 0;
        const replies = await withProgress((update) => {
          const reply = async ({ ask, again }: (typeof open)[number]) => {
            const text = await replyTo(ask, again);
            update('draft', ++done, open.length, ask.about);
            return text;
          };
          return pMap(open, reply, { concurrency });
        });
        // In order, whichever came first: the same command asks the same again.
        open = open.flatMap(({ ask }, i) => {
          const reply = replies[i] ?? '';
          if (reply instanceof ModelError) {
            warn(`${ask.about}: ${reply.message}`);
            return [];
          }
          const draft = ask.read(lastJson(reply), warn);
          if (!isFault(draft)) {
            drafts.push(draft);
            return [];
          }
          if (isLast) warn(`${ask.about} was refused twice: ${draft.fault}`);
          return [{ ask, again: `\n\nYour last draft was refused:\n${reply}\nThe reason: ${draft.fault}` }];
        });
      }
      return drafts;
    },
    close: () => cache.close(),
  };
}

function readTemplate(prompt: Ask<unknown>['prompt']) {
  const file = join(PROMPTS_FOLDER, 'vocabulary', `${prompt}.txt`);
  const sections = readSections(file, readFileSync(file, 'utf8'));
  return { family: 'vocabulary', sections, wrapper: null, stop: [], reply: 'json_list' } as const;
}

function isFault(read: unknown): read is { readonly fault: string } {
  return isObject(read) && 'fault' in read;
}

function shortened(value: Cell): Cell {
  return typeof value === 'string' ? value.slice(0, 60) : value;
}

function isEmpty(words: object | undefined): boolean {
  return Object.keys(words ?? {}).length === 0;
}
