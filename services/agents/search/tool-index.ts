import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { Endpoint, Service } from '../../../contracts/service.ts';
import { getOrInsert } from '../../base/concurrency.ts';
import { withoutMarks } from '../../base/plain-letters.ts';
import type { ToolSpec } from '../../domain/tools/tool-spec.ts';
import { Bm25, type Fields, queryStems, stemsOf } from './bm25.ts';

const TOOL_FIELDS = {
  name: { weight: 1, length: 0.5 },
  summary: { weight: 2, length: 0.5 },
  description: { weight: 0.6, length: 0.5 },
  parameters: { weight: 0.8, length: 0.5 },
  tables: { weight: 0.5, length: 0.5 },
  columns: { weight: 0.5, length: 0.6 },
  values: { weight: 0.4, length: 0.6 },
};

/** The weight of each feature, beside word matches, which count `words` for the best match. */
const WEIGHTS = {
  words: 3,
  /** The question mentions a value of a parameter's column. */
  mention: 0.15,
  /** The question mentions none of the known values of a parameter's column. */
  noMention: 0.1,
  /** A numeric parameter for which the question has no number left. */
  numberMissing: 0.3,
  /** A number in the question for which no parameter is left. */
  numberLeft: 0.15,
  /** Both ask for a count, an average, an extreme, … */
  intentOfBoth: 0.15,
  /** Only one of them does. */
  intentOfOne: 0.2,
  /** The question names the tool. */
  name: 10,
  /** Word matches with the domain. */
  domain: 0.8,
  /** The question mentions values of the domain. */
  domainMention: 0.2,
};
const MOST_DOMAIN_MENTIONS = 2;

/** A number in a question; a date counts as one. */
const NUMBER = /(?<![\w.])\d[\d,]*(?:\.\d+)?(?:[-/]\d+)*/g;

/**
 * Finds tools of a toolset by words: BM25 over the descriptions of tools and their columns, plus other features
 * (mentioned values and numbers, requested computations, the domain). Searches are deterministic.
 */
export class ToolIndex {
  readonly #documents: readonly ToolDocument[];
  readonly #words: Bm25;
  readonly #domains: DomainIndex;
  readonly #values: ValueIndex;

  constructor(tools: readonly IndexedTool[]) {
    this.#documents = tools.map(toolDocument);
    this.#words = new Bm25(
      this.#documents.map(({ words }) => words),
      TOOL_FIELDS,
    );
    const isDescribed = tools.some(({ tool }) => tool.description !== '');
    const services: readonly Service[] = isDescribed ? [...new Set(tools.map(({ service }) => service))] : [];
    this.#domains = new DomainIndex(services, this.#documents);
    this.#values = new ValueIndex(services);
  }

  /** All tools, best match first; ties sorted by name. */
  search(query: string) {
    const words = queryStems(query);
    const scores = relative(this.#words.scores(words));
    const domains = this.#domains.scores(words);
    const mentions = this.#values.mentionsIn(query);
    const intents = computationsIn(query);
    const numbers = query.match(NUMBER)?.length ?? 0;
    const named = new Set(query.match(/[\w-]+/g));
    return this.#documents
      .map((document, at) => {
        const { name, db } = document;
        const said =
          (named.has(name) ? WEIGHTS.name : 0) +
          WEIGHTS.domain * (domains.get(db) ?? 0) +
          WEIGHTS.domainMention * Math.min(MOST_DOMAIN_MENTIONS, mentions.domains.get(db) ?? 0);
        const fits =
          mentionScore(document, mentions) + numberScore(document, numbers) + intentScore(document, intents);
        return { name, score: WEIGHTS.words * (scores[at] ?? 0) + said + fits };
      })
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  }
}

function mentionScore({ columns, listed }: ToolDocument, mentions: Mentions): number {
  const mentioned = columns.flatMap((column) => mentions.columns.get(column) ?? []);
  const sum = mentioned.reduce((total, weight) => total + weight, 0);
  return WEIGHTS.mention * sum - WEIGHTS.noMention * Math.max(0, listed - mentioned.length);
}

function numberScore({ numbers }: ToolDocument, asked: number): number {
  return (
    -WEIGHTS.numberMissing * Math.max(0, numbers - asked) - WEIGHTS.numberLeft * Math.max(0, asked - numbers)
  );
}

function intentScore({ intents }: ToolDocument, asked: readonly boolean[]): number {
  return asked.reduce((score, isAsked, i) => {
    if (isAsked !== intents[i]) return score - WEIGHTS.intentOfOne;
    return isAsked ? score + WEIGHTS.intentOfBoth : score;
  }, 0);
}

function relative(scores: Float64Array): Float64Array {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return best === 0 ? scores : scores.map((score) => score / best);
}

const DOMAIN_FIELDS = { title: { weight: 3, length: 0.5 }, words: { weight: 1, length: 0.5 } };
const MOST_VALUES = 300;

/** Finds domains by words: those of their tables and columns, and of their tools' descriptions. */
export class DomainIndex {
  readonly #domains: readonly string[];
  readonly #words: Bm25;

  constructor(services: readonly Service[], tools: readonly ToolDocument[]) {
    const summaries = new Map<string, string[]>();
    for (const { db, words } of tools) {
      getOrInsert(summaries, db, (): string[] => []).push(...(words.summary ?? []));
    }
    this.#domains = services.map(({ db }) => db);
    this.#words = new Bm25(
      services.map(({ db, title, catalog }) => ({
        title: stemsOf(title),
        words: [
          ...catalog.tables.flatMap((table) => [
            ...stemsOf(`${table.name} ${table.friendly_name ?? ''}`),
            ...table.columns.flatMap((column) => [
              ...columnStems(column),
              ...stemsOf((column.value_description ?? '').slice(0, MOST_VALUES)),
            ]),
          ]),
          ...(summaries.get(db) ?? []),
        ],
      })),
      DOMAIN_FIELDS,
    );
  }

  /** Scores by domain, as fractions of the best. */
  scores(words: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const scores = relative(this.#words.scores(words));
    return new Map(this.#domains.map((db, at) => [db, scores[at] ?? 0]));
  }
}

export interface IndexedTool {
  /** The tool as shown to agents. */
  readonly tool: ToolSpec;
  readonly service: Service;
  readonly name: string;
}

export interface ToolDocument {
  readonly name: string;
  readonly db: string;
  readonly words: Fields;
  readonly intents: readonly boolean[];
  /** The columns that its parameters are compared with, as keys of mentions. */
  readonly columns: readonly string[];
  /** How many of `columns` have listed values. */
  readonly listed: number;
  /** The number of its numeric and date parameters. */
  readonly numbers: number;
}

/** The limit for characters of a column's description, and of its value description. */
const MOST_DESCRIPTION = 200;
const MOST_VALUE_CHARACTERS = 500;

/** Builds the features from a tool's listed description and the catalog's text on the columns that it reads. */
export function toolDocument({ tool, service, name }: IndexedTool): ToolDocument {
  const { description, parameters } = tool;
  const endpoint = service.endpoints.find(({ operation_id }) => operation_id === name);
  // Where a list has no descriptions, a search knows only the names.
  const isDescribed = description !== '';
  const [summary = '', ...rest] = description.split(/(?<=[.;])\s/);
  const read = endpoint && isDescribed ? columnsIn(endpoint, service) : NO_COLUMNS;
  const compared = (endpoint && isDescribed ? endpoint.parameters : []).flatMap(({ column }) => column ?? []);
  const keys = [...new Set(compared.map(({ table, column }) => columnKey(service.db, table, column)))];
  const known = compared.flatMap(({ table, column }) => findColumn(service, table, column) ?? []);
  return {
    name: tool.name,
    db: service.db,
    words: {
      name: stemsOf(tool.name),
      summary: stemsOf(summary),
      description: stemsOf(rest.join(' ')),
      parameters: Object.entries(parameters.properties).flatMap(([key, schema]) =>
        stemsOf(`${key} ${(schema.description ?? '').replace(/\([^)]*\)/, '')}`),
      ),
      tables: read.tables.flatMap((table) => stemsOf(table.name)),
      columns: read.columns.flatMap(columnStems),
      values: known.flatMap(({ value_description }) =>
        stemsOf((value_description ?? '').slice(0, MOST_VALUE_CHARACTERS)),
      ),
    },
    intents: computationsIn(isRanked(description) ? `${summary} highest` : summary),
    columns: keys,
    listed: known.filter(({ values }) => values !== undefined).length,
    numbers: endpoint?.parameters.filter(isNumber).length ?? 0,
  };
}

export function columnStems({ name, friendly_name, description }: CatalogColumn): string[] {
  return stemsOf(`${name} ${friendly_name ?? ''} ${(description ?? '').slice(0, MOST_DESCRIPTION)}`);
}

/** Whether the tool returns a few top rows in order, as questions with "most" or "best" ask. */
function isRanked(description: string): boolean {
  return /\bordered\b/i.test(description) && /\b(?:one row|rows) only\b/.test(description);
}

function isNumber({ type, name }: Endpoint['parameters'][number]): boolean {
  return type !== 'string' || /date|year|time|month|day/i.test(name);
}

interface ReadColumns {
  readonly tables: readonly CatalogTable[];
  readonly columns: readonly CatalogColumn[];
}

const NO_COLUMNS: ReadColumns = { tables: [], columns: [] };
const NAME = '"((?:[^"]|"")+)"';
const TABLE = new RegExp(`(?:FROM|JOIN|,) ${NAME} AS ${NAME}`, 'g');

/** The tables and columns in an endpoint's SQL, which is printed as `FROM "table" AS "T1"` and `"T1"."column"`. */
function columnsIn({ sql }: Endpoint, { catalog }: Service): ReadColumns {
  const tables = new Map<string, CatalogTable>();
  for (const [, table = '', alias = ''] of sql.matchAll(TABLE)) {
    const found = catalog.tables.find(({ name }) => name === unquoted(table));
    if (found) tables.set(alias, found);
  }
  const columns = new Set<CatalogColumn>();
  for (const [, alias = '', column = ''] of sql.matchAll(new RegExp(`${NAME}\\.${NAME}`, 'g'))) {
    const found = tables.get(alias)?.columns.find(({ name }) => name === unquoted(column));
    if (found) columns.add(found);
  }
  return { tables: [...new Set(tables.values())], columns: [...columns] };
}

function findColumn({ catalog }: Service, table: string, column: string): CatalogColumn | undefined {
  return catalog.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
}

function unquoted(name: string): string {
  return name.replaceAll('""', '"');
}

/** Computations that a question may ask for, as worded in English. */
const INTENTS: readonly RegExp[] = [
  /\bhow many\b|\bnumbers? of\b|\bcount\b|\bamount of\b/i,
  /\baverage\b|\bmean\b/i,
  /\bpercent|\bproportion\b|\bratio\b|\brate of\b|\bfraction\b|\bshare\b|%/i,
  /\btotal\b|\bsum\b|\baltogether\b|\boverall\b/i,
  /\b(?:high|larg|big|great|old|young|long|heavi|tall|new|late|rich|fast|strong|low|small|short|light|few|earli|cheap|slow|near|close|weak|poor)est\b|\bmost\b|\bleast\b|\bmaximum\b|\bminimum\b|\bmin\b|\bmax\b|\btop\b|\bbest\b|\bworst\b|\bbottom\b|\brecent\b|\bfirst\b|\blast\b/i,
  /\bdifference\b|\bhow much (?:more|less|higher|lower|faster)\b|\bmore .* than\b|\bgap\b/i,
  /\border(?:ed)?\b|\bsort(?:ed)?\b|\brank/i,
  /\beach\b|\bfor every\b|\bper\b|\bof all\b/i,
];

/** For each kind of computation, whether a text asks for it: a question, or a tool's summary. */
export function computationsIn(text: string): readonly boolean[] {
  return INTENTS.map((said) => said.test(text));
}

const SIBLING_FIELDS = {
  name: { weight: 1, length: 0.5 },
  summary: { weight: 2, length: 0.5 },
  parameters: { weight: 1, length: 0.5 },
};

/** For each tool, by its place in the list, the other tools of its domain, most similar first. */
export function siblingsOf(tools: readonly IndexedTool[]): readonly (readonly number[])[] {
  const domains = new Map<string, number[]>();
  for (const [at, { service }] of tools.entries()) {
    getOrInsert(domains, service.db, (): number[] => []).push(at);
  }
  const siblings: (readonly number[])[] = tools.map(() => []);
  for (const members of domains.values()) {
    const documents = members.map((at) => toolDocument(tools[at] as IndexedTool).words);
    const index = new Bm25(documents, SIBLING_FIELDS);
    for (const [i, at] of members.entries()) {
      const words = new Map(
        Object.values(documents[i] ?? {}).flatMap((list) => list.map((word) => [word, 1])),
      );
      const scores = index.scores(words);
      siblings[at] = members
        .map((other, j) => ({ other, score: scores[j] ?? 0 }))
        .filter(({ other }) => other !== at)
        .sort((a, b) => b.score - a.score || a.other - b.other)
        .map(({ other }) => other);
    }
  }
  return siblings;
}

export interface Mentions {
  /** By column, `<db>/<table>.<column>` in lower case: the weight of the mention. */
  readonly columns: ReadonlyMap<string, number>;
  /** By domain: the number of its values that are mentioned, each divided among the domains that have it. */
  readonly domains: ReadonlyMap<string, number>;
}

interface Value {
  readonly text: string;
  readonly columns: Set<string>;
  readonly domains: Set<string>;
}

const LONGEST_PHRASE = 8;
/** Values that occur as ordinary words in questions. */
const EVERYDAY = new Set(
  'the of in and is are no yes a to for by on at with all more than not other none new first last high low'.split(
    ' ',
  ),
);

/** Finds the values of categorical columns in a question's words. */
export class ValueIndex {
  readonly #values = new Map<string, Value>();

  constructor(services: readonly Service[]) {
    for (const { db, catalog } of services) {
      for (const table of catalog.tables) {
        for (const { name, values } of table.columns) {
          for (const value of values ?? []) this.#add(value, db, columnKey(db, table.name, name));
        }
      }
    }
  }

  /** The longest values that the question mentions, excluding those inside longer ones. */
  mentionsIn(question: string): Mentions {
    const words = phraseOf(question).split(' ');
    const found: { readonly from: number; readonly to: number; readonly value: Value }[] = [];
    for (let from = 0; from < words.length; from++) {
      for (let to = Math.min(words.length, from + LONGEST_PHRASE); to > from; to--) {
        const phrase = words.slice(from, to).join(' ');
        const value = this.#values.get(phrase);
        if (!value || EVERYDAY.has(phrase)) continue;
        // Short values are codes, which must match in case.
        if (phrase.length < SHORT && !question.includes(value.text)) continue;
        found.push({ from, to, value });
      }
    }
    const longestFirst = found.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
    const kept: typeof found = [];
    for (const each of longestFirst) {
      const isWithin = kept.some(
        ({ from, to }) => from <= each.from && to >= each.to && to - from > each.to - each.from,
      );
      if (!isWithin) kept.push(each);
    }
    const columns = new Map<string, number>();
    const domains = new Map<string, number>();
    for (const { value } of kept) {
      const isWord = value.text === value.text.toLowerCase() && !question.includes(value.text);
      const weight = Math.log(1 + RARE / value.columns.size) * (isWord ? WORD : 1);
      for (const column of value.columns) columns.set(column, Math.max(columns.get(column) ?? 0, weight));
      for (const db of value.domains) domains.set(db, (domains.get(db) ?? 0) + 1 / value.domains.size);
    }
    return { columns, domains };
  }

  #add(text: string, db: string, column: string): void {
    const phrase = phraseOf(text);
    if (phrase.length < 2 || /^[\d.]+$/.test(phrase)) return;
    if (phrase.length < 3 && !/[A-Z]{2}/.test(text)) return;
    const value = getOrInsert(this.#values, phrase, () => ({
      text,
      columns: new Set<string>(),
      domains: new Set<string>(),
    }));
    value.columns.add(column);
    value.domains.add(db);
  }
}

const SHORT = 4;
/** A value in more columns than this says little about any one of them. */
const RARE = 60;
/** The weight of a lower-case value that may be an ordinary word. */
const WORD = 0.6;

export function columnKey(db: string, table: string, column: string): string {
  return `${db}/${table}.${column}`.toLowerCase();
}

function phraseOf(text: string): string {
  return withoutMarks(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.%+#-]+/gu, ' ')
    .replace(/[.-](?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
