import { type Expr, type Literal, leftmost, type OrderTerm, type Query } from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { ordinalAfter } from './ordinals.ts';
import type { Phrase } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';

/** What a query keeps of its rows by their order. */
export interface Ranking {
  readonly of: Phrase;
  readonly direction: 'asc' | 'desc';
  /** One row, a fixed number of rows, or as many as the user says. */
  readonly rows: 'one' | 'some' | 'chosen';
  /** True when the first rows are skipped. */
  readonly nth: boolean;
  /** How many of them; null when that is computed. */
  readonly skipped: number | null;
  /** The fixed number of rows, or null. */
  readonly limit: number | null;
  /** True when all rows that share the first place are kept. */
  readonly ties: boolean;
}

interface Ranked extends Saying {
  readonly choiceOf: ReadonlyMap<Literal, Choice>;
}

/** The ranking that ORDER BY with LIMIT makes, of the query itself or of the one query that it reads; null for none. */
export function rankingOf(query: Query, saying: Ranked): Ranking | null {
  if (query.kind === 'values') return null;
  // The place of a row in its table ranks nothing, unless it is what is asked for.
  const isPlace = (expr: Expr) => expr.kind === 'column' && expr.name === 'rowid';
  const shown = query.kind === 'select' && query.columns.some(({ expr }) => isPlace(expr));
  const [term] = query.orderBy.filter(({ expr }) => shown || !isPlace(expr));
  if (term !== undefined && query.limit !== null) {
    const { count, offset } = query.limit;
    const chosen = count.kind === 'literal' && saying.choiceOf.has(count);
    const limit =
      count.kind === 'literal' && count.type === 'integer' && !chosen ? Number(count.value) : null;
    return {
      of: phraseOf(termExpr(term, query), { ...saying, query, qualified: true }),
      direction: term.direction,
      rows: chosen ? 'chosen' : limit === 1 ? 'one' : 'some',
      nth: offset !== null && !(offset.kind === 'literal' && offset.value === 0n),
      skipped: offset === null ? 0 : offset.kind === 'literal' ? Number(offset.value) : null,
      limit,
      ties: false,
    };
  }
  if (query.kind !== 'select' || query.from.length !== 1) return null;
  const source = query.from[0]?.source;
  return source?.kind === 'derived' ? rankingOf(source.query, saying) : null;
}

/** A set operation orders by its result columns, said as its leftmost SELECT says them. */
function termExpr({ expr }: OrderTerm, query: Query): OrderTerm['expr'] {
  if (expr.kind !== 'output') return expr;
  const first = leftmost(query);
  return (first.kind === 'select' ? first.columns[expr.index]?.expr : undefined) ?? expr;
}

/** with highest weight, with most flights, first by name */
export function superlative(
  ranking: Ranking,
  place: readonly string[] = [],
  noun: readonly string[] = ranking.of.noun,
): readonly string[] {
  const adjective = adjectiveOf(ranking);
  switch (ranking.of.scale) {
    case 'count':
      return ['with', ...place, adjective, ...ranking.of.head.slice(1)];
    case 'text':
      return [...place, adjective, 'by', ...noun];
    default:
      return ['with', ...place, adjective, ...noun];
  }
}

export function adjectiveOf({ of, direction }: Ranking): string {
  const [asc, desc] = ADJECTIVES[of.scale];
  return direction === 'desc' ? desc : asc;
}

/** The same of a quantity that is told itself: the highest number of schools. */
export function extremeOf({ of, direction }: Ranking): string {
  const [asc, desc] = ADJECTIVES[of.scale === 'count' ? 'number' : of.scale];
  return direction === 'desc' ? desc : asc;
}

const ADJECTIVES = {
  count: ['fewest', 'most'],
  date: ['earliest', 'latest'],
  text: ['first', 'last'],
  number: ['lowest', 'highest'],
} as const;

/** with the highest weight, with the most flights, with the second lowest price */
export function bestText(ranking: Ranking): string {
  const place = ranking.nth ? `${ordinalAfter(ranking.skipped) ?? 'n-th'} ` : '';
  const adjective = `${place}${adjectiveOf(ranking)}`;
  const { scale, text } = ranking.of;
  if (scale === 'count') return `with the ${adjective} ${text.replace(/^number of /, '')}`;
  if (scale === 'text') return `that comes ${adjective} by ${text}`;
  // The highest of what is the highest of each group.
  return text.startsWith(`${adjective} `) ? `with the ${text}` : `with the ${adjective} ${text}`;
}
