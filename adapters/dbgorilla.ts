import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { PROPERTY_TYPES, QUERY_TOOL } from '../contracts/query-tool.ts';
import { faultIn } from '../contracts/wording.ts';
import type { AgentCall } from '../eval/calls/calls.ts';
import { isObject, type JsonObject } from '../eval/json/lossless.ts';
import { type QueryScore, scoreDbGorilla } from '../eval/metrics/query-tool.ts';
import type { FormatCommand, FormatTable } from './format-command.ts';
import { importInvalid, requireFile } from './imports.ts';

const property = z.object({ name: z.string(), data_type: z.array(z.string()) });
const schema = z.object({
  weaviate_collections: z.array(z.object({ name: z.string(), properties: z.array(property) })),
});
type PublishedSchema = z.infer<typeof schema>;

const given = z.record(z.string(), z.unknown());

/** The schema as JSON text, or as an object. */
const schemaOrText = z.union([
  z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON' });
      return z.NEVER;
    }
  }),
  z.unknown(),
]);

/** A record in the format of the authors' code or of the paper. */
export const publishedRecord = z.union([
  z
    .object({ database_schema: schemaOrText.pipe(schema), query: given })
    .transform(({ database_schema, query }) => ({
      schema: database_schema,
      question: String(query.corresponding_natural_language_query ?? ''),
      query,
    })),
  z
    .object({ schema: schemaOrText.pipe(schema), nl_command: z.string(), ground_truth_query: given })
    .transform(({ schema: database_schema, nl_command, ground_truth_query }) => ({
      schema: database_schema,
      question: nl_command,
      query: ground_truth_query,
    })),
]);

export interface PublishedCollection {
  readonly name: string;
  /** Types by property, in order: `number`, `text`, `boolean`. */
  readonly properties: ReadonlyMap<string, string>;
}

export function collectionsIn({ weaviate_collections }: PublishedSchema): PublishedCollection[] {
  return weaviate_collections.map(({ name, properties }) => ({
    name,
    properties: new Map(
      properties.map((one) => [one.name, TYPES[one.data_type[0] ?? ''] ?? one.data_type[0] ?? 'unknown']),
    ),
  }));
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  text: 'text',
  number: 'number',
  int: 'number',
  boolean: 'boolean',
};

/** The arguments of a published query under the tool's names, without nulls. */
export function toArguments(query: Readonly<Record<string, unknown>>): JsonObject {
  const {
    target_collection,
    corresponding_natural_language_query: _,
    database_schema: __,
    ...others
  } = query;
  const named = { collection_name: query.collection_name ?? target_collection ?? null, ...others };
  return withoutNulls(named) as JsonObject;
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

/** A defect of a published gold query. */
export interface Quirk {
  readonly kind: 'unknown_collection' | 'unknown_property' | 'type_mismatch' | 'stray_limit';
  readonly argument: string;
  readonly detail: string;
}

const WORDS = { integer: 'number', text: 'text', boolean: 'boolean' } as const;

/** Unknown names, properties of another type, and a limit that the metric does not use. */
export function findQuirks(query: JsonObject, collections: readonly PublishedCollection[]): Quirk[] {
  const wanted = String(query.collection_name);
  const collection = collections.find(({ name }) => name === wanted);
  if (!collection)
    return [{ kind: 'unknown_collection', argument: 'collection_name', detail: `there is no ${wanted}` }];
  const quirks: Quirk[] = [];
  const check = (argument: string, name: string, type: string | null) => {
    const found = collection.properties.get(name);
    if (found === undefined) {
      quirks.push({ kind: 'unknown_property', argument, detail: `${wanted} has no property ${name}` });
    } else if (type !== null && found !== type) {
      quirks.push({ kind: 'type_mismatch', argument, detail: `${name} is a ${found}, not a ${type}` });
    }
  };
  for (const type of PROPERTY_TYPES) {
    for (const what of ['filter', 'aggregation']) {
      const argument = `${type}_property_${what}`;
      const value = query[argument] ?? null;
      if (isObject(value)) check(argument, String(value.property_name), WORDS[type]);
    }
  }
  if (typeof query.groupby_property === 'string') check('groupby_property', query.groupby_property, null);
  const text = query.text_property_aggregation ?? null;
  if (isObject(text) && text.metrics !== 'TOP_OCCURRENCES' && text.top_occurrences_limit !== undefined) {
    const detail = `${String(text.metrics)} has no use for top_occurrences_limit`;
    quirks.push({ kind: 'stray_limit', argument: 'text_property_aggregation', detail });
  }
  return quirks;
}

/** A published question with its gold query. It has no rows, so it is not a question of a split. */
export interface ImportedQuery {
  /** Index in the file. */
  readonly id: number;
  readonly question: string;
  /** Names of the collections in its schema. */
  readonly collections: readonly string[];
  /** Arguments of the `query` tool. */
  readonly query: JsonObject;
  readonly quirks: readonly Quirk[];
}

/** Reads DBGorilla's published questions, in either of the two formats. Throws IMPORT_INVALID. */
export function importDbGorilla(file: string): ImportedQuery[] {
  const read = z.array(publishedRecord).min(1).safeParse(readJson(file));
  if (!read.success) {
    throw importInvalid(file, `is no list of questions with their queries (${faultIn(read.error, 'it')})`);
  }
  return read.data.map(({ schema, question, query: given }, id) => {
    const query = toArguments(given);
    const collections = collectionsIn(schema);
    const quirks = findQuirks(query, collections);
    return { id, question, collections: collections.map(({ name }) => name), query, quirks };
  });
}

/** Reads a JSON file. Throws IMPORT_INVALID. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw importInvalid(file, 'is no JSON file', error);
  }
}

const resultsFile = z.object({
  model_name: z.string().optional(),
  detailed_results: z.array(
    z.object({
      query_index: z.int(),
      database_schema_index: z.int(),
      predicted_query: z.record(z.string(), z.unknown()).nullish(),
      ast_score: z.number().nullish(),
      error: z.string().nullish(),
    }),
  ),
});

export interface PublishedScore {
  readonly id: number;
  readonly score: QueryScore;
  /** The score in the file. */
  readonly published: number | null;
  /** The question was asked with another schema's tool, so that it could not be answered. */
  readonly otherSchema: boolean;
}

export interface PublishedScores {
  readonly model: string;
  readonly scores: readonly PublishedScore[];
}

/**
 * Scores a model's published predictions like ours, but without execution, since there are no rows. Throws
 * IMPORT_INVALID.
 */
export function scorePublished(file: string, queries: readonly ImportedQuery[]): PublishedScores {
  const read = resultsFile.safeParse(readJson(file));
  if (!read.success) throw importInvalid(file, 'is no file of results: it has no detailed_results');
  const schemas = [...new Set(queries.map(({ collections }) => collections.join()))];
  const scores = read.data.detailed_results.map((result): PublishedScore => {
    const gold = queries[result.query_index];
    if (!gold)
      throw importInvalid(file, `has a result for question ${result.query_index}, which there is not`);
    return {
      id: gold.id,
      score: scoreDbGorilla(gold.query, callsOf(result)),
      published: result.ast_score ?? null,
      otherSchema: schemas.indexOf(gold.collections.join()) !== result.database_schema_index,
    };
  });
  return { model: read.data.model_name ?? file, scores };
}

/** An unreadable call still counts as a call. */
function callsOf({
  predicted_query,
  error,
}: z.infer<typeof resultsFile>['detailed_results'][number]): AgentCall[] {
  if (predicted_query) return [{ name: QUERY_TOOL, arguments: toArguments(predicted_query), label: null }];
  return error && !/no tool called/i.test(error) ? [{ name: QUERY_TOOL, arguments: {}, label: null }] : [];
}

/** Published questions with their defects, and the scores of published predictions. */
const published: FormatCommand<[queries: string, results: readonly string[]], { readonly out: string }> = {
  of: 'import',
  name: 'dbgorilla',
  description:
    "DBGorilla's published questions, with what is wrong with them; scores of its published predictions",
  arguments: [
    ['<queries>', 'synthetic-weaviate-queries-with-schemas.json'],
    ['[results...]', 'files of predictions, such as gpt-4o.json'],
  ],
  options: [
    { flags: '-o, --out <file>', description: 'where the questions go, a line each', required: true },
  ],
  run([file, results], { out }) {
    const queries = importDbGorilla(requireFile(file));
    const scored = results.map((each) => scorePublished(requireFile(each), queries));
    const quirks = queries.flatMap(({ id, quirks: found }) =>
      found.map(({ kind, argument, detail }) => [id, kind, argument, detail]),
    );
    const flagged = queries.filter((query) => query.quirks.length > 0).length;
    const title = `${queries.length} questions written to ${out}; ${flagged} have gold queries with quirks`;
    const head = ['question', 'quirk', 'argument', ''];
    return {
      files: [{ path: out, content: queries.map((query) => `${JSON.stringify(query)}\n`).join('') }],
      print: [
        flagged > 0 ? { title: `${title}:`, head, rows: quirks } : title,
        ...(scored.length > 0 ? [scoreTable(scored)] : []),
      ],
    };
  },
};

export const commands = [published];

const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

/** The columns of the table: the mean of each over all scores. */
const MEANS: readonly (readonly [
  head: string,
  of: (score: QueryScore) => number | boolean,
  print?: (mean: number) => string,
])[] = [
  ['exact', ({ exact }) => exact],
  ['strict', ({ exact_strict }) => exact_strict],
  ['published exact', ({ exact_legacy }) => exact_legacy],
  ['AST, paper', ({ ast }) => ast, (mean) => mean.toFixed(3)],
  ['AST, code', ({ ast_legacy }) => ast_legacy, (mean) => mean.toFixed(3)],
  ['routing', ({ routed }) => routed],
  ['tool selected', ({ call }) => call !== 'none'],
  ['invalid', ({ call }) => call === 'invalid'],
];

function scoreTable(all: readonly PublishedScores[]): FormatTable {
  const rows = all.map(({ model, scores }) => [
    model,
    ...MEANS.map(([, of, print = percent]) =>
      print(scores.reduce((sum, { score }) => sum + Number(of(score)), 0) / scores.length),
    ),
    scores.filter(({ otherSchema }) => otherSchema).length,
  ]);
  const head = ['model', ...MEANS.map(([name]) => name), 'asked with another schema'];
  return { title: 'Published predictions', head, rows };
}
