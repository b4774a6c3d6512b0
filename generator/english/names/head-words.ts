import type { Clauses, ListClauses, Shown, Sort, Thing, Words } from '../clauses/clause.ts';
import { signature } from '../clauses/signature.ts';
import { sameThing } from '../noun-phrase.ts';
import { isMoment, SUPERLATIVES } from '../relations.ts';
import { withoutKey } from '../words/lexicon.ts';
import { plural, pluralValues, singular } from '../words/nouns.ts';
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

/** The query that names the columns of a combination. */
export function leftmostList(clauses: Clauses): ListClauses | null {
  if (clauses.kind === 'combined') return leftmostList(clauses.left);
  return clauses.kind === 'list' ? clauses : null;
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
  const shown = list.shown.filter(({ term }) => term.kind !== 'constant');
  if (shown.length === 1 && shown[0] !== undefined && signature(shown[0].term) === signature(by.of)) {
    return ranked.map((words) => {
      const what = [...words, ...perWords(list)];
      if (single) return [...place, extreme(by), ...what];
      const [asc, desc] =
        scaleOf(by.of) === 'text'
          ? ['first', 'last']
          : isMoment(scaleOf(by.of))
            ? ['earliest', 'latest']
            : ['bottom', 'top'];
      return [by.direction === 'asc' ? asc : desc, ...plural(what)];
    });
  }
  const groups = rankedGroups(list);
  const heads = groups === null ? plainWords(list, !single) : [single ? groups.one : groups.many];
  return heads.flatMap((words) =>
    ranked.map((of) => (single ? best(words, by, place, of) : top(words, by, of))),
  );
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

function perWords(list: ListClauses): Words {
  if (list.groups === null || list.about !== 'groups') return [];
  const keys = list.groups.untold.length > 0 ? list.groups.untold : list.groups.keys;
  return ['per', ...joinedAnd(keys.map((key) => ('kind' in key ? wordsOf(key) : key.one)))];
}

/** The groups that numbers are shown of, when rows are ranked: districts by city count. */
function rankedGroups({ groups, shown, about }: ListClauses): Thing | null {
  if (groups === null || about !== 'groups' || groups.companions.length > 0) return null;
  const keys = groups.holders.flatMap(({ columns }) => columns);
  if (shown.every(({ columns }) => columns.every((column) => keys.includes(column)))) return null;
  const label = groups.holders.find(({ role, stands }) => role === 'label' && stands !== null)?.stands;
  return label ?? groups.holders.find(({ role, owner }) => role === 'key' && owner !== null)?.owner ?? null;
}

function extreme({ of, direction }: Sort): string {
  const scale = scaleOf(of);
  return SUPERLATIVES[scale === 'count' ? 'number' : scale][direction === 'asc' ? 0 : 1];
}

/** with highest weight, with most flights, first by name */
export function superlative(by: Sort, place: Words, noun: Words): Words {
  const word = SUPERLATIVES[scaleOf(by.of)][by.direction === 'asc' ? 0 : 1];
  if (by.of.kind === 'count') return ['with', ...place, word, ...wordsOf(by.of, 'head').slice(1)];
  return scaleOf(by.of) === 'text' ? [...place, word, 'by', ...noun] : ['with', ...place, word, ...noun];
}

function best(words: Words, by: Sort, place: Words, noun: Words): Words {
  return [...words, ...superlative(by, place, noun)];
}

function top(words: Words, by: Sort, noun: Words): Words {
  const scale = scaleOf(by.of);
  const sorted = endsWith(singular(words), singular(noun)) ? [] : ['by', ...noun];
  if (scale === 'text') return [by.direction === 'asc' ? 'first' : 'last', ...words, ...sorted];
  if (isMoment(scale)) return [extreme(by), ...words, ...sorted];
  return [by.direction === 'desc' ? 'top' : 'bottom', ...words, ...sorted];
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
  if (about === 'all') {
    const labels = shown.filter(({ term }) => term.kind !== 'constant');
    return measureWords(labels, subject);
  }
  const keys =
    groups === null ? [] : [...groups.holders, ...groups.companions].flatMap(({ columns }) => columns);
  const measures = shown.filter(
    ({ columns, term }) => !columns.every((one) => keys.includes(one)) && term.kind !== 'constant',
  );
  if (about === 'groups' && groups !== null && measures.length > 0) {
    const holders = groupWords(groups.holders);
    const untold = groups.untold.map((key) => ('kind' in key ? wordsOf(key) : key.one));
    const all =
      holders.length + untold.length > 0 ? [...holders, ...untold] : groups.keys.map((key) => wordsOf(key));
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
  const tail = joinedAnd(untold.map((key) => ('kind' in key ? wordsOf(key) : key.one)));
  return [...heads.map((words) => [...words, many ? 'per' : 'of', ...tail]), ...heads];
}

/** What groups are told by: of a name or a key only whose it is. */
function groupWords(shown: readonly Shown[]): readonly Words[] {
  const label = shown.find(({ role, stands }) => role === 'label' && stands !== null)?.stands;
  if (label) return [label.one];
  const key = shown.find(({ role, owner }) => role === 'key' && owner !== null)?.owner;
  if (key) return [key.one];
  return shown.filter(({ term }) => term.kind !== 'constant').map(({ term }) => wordsOf(term));
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
function listWords({ shown, subject }: ListClauses, many: boolean): readonly Words[] {
  const told = shown.filter(({ term }) => term.kind !== 'constant');
  const label = told.find(
    (one) => one.role === 'label' && one.stands !== null && sameThing(one.owner, subject),
  );
  if (label?.stands && subject !== null) {
    const rest = told.filter(
      (one) => one !== label && !(one.role === 'key' && sameThing(one.owner, subject)),
    );
    const lead = many ? label.stands.many : label.stands.one;
    if (rest.length === 0) return [lead];
    const parts = rest.map(({ term }) => withoutNoun(wordsOf(term), label.stands ?? subject));
    const whole = [...lead, ...(many ? ['with'] : ['and']), ...joinedAnd(parts)];
    return [...(rest.length > 3 || parts.flat().length > 7 ? [] : [whole]), [...label.stands.one, 'details']];
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
