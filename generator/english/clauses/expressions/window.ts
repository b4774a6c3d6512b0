import type { Frame, FrameBound, Window } from '../../../../sql/index.ts';
import type { Term, WindowTerm } from '../clause.ts';
import type { Scope } from '../query-context.ts';
import { allOf, countOf, knownOf, rowsOf, summaryOf } from './aggregate.ts';

/** Rank by score, previous price, running total of sales by date within each region. */
export function windowTerm(expr: Window, scope: Scope): WindowTerm {
  const rank = RANKS[expr.name] ?? null;
  const place = PLACES[expr.name] ?? null;
  const { reach, frame } = reachOf(expr);
  return {
    kind: 'window',
    rank,
    place,
    of: rank === null ? carriedValue(expr, scope) : null,
    reach,
    frame,
    within: expr.partitionBy.map((one) => scope.term(one)),
    order: expr.orderBy.map((term) => ({ of: scope.term(term.expr), direction: term.direction })),
  };
}

const RANKS: Readonly<Record<string, string>> = {
  rank: 'rank',
  dense_rank: 'rank without gaps',
  row_number: 'row number',
  percent_rank: 'percent rank',
  cume_dist: 'cumulative share',
  ntile: 'group number',
};

/** Functions that take the value of one row by its place. */
const PLACES: Readonly<Record<string, string>> = {
  lag: 'previous',
  lead: 'next',
  first_value: 'first',
  last_value: 'last',
  nth_value: 'nth',
};

function carriedValue({ name, args, star, filter }: Window, scope: Scope): Term {
  const [arg] = args;
  const where = filter === null ? null : scope.condition(filter);
  if (star || arg === undefined) return countOf(rowsOf(scope), { where });
  if (PLACES[name] !== undefined) return scope.term(arg);
  if (name === 'count') return countOf(rowsOf(scope), { known: knownOf(arg, scope), where });
  return { ...summaryOf(name, scope.term(arg)), where: where === null ? null : allOf([where]) };
}

/** Which rows an aggregate goes over: with an order it goes on from row to row, with a frame over those nearby. */
function reachOf({ name, orderBy, frame }: Window): Pick<WindowTerm, 'reach' | 'frame'> {
  if (PLACES[name] !== undefined) return { reach: 'all', frame: null };
  if (frame === null) return { reach: orderBy.length > 0 ? 'running' : 'all', frame: null };
  const { start, end } = frame;
  if (start.at === 'unbounded_preceding' && end.at === 'unbounded_following') {
    return { reach: 'all', frame: null };
  }
  if (start.at === 'unbounded_preceding' && end.at === 'current_row')
    return { reach: 'running', frame: null };
  return { reach: 'moving', frame: frameText(frame) };
}

function frameText({ mode, start, end }: Frame): string {
  const unit = mode === 'rows' ? 'rows' : mode === 'groups' ? 'groups of rows' : 'values';
  const bound = (at: FrameBound, side: string) => {
    if (at.at === 'current_row') return 'this one';
    if (!('offset' in at)) return side;
    const count = at.offset.kind === 'literal' ? String(at.offset.value) : 'a computed number';
    return `${count} ${at.at === 'preceding' ? 'before' : 'after'}`;
  };
  return `${unit} from ${bound(start, 'the first')} to ${bound(end, 'the last')}`;
}
