import { type Clauses, type ListClauses, oneOf, type Term } from './clauses/clause.ts';
import { leftmostList } from './clauses/lists.ts';
import { scaleOf, wordsOf } from './names/term-words.ts';
import { singularText } from './noun-phrase.ts';
import { descriptionRealizer } from './realize.ts';
import { orderText } from './relations.ts';
import { listed, sameWords } from './words/words.ts';

/** What tells one of several apart that would be said alike: in a name, and in brackets after a sentence. */
export interface Distinction {
  readonly place: 'front' | 'middle' | 'end';
  readonly words: readonly string[];
  readonly text: string;
}

/** Finds what tells `own` from those that are said alike; null where this kind of thing does not. */
export type Detail<T> = (own: T, alike: readonly T[]) => Distinction | null;

/**
 * Says each unlike the others: those that would be said alike all get the first thing that tells them apart, then
 * the next where that is not enough.
 */
export function disambiguate<T>(
  items: readonly T[],
  details: readonly Detail<T>[],
  say: (item: T, distinctions: readonly Distinction[]) => string,
): readonly string[] {
  let told: readonly (readonly Distinction[])[] = items.map(() => []);
  let said = items.map((item) => say(item, []));
  for (const detail of details) {
    const before = said;
    const next = told.map((own, i) => {
      const alike = items.filter((_, j) => before[j] === before[i]);
      const item = items[i];
      if (alike.length === 1 || item === undefined) return own;
      const found = detail(item, alike);
      const differs = alike.some((other) => detail(other, alike)?.text !== found?.text);
      return differs && found !== null ? [...own, found] : own;
    });
    const changed = next.map((own, i) => (own === told[i] ? null : own));
    said = said.map((text, i) => {
      const [own, item] = [changed[i], items[i]];
      return own === null || own === undefined || item === undefined ? text : say(item, own);
    });
    told = next;
  }
  return said;
}

/** An endpoint as it is told from others. */
export interface Distinguishable {
  readonly clauses: Clauses;
  /** Names of the result columns. */
  readonly columns: readonly string[];
  /** What the tables of a domain are called, by their names. */
  readonly nounOf: (table: string) => readonly string[];
}

const plain = descriptionRealizer(() => 'a given value');

function told(place: Distinction['place'], words: readonly string[], text: string): Distinction | null {
  return text === '' ? null : { place, words, text };
}

function list({ clauses }: Distinguishable): ListClauses | null {
  return leftmostList(clauses);
}

/** What tells endpoints apart, the most telling first; names and summaries use the same. */
export const DISTINCTIONS: readonly Detail<Distinguishable>[] = [
  // What only some of them show.
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
    return told(
      'middle',
      words,
      more.length === 0 ? '' : `with ${listed(more.map((term) => singularText(plain.noun(term))))}`,
    );
  },
  (own) => (list(own)?.distinct ? told('front', ['distinct'], 'each different row once') : null),
  (own) => {
    const known = (list(own)?.conditions ?? []).flatMap((one) =>
      one.kind === 'known' && !one.negated ? [one.of] : [],
    );
    const words = known.flatMap((term, i) => [i === 0 ? 'with' : 'and', ...wordsOf(term)]);
    return told(
      'middle',
      words,
      known.length === 0
        ? ''
        : `where ${listed(known.map((term) => singularText(plain.noun(term))))} is known`,
    );
  },
  (own) =>
    (list(own)?.conditions ?? []).some(({ kind }) => kind === 'extreme')
      ? told('end', ['including', 'ties'], 'including ties')
      : null,
  // Constants, signs and roles that neither a name nor a summary had room for.
  (own, alike) => {
    const told_ = (one: Distinguishable) =>
      (list(one)?.conditions ?? []).map((condition) =>
        plain.about(list(one)?.subject ?? null).clause(condition),
      );
    const more = told_(own).filter((text) => !alike.every((other) => told_(other).includes(text)));
    const text = listed(more).replaceAll('`', '');
    return told('end', [], text.length > 70 ? '' : text);
  },
  (own, alike) => {
    const more = own.clauses.tables.filter(
      (table) => !alike.every(({ clauses }) => clauses.tables.includes(table)),
    );
    const [first] = more;
    return first === undefined
      ? null
      : told(
          'middle',
          ['via', ...own.nounOf(first)],
          `by way of ${listed(more.map((table) => own.nounOf(table).join(' ')))}`,
        );
  },
  (own) => {
    const like = (list(own)?.conditions ?? []).some((one) => one.kind === 'match' && one.how === 'like');
    return like ? told('end', ['in', 'any', 'case'], 'in any case of letters') : null;
  },
  (own) =>
    own.clauses.kind !== 'fixed' && own.clauses.limit !== null
      ? told('end', ['with', 'limit'], 'limited')
      : null,
  (own) => {
    const order = own.clauses.kind === 'fixed' ? [] : own.clauses.order;
    const [by] = order;
    if (by === undefined) return null;
    const words = ['sorted', 'by', ...wordsOf(by.of), ...(by.direction === 'desc' ? ['descending'] : [])];
    const text = order.map(({ of, direction }) =>
      `${wordsOf(of).join(' ')} ${orderText(scaleOf(of), direction)}`.trim(),
    );
    return told('end', words, `sorted by ${listed(text)}`);
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
    return told('front', one.groups === null ? [] : ['grouped'], text);
  },
  ({ clauses }) =>
    clauses.kind === 'combined'
      ? told('end', ['by', ...clauses.op.split('_')], `as ${clauses.op.replace('_', ' ')}`)
      : null,
  ({ columns }) => told('end', [], `in the order ${listed(columns)}`),
];
