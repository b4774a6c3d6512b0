import type { Term, Thing } from './clauses/clause.ts';
import type { Meaning } from './clauses/meaning.ts';
import { behind, type NounPhrase, singularText } from './noun-phrase.ts';
import { ORDINALS } from './words/numbers.ts';

/** How one that shares its phrase is said: with whose it is, or as the second, third … form of it. */
type Told = 'full' | number;

interface Heard {
  readonly text: string;
  readonly term: Term;
  readonly meaning: Meaning;
  readonly subject: string;
}

/** Most rounds until nothing is said alike; each settles the shortest phrases that are left. */
const ROUNDS = 8;

/**
 * Says something in such a way that no phrase stands for two different things: what would be said alike is said again
 * with whose it is, and where that is not enough as another form of what shares its phrase.
 */
export function keepApart<T>(meaning: (term: Term) => Meaning | null, say: (apart: Apart) => T): T {
  const apart = new Apart(meaning);
  let said = say(apart);
  for (let round = 0; round < ROUNDS && apart.settle(); round++) said = say(apart);
  return said;
}

/** Hears which phrases terms were given, and changes those that were given to different things. */
export class Apart {
  readonly #meaning: (term: Term) => Meaning | null;
  #heard: Heard[] = [];
  readonly #told = new Map<string, Told>();

  constructor(meaning: (term: Term) => Meaning | null) {
    this.#meaning = meaning;
  }

  /** The phrase of a term, changed where something else has the same. */
  noun(term: Term, subject: Thing | null, say: () => NounPhrase): NounPhrase {
    const before = this.#heard.length;
    let np = say();
    const meaning = /^(constant|given)$/.test(term.kind) ? null : this.#meaning(term);
    if (meaning === null) return np;
    for (let told = this.#toldOf(np, meaning); told !== undefined; told = this.#toldOf(np, meaning)) {
      if (told === 'full' && (term.kind !== 'property' || term.full.text === singularText(np))) break;
      np =
        told === 'full' && term.kind === 'property'
          ? { ...np, head: term.full.text.split(' '), owner: null }
          : behind(np, `(in ${told === 1 ? 'another' : `a ${ORDINALS[Number(told)] ?? 'further'}`} form)`);
    }
    const text = singularText(np);
    // A value is called as what it is made of where that says enough; of its parts nothing else is told by that name.
    const inside = this.#heard.slice(before).filter((one) => one.text !== text);
    this.#heard = [...this.#heard.slice(0, before), ...inside];
    this.#heard.push({ text, term, meaning, subject: subject?.one.join(' ') ?? '' });
    return np;
  }

  #toldOf(np: NounPhrase, meaning: Meaning): Told | undefined {
    return this.#told.get(keyOf(singularText(np), meaning));
  }

  /** The phrases that stand for different things, with these things; those told by their owners on the spot do not count. */
  shared(): ReadonlyMap<string, readonly Meaning[]> {
    const byText = new Map<string, Heard[]>();
    for (const one of this.#heard) byText.set(one.text, [...(byText.get(one.text) ?? []), one]);
    return new Map(
      [...byText].flatMap(([text, heard]) => {
        const meanings = new Map(heard.map(({ meaning }) => [meaning.text, meaning]));
        return meanings.size < 2 || saysOwners(heard) ? [] : [[text, [...meanings.values()]] as const];
      }),
    );
  }

  /** Decides how phrases that are shared are said from now on; false where there are none. */
  settle(): boolean {
    const shared = this.shared();
    const texts = [...shared.keys()];
    const shortest = texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
    for (const text of shortest) {
      const meanings = shared.get(text) ?? [];
      const columns = meanings.filter(({ column }) => column);
      const whose = columns.length < 2 ? [] : columns.filter((meaning) => this.#saysMore(text, meaning));
      for (const meaning of whose) this.#told.set(keyOf(text, meaning), 'full');
      if (whose.length > 0) continue;
      const others = meanings.filter((one) => !columns.includes(one));
      const rest = [...columns, ...others].slice(1);
      for (const [i, meaning] of rest.entries()) this.#told.set(keyOf(text, meaning), i + 1);
    }
    this.#heard = [];
    return shortest.length > 0;
  }

  /** Whether a column says more with whose it is. */
  #saysMore(said: string, { text: meaning }: Meaning): boolean {
    return this.#heard.some(
      ({ text, term, meaning: own }) =>
        text === said && own.text === meaning && term.kind === 'property' && term.full.text !== said,
    );
  }
}

function keyOf(text: string, meaning: Meaning): string {
  return `${text}\n${meaning.text}`;
}

/** Whether the columns of one name are each of other rows, which are what is spoken of: chapters of parts and of directives. */
function saysOwners(heard: readonly Heard[]): boolean {
  const owners = new Set(heard.map(({ meaning, subject }) => `${subject}\n${meaning.text}`));
  const subjects = new Set(heard.map(({ subject }) => subject));
  return heard.every(({ meaning }) => meaning.column) && !subjects.has('') && owners.size === subjects.size;
}
