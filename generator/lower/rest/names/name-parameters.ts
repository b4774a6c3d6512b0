import type { Choice } from '../choices/choice.ts';
import type { Fact } from '../outline/facts.ts';
import { bare } from '../outline/patterns.ts';
import { type Phrase, plainPhrase } from '../outline/phrase.ts';
import { phraseOf, type Saying } from '../outline/phrase-of.ts';
import { plural } from '../words/nouns.ts';
import { fit } from './snake.ts';

/** A choice as a parameter: its name, and what is chosen, in prose. */
export interface NamedChoice {
  readonly choice: Choice;
  readonly name: string;
  /** What the value is compared with. */
  readonly of: Phrase;
}

const LONGEST = 48;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];

/**
 * Names the choices of a query, in their order: county_name, min_num_test_takers, excluded_status, limit. What is
 * chosen of rows that the facts say there are none of is not excluded once more: without films, by year.
 */
export function nameParameters(
  choices: readonly Choice[],
  facts: readonly Fact[],
  saying: Saying,
): readonly NamedChoice[] {
  const absent = new Set(facts.flatMap(choicesOfAbsent));
  const removed = choices.filter((choice) => choice.removed && !absent.has(choice));
  const saidOf = (choice: Choice, full: boolean): Said => {
    const { of, words } = said(choice, saying, full);
    return { choice, of, words: removed.includes(choice) ? removing(words, choice, removed) : words };
  };
  const plain = choices.map((choice) => saidOf(choice, false));
  const kept = apart(plain, (i) => {
    const one = plain[i];
    return one?.choice.removed && one.words[0] !== 'excluded' ? ['excluded', ...one.words] : null;
  });
  const clear = apart(kept, (i) => {
    const choice = kept[i]?.choice;
    return choice === undefined ? null : saidOf(choice, true).words;
  });
  const counted = clear.map(({ words }) => fit(words, LONGEST));
  const names = counted.map((name, i) => {
    const same = counted.flatMap((other, j) => (other === name ? [j] : []));
    if (same.length === 1) return name;
    const at = same.indexOf(i);
    const ordinal = ORDINALS[at];
    return ordinal === undefined ? `${name}_${at + 1}` : `${ordinal}_${name}`;
  });
  return clear.map(({ choice, of }, i) => ({ choice, of, name: names[i] ?? '' }));
}

interface Said {
  readonly choice: Choice;
  readonly of: Phrase;
  readonly words: readonly string[];
}

/** Says those that share their words in another way, where that tells any of them apart. */
function apart(all: readonly Said[], other: (i: number) => readonly string[] | null): readonly Said[] {
  const names = all.map(({ words }) => fit(words, LONGEST));
  return all.map((one, i) => {
    const sharing = names.flatMap((name, j) => (name === names[i] ? [j] : []));
    if (sharing.length === 1) return one;
    const others = new Set(sharing.map((j) => fit(other(j) ?? [], LONGEST)));
    const words = others.size > 1 ? other(i) : null;
    return words === null ? one : { ...one, words };
  });
}

/** What rows are taken away by: excluded genre; to take away those of all other genres leaves only it. */
function removing(
  words: readonly string[],
  { role, negated }: Choice,
  all: readonly Choice[],
): readonly string[] {
  const [first, ...rest] = words;
  if (first !== 'excluded') return ['excluded', ...words];
  const others = role === 'not_equal' || role === 'not_among' || negated;
  return others && all.length === 1 ? ['only', ...rest] : words;
}

/** The choices that a fact tells of rows that there are none of. */
function choicesOfAbsent(fact: Fact): readonly Choice[] {
  if (fact.kind === 'either') return fact.facts.flatMap(choicesOfAbsent);
  return fact.kind === 'member' && !fact.present && !fact.same ? fact.choices : [];
}

function said(
  choice: Choice,
  saying: Saying,
  full: boolean,
): { readonly of: Phrase; readonly words: readonly string[] } {
  const of = subjectPhrase(choice, saying, full);
  return { of, words: inRole(choice, of) };
}

function subjectPhrase({ subject, scope }: Choice, saying: Saying, full: boolean): Phrase {
  if (subject === null) return plainPhrase(['limit'], 'number of rows');
  const inner = bare(subject);
  if (full && inner.kind === 'column' && saying.speaker.origins.baseColumn(inner) !== null) {
    return { ...saying.speaker.column(inner, true), noun: saying.speaker.qualifiedColumn(inner) };
  }
  return phraseOf(subject, { ...saying, query: scope, qualified: true });
}

const EXTREME = /^(min|max|minimum|maximum|lowest|highest|least|most)$/i;

/** How a bound is said: before a quantity, after one that is an extreme itself, after a date. */
const BOUNDS = {
  above: ['min', 'above', 'after'],
  at_least: ['min', 'from', 'from'],
  low: ['min', 'from', 'from'],
  below: ['max', 'below', 'before'],
  at_most: ['max', 'to', 'to'],
  high: ['max', 'to', 'to'],
} as const;

function inRole({ role, negated, subject, value }: Choice, of: Phrase): readonly string[] {
  const words = of.noun;
  const date = of.scale === 'date' || /^\d{4}-\d{2}-\d{2}/.test(String(value));
  switch (role) {
    case 'equal':
    case 'like':
      return negated ? ['excluded', ...words] : words;
    case 'not_equal':
      return negated ? words : ['excluded', ...words];
    case 'among':
      return negated ? ['excluded', ...plural(words)] : plural(words);
    case 'not_among':
      return negated ? plural(words) : ['excluded', ...plural(words)];
    case 'above':
    case 'at_least':
    case 'below':
    case 'at_most':
    case 'low':
    case 'high': {
      const [bound, number, moment] = BOUNDS[role];
      if (date) return [...words, moment];
      // A bound of a highest temperature: max temperature above.
      return EXTREME.test(words[0] ?? '') ? [...words, number] : [bound, ...words];
    }
    case 'contains':
      return [...words, negated ? 'excludes' : 'contains'];
    case 'starts_with':
      return [...(negated ? ['excluded'] : []), ...words, 'prefix'];
    case 'ends_with':
      return [...(negated ? ['excluded'] : []), ...words, 'suffix'];
    case 'pattern':
    case 'glob':
      return [...(negated ? ['excluded'] : []), ...words, 'pattern'];
    case 'factor':
      return [...words.slice(0, 4), subject === null ? 'number' : 'factor'];
    case 'limit':
      return ['limit'];
  }
}
