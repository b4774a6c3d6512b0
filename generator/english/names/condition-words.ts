import type { Clauses, Condition, ListClauses, Words } from '../clauses/clause.ts';
import { leftmostList } from '../clauses/lists.ts';
import { choicesWithin } from '../clauses/tree.ts';
import { RELATIONS } from '../relations.ts';
import { sameWords } from '../words/word-lists.ts';
import { rankWords } from './head-words.ts';
import { wordsOf } from './term-words.ts';

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
  const own = list.conditions.flatMap((one) => toldOf(one, list));
  return merged([...own, ...right, ...list.read.flatMap((inner) => conditionWords(inner))]);
}

function sideWords(clauses: Extract<Clauses, { kind: 'combined' }>): readonly Told[] {
  const left = clauses.left.kind === 'combined' ? sideWords(clauses.left) : [];
  const right = leftmostList(clauses.right);
  if (right === null) return left;
  const told = right.conditions.flatMap((one) => toldOf(one, right));
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

function toldOf(condition: Condition, list: ListClauses): readonly Told[] {
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
      const inner = toldOf(condition.item, list);
      return inner
        .map(({ words }) => ({ words: opposite(words), needed: true }))
        .filter(({ words }) => words.length > 0);
    }
    case 'all':
      return condition.items.flatMap((item) => toldOf(item, list));
    case 'any': {
      if (condition.items.some(hasChoice)) return [];
      return condition.items.slice(0, 1).flatMap((item) => toldOf(item, list));
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
    ...list.conditions.flatMap((one) => toldOf(one, list)),
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
