import { type Clauses, type ListClauses, oneOf, type Term } from './clause.ts';
import { leftmostList } from './lists.ts';
import { singularText } from './noun-phrase.ts';
import { descriptionRealizer } from './realize.ts';
import { orderText } from './relations.ts';
import { scaleOf, wordsOf } from './term-words.ts';
import { listed, sameWords } from './words.ts';

/** A difference from others with the same text: words for a name, and a text in brackets after a sentence. */
export interface Distinction {
  readonly place: 'front' | 'middle' | 'end';
  readonly words: readonly string[];
  readonly text: string;
}

/** Finds a difference of one kind between `own` and others with the same text, or null. */
export type Detail<T> = (own: T, alike: readonly T[]) => Distinction | null;

/**
 * Renders each item differently from the others: those with the same text all get the first distinction that
 * separates them, then the next if that is not enough.
 */
export function disambiguate<T>(
  items: readonly T[],
  details: readonly Detail<T>[],
  render: (item: T, distinctions: readonly Distinction[]) => string,
): readonly string[] {
  let distinctions: readonly (readonly Distinction[])[] = items.map(() => []);
  let texts = items.map((item) => render(item, []));
  for (const detail of details) {
    const before = texts;
    const next = distinctions.map((own, i) => {
      const alike = items.filter((_, j) => before[j] === before[i]);
      const item = items[i];
      if (alike.length === 1 || item === undefined) return own;
      const found = detail(item, alike);
      const differs = alike.some((other) => detail(other, alike)?.text !== found?.text);
      return differs && found !== null ? [...own, found] : own;
    });
    const changed = next.map((own, i) => (own === distinctions[i] ? null : own));
    texts = texts.map((text, i) => {
      const [own, item] = [changed[i], items[i]];
      return own === null || own === undefined || item === undefined ? text : render(item, own);
    });
    distinctions = next;
  }
  return texts;
}

/** A sentence with its distinctions behind it. */
export function qualified(sentence: string, texts: readonly string[]): string {
  return texts.reduce(
    (whole, text) => (text.startsWith('with ') ? `${whole}, ${text}` : `${whole} (${text})`),
    sentence,
  );
}

/** An endpoint, as far as it is distinguished from others. */
export interface Distinguishable {
  readonly clauses: Clauses;
  /** Names of the result columns. */
  readonly columns: readonly string[];
  /** The noun of a table, by the table's name. */
  readonly nounOf: (table: string) => readonly string[];
}

const plain = descriptionRealizer(() => 'a given value');

function distinction(
  place: Distinction['place'],
  words: readonly string[],
  text: string,
): Distinction | null {
  return text === '' ? null : { place, words, text };
}

function list({ clauses }: Distinguishable): ListClauses | null {
  return leftmostList(clauses);
}

/** Ways to distinguish endpoints, the most informative first; names and summaries use the same. */
export const DISTINCTIONS: readonly Detail<Distinguishable>[] = [
  // Columns that only some of them return.
  (own, alike) => {
    const shown = (one: Distinguishable) => list(one)?.columns ?? [];
    const isShared = (term: Term) =>
      alike.every((other) => shown(other).some((one) => sameWords(wordsOf(one), wordsOf(term))));
    const more = shown(own).filter((term) => !isShared(term));
    const lead = list(own)?.subject?.one ?? [];
    const lists = more.slice(0, 2).map((term) => wordsOf(term).filter((word) => !lead.includes(word)));
    const words = lists
      .filter((one) => one.length > 0)
      .flatMap((one, i) => [i === 0 ? 'with' : 'and', ...one]);
    const text = listed(more.map((term) => singularText(plain.noun(term)))).replaceAll('`', '');
    return distinction('middle', words, more.length === 0 || text.length > 140 ? '' : `with the ${text}`);
  },
  (own) => (list(own)?.distinct ? distinction('front', ['distinct'], 'each different row once') : null),
  (own) => {
    const known = (list(own)?.conditions ?? []).flatMap((one) =>
      one.kind === 'known' && !one.negated ? [one.of] : [],
    );
    const words = known.flatMap((term, i) => [i === 0 ? 'with' : 'and', ...wordsOf(term)]);
    return distinction(
      'middle',
      words,
      known.length === 0
        ? ''
        : `where ${listed(known.map((term) => singularText(plain.noun(term))))} is known`,
    );
  },
  // Constants, signs and roles for which neither a name nor a summary had room.
  (own, alike) => {
    const clausesOf = (one: Distinguishable) =>
      (list(one)?.conditions ?? []).map((condition) =>
        plain.about(list(one)?.subject ?? null).clause(condition),
      );
    const more = clausesOf(own).filter((text) => !alike.every((other) => clausesOf(other).includes(text)));
    const text = listed(more).replaceAll('`', '');
    return distinction('end', [], text.length > 70 ? '' : text);
  },
  (own, alike) => {
    const more = own.clauses.tables.filter(
      (table) => !alike.every(({ clauses }) => clauses.tables.includes(table)),
    );
    const [first] = more;
    return first === undefined
      ? null
      : distinction(
          'middle',
          ['via', ...own.nounOf(first)],
          `by way of ${listed(more.map((table) => own.nounOf(table).join(' ')))}`,
        );
  },
  (own) =>
    own.clauses.kind !== 'fixed' && own.clauses.limit !== null
      ? distinction('end', ['with', 'limit'], 'limited')
      : null,
  (own) => {
    const order = own.clauses.kind === 'fixed' ? [] : own.clauses.order;
    const [by] = order;
    if (by === undefined) return null;
    const words = ['sorted', 'by', ...wordsOf(by.of), ...(by.direction === 'desc' ? ['descending'] : [])];
    const text = order.map(({ of, direction }) =>
      `${wordsOf(of).join(' ')} ${orderText(scaleOf(of), direction)}`.trim(),
    );
    return distinction('end', words, `sorted by ${listed(text)}`);
  },
  (own) => {
    const one = list(own);
    if (one === null) return null;
    const grain = one.grain.map(oneOf);
    const text =
      grain.length > 0
        ? `one row for each ${listed(grain)}`
        : one.groups !== null
          ? 'grouped'
          : 'each row once';
    return distinction('front', one.groups === null ? [] : ['grouped'], text);
  },
  ({ columns }) => distinction('end', [], `in the order ${listed(columns)}`),
];
