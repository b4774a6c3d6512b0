import {
  type Clauses,
  type Condition,
  choicesWithin,
  type Groups,
  type ListClauses,
  type Shown,
  type Sort,
  sameThing,
  type Term,
  type Thing,
  type Words,
} from '../clauses/clause.ts';
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
import { extreme, isMoment, RELATIONS, superlative } from '../relations.ts';
import { withoutKey } from '../words/lexicon.ts';
import {
  endsWith,
  joinedAnd,
  ORDINALS,
  plural,
  pluralValues,
  sameWords,
  singular,
  upTo,
} from '../words/words.ts';
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

/** What a condition adds to a name besides parameters, and whether its absence would make the name false. */
export interface Told {
  readonly words: Words;
  readonly needed: boolean;
}

/** Without phone, with highest weight, with above average score; nothing for choices, which are listed apart. */
export function conditionWords(clauses: Clauses): readonly Told[] {
  const list = leftmostList(clauses);
  if (list === null) return [];
  const right = clauses.kind === 'combined' ? sideWords(clauses) : [];
  const own = list.conditions.flatMap((one) => conditionWordsToldOf(one, list));
  return merged([...own, ...right, ...list.read.flatMap((inner) => conditionWords(inner))]);
}

function sideWords(clauses: Extract<Clauses, { kind: 'combined' }>): readonly Told[] {
  const left = clauses.left.kind === 'combined' ? sideWords(clauses.left) : [];
  const right = leftmostList(clauses.right);
  if (right === null) return left;
  const told = right.conditions.flatMap((one) => conditionWordsToldOf(one, right));
  const other = leftmostList(clauses.left);
  const same = other !== null && sameWords(other.subject?.one ?? [], right.subject?.one ?? []);
  if (clauses.op !== 'except') return [...left, ...told];
  if (same && right.conditions.every(({ kind }) => kind !== 'exists')) return left;
  return [
    ...left,
    ...told
      .map(({ words }) => ({ words: opposite(words), needed: true }))
      .filter(({ words }) => words.length > 0),
  ];
}

/** with films → without films */
function opposite([first, ...rest]: Words): Words {
  return first === 'with' ? ['without', ...rest] : [];
}

function conditionWordsToldOf(condition: Condition, list: ListClauses): readonly Told[] {
  const told = (words: Words, needed = false): readonly Told[] =>
    words.length === 0 ? [] : [{ words, needed }];
  switch (condition.kind) {
    case 'known': {
      const words = wordsOf(condition.of);
      // What is returned or ranked is known to be there.
      const said = [...list.columns, ...list.order.map(({ of }) => of)];
      if (!condition.negated && said.some((term) => sameWords(wordsOf(term), words))) return [];
      return told([condition.negated ? 'without' : 'with', ...words]);
    }
    case 'exists': {
      const inner = condition.query === null ? [] : conditionWords(condition.query);
      if (!condition.negated && inner.length > 0) return inner;
      if (!condition.negated && condition.query !== null && hasChoice(condition)) return [];
      const [word, words] = condition.negated
        ? ['without', condition.thing.many]
        : [condition.are ? 'as' : 'with', condition.thing.many];
      return told([word, ...words], condition.negated);
    }
    case 'extreme': {
      const words = wordsOf(condition.of);
      return told(rankWords({ of: condition.of, direction: condition.highest ? 'desc' : 'asc' }, [], words));
    }
    case 'first':
      return firstWords(condition);
    case 'compare':
      return told(compareWords(condition));
    case 'range':
      return [];
    case 'not': {
      const inner = conditionWordsToldOf(condition.item, list);
      return inner
        .map(({ words }) => ({ words: opposite(words), needed: true }))
        .filter(({ words }) => words.length > 0);
    }
    case 'all':
      return condition.items.flatMap((item) => conditionWordsToldOf(item, list));
    case 'any': {
      if (condition.items.some(hasChoice)) return [];
      return condition.items.slice(0, 1).flatMap((item) => conditionWordsToldOf(item, list));
    }
    case 'member':
      return hasChoice(condition)
        ? []
        : told([
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

function firstWords({ query, itself }: Extract<Condition, { kind: 'first' }>): readonly Told[] {
  const list = leftmostList(query);
  const [by] = list?.order ?? [];
  if (list === null || by === undefined) return [];
  const ranked = rankWords(by, [], wordsOf(by.of));
  const whose = itself ? [] : ['of', ...(list.subject?.one ?? [])];
  return [
    { words: [...whose, ...ranked], needed: false },
    ...list.conditions.flatMap((one) => conditionWordsToldOf(one, list)),
  ];
}

function compareWords({ of, relation, to }: Extract<Condition, { kind: 'compare' }>): Words {
  if (to.kind === 'given') return [];
  const left = wordsOf(of);
  if (of.kind === 'arithmetic' && of.op === 'bits' && to.kind === 'constant') {
    const unset = (relation === 'equal') === (to.text === '0');
    return [unset ? 'without' : 'with', ...left];
  }
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
function merged(facts: readonly Told[]): readonly Told[] {
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
