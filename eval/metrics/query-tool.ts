import { z } from 'zod';
import { QUERY_TOOL, queryArguments } from '../../contracts/query-tool.ts';
import type { Sample } from '../../contracts/sample.ts';
import { QUERY_COMPONENTS } from '../../contracts/vocabulary.ts';
import { type AgentCall, type CallElement, isCall } from '../calls/calls.ts';
import { sameValue, type ToolSchema } from '../calls/tool-universe.ts';
import { isObject, type Json, type JsonObject, plain } from '../json/lossless.ts';
import { pythonEquals } from '../json/python.ts';
import {
  computeShares,
  count,
  groupsBy,
  mean,
  meanOf,
  number,
  percent,
  type ReportTable,
  type Resampling,
  ratio,
  shareRows,
  shareSchemas,
  type TableColumn,
  type TitledShares,
  tableOf,
} from './figures.ts';
import type { Report, SampleScore } from './report.ts';

export const queryComponent = z.enum(QUERY_COMPONENTS);

/** How the calls of the `query` tool compare with the gold call; the outcome judges the rows. */
export const queryScore = z.object({
  /** Whether the tool was called, and at least once with arguments that match its schema. */
  call: z.enum(['valid', 'invalid', 'none']),
  /** Collection, presence of a search, filters, aggregations and group-by are all equal. */
  exact: z.boolean(),
  /** `exact`, with the same search text. */
  exact_strict: z.boolean(),
  /** The AST score of the published code is 1. */
  exact_legacy: z.boolean(),
  /** AST score by the paper's definition, and by the published code's. */
  ast: z.number(),
  ast_legacy: z.number(),
  /** Whether the collection is the gold one. */
  routed: z.boolean(),
  /** By the number of operators in the gold call. */
  complexity: z.enum(['simple', 'moderate', 'complex']),
  components: z.array(queryComponent),
});
export type QueryScore = z.infer<typeof queryScore>;

/** Figures over a part of the `query` tasks. */
export const queryGroup = z.object({
  key: z.string(),
  n: count,
  /** Samples with the right rows. */
  passed: count,
  exact: count,
  exact_strict: count,
  exact_legacy: count,
  ast: ratio,
  ast_legacy: ratio,
  routed: count,
});
export type QueryGroup = z.infer<typeof queryGroup>;

/** Shares, with their titles in tables. That of the right rows is the main criterion. */
const SHARES = {
  completion: ['execution: the rows are right', ({ outcome }) => outcome === 'pass'],
  exact: ['exact match', ({ query }) => query?.exact ?? null],
  exact_strict: ['exact match, search text too', ({ query }) => query?.exact_strict ?? null],
  exact_legacy: ['exact match, as published', ({ query }) => query?.exact_legacy ?? null],
  routing: ['routing', ({ query }) => query?.routed ?? null],
  tool_selection: ['tool selected', ({ query }) => query && query.call !== 'none'],
  /** Called, but only with arguments that do not match the schema. */
  invalid_calls: ['invalid calls', ({ query }) => query && query.call === 'invalid'],
} satisfies TitledShares;

const { routing, tool_selection, invalid_calls, ...exactness } = shareSchemas(SHARES);

export const queryFigures = z.object({
  ...exactness,
  ast: mean,
  ast_legacy: mean,
  routing,
  tool_selection,
  invalid_calls,
  /** By operator in the gold call. */
  by_component: z.array(queryGroup),
  by_complexity: z.array(queryGroup),
  by_use_case: z.array(queryGroup),
});

const FILTERS = ['integer_property_filter', 'text_property_filter', 'boolean_property_filter'] as const;
const AGGREGATIONS = [
  'integer_property_aggregation',
  'text_property_aggregation',
  'boolean_property_aggregation',
] as const;
/**
 * DBGorilla: calls of its single tool `query_database` against a gold query.
 *
 * Source: "Querying Databases with Function Calling" (arXiv 2502.00032) and `src/utils/metrics.py` of
 * weaviate-gorilla. AST score: 0 for another collection; else 0.4, plus 0.15 each for search (both or neither
 * have one, whatever its text), filters, aggregations and group-by. The two versions differ in filters and
 * aggregations. By the paper (`ast`), they score only if identical. By the published code (`ast_legacy`),
 * they score the share of the three property types that agree (both lacking one is agreement); a type that
 * only one side has is excluded from that share, so a forgotten or invented filter costs nothing. Exact match
 * has no published code; here it is equality of everything that the paper's AST score considers. Of parallel
 * calls the best counts. Without a call, or with one that the tool would reject by its schema (by
 * `collections`, if known), all scores are 0, and the collection counts as not routed. `exact_legacy` is a
 * score of 1 by the published code, which the published files suggest is what the paper calls exact match.
 */
export function scoreDbGorilla(
  gold: JsonObject,
  calls: readonly AgentCall[],
  collections: readonly string[] | null = null,
): QueryScore {
  const components = queryComponent.options.filter((component) => has(gold, component));
  const complexity = components.length <= 1 ? 'simple' : components.length === 2 ? 'moderate' : 'complex';
  const made = calls.filter(({ name }) => name === QUERY_TOOL).map((call) => call.arguments);
  const scored = made
    .filter((query) => isValid(query, collections))
    .map((query) => {
      const ast_legacy = astByCode(gold, query);
      return {
        ast_legacy,
        // The sum of shares that are all 1, up to rounding.
        exact_legacy: ast_legacy > 0.999_999,
        ...compare(gold, query),
      };
    });
  const [best] = scored.sort((a, b) => Number(b.exact) - Number(a.exact) || b.ast - a.ast);
  const none = {
    exact: false,
    exact_strict: false,
    exact_legacy: false,
    ast: 0,
    ast_legacy: 0,
    routed: false,
  };
  const call = best ? 'valid' : made.length > 0 ? 'invalid' : 'none';
  return { call, ...(best ?? none), complexity, components: [...components] };
}

/** Whether the query matches the tool's schema; null means that an argument is omitted. */
function isValid(query: JsonObject, collections: readonly string[] | null): boolean {
  const given = Object.entries(query).filter(([, value]) => value !== null);
  const read = queryArguments.safeParse(plain(Object.fromEntries(given)));
  return read.success && (collections?.includes(read.data.collection_name) ?? true);
}

function compare(
  gold: JsonObject,
  query: JsonObject,
): Pick<QueryScore, 'ast' | 'exact' | 'exact_strict' | 'routed'> {
  const isSame = (slot: string) => sameValue(fieldOf(gold, slot), fieldOf(query, slot));
  const parts = [
    has(gold, 'search_query') === has(query, 'search_query'),
    FILTERS.every(isSame),
    AGGREGATIONS.every(isSame),
    isSame('groupby_property'),
  ];
  const routed = sameCollection(gold, query);
  const exact = routed && parts.every(Boolean);
  return {
    ast: routed ? 0.4 + 0.15 * parts.filter(Boolean).length : 0,
    exact,
    exact_strict: exact && fieldOf(gold, 'search_query') === fieldOf(query, 'search_query'),
    routed,
  };
}

function astByCode(gold: JsonObject, query: JsonObject): number {
  if (!sameCollection(gold, query)) return 0;
  return (
    0.4 +
    0.15 * Number(sameSearchLegacy(gold, query)) +
    0.15 * agreement(FILTERS, ['property_name', 'operator', 'value'], gold, query) +
    0.15 * agreement(AGGREGATIONS, ['property_name', 'metrics'], gold, query) +
    0.15 * Number(pythonEquals(fieldOf(gold, 'groupby_property'), fieldOf(query, 'groupby_property')))
  );
}

/** In the published code, an empty search text counts neither as present nor as absent. */
function sameSearchLegacy(gold: JsonObject, query: JsonObject): boolean {
  const [a, b] = [fieldOf(gold, 'search_query'), fieldOf(query, 'search_query')];
  return (a === null && b === null) || (Boolean(a) && Boolean(b));
}

function agreement(
  slots: readonly string[],
  fields: readonly string[],
  gold: JsonObject,
  query: JsonObject,
): number {
  let [score, count] = [0, 0];
  for (const slot of slots) {
    const [a, b] = [fieldOf(gold, slot), fieldOf(query, slot)];
    if ((a === null) !== (b === null)) continue;
    count++;
    if (a === null && b === null) score++;
    else if (a !== null && b !== null && fields.every((f) => pythonEquals(fieldOf(a, f), fieldOf(b, f))))
      score++;
  }
  return count === 0 ? 0 : score / count;
}

function sameCollection(gold: JsonObject, query: JsonObject): boolean {
  return pythonEquals(fieldOf(gold, 'collection_name'), fieldOf(query, 'collection_name'));
}

/** Whether an argument is given; an empty search does not count. */
function has(query: JsonObject, key: string): boolean {
  const value = fieldOf(query, key);
  return value !== null && !(key === 'search_query' && value === '');
}

/** A field's value; null (Python's None) if absent. */
function fieldOf(object: Json, key: string): Json {
  return isObject(object) && Object.hasOwn(object, key) ? (object[key] ?? null) : null;
}

/** Compares calls of the `query` tool with a sample's gold call; null for samples of other tools. */
export function scoreQueryTool(
  sample: Sample,
  elements: readonly CallElement[],
  tools: ReadonlyMap<string, ToolSchema>,
): QueryScore | null {
  const [gold, ...others] = sample.output;
  if (gold?.name !== QUERY_TOOL || others.length > 0) return null;
  const collections = tools.get(QUERY_TOOL)?.properties.collection_name?.enum;
  return scoreDbGorilla(
    gold.arguments as JsonObject,
    elements.filter(isCall),
    collections?.map(String) ?? null,
  );
}

type Scored = SampleScore & { readonly query: QueryScore };

/** The figures of the `query` tool; null if no attempt at its tasks has known calls. */
export function summarizeQueryTool(
  samples: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['query'] {
  const scored = samples.filter((sample): sample is Scored => sample.query !== null);
  if (scored.length === 0) return null;
  const domains = [...new Set(scored.map(({ db }) => db))].sort();
  const groups = <Key extends string>(keys: readonly Key[], isOf: (sample: Scored, key: Key) => boolean) =>
    groupsBy(keys, scored, isOf, groupOf);
  return {
    ...computeShares(scored, SHARES, resampling),
    ast: meanOf(scored, ({ query }) => query?.ast ?? null),
    ast_legacy: meanOf(scored, ({ query }) => query?.ast_legacy ?? null),
    by_component: groups(QUERY_COMPONENTS, ({ query }, key) => query.components.includes(key)),
    by_complexity: groups(['simple', 'moderate', 'complex'], ({ query }, key) => query.complexity === key),
    by_use_case: groups(domains, ({ db }, key) => db === key),
  };
}

function groupOf(key: string, samples: readonly Scored[]): QueryGroup {
  const count = (of: (sample: Scored) => boolean) => samples.filter(of).length;
  return {
    key,
    n: samples.length,
    passed: count(({ outcome }) => outcome === 'pass'),
    exact: count(({ query }) => query.exact),
    exact_strict: count(({ query }) => query.exact_strict),
    exact_legacy: count(({ query }) => query.exact_legacy),
    ast: meanOf(samples, ({ query }) => query?.ast ?? null).value,
    ast_legacy: meanOf(samples, ({ query }) => query?.ast_legacy ?? null).value,
    routed: count(({ query }) => query.routed),
  };
}

/** Tables of the `query` metrics and their groups; no rows if no task was run. */
export function queryToolTables({ metrics: { query } }: Report): ReportTable[] {
  if (query === null) return [];
  const means = [
    ['AST score, by the paper', query.ast],
    ['AST score, by the published code', query.ast_legacy],
  ] as const;
  return [
    {
      title: 'Query tool',
      head: ['', '  value', '95 % interval', ''],
      rows: [
        ...shareRows(SHARES, query),
        ...means.map(([name, { value, n }]) => [
          name,
          (value?.toFixed(3) ?? '–').padStart(7),
          '',
          `mean of ${n}`,
        ]),
      ],
    },
    tableOf(
      'Query tool, by component',
      query.by_component.map((group) => ({ ...group, key: group.key.replace(/_property_|_/g, ' ') })),
      GROUP_COLUMNS,
    ),
    tableOf('Query tool, by complexity', query.by_complexity, GROUP_COLUMNS),
    tableOf('Query tool, by use case', query.by_use_case, GROUP_COLUMNS),
  ];
}

const GROUP_COLUMNS: readonly TableColumn<QueryGroup>[] = [
  ['', ({ key }) => key],
  ['execution', ({ passed, n }) => passed / n, percent],
  ['    exact', ({ exact, n }) => exact / n, percent],
  ['   strict', ({ exact_strict, n }) => exact_strict / n, percent],
  ['published', ({ exact_legacy, n }) => exact_legacy / n, percent],
  ['      AST', ({ ast }) => ast, (ast, width) => (ast?.toFixed(3) ?? '–').padStart(width)],
  ['  routing', ({ routed, n }) => routed / n, percent],
  ['        N', ({ n }) => n, number],
];
