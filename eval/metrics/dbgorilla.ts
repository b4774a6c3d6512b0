import type { AgentCall } from '../calls/agent-call.ts';
import { sameValue } from '../calls/same-value.ts';
import { isObject, type Json, type JsonObject } from '../json/lossless.ts';
import { pythonEquals } from '../json/python.ts';

const FILTERS = ['integer_property_filter', 'text_property_filter', 'boolean_property_filter'] as const;
const AGGREGATIONS = [
  'integer_property_aggregation',
  'text_property_aggregation',
  'boolean_property_aggregation',
] as const;
const COMPONENTS = ['search_query', ...FILTERS, ...AGGREGATIONS, 'groupby_property'] as const;
export type DbGorillaComponent = (typeof COMPONENTS)[number];

export interface DbGorillaScore {
  /** Collection, presence of a search, filters, aggregations and group-by are all equal. */
  readonly exact: boolean;
  /** `exact`, and the search text is the same. */
  readonly exact_strict: boolean;
  readonly ast: number;
  readonly ast_legacy: number;
  /** The predicted collection is the gold one. */
  readonly routed: boolean;
  readonly no_tool: boolean;
  readonly complexity: 'simple' | 'moderate' | 'complex';
  /** What the gold query contains. */
  readonly components: readonly DbGorillaComponent[];
}

/**
 * DBGorilla: calls of its one tool `query_database` against a gold query.
 *
 * Source: "Querying Databases with Function Calling" (arXiv 2502.00032) and `src/utils/metrics.py` of
 * weaviate-gorilla. AST score: 0 for another collection; else 0.4, and 0.15 each for search (both or neither have
 * one; the text does not matter), filters, aggregations (the share of the three property types that agree; neither
 * side having one is agreement) and group-by. The published code leaves a filter that only one side has out of the
 * share, so that a forgotten or invented one costs nothing: `ast_legacy` repeats that, `ast` counts it as wrong.
 * Exact match has no published code; it is equality of everything that the AST score looks at. Of parallel calls
 * the best counts. Without a call all is 0, and the collection counts as not routed.
 */
export function scoreDbGorilla(gold: JsonObject, calls: readonly AgentCall[]): DbGorillaScore {
  const components = COMPONENTS.filter((component) => has(gold, component));
  const complexity = components.length <= 1 ? 'simple' : components.length === 2 ? 'moderate' : 'complex';
  const queries = calls.filter(({ name }) => name === 'query_database').map((call) => call.arguments);
  const scored = queries.map((query) => {
    const ast = astScore(gold, query, false);
    return {
      ast,
      ast_legacy: astScore(gold, query, true),
      ...exactMatch(gold, query),
      routed: sameCollection(gold, query),
    };
  });
  const best = scored.sort((a, b) => Number(b.exact) - Number(a.exact) || b.ast - a.ast)[0];
  const none = { exact: false, exact_strict: false, ast: 0, ast_legacy: 0, routed: false };
  return { ...(best ?? none), no_tool: best === undefined, complexity, components };
}

export interface DbGorillaSummary {
  readonly n: number;
  readonly exact: number;
  readonly exact_strict: number;
  readonly ast: number;
  readonly ast_legacy: number;
  readonly routing: number;
  readonly no_tool: number;
  /** Mean exact match over the queries whose gold contains the component, and how many these are. */
  readonly by_component: Readonly<Record<string, { readonly exact: number; readonly n: number }>>;
  readonly by_complexity: Readonly<Record<string, { readonly exact: number; readonly n: number }>>;
}

/** Means over queries, or null without any. */
export function summarizeDbGorilla(scores: readonly DbGorillaScore[]): DbGorillaSummary | null {
  const mean = (of: (score: DbGorillaScore) => number | boolean, over = scores) =>
    over.reduce((sum, score) => sum + Number(of(score)), 0) / over.length;
  const exactOver = (over: readonly DbGorillaScore[]) => ({
    exact: mean((s) => s.exact, over),
    n: over.length,
  });
  if (scores.length === 0) return null;
  const byComponent = COMPONENTS.map((c) => [c, scores.filter((s) => s.components.includes(c))] as const);
  const byComplexity = (['simple', 'moderate', 'complex'] as const).map(
    (c) => [c, scores.filter((s) => s.complexity === c)] as const,
  );
  const table = (groups: readonly (readonly [string, readonly DbGorillaScore[]])[]) =>
    Object.fromEntries(groups.filter(([, g]) => g.length > 0).map(([name, g]) => [name, exactOver(g)]));
  return {
    n: scores.length,
    exact: mean((s) => s.exact),
    exact_strict: mean((s) => s.exact_strict),
    ast: mean((s) => s.ast),
    ast_legacy: mean((s) => s.ast_legacy),
    routing: mean((s) => s.routed),
    no_tool: mean((s) => s.no_tool),
    by_component: table(byComponent),
    by_complexity: table(byComplexity),
  };
}

function astScore(gold: JsonObject, query: JsonObject, legacy: boolean): number {
  if (!sameCollection(gold, query)) return 0;
  return (
    0.4 +
    0.15 * Number(has(gold, 'search_query') === has(query, 'search_query')) +
    0.15 * agreement(FILTERS, ['property_name', 'operator', 'value'], gold, query, legacy) +
    0.15 * agreement(AGGREGATIONS, ['property_name', 'metrics'], gold, query, legacy) +
    0.15 * Number(pythonEquals(fieldOf(gold, 'groupby_property'), fieldOf(query, 'groupby_property')))
  );
}

function agreement(
  slots: readonly string[],
  fields: readonly string[],
  gold: JsonObject,
  query: JsonObject,
  legacy: boolean,
): number {
  let [score, count] = [0, 0];
  for (const slot of slots) {
    const [a, b] = [fieldOf(gold, slot), fieldOf(query, slot)];
    if (legacy && (a === null) !== (b === null)) continue;
    count++;
    if (a === null && b === null) score++;
    else if (a !== null && b !== null && fields.every((f) => pythonEquals(fieldOf(a, f), fieldOf(b, f))))
      score++;
  }
  return count === 0 ? 0 : score / count;
}

function exactMatch(gold: JsonObject, query: JsonObject): { exact: boolean; exact_strict: boolean } {
  const structured = [...FILTERS, ...AGGREGATIONS, 'groupby_property'];
  const exact =
    sameCollection(gold, query) &&
    has(gold, 'search_query') === has(query, 'search_query') &&
    structured.every((slot) => sameValue(fieldOf(gold, slot), fieldOf(query, slot)));
  const sameSearch = fieldOf(gold, 'search_query') === fieldOf(query, 'search_query');
  return { exact, exact_strict: exact && sameSearch };
}

function sameCollection(gold: JsonObject, query: JsonObject): boolean {
  return pythonEquals(fieldOf(gold, 'collection_name'), fieldOf(query, 'collection_name'));
}

function has(query: JsonObject, key: string): boolean {
  return fieldOf(query, key) !== null;
}

/** A field's value; absent is Python's None. */
function fieldOf(object: Json, key: string): Json {
  return isObject(object) && Object.hasOwn(object, key) ? (object[key] ?? null) : null;
}
