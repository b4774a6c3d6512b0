import {
  type Expr,
  type Limit,
  type Literal,
  leftmost,
  type Origins,
  type Query,
  selectsOf,
} from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import type { Member } from '../template/template.ts';
import type { Lexicon } from '../words/lexicon.ts';
import { type Fact, factsOf } from './facts.ts';
import { type Head, headOf } from './head.ts';
import type { Phrase } from './phrase.ts';
import { phraseOf } from './phrase-of.ts';
import { filtersOf } from './plain-joins.ts';
import { type Ranking, rankingOf } from './ranking.ts';
import { Speaker } from './speaker.ts';

/** What can be said of a query: the facts that names, summaries and descriptions are made of. */
export interface Outline {
  readonly query: Query;
  readonly speaker: Speaker;
  readonly head: Head;
  readonly facts: readonly Fact[];
  readonly ranking: Ranking | null;
  /** Each result column, said with its table where it needs it. */
  readonly outputs: readonly Phrase[];
  /** The same on its own: name, not driver name. */
  readonly shorts: readonly Phrase[];
  readonly distinct: boolean;
  /** True when a row need meet only one of the conditions. */
  readonly alternatives: boolean;
  /** True when rows are cut off, ranked or not. */
  readonly limited: boolean;
  /** How many are left of them; null when none are cut off. */
  readonly limit: Cut | null;
  /** Names of the tables read, subqueries included. */
  readonly tables: readonly string[];
  /** What rows are sorted by, row ids apart. */
  readonly sorted: readonly { readonly of: Phrase; readonly direction: 'asc' | 'desc' }[];
}

/** What LIMIT and OFFSET leave. */
export interface Cut {
  /** `chosen` by the user; null for a number that is computed. */
  readonly rows: number | 'chosen' | null;
  readonly skipped: number | null;
}

export function outlineOf(
  { query, origins, choices }: Pick<Member, 'query' | 'origins' | 'choices'>,
  lexicon: Lexicon,
): Outline {
  const speaker = new Speaker(query, origins, lexicon);
  const choiceOf = new Map<Literal, Choice>(
    choices.flatMap((choice) =>
      choice.occurrences.flatMap(({ literals }) => literals.map((literal) => [literal, choice] as const)),
    ),
  );
  const saying = { speaker, query, qualified: true, choiceOf };
  const first = leftmost(query);
  const columns = first.kind === 'select' ? first.columns : [];
  const outputs = columns.map(({ expr }) => phraseOf(expr, { ...saying, query: first }));
  const sorted = query.kind === 'values' ? [] : query.orderBy.filter(({ expr }) => !isRowId(expr));
  return {
    query,
    speaker,
    head: headOf(query, saying),
    facts: factsOf(query, { ...saying, choiceOf }),
    ranking: rankingOf(query, { ...saying, choiceOf }),
    outputs,
    shorts: columns.map(({ expr }) => phraseOf(expr, { ...saying, query: first, qualified: false })),
    alternatives: isAlternative(query, origins),
    limited: query.kind !== 'values' && query.limit !== null,
    limit: query.kind === 'values' ? null : cutOf(query.limit, choiceOf),
    tables: tablesOf(query),
    distinct: first.kind === 'select' && first.distinct,
    sorted: sorted.map(({ expr, direction }) => ({
      of:
        (expr.kind === 'output' ? outputs[expr.index] : undefined) ??
        phraseOf(expr, { ...saying, query: first }),
      direction,
    })),
  };
}

function isAlternative(query: Query, origins: Origins): boolean {
  if (query.kind === 'set_operation') return query.op === 'union' || query.op === 'union_all';
  if (query.kind !== 'select') return false;
  const conditions = filtersOf(query, origins);
  return conditions.length === 1 && conditions[0]?.kind === 'or';
}

function tablesOf(query: Query): readonly string[] {
  const sources = selectsOf(query).flatMap(({ from }) => from.map(({ source }) => source));
  return [...new Set(sources.flatMap((source) => (source.kind === 'table' ? [source.table] : [])))];
}

function cutOf(limit: Limit | null, choiceOf: ReadonlyMap<Literal, Choice>): Cut | null {
  if (limit === null) return null;
  const { count, offset } = limit;
  const chosen = count.kind === 'literal' && choiceOf.has(count);
  return { rows: chosen ? 'chosen' : numberOf(count), skipped: offset === null ? 0 : numberOf(offset) };
}

function numberOf(expr: Expr): number | null {
  return expr.kind === 'literal' && expr.type === 'integer' ? Number(expr.value) : null;
}

/** A sort key that only settles ties, by the place of a row in its table. */
function isRowId(expr: Expr): boolean {
  if (expr.kind === 'aggregate') return expr.args.some(isRowId);
  return expr.kind === 'column' && expr.name === 'rowid';
}
