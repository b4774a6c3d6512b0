import type { FastifyInstance } from 'fastify';
import { problem } from '../../../contracts/api.ts';
import { query } from '../../../contracts/formulations.ts';
import {
  AGGREGATE_METRICS,
  collectionTools,
  DEFAULT_TOP,
  FILTER_OPERATORS,
  QUERY_TEXT,
  QUERY_TOOL,
  QueryTextError,
  RATIONALE,
  readQueryText,
} from '../../../contracts/query-tool.ts';
import type { Service } from '../../../contracts/service.ts';
import { fieldError } from '../../base/arguments.ts';
import { domainDocument, errorCodes, schemaOf, toolOperation } from '../../base/http/api-document.ts';
import { type Caller, callerOfRequest } from '../../base/http/caller.ts';
import { unknownTool } from '../../base/http/problem.ts';
import { readBody } from '../../base/http/typed-routes.ts';
import { jsonSql } from '../../base/sqlite/driver.ts';
import { type RuntimeContext, runStatement, type ServedDomain } from '../runtime.ts';
import { toStatement } from '../tools/conditions.ts';
import { describeColumn } from '../tools/plan.ts';
import {
  answerOf,
  COLUMNS,
  closedObject,
  type JsonSchema,
  MOST_CHARACTERS,
  ROWS,
  type ToolSpec,
  type ToolView,
} from '../tools/tool-spec.ts';
import { type Collection, domainCollections, typeName } from './collections.ts';
import { compileQuery, type ReadQuery, readQuery } from './compile-query.ts';
import { nearestRows } from './vectors.ts';

/** SQLite steps per row read, and again per row sorted. */
const STEPS_PER_ROW = 12;
const STEPS_PER_SORTED_ROW = 60;

/**
 * `POST /v1/:split/:db/query/query_database`, or a tool of one collection: the body has the arguments, the response is
 * a `queryAnswer`.
 */
export function queryRoutes(app: FastifyInstance, context: RuntimeContext): void {
  app.post('/v1/:split/:db/query/:tool', { config: { kind: 'query' } }, async (request, reply) => {
    const domain = context.domains.of(request);
    const { tool } = request.params as { readonly tool: string };
    const body = await answerQueryTool(context, domain, tool, request.body, callerOfRequest(request, reply));
    return reply.header('content-type', 'application/json; charset=utf-8').send(body);
  });
}

/**
 * The JSON text of a query's rows. Throws UNKNOWN_TOOL, INVALID_PARAMETERS, BAD_REQUEST, and the errors of running it.
 */
export async function answerQueryTool(
  context: RuntimeContext,
  domain: ServedDomain,
  tool: string,
  given: unknown,
  asker: Caller,
): Promise<string> {
  const query = await withNearest(domain, readCall(domain, tool, given));
  const { select, columns } = compileQuery(query);
  const { sql, parameters } = toStatement(select);
  const statement = { sql: jsonSql(sql, columns), parameters, steps: stepsOf(query), kind: 'query' } as const;
  const rows = await runStatement(context, domain, statement, asker);
  return `{"columns":${JSON.stringify(columns)},"data":[${rows.text}],"row_count":${rows.count},"truncated":${rows.truncated}}`;
}

/** Where search is by vectors, a query with the rows that its search finds. */
async function withNearest(domain: ServedDomain, query: ReadQuery): Promise<ReadQuery> {
  const { vectors } = domain.service;
  const { search, collection } = query;
  if (!vectors || !search) return query;
  const nearest = await nearestRows(domain, vectors, collection.name, search.text);
  return { ...query, search: { ...search, nearest } };
}

function readCall(domain: ServedDomain, tool: string, body: unknown): ReadQuery {
  const collections = domainCollections(domain.service);
  const own = tool === QUERY_TOOL ? undefined : toolsOf(collections).get(tool);
  if (tool !== QUERY_TOOL && own === undefined) throw unknownTool(tool, [QUERY_TOOL]);
  return readBody(body ?? {}, (given) => {
    if (own === undefined) return readQuery(collections, queryOf(given));
    if ('collection_name' in given) {
      const message = `collection_name is no argument of ${tool}, which is of one collection`;
      throw fieldError('collection_name', 'unknown_parameter', message);
    }
    return readQuery(collections, { ...given, collection_name: own });
  });
}

function toolsOf(collections: readonly Collection[]): ReadonlyMap<string, string> {
  return collectionTools(collections.map(({ name }) => name));
}

function stepsOf({ collection, aggregations, group }: ReadQuery): number {
  const sorts =
    group !== null ||
    aggregations.some(({ metric }) => ['MEDIAN', 'MODE', 'TOP_OCCURRENCES'].includes(metric));
  return collection.table.rows * (sorts ? STEPS_PER_SORTED_ROW : STEPS_PER_ROW);
}

/**
 * The arguments in a body: those of its query text if it has one, else its own. Throws ArgumentError with the position
 * of a syntax error.
 */
export function queryOf(body: object): object {
  if (!(QUERY_TEXT in body)) return body;
  const { [QUERY_TEXT]: text, ...others } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const message = `${QUERY_TEXT} holds the whole query: ${other} cannot stand beside it`;
    throw fieldError(other, 'unknown_parameter', message);
  }
  if (typeof text !== 'string') throw fieldError(QUERY_TEXT, 'wrong_type', `${QUERY_TEXT} must be a text`);
  try {
    return readQueryText(text);
  } catch (error) {
    if (error instanceof QueryTextError) throw fieldError(QUERY_TEXT, 'wrong_type', error.message);
    throw error;
  }
}

/** Describes the language of query texts, for the tool's one argument. */
export function languageOf(searchable: boolean): string {
  const search = searchable ? " [SEARCH 'words']" : '';
  const list = (words: readonly string[]) => words.join(' ');
  return [
    'The query, in this order. Parts in brackets are optional; use those that the question needs:',
    `collection${search} [WHERE filter AND filter …] [AGGREGATE metric(property), …] [GROUP BY property]`,
    'At most one filter and one metric for each type of property.',
    `Filters: number ${list(FILTER_OPERATORS.integer)} 5; text ${list(FILTER_OPERATORS.text)} 'words'; boolean ${list(FILTER_OPERATORS.boolean)} true or false. ` +
      'LIKE takes words that the text contains, or a pattern with % or *.',
    `Metrics: of a number ${list(AGGREGATE_METRICS.integer)}; of a text ${list(AGGREGATE_METRICS.text)}; of a boolean ${list(AGGREGATE_METRICS.boolean)}. ` +
      'For COUNT and TYPE, give the type of the property: COUNT(name: text), COUNT(price: number), COUNT(open: boolean). ' +
      `TOP_OCCURRENCES(name, 3) returns the 3 most frequent values; ${DEFAULT_TOP} by default.`,
    "A text is in '…', with '' for a quote in it. A name that is not a plain word, or is a keyword, is in \"…\".",
    `Example: pubs${searchable ? " SEARCH 'live music'" : ''} WHERE seats >= 40 AND open = true AGGREGATE MEAN(price), TOP_OCCURRENCES(beer, 3) GROUP BY city`,
  ].join('\n');
}

/** Short enough to leave room for three collections of six properties. */
const PURPOSE =
  'Queries one collection of the database. Search, filters, aggregations and grouping are optional and can be ' +
  'combined. Without an aggregation or a group, the items themselves are returned. Use only the operators ' +
  '(search, filters, aggregations, groupby) that the question needs.';

/** The tools of a domain as a list offers them: one tool, or one per collection. */
export function queryToolSpecs(
  collections: readonly Collection[],
  view: ToolView = BASE,
): readonly ToolSpec[] {
  if (view.variant !== 'per-collection') return [queryToolSpec(collections, view)];
  const names = [...collectionTools(collections.map(({ name }) => name)).keys()];
  return collections.map((collection, at) => collectionSpec(names[at] ?? '', collection, view));
}

const BASE: ToolView = { variant: 'base', full: false };

/** The one tool of a domain. Its description lists the collections if they fit. */
export function queryToolSpec(collections: readonly Collection[], view: ToolView = BASE): ToolSpec {
  const told = `Available collections in this database:\n${collections.map((each) => describe(each, view.full)).join('\n')}`;
  const whole = `${PURPOSE}\n${told}`;
  const fits = whole.length <= MOST_CHARACTERS;
  const collectionName = {
    type: 'string',
    enum: collections.map(({ name }) => name),
    description: fits ? 'The collection to query.' : `The collection to query. ${told}`,
  };
  const searchable = collections.some((each) => each.searchable);
  if (view.variant === 'dsl') {
    const description = languageOf(searchable) + (fits ? '' : `\n${told}`);
    return {
      name: QUERY_TOOL,
      description: fits ? whole : PURPOSE,
      parameters: closedObject({ [QUERY_TEXT]: { type: 'string', description } }),
    };
  }
  const asksWhy = view.variant === 'rationale';
  return {
    name: QUERY_TOOL,
    description: fits ? whole : PURPOSE,
    parameters: {
      ...closedObject({
        ...(asksWhy ? { [RATIONALE]: WHY } : {}),
        collection_name: collectionName,
        ...(searchable ? { search_query: searchOf(collections) } : {}),
        ...ARGUMENTS,
      }),
      required: [...(asksWhy ? [RATIONALE] : []), 'collection_name'],
    },
  };
}

const WHY: JsonSchema = {
  type: 'string',
  description: 'Why these arguments and values answer the question.',
};

/** The tool of one collection, whose filters and metrics are in its own description or in that of the group. */
function collectionSpec(name: string, collection: Collection, { full }: ToolView): ToolSpec {
  const told = describe(collection, full);
  const purpose = PURPOSE.replace('one collection of the database', `the collection ${collection.name}`);
  const whole = `${purpose}\n${told}`;
  const fits = whole.length <= MOST_CHARACTERS;
  const { groupby_property } = ARGUMENTS;
  return {
    name,
    description: fits ? whole : purpose,
    parameters: {
      ...closedObject({
        ...(collection.searchable ? { search_query: searchOf([collection]) } : {}),
        ...ARGUMENTS,
        ...(fits || !groupby_property
          ? {}
          : {
              groupby_property: {
                ...groupby_property,
                description: `${groupby_property.description} ${told}`,
              },
            }),
      }),
      required: [],
    },
  };
}

function describe({ name, properties, table }: Collection, full: boolean): string {
  const about = ({ column }: Collection['properties'][number]) => {
    const meaning = full ? describeColumn(column) : null;
    return meaning === null ? '' : ` ${meaning}`;
  };
  const lines = properties.map((each) => `- ${each.name}: (type: ${typeName(each)})${about(each)}`);
  const row = table.words?.row === undefined ? null : `Each item is ${table.words.row}.`;
  const overview = full ? [table.description ?? row].filter((text) => text !== null && text !== '') : [];
  return [`Collection Name: ${name}`, ...overview, 'Properties:', ...lines].join('\n');
}

function filter(type: keyof typeof FILTER_OPERATORS, what: string, value: JsonSchema): JsonSchema {
  return {
    ...closedObject({
      property_name: { type: 'string', description: `The ${what} property to filter by.` },
      operator: { type: 'string', enum: FILTER_OPERATORS[type] },
      value,
    }),
    description: `Filters the items by comparing a ${what} property with a value.`,
  };
}

function aggregation(
  type: keyof typeof AGGREGATE_METRICS,
  what: string,
  more: Readonly<Record<string, JsonSchema>>,
) {
  const all = closedObject({
    property_name: { type: 'string', description: `The ${what} property to aggregate.` },
    metrics: { type: 'string', enum: AGGREGATE_METRICS[type], description: 'The metric to compute.' },
    ...more,
  });
  return {
    ...all,
    required: ['property_name', 'metrics'],
    description: `Computes a metric over the values of a ${what} property.`,
  };
}

const SEARCH: JsonSchema = {
  type: 'string',
  description:
    "Words to search for in the collection's texts. Only items that contain all of them are kept, the best match first.",
};

const SEARCH_ABOUT: JsonSchema = {
  type: 'string',
  description: 'What the texts should be about, even if they say it in other words.',
};

function searchOf(collections: readonly Collection[]): JsonSchema {
  return collections.some(({ about, byVectors }) => about || byVectors) ? SEARCH_ABOUT : SEARCH;
}

const ARGUMENTS: Readonly<Record<string, JsonSchema>> = {
  integer_property_filter: filter('integer', 'numeric', { type: 'number' }),
  text_property_filter: filter('text', 'text', {
    type: 'string',
    description:
      'The text to compare with. For LIKE, words that the property must contain, or a pattern with % or *.',
  }),
  boolean_property_filter: filter('boolean', 'boolean', { type: 'boolean' }),
  integer_property_aggregation: aggregation('integer', 'numeric', {}),
  text_property_aggregation: aggregation('text', 'text', {
    top_occurrences_limit: {
      type: 'integer',
      description: `How many values TOP_OCCURRENCES returns, the most frequent first; ${DEFAULT_TOP} by default.`,
    },
  }),
  boolean_property_aggregation: aggregation('boolean', 'boolean', {}),
  groupby_property: {
    type: 'string',
    description:
      'The property to group by. The answer has one row for each of its values, with the number of items unless an aggregation is ' +
      'given.',
  },
};

/** The schema of the tool's answers, whose columns depend on the call. */
export const QUERY_ANSWER_SCHEMA = answerOf({
  ...COLUMNS,
  ...ROWS,
  truncated: { type: 'boolean', description: 'Whether there are more rows than an answer can hold.' },
});

const CODES = errorCodes(
  'INVALID_PARAMETERS BAD_REQUEST UNKNOWN_TOOL UNKNOWN_DOMAIN REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE QUERY_FAILED ANSWER_TOO_LARGE OVERLOADED QUERY_TIMEOUT INTERNAL',
);

export function queryOpenapi(service: Service, tool: ToolSpec) {
  const { split, db, title } = service;
  const info = {
    title: `${title}: ${query.title} tool`,
    summary: `One tool to query the tables of ${title}`,
    description: 'Search, filter, aggregate and group a collection in one call.',
  };
  const answer = { $ref: '#/components/schemas/QueryAnswer' };
  return domainDocument(service, info, {
    tags: [{ name: query.title, description: query.summary }],
    paths: {
      [query.routeOf({ split, db, endpoints: [] }, tool.name).path]: {
        post: toolOperation(tool, query.title, answer, service.vectors ? [...CODES, 'API_FAILED'] : CODES),
      },
    },
    components: { schemas: { QueryAnswer: QUERY_ANSWER_SCHEMA, Problem: schemaOf(problem) } },
  });
}
