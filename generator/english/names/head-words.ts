import type { Clauses, Groups, ListClauses, Shown, Sort, Term, Thing, Words } from '../clauses/clause.ts';
import {
  holderOf,
  isMeasured,
  isThing,
  knownRows,
  leftmostList,
  measuresOf,
  perKeys,
  showsRank,
  toldOf,
} from '../clauses/lists.ts';
import { sameThing } from '../clauses/thing.ts';
import { extreme, isMoment, superlative } from '../relations.ts';
import { withoutKey } from '../words/lexicon.ts';
import { plural, pluralValues, singular } from '../words/nouns.ts';
import { ORDINALS } from '../words/numbers.ts';
import { endsWith, joinedAnd, sameWords, upTo } from '../words/word-lists.ts';
import { scaleOf, wordsOf } from './term-words.ts';

/** What a name begins with: what is returned and how it is ranked, the full writing first, then shorter ones. */
export function headWords(clauses: Clauses): readonly Words[] {
  switch (clauses.kind) {
    case 'fixed':
      return [['fixed', 'values']];
    case 'combined':
      return rankedWords(leftmostList(clauses), clauses.order, clauses.limit);
    case 'list':
      return rankedWords(clauses, clauses.order, clauses.limit);
  }
}

function rankedWords(
  list: ListClauses | null,
  order: readonly Sort[],
  limit: ListClauses['limit'],
): readonly Words[] {
  if (list === null) return [['fixed', 'values']];
  const [by] = order;
  if (by === undefined || limit === null || list.about === 'all') return plainWords(list, true);
  const single = limit.rows === 1 || limit.skipped !== 0;
  const ranked = brief(wordsOf(by.of));
  const place = limit.skipped === 0 ? [] : [ORDINALS[limit.skipped ?? -1] ?? 'nth'];
  if (limit.rows !== 1 && limit.skipped !== 0) {
    const from = limit.skipped === null ? ['later'] : ['from', 'place', String(limit.skipped + 1)];
    return plainWords(list, true).map((words) => [...words, ...from, 'by', ...wordsOf(by.of)]);
  }
  if (showsRank(list, by)) {
    return ranked.map((words) => {
      const what = [...words, ...perWords(list)];
      if (single) return [...place, extremeOf(by), ...what];
      const scale = scaleOf(by.of);
      if (scale === 'text' || isMoment(scale)) return [superlative(scale, by.direction), ...plural(what)];
      return [topOrBottom(by), ...plural(what)];
    });
  }
  const groups = isRankedGroup(list) ? holderOf(list.groups) : null;
  const heads = groups === null ? plainWords(list, !single) : [single ? groups.thing.one : groups.thing.many];
  return heads.flatMap((words) =>
    ranked.map((of) => (single ? [...words, ...rankWords(by, place, of)] : top(words, by, of))),
  );
}

function perWords(list: ListClauses): Words {
  const keys = perKeys(list);
  return list.groups === null || list.about !== 'groups' ? [] : ['per', ...joinedAnd(keys.map(keyWords))];
}

/** What a key of groups is. */
function keyWords(key: Thing | Term): Words {
  return isThing(key) ? key.one : wordsOf(key);
}

/** Whether it is groups that are ranked, of which numbers are shown: districts by city count. */
function isRankedGroup(list: ListClauses): list is ListClauses & { readonly groups: Groups } {
  return list.about === 'groups' && isMeasured(list) && list.groups?.companions.length === 0;
}

function extremeOf({ of, direction }: Sort): string {
  return extreme(scaleOf(of), direction);
}

function topOrBottom({ direction }: Sort): string {
  return direction === 'desc' ? 'top' : 'bottom';
}

/** with highest weight, with most flights, first by name */
export function rankWords(by: Sort, place: Words, noun: Words): Words {
  const word = superlative(scaleOf(by.of), by.direction);
  if (by.of.kind === 'count') return ['with', ...place, word, ...wordsOf(by.of, 'head').slice(1)];
  return scaleOf(by.of) === 'text' ? [...place, word, 'by', ...noun] : ['with', ...place, word, ...noun];
}

function top(words: Words, by: Sort, noun: Words): Words {
  const scale = scaleOf(by.of);
  const sorted = endsWith(singular(words), singular(noun)) ? [] : ['by', ...noun];
  const lead = scale === 'text' || isMoment(scale) ? extremeOf(by) : topOrBottom(by);
  return [lead, ...words, ...sorted];
}

/** What is ranked by, and shorter: enrollment to meals ratio, enrollment ratio. */
function brief(noun: Words): readonly Words[] {
  const to = noun.indexOf('to');
  const last = noun.at(-1) ?? '';
  if (to > 0 && /^(ratio|percentage)$/.test(last)) return [noun, [...noun.slice(0, to), last]];
  return noun.length > 4 ? [noun, noun.slice(0, 4)] : [noun];
}

/** What is returned, without its ranking. */
function plainWords(list: ListClauses, many: boolean): readonly Words[] {
  const { about, groups, shown, subject } = list;
  if (about === 'all') return measureWords(toldOf(shown), subject);
  const measures = groups === null ? [] : measuresOf(groups, shown);
  if (about === 'groups' && groups !== null && measures.length > 0) {
    const holders = groupWords(groups);
    const untold = groups.untold.map(keyWords);
    const all = holders.length + untold.length > 0 ? [...holders, ...untold] : groups.keys.map(keyWords);
    const by = upTo(6, joinedAnd(all), all[0] ?? ['group']);
    return measureWords(measures, subject).map((words) => [
      ...words,
      'per',
      ...(by.length === 0 ? ['group'] : by),
    ]);
  }
  const heads = listWords(list, many);
  const untold = groups?.untold ?? [];
  if (untold.length === 0 || list.distinct) return heads;
  const tail = joinedAnd(untold.map(keyWords));
  return [...heads.map((words) => [...words, many ? 'per' : 'of', ...tail]), ...heads];
}

/** What groups are told by: of a name or a key only whose it is. */
function groupWords(groups: Groups): readonly Words[] {
  const named = holderOf(groups);
  return named === null ? toldOf(groups.holders).map(({ term }) => wordsOf(term)) : [named.thing.one];
}

function measureWords(measures: readonly Shown[], subject: Thing | null): readonly Words[] {
  const long = joinedAnd(measures.map(({ term }) => wordsOf(term, 'head')));
  const short = joinedAnd(measures.map(({ term }) => wordsOf(term, 'noun')));
  const statistics = [...(subject?.one ?? []), 'statistics'];
  if (measures.length > 3) return [statistics];
  if (measures.length > 1) return [long, statistics];
  // The condition may also be told by its parameters.
  const at = long.lastIndexOf('with');
  const bare = at > 0 ? long.slice(0, at) : long;
  return [long, bare, short].filter(
    (words, i, all) => i === 0 || (words.length > 1 && words.length < (all[i - 1]?.length ?? 0)),
  );
}

/** schools, schools with phone and website, film titles and years, school details */
function listWords(list: ListClauses, many: boolean): readonly Words[] {
  const { shown, subject } = list;
  const told = toldOf(shown);
  const known = knownRows(list);
  if (known !== null) {
    const { thing, rest } = known;
    const lead = many ? thing.many : thing.one;
    if (rest.length === 0) return [lead];
    const parts = rest.map(({ term }) => withoutNoun(wordsOf(term), thing));
    const whole = [...lead, ...(many ? ['with'] : ['and']), ...joinedAnd(parts)];
    return [...(rest.length > 3 || parts.flat().length > 7 ? [] : [whole]), [...thing.one, 'details']];
  }
  if (subject === null || told.length === 0) {
    const lists = told.slice(0, 3).map(({ term }) => wordsOf(term));
    return [lists.length === 0 ? (subject?.many ?? ['values']) : joinedAnd(lists)];
  }
  const [first] = told;
  const words = told.map(({ term }) => withoutNoun(wordsOf(term), subject));
  const whole = first === undefined ? [] : wordsOf(first.term);
  const clear = saysNoun(whole, subject) || refersAway(first, subject);
  const lists = words
    .map((one, i) => (i === 0 && clear ? whole : one))
    .map((one) => (many ? pluralValues(one) : one));
  const long = [...(clear ? [] : subject.one), ...joinedAnd(lists)];
  const details = [...subject.one, 'details'];
  if (lists.length === 1) return [long];
  return lists.length > 3 || long.length > 9 ? [details] : [long, details];
}

function refersAway(one: Shown | undefined, subject: Thing): boolean {
  if (one === undefined || one.term.kind !== 'property')
    return one !== undefined && !sameThing(one.owner, subject);
  const words = wordsOf(one.term);
  const said = withoutKey(words);
  return (said.length < words.length && !sameWords(said, subject.one)) || !sameThing(one.owner, subject);
}

function saysNoun(words: Words, { one }: Thing): boolean {
  const last = one.at(-1)?.toLowerCase() ?? '';
  return words.some((word) => word.toLowerCase() === last);
}

function withoutNoun(words: Words, { one }: Thing): Words {
  const lead = one.map((word) => word.toLowerCase());
  const starts = lead.every((word, i) => words[i]?.toLowerCase() === word) && words.length > lead.length;
  return starts ? words.slice(lead.length) : words;
}
