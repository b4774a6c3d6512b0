import type { Choice } from '../../template/choices.ts';
import type { Clauses, Term, Words } from '../clauses/clause.ts';
import { choicesWithin, visitNodes } from '../clauses/tree.ts';
import { isMatch, isRelation, MATCHES, RELATIONS } from '../relations.ts';
import { plural } from '../words/nouns.ts';
import { ORDINALS } from '../words/numbers.ts';
import { fit } from './snake.ts';
import { scaleOf, wordsOf } from './term-words.ts';

/** A choice with what its value is compared with; null for a number of rows. */
export interface Chosen {
  readonly choice: Choice;
  readonly of: Term | null;
}

/** A choice as a parameter. */
export interface NamedChoice extends Chosen {
  readonly name: string;
}

const LONGEST = 48;

/**
 * Names the choices of a query, in their order: county_name, above_num_test_takers, excluded_status, limit. What is
 * chosen of rows that there are none of is not excluded once more: without films, by year.
 */
export function nameParameters(chosen: readonly Chosen[], clauses: Clauses): readonly NamedChoice[] {
  const absent = new Set(absentChoices(clauses));
  const removed = chosen.filter(({ choice }) => choice.removed && !absent.has(choice));
  const sides = changeSides(clauses);
  const wordsFor = (one: Chosen, full: boolean): Words => {
    const words = inRole(
      one,
      one.of === null ? ['limit'] : full && one.of.kind === 'property' ? one.of.full.words : wordsOf(one.of),
    );
    return removed.includes(one) ? removing(words, one.choice, removed) : words;
  };
  const plain = chosen.map((one) => wordsFor(one, false));
  const kept = apart(plain, (i) => {
    const own = plain[i];
    return chosen[i]?.choice.removed && own !== undefined && own[0] !== 'excluded'
      ? ['excluded', ...own]
      : null;
  });
  const clear = apart(kept, (i) => {
    const one = chosen[i];
    return one === undefined ? null : wordsFor(one, true);
  });
  const directed = apart(clear, (i) => {
    const [one, words] = [chosen[i], clear[i]];
    const side = one === undefined ? undefined : sides.get(one.choice);
    return side === undefined || words === undefined ? null : [side, ...words];
  });
  const names = numbered(directed.map((words) => fit(words, LONGEST)));
  return chosen.map((one, i) => ({ ...one, name: names[i] ?? '' }));
}

function numbered(names: readonly string[]): readonly string[] {
  return names.map((name, i) => {
    const same = names.flatMap((other, j) => (other === name ? [j] : []));
    if (same.length === 1) return name;
    const at = same.indexOf(i);
    return at < 9 ? `${ORDINALS[at]}_${name}` : `${name}_${at + 1}`;
  });
}

/** Says those that share their words in another way, where that tells any of them apart. */
function apart(all: readonly Words[], other: (i: number) => Words | null): readonly Words[] {
  const names = all.map((words) => fit(words, LONGEST));
  return all.map((words, i) => {
    const sharing = names.flatMap((name, j) => (name === names[i] ? [j] : []));
    if (sharing.length === 1) return words;
    const others = new Set(sharing.map((j) => fit(other(j) ?? [], LONGEST)));
    return (others.size > 1 ? other(i) : null) ?? words;
  });
}

/** What rows are taken away by: excluded genre; to take away those of all other genres leaves only it. */
function removing(words: Words, { role, negated }: Choice, all: readonly Chosen[]): Words {
  const [first, ...rest] = words;
  if (first !== 'excluded') return ['excluded', ...words];
  const others = role === 'not_equal' || role === 'not_among' || negated;
  return others && all.length === 1 ? ['only', ...rest] : words;
}

/** The choices that tell where a change begins and where it ends. */
function changeSides(clauses: Clauses): ReadonlyMap<Choice, 'from' | 'to'> {
  const sides = new Map<Choice, 'from' | 'to'>();
  visitNodes(clauses, (node) => {
    if (node.kind !== 'change') return;
    for (const choice of choicesWithin(node.from)) sides.set(choice, 'from');
    for (const choice of choicesWithin(node.to)) sides.set(choice, 'to');
  });
  return sides;
}

/** The choices that tell of rows of another table that there are none of. */
function absentChoices(clauses: Clauses): readonly Choice[] {
  if (clauses.kind === 'fixed') return [];
  if (clauses.kind === 'combined') return [clauses.left, clauses.right].flatMap(absentChoices);
  const absent = clauses.conditions.flatMap((one) =>
    one.kind === 'exists' && one.negated && one.query !== null ? [one.query] : [],
  );
  const found = choicesWithin(absent);
  return [...found, ...clauses.read.flatMap(absentChoices)];
}

const EXTREME = /^(min|max|minimum|maximum|lowest|highest|least|most)$/i;

function inRole({ choice, of }: Chosen, words: Words): Words {
  const { role, negated, value } = choice;
  if (role === 'limit') return ['limit'];
  if (role === 'factor') return [...words.slice(0, 4), 'factor'];
  if (role === 'contains') return [...words, negated ? 'excludes' : 'contains'];
  const relation = role === 'low' ? 'at_least' : role === 'high' ? 'at_most' : role;
  if (isRelation(relation) && relation !== 'equal' && relation !== 'not_equal') {
    const [bound, number, moment] = RELATIONS[relation].name;
    const date = (of !== null && scaleOf(of) === 'date') || /^\d{4}-\d{2}-\d{2}/.test(String(value));
    if (date) return [...words, moment];
    // A bound of a highest temperature: max temperature above.
    return EXTREME.test(words[0] ?? '') ? [...words, number] : [bound, ...words];
  }
  const excluded = (role === 'not_equal' || role === 'not_among') !== negated;
  const several = role === 'among' || role === 'not_among';
  const tail = isMatch(role) ? MATCHES[role].name : '';
  return [excluded ? 'excluded' : '', ...(several ? plural(words) : words), tail].filter(
    (word) => word !== '',
  );
}
