import { z } from 'zod';
import { QUERY_TOOL, queryArguments } from '../../contracts/query-tool.ts';
import type { Sample } from '../../contracts/sample.ts';
import { QUERY_COMPONENTS } from '../../contracts/vocabulary.ts';
import { type AgentCall, type CallElement, isCall } from '../calls/agent-call.ts';
import { sameValue, type ToolSchema } from '../calls/tool-universe.ts';
import { isObject, type Json, type JsonObject, plain } from '../json/lossless.ts';
import { pythonEquals } from '../json/python.ts';
import {
  computeFigures,
  count,
  mean,
  meanOf,
  number,
  percent,
  type ReportTable,
  type Resampling,
  ratio,
  type SampleTest,
  share,
  shareRow,
} from './figures.ts';
import type { Report, SampleScore } from './report.ts';

/** The operators of a call of the `query` tool. */
export const queryComponent = z.enum(QUERY_COMPONENTS);

/** How the calls of the `query` tool compare with the gold call; whether their rows are right is told by the outcome. */
export const queryScore = z.object({
  /** Whether the tool was called, and at least once with arguments that fit its schema. */
  call: z.enum(['valid', 'invalid', 'none']),
  /** Collection, presence of a search, filters, aggregations and group-by are all equal. */
  exact: z.boolean(),
  /** `exact`, and the search text is the same. */
  exact_strict: z.boolean(),
  /** The AST score by the published code is 1. */
  exact_legacy: z.boolean(),
  /** By the paper's rule, and by the published code's. */
  ast: z.number(),
  ast_legacy: z.number(),
  /** The collection is the gold one. */
  routed: z.boolean(),
  /** By the number of the gold call's operators. */
  complexity: z.enum(['simple', 'moderate', 'complex']),
  /** What the gold call contains. */
  components: z.array(queryComponent),
});
export type QueryScore = z.infer<typeof queryScore>;

/** Figures of the `query` tool over some part of its tasks. */
export const queryGroup = z.object({
  key: z.string(),
  n: count,
  /** Whose rows are right. */
  passed: count,
  exact: count,
  exact_strict: count,
  exact_legacy: count,
  ast: ratio,
  ast_legacy: ratio,
  routed: count,
});
export type QueryGroup = z.infer<typeof queryGroup>;

export const queryFigures = z.object({
  /** Rows are right: what counts. */
  completion: share,
  exact: share,
  exact_strict: share,
  exact_legacy: share,
  ast: mean,
  ast_legacy: mean,
  routing: share,
  /** The tool was called, whatever its arguments. */
  tool_selection: share,
  /** It was called with arguments that do not fit its schema, and with no others. */
  invalid_calls: share,
  /** By what the gold call contains. */
  by_component: z.array(queryGroup),
  by_complexity: z.array(queryGroup),
  /** By domain. */
  by_use_case: z.array(queryGroup),
});

const FILTERS = ['integer_property_filter', 'text_property_filter', 'boolean_property_filter'] as const;
const AGGREGATIONS = [
  'integer_property_aggregation',
  'text_property_aggregation',
  'boolean_property_aggregation',
] as const;
/**
 * DBGorilla: calls of its one tool `query_database` against a gold query.
 *
 * Source: "Querying Databases with Function Calling" (arXiv 2502.00032) and `src/utils/metrics.py` of
 * weaviate-gorilla. AST score: 0 for another collection; else 0.4, and 0.15 each for search (both or neither have
 * one; the text does not matter), filters, aggregations and group-by. The two differ in filters and aggregations: by the
 * paper, `ast`, they are identical or gain nothing; by the published code, `ast_legacy`, they gain the share of the three
 * property types that agree (neither side having one is agreement), and a type that only one side has is left out of that
 * share, so that a forgotten or invented filter costs nothing.
 * Exact match has no published code; it is equality of everything that the paper's AST score looks at. Of parallel calls
 * the best counts. Without a call, and with one that the tool would refuse by its schema (by `collections`, where they are
 * known), all is 0, and the collection counts as not routed. `exact_legacy` is a score of 1 by the published code: by the
 * published files, most probably what the paper calls exact match.
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
        // A sum of shares that are all 1.
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

/** Whether the tool takes a query as far as its schema tells: null is an argument left out. */
function isValid(query: JsonObject, collections: readonly string[] | null): boolean {
  const given = Object.entries(query).filter(([, value]) => value !== null);
  const read = queryArguments.safeParse(plain(Object.fromEntries(given)));
  return read.success && (collections?.includes(read.data.collection_name) ?? true);
}

/** By the paper's rule. */
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

/** The published code takes an empty text for a search that is neither there nor not there. */
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

/** Whether an argument is given; a search for nothing is none. */
function has(query: JsonObject, key: string): boolean {
  const value = fieldOf(query, key);
  return value !== null && !(key === 'search_query' && value === '');
}

/** A field's value; absent is Python's None. */
function fieldOf(object: Json, key: string): Json {
  return isObject(object) && Object.hasOwn(object, key) ? (object[key] ?? null) : null;
}

/** How calls of the `query` tool compare with a sample's gold call; null for samples whose gold calls other tools. */
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

/** The figures of the `query` tool; null where no task of it was answered by calls that are known. */
export function summarizeQueryTool(
  samples: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['query'] {
  const scored = samples.filter((sample): sample is Scored => sample.query !== null);
  if (scored.length === 0) return null;
  const { shares } = computeFigures(scored, SHARES, {}, resampling);
  const domains = [...new Set(scored.map(({ db }) => db))].sort();
  const groups = <Key extends string>(keys: readonly Key[], has: (sample: Scored, key: Key) => boolean) =>
    keys.flatMap((key) =>
      groupOf(
        key,
        scored.filter((sample) => has(sample, key)),
      ),
    );
  return {
    ...shares,
    ast: meanOf(scored, ({ query }) => query?.ast ?? null),
    ast_legacy: meanOf(scored, ({ query }) => query?.ast_legacy ?? null),
    by_component: groups(QUERY_COMPONENTS, ({ query }, key) => query.components.includes(key)),
    by_complexity: groups(['simple', 'moderate', 'complex'], ({ query }, key) => query.complexity === key),
    by_use_case: groups(domains, ({ db }, key) => db === key),
  };
}

function groupOf(key: string, samples: readonly Scored[]): QueryGroup[] {
  const count = (of: (sample: Scored) => boolean) => samples.filter(of).length;
  if (samples.length === 0) return [];
  return [
    {
      key,
      n: samples.length,
      passed: count(({ outcome }) => outcome === 'pass'),
      exact: count(({ query }) => query.exact),
      exact_strict: count(({ query }) => query.exact_strict),
      exact_legacy: count(({ query }) => query.exact_legacy),
      ast: meanOf(samples, ({ query }) => query?.ast ?? null).value,
      ast_legacy: meanOf(samples, ({ query }) => query?.ast_legacy ?? null).value,
      routed: count(({ query }) => query.routed),
    },
  ];
}

const SHARES = {
  completion: ({ outcome }) => outcome === 'pass',
  exact: ({ query }) => query?.exact ?? null,
  exact_strict: ({ query }) => query?.exact_strict ?? null,
  exact_legacy: ({ query }) => query?.exact_legacy ?? null,
  routing: ({ query }) => query?.routed ?? null,
  tool_selection: ({ query }) => query && query.call !== 'none',
  invalid_calls: ({ query }) => query && query.call === 'invalid',
} satisfies Record<string, SampleTest>;

/** The metrics of the `query` tool, and its groups; no rows where no task of it was run. */
export function queryToolTables({ metrics: { query } }: Report): ReportTable[] {
  if (query === null) return [];
  const shares = [
    ['execution: the rows are right', query.completion],
    ['exact match', query.exact],
    ['exact match, search text too', query.exact_strict],
    ['exact match, as published', query.exact_legacy],
    ['routing', query.routing],
    ['tool selected', query.tool_selection],
    ['invalid calls', query.invalid_calls],
  ] as const;
  const means = [
    ['AST score, by the paper', query.ast],
    ['AST score, by the published code', query.ast_legacy],
  ] as const;
  return [
    {
      title: 'Query tool',
      head: ['', '  value', '95 % interval', ''],
      rows: [
        ...shares.map(([name, share]) => shareRow(name, share)),
        ...means.map(([name, { value, n }]) => [
          name,
          (value?.toFixed(3) ?? '–').padStart(7),
          '',
          `mean of ${n}`,
        ]),
      ],
    },
    groupTable(
      'Query tool, by component',
      query.by_component.map((group) => ({ ...group, key: group.key.replace(/_property_|_/g, ' ') })),
    ),
    groupTable('Query tool, by complexity', query.by_complexity),
    groupTable('Query tool, by use case', query.by_use_case),
  ];
}

function groupTable(title: string, groups: readonly QueryGroup[]): ReportTable {
  const figures = ['execution', 'exact', 'strict', 'published', 'AST', 'routing', 'N'];
  return {
    title,
    head: ['', ...figures.map((name) => name.padStart(9))],
    rows: groups.map(({ key, n, passed, exact, exact_strict, exact_legacy, ast, routed }) => [
      key,
      ...[passed, exact, exact_strict, exact_legacy].map((of) => percent(of / n, 9)),
      (ast?.toFixed(3) ?? '–').padStart(9),
      percent(routed / n, 9),
      number(n, 9),
    ]),
  };
}
