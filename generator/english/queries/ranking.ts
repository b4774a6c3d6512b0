import type { Limit, ListClauses, Sort, Term } from '../clauses/clause.ts';
import { holderOf, isMeasured, measuresOf, perKeys, showsRank } from '../clauses/lists.ts';
import { manyOf } from '../clauses/thing.ts';
import { signature } from '../clauses/tree.ts';
import { joinTexts, type NounPhrase, noun, pluralText, rankedPlural, singularText } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';
import { extreme, superlative } from '../relations.ts';
import { sortText } from '../terms.ts';
import { COUNTS, ORDINALS } from '../words/numbers.ts';
import { listed } from '../words/word-lists.ts';
import {
  companionsText,
  type Head,
  headText,
  holderTexts,
  keyText,
  measuresText,
  mentions,
  rowsHead,
} from './heads.ts';
import { limitsOfNumbers } from './summarised.ts';

/** Whether a list is the one row that ranks first, or second, of others. */
export function rankedOne({ limit, order, about }: ListClauses): boolean {
  return (
    about !== 'all' &&
    limit?.rows === 1 &&
    order.length > 0 &&
    limit.skipped !== null &&
    limit.skipped < ORDINALS.length
  );
}

/**
 * Rows that ORDER BY and LIMIT leave, as sentence parts: film with the highest score for a given year; its title.
 * `limits` says which rows, and is asked where that is said.
 */
export function rankedText(
  list: ListClauses,
  by: Sort,
  limit: Limit,
  r: Realizer,
  limits: () => string,
): readonly string[] {
  const distinct = list.distinct ? 'distinct' : '';
  const itself = showsRank(list, by);
  const groups = rankedGroups(list, by, r);
  if (rankedOne(list)) {
    const skipped = limit.skipped ?? 0;
    if (itself) {
      const np = r.noun(by.of);
      const whose = np.owner === null || mentions(singularText(np), np.owner) ? '' : `of ${manyOf(np.owner)}`;
      const which = joinTexts(extremeWord(by, np, skipped), skipped > 0 ? distinct : '');
      return [joinTexts(which, singularText(np), whose, perText(list, r), limits())];
    }
    const head = groups ?? rankedHead(list, by, r);
    return [
      joinTexts(distinct, head.lead, untoldText(list, r), bestText(by, skipped, r), limits()),
      head.rest,
    ];
  }
  const many = groups === null ? headText(list, r) : { lead: groups.many, rest: '' };
  const what = joinTexts(many.lead, many.rest);
  const more = groups?.rest ?? '';
  if (limit.skipped !== 0) {
    const sorted = `sorted by ${sortText(by, r)}`;
    return [joinTexts(distinct, what, limits()), more, sorted, cutText(limit, r)];
  }
  const count = countText(limit, r);
  const np = r.noun(by.of);
  if (np.scale === 'text') {
    const place = by.direction === 'asc' ? 'first' : 'last';
    const key = `by ${singularText(np)}`;
    return typeof limit.rows === 'number'
      ? [joinTexts(place, count, distinct, what, limits(), key), more]
      : [joinTexts(count, distinct, what, limits()), more, `${place} ${key}`];
  }
  if (itself) return [joinTexts(count, extremeWord(by, np, 0), distinct, what, limits())];
  return [joinTexts(count, distinct, what, bestText(by, 0, r), limits()), more];
}

/** What the one row or group that ranks first shows, where no group is named for it. */
function rankedHead(list: ListClauses, by: Sort, r: Realizer): Head {
  const { groups, shown } = list;
  if (list.about === 'groups' && groups !== null) {
    if (isMeasured(list)) {
      // To rank groups by what they are told by is to choose one: the number of clients with the highest rate.
      const [key, ...others] = groups.keys;
      const chosen = key !== undefined && others.length === 0 && signature(key) === signature(by.of);
      if (chosen && groups.holders.length === 0 && groups.companions.length === 0) {
        const among = limitsOfNumbers(list) === null ? '' : 'among those';
        return { lead: joinTexts(measuresText(measuresOf(groups, shown), r.about(null)), among), rest: '' };
      }
      const { lead, rest } = headText(list, r);
      return { lead: joinTexts(lead, rest), rest: '' };
    }
    const holders = groups.untold.length > 0 || groups.companions.length === 0 ? [] : holderTexts(groups, r);
    if (holders.length > 0) return { lead: joinTexts(listed(holders), companionsText(groups, r)), rest: '' };
  }
  const some = (groups?.untold.length ?? 0) > 0;
  return rowsHead(list, r, false, some ? 'a' : 'the');
}

function untoldText(list: ListClauses, r: Realizer): string {
  if (list.about === 'groups' && isMeasured(list)) return '';
  const untold = list.groups?.untold ?? [];
  return untold.length === 0 ? '' : `of the ${listed(untold.map((one) => keyText(one, r)))}`;
}

function perText(list: ListClauses, r: Realizer): string {
  const keys = perKeys(list);
  return keys.length === 0 ? '' : `per ${listed(keys.map((one) => keyText(one, r)))}`;
}

/** The groups, when they are ranked by a number: the district with the most cities, with its population. */
function rankedGroups(list: ListClauses, by: Sort, r: Realizer): (Head & { readonly many: string }) | null {
  const { groups } = list;
  if (groups === null || !isMeasured(list) || groups.companions.length > 0) return null;
  const one = holderTexts(groups, r);
  if (one.length === 0 || groups.untold.length > 0) return null;
  const named = holderOf(groups);
  const many =
    named !== null
      ? manyOf(named.thing)
      : listed(groups.holders.map(({ term }) => pluralText(r.about(null).noun(term))));
  const measures = measuresOf(groups, list.shown);
  const others = measures.filter(({ term }) => signature(term) !== signature(by.of));
  const same = measures.length > others.length;
  const more = listed([...(same ? ['that number'] : []), ...(others.length > 0 ? ['further numbers'] : [])]);
  return {
    lead: listed(one),
    many,
    rest: more === '' ? '' : `with ${more}`,
  };
}

/** with the highest score, with the second most films, that comes first by title */
function bestText(by: Sort, skipped: number, r: Realizer): string {
  const np = r.noun(by.of);
  const nth = skipped === 0 ? '' : (ORDINALS[skipped] ?? '');
  const counted = rankedPlural(np);
  if (np.scale === 'text')
    return `that comes ${joinTexts(nth, superlative('text', by.direction))} by ${singularText(np)}`;
  if (counted !== null) return `with the ${joinTexts(nth, superlative('count', by.direction), counted)}`;
  return `with the ${joinTexts(nth, extremeWord(by, np, 0), singularText(np))}`;
}

/** highest, also of a number of things; nothing where the phrase says it itself. */
function extremeWord({ direction }: Sort, np: NounPhrase, skipped: number): string {
  const word = extreme(np.scale, direction);
  const nth = skipped === 0 ? '' : (ORDINALS[skipped] ?? '');
  return joinTexts(nth, np.lead === word ? '' : word);
}

/** How many rows come first: three, a given number of. */
export function countText({ rows }: Limit, r: Realizer): string {
  if (rows === null) return 'a computed number of';
  if (typeof rows === 'number') return COUNTS[rows] ?? String(rows);
  return r.style === 'summary' ? 'a given number of' : r.given(rows, noun('number of rows'), 'value');
}

/** Whether a value is that of a query that reads no table. */
function isFixed(of: Term): boolean {
  return of.kind === 'query' && of.query.kind === 'fixed';
}

/** How many rows are left of all: at most three; places 11 to 20; '' when none are cut off. */
export function cutText(limit: Limit | null, r: Realizer): string {
  if (limit === null) return '';
  const { rows, skipped, computed } = limit;
  const asMany = (of: Term | null | undefined, things: string) =>
    of && !isFixed(of)
      ? `as many ${things} as (${singularText(r.about(null).noun(of))})`
      : `a computed number of ${things}`;
  if (typeof rows === 'number' && skipped !== null && skipped > 0) {
    return rows === 1 ? `place ${skipped + 1} only` : `places ${skipped + 1} to ${skipped + rows}`;
  }
  const count =
    rows === null
      ? asMany(computed?.rows, 'rows')
      : typeof rows === 'number'
        ? rows === 1
          ? 'one row only'
          : `at most ${COUNTS[rows] ?? rows} rows`
        : r.style === 'summary'
          ? 'at most a given number of rows'
          : `at most ${r.given(rows, noun('number of rows'), 'value')} rows`;
  return skipped === 0
    ? count
    : `${count}, after ${skipped === null ? asMany(computed?.skipped, 'others') : `${skipped} others`}`;
}
