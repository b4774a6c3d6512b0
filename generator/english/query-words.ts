import {
  type Clauses,
  type Condition,
  choicesWithin,
  type Groups,
  isReference,
  type ListClauses,
  type Shown,
  type Sort,
  sameThing,
  type Term,
  type Thing,
  type Words,
} from './clause.ts';
import { withoutKey } from './lexicon.ts';
import {
  isMeasured,
  isThing,
  knownRows,
  leftmostList,
  measuresOf,
  namedGroup,
  perKeys,
  showsRank,
  withoutConstants,
} from './lists.ts';
import { measuredThing, mentions } from './ranking.ts';
import { extreme, isMoment, RELATIONS, superlative } from './relations.ts';
import { scaleOf, wordsAmong, wordsOf } from './term-words.ts';
import { endsWith, joinedAnd, ORDINALS, plural, pluralValues, sameWords, singular, upTo } from './words.ts';

/** Possible beginnings of a name: what is returned and how it is ranked; the longest first. */
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
  const ranked = shortened(wordsOf(by.of));
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
  const groups = isRankedGroup(list) ? namedGroup(list.groups) : null;
  const heads = groups === null ? plainWords(list, !single) : [single ? groups.thing.one : groups.thing.many];
  return heads.flatMap((words) =>
    shortened(wordsAmong(namedIn(words, list.subject), by.of)).map((of) =>
      single ? [...words, ...rankWords(by, place, of)] : top(words, by, of),
    ),
  );
}

/** The rows if the words of a name have them; else null. */
export function namedIn(words: Words, rows: Thing | null): Thing | null {
  return rows !== null && mentions(words.join(' '), rows) ? rows : null;
}

function perWords(list: ListClauses): Words {
  const keys = perKeys(list);
  return list.groups === null || list.about !== 'groups' ? [] : ['per', ...joinedAnd(keys.map(keyWords))];
}

/** The words for a key of groups. */
function keyWords(key: Thing | Term): Words {
  return isThing(key) ? key.one : wordsOf(key);
}

/** Whether groups with numbers are ranked: districts by city count. */
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

/** A ranking term, and shorter: enrollment to meals ratio, enrollment ratio. */
function shortened(noun: Words): readonly Words[] {
  const to = noun.indexOf('to');
  const last = noun.at(-1) ?? '';
  if (to > 0 && /^(ratio|percentage)$/.test(last)) return [noun, [...noun.slice(0, to), last]];
  return noun.length > 4 ? [noun, noun.slice(0, 4)] : [noun];
}

/** The returned rows or numbers, without their ranking. */
function plainWords(list: ListClauses, many: boolean): readonly Words[] {
  const { about, groups, shown } = list;
  if (about === 'all') return measureWords(withoutConstants(shown), rowsOf(list));
  const measures = groups === null ? [] : measuresOf(groups, shown);
  if (about === 'groups' && groups !== null && measures.length > 0) {
    const shownKeys = groupWords(groups);
    const unshown = groups.unshown.map(keyWords);
    const all =
      shownKeys.length + unshown.length > 0 ? [...shownKeys, ...unshown] : groups.keys.map(keyWords);
    const by = upTo(6, joinedAnd(all), all[0] ?? ['group']);
    return measureWords(measures, rowsOf(list)).map((words) => [
      ...words,
      'per',
      ...(by.length === 0 ? ['group'] : by),
    ]);
  }
  const heads = listWords(list, many);
  const unshown = groups?.unshown ?? [];
  if (unshown.length === 0 || list.distinct) return heads;
  const tail = joinedAnd(unshown.map(keyWords));
  return [...heads.map((words) => [...words, many ? 'per' : 'of', ...tail]), ...heads];
}

/** The rows that the numbers of a list are about. */
function rowsOf(list: ListClauses): Thing | null {
  const thing = measuredThing(list);
  return thing === null || thing.one[0] === 'row' ? list.subject : thing;
}

/** The words for groups: the thing that a name or key stands for, else the columns that identify them. */
function groupWords(groups: Groups): readonly Words[] {
  const named = namedGroup(groups);
  return named === null
    ? withoutConstants(groups.shownKeys).map(({ term }) => wordsOf(term))
    : [named.thing.one];
}

function measureWords(measures: readonly Shown[], subject: Thing | null): readonly Words[] {
  const long = joinedAnd(measures.map(({ term }) => wordsOf(term, 'head')));
  const short = joinedAnd(measures.map(({ term }) => wordsOf(term, 'noun')));
  const statistics = [...(subject?.one ?? []), 'statistics'];
  if (measures.length > 3) return [statistics];
  const counts = measures.filter(({ term }) => term.kind === 'count').length;
  if (measures.length > 1) return counts > 1 ? [statistics] : [long, statistics];
  // Parameters may name the condition as well.
  const at = long.lastIndexOf('with');
  const bare = at > 0 ? long.slice(0, at) : long;
  return [long, bare, short].filter(
    (words, i, all) => i === 0 || (words.length > 1 && words.length < (all[i - 1]?.length ?? 0)),
  );
}

/** schools, schools with phone and website, film titles and years, school details */
function listWords(list: ListClauses, many: boolean): readonly Words[] {
  const { shown, subject } = list;
  const columns = withoutConstants(shown);
  const known = knownRows(list);
  if (known !== null) {
    const { thing, rest } = known;
    const lead = many ? thing.many : thing.one;
    if (rest.length === 0) return [lead];
    const parts = rest.map(({ term }) => withoutNoun(wordsOf(term), thing));
    const whole = [...lead, ...(many ? ['with'] : ['and']), ...joinedAnd(parts)];
    return [...(rest.length > 3 || parts.flat().length > 7 ? [] : [whole]), [...thing.one, 'details']];
  }
  if (subject === null || columns.length === 0) {
    const lists = columns.slice(0, 3).map(({ term }) => wordsOf(term));
    return [lists.length === 0 ? (subject?.many ?? ['values']) : joinedAnd(lists)];
  }
  const [first] = columns;
  const words = columns.map(({ term }) => withoutNoun(wordsOf(term), subject));
  const whole = first === undefined ? [] : wordsOf(first.term);
  const clear = includesNoun(whole, subject) || refersAway(first, subject);
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
  const bare = withoutKey(words);
  return (bare.length < words.length && !sameWords(bare, subject.one)) || !sameThing(one.owner, subject);
}

function includesNoun(words: Words, { one }: Thing): boolean {
  const last = one.at(-1)?.toLowerCase() ?? '';
  return words.some((word) => word.toLowerCase() === last);
}

function withoutNoun(words: Words, { one }: Thing): Words {
  const lead = one.map((word) => word.toLowerCase());
  const starts = lead.every((word, i) => words[i]?.toLowerCase() === word) && words.length > lead.length;
  return starts ? words.slice(lead.length) : words;
}

/** The words that a condition adds to a name besides parameters, and whether the name is false without. */
export interface Fact {
  readonly words: Words;
  readonly needed: boolean;
}

/** Without phone, with highest weight, with above average score; nothing for choices, which are listed apart. */
export function conditionWords(clauses: Clauses, named: Thing | null = null): readonly Fact[] {
  const list = leftmostList(clauses);
  if (list === null) return [];
  const right = clauses.kind === 'combined' ? sideWords(clauses) : [];
  const own = list.conditions.flatMap((one) => factsOf(one, list, named));
  return merged([...own, ...right, ...list.read.flatMap((inner) => conditionWords(inner))]);
}

function sideWords(clauses: Extract<Clauses, { kind: 'combined' }>): readonly Fact[] {
  const left = clauses.left.kind === 'combined' ? sideWords(clauses.left) : [];
  const right = leftmostList(clauses.right);
  if (right === null) return left;
  const facts = right.conditions.flatMap((one) => factsOf(one, right));
  const other = leftmostList(clauses.left);
  const same = other !== null && sameWords(other.subject?.one ?? [], right.subject?.one ?? []);
  if (clauses.op !== 'except') return [...left, ...facts];
  if (same && right.conditions.every(({ kind }) => kind !== 'exists')) return left;
  return [
    ...left,
    ...facts
      .map(({ words }) => ({ words: opposite(words), needed: true }))
      .filter(({ words }) => words.length > 0),
  ];
}

/** with films → without films */
function opposite([first, ...rest]: Words): Words {
  return first === 'with' ? ['without', ...rest] : [];
}

function factsOf(condition: Condition, list: ListClauses, named: Thing | null = null): readonly Fact[] {
  const fact = (words: Words, needed = false): readonly Fact[] =>
    words.length === 0 ? [] : [{ words, needed }];
  switch (condition.kind) {
    case 'known': {
      const words = wordsOf(condition.of);
      // Returned and ranked values are known anyway.
      const shown = [...list.columns, ...list.order.map(({ of }) => of)];
      if (!condition.negated && shown.some((term) => sameWords(wordsOf(term), words))) return [];
      const own = isReference(condition.of) ? withoutKey(words) : wordsAmong(named, condition.of);
      return fact([condition.negated ? 'without' : 'with', ...own]);
    }
    case 'exists': {
      const inner = condition.query === null ? [] : conditionWords(condition.query);
      if (!condition.negated && inner.length > 0) return inner;
      if (!condition.negated && condition.query !== null && hasChoice(condition)) return [];
      const [word, words] = condition.negated
        ? ['without', condition.thing.many]
        : [condition.are ? 'as' : 'with', condition.thing.many];
      return fact([word, ...words], condition.negated);
    }
    case 'extreme': {
      const words = wordsAmong(named, condition.of);
      return fact(rankWords({ of: condition.of, direction: condition.highest ? 'desc' : 'asc' }, [], words));
    }
    case 'first':
      return firstWords(condition);
    case 'compare':
      return fact(compareWords(condition));
    case 'range':
      return [];
    case 'not': {
      const inner = factsOf(condition.item, list, named);
      return inner
        .map(({ words }) => ({ words: opposite(words), needed: true }))
        .filter(({ words }) => words.length > 0);
    }
    case 'all':
      return condition.items.flatMap((item) => factsOf(item, list, named));
    case 'any': {
      if (condition.items.some(hasChoice)) return [];
      return condition.items.slice(0, 1).flatMap((item) => factsOf(item, list, named));
    }
    case 'member':
      return hasChoice(condition)
        ? []
        : fact([
            'with',
            ...wordsOf(condition.of),
            condition.negated ? 'not_among' : 'among',
            ...(leftmostList(condition.query)?.subject?.many ?? []),
          ]);
    default:
      return [];
  }
}

/** Whether a condition holds a value that is chosen. */
function hasChoice(condition: Condition): boolean {
  return choicesWithin(condition).length > 0;
}

/** The words of a term, or of what it refers to: breed for breed code. */
function keyedWords(of: Term): Words {
  return isReference(of) ? withoutKey(wordsOf(of)) : wordsOf(of);
}

function firstWords({ query, itself }: Extract<Condition, { kind: 'first' }>): readonly Fact[] {
  const list = leftmostList(query);
  const [by] = list?.order ?? [];
  if (list === null || by === undefined) return [];
  const ranked = rankWords(by, [], wordsOf(by.of));
  const [shown] = list.columns;
  const what = list.groups === null || shown === undefined ? (list.subject?.one ?? []) : keyedWords(shown);
  const whose = itself ? [] : ['of', ...what];
  return [
    { words: [...whose, ...ranked], needed: false },
    ...list.conditions.flatMap((one) => factsOf(one, list)),
  ];
}

function compareWords({ of, relation, to }: Extract<Condition, { kind: 'compare' }>): Words {
  if (to.kind === 'given') return [];
  const left = wordsOf(of);
  if (to.kind === 'constant') return [];
  if (relation === 'equal') return ['with', RELATIONS.equal.versus, ...left];
  return ['with', ...left, RELATIONS[relation].versus, ...withoutSame(wordsOf(to), left)];
}

/** population below max population → population below max; score above average score → score above average */
function withoutSame(words: Words, left: Words): Words {
  if (sameWords(words.slice(0, left.length), left)) return ['that', ...words.slice(left.length)];
  const [kind, ...rest] = words;
  return kind !== undefined && sameWords(rest, left) ? [kind] : words;
}

/** with phone, with email → with phone and email */
function merged(facts: readonly Fact[]): readonly Fact[] {
  const different = facts.filter(
    (fact, i) => facts.findIndex((other) => sameWords(other.words, fact.words)) === i,
  );
  const plain = different.filter(
    ({ words: [first, second] }) =>
      first === 'with' && !/^(highest|lowest|most|fewest|latest|earliest|above|below)$/.test(second ?? ''),
  );
  const [lead, ...others] = plain;
  if (lead === undefined || others.length === 0) return different;
  const words = [...lead.words, ...others.flatMap(({ words: [, ...rest] }) => ['and', ...rest])];
  return different.flatMap((fact) =>
    fact === lead ? [{ ...lead, words }] : plain.includes(fact) ? [] : [fact],
  );
}
