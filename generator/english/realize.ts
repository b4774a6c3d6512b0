import type { Choice } from '../template/choices.ts';
import type { Clauses, Condition, Given, Term, Thing } from './clauses/clause.ts';
import type { Meaning } from './clauses/shown.ts';
import { adjunctsOf } from './conditions/adjuncts.ts';
import { clauseOf } from './conditions/condition-text.ts';
import { shiftText } from './moments.ts';
import {
  article,
  behind,
  capital,
  isUncounted,
  joinTexts,
  type NounPhrase,
  pluralText,
  singularText,
} from './noun-phrase.ts';
import { queryText, takesThe } from './queries/query-text.ts';
import { type Detail, EVERYTHING, type Lead, type Realizer, type Style } from './realizer.ts';
import { nounOf } from './terms.ts';
import { listed, ORDINALS } from './words/words.ts';

export const LONGEST_SUMMARY = 160;

/** What a summary leaves out, one after the other, until it fits; the description says everything. */
const LEVELS: readonly Detail[] = [
  { order: true, columns: 5, whose: true, nested: true, conditions: 99 },
  { order: false, columns: 5, whose: true, nested: true, conditions: 99 },
  { order: false, columns: 3, whose: true, nested: true, conditions: 99 },
  { order: false, columns: 3, whose: false, nested: true, conditions: 99 },
  { order: false, columns: 1, whose: false, nested: true, conditions: 99 },
  { order: false, columns: 0, whose: false, nested: true, conditions: 99 },
  { order: false, columns: 1, whose: false, nested: false, conditions: 99 },
  { order: false, columns: 1, whose: false, nested: false, conditions: 4 },
  { order: false, columns: 1, whose: false, nested: false, conditions: 3 },
  { order: false, columns: 1, whose: false, nested: false, conditions: 2 },
  { order: false, columns: 0, whose: false, nested: false, conditions: 1 },
  { order: false, columns: 0, whose: false, nested: false, conditions: 0 },
];

/** One plain sentence on what a query answers, of at most 160 characters: Schools for a given county. */
export function summarise(clauses: Clauses, apart?: Apart): string {
  const texts = LEVELS.map((detail) => sentence(clauses, new Sentence({ style: 'summary', detail, apart })));
  return texts.find((text) => text.length <= LONGEST_SUMMARY) ?? cut(texts.at(-1) ?? '');
}

function cut(text: string): string {
  if (text.length <= LONGEST_SUMMARY) return text;
  return `${text.slice(0, text.lastIndexOf(' ', LONGEST_SUMMARY - 1))}…`;
}

/** The same in a question, with the values that are chosen. */
export function questionText(clauses: Clauses): string {
  return sentence(clauses, new Sentence({ style: 'question' }));
}

function sentence(clauses: Clauses, r: Realizer): string {
  const text = r.query(clauses);
  return takesThe(clauses) ? `The ${text}` : capital(text);
}

/** Says parts of a description, with the names of parameters. */
export function descriptionRealizer(nameOf: (choice: Choice) => string, apart?: Apart): Realizer {
  return new Sentence({ style: 'description', nameOf, apart });
}

/** Says what a parameter is compared with: a value of any other is only "a given" one. */
export function parameterRealizer(apart?: Apart): Realizer {
  return new Sentence({ style: 'summary', apart });
}

/** How a sentence is said. */
interface Manner {
  readonly style: Style;
  readonly detail?: Detail;
  readonly nameOf?: (choice: Choice) => string;
  /** What keeps different things apart that would be said alike. */
  readonly apart?: Apart | undefined;
}

/** One sentence: what it has said of a given value it says no second time. */
class Sentence implements Realizer {
  readonly style: Style;
  readonly detail: Detail;
  readonly subject: Thing | null;
  readonly #manner: Manner;
  readonly #memory: Memory;

  constructor(manner: Manner, subject: Thing | null = null, memory: Memory = new Memory()) {
    this.style = manner.style;
    this.detail = manner.detail ?? EVERYTHING;
    this.subject = subject;
    this.#manner = manner;
    this.#memory = memory;
  }

  about(subject: Thing | null): Realizer {
    return subject === this.subject ? this : new Sentence(this.#manner, subject, this.#memory);
  }

  given({ choice, shifts }: Given, about: NounPhrase, as: 'thing' | 'value'): string {
    const moved = shifts.map((shift) => shiftText(shift, this.about(null)));
    return joinTexts(this.#value(choice, about, as), ...moved);
  }

  #value(choice: Choice, about: NounPhrase, as: 'thing' | 'value'): string {
    const label = as === 'thing' ? singularText(about) : about.tail || 'value';
    if (this.style === 'description') return `\`${this.#manner.nameOf?.(choice) ?? ''}\``;
    if (this.style === 'question') {
      const value =
        typeof choice.value === 'object' ? listed(choice.value.map(String), 'or') : String(choice.value);
      return as === 'thing' ? `the ${label} ${value}` : value;
    }
    // Two values of one property are told apart, whatever is asked of them.
    const of = as === 'thing' ? label : (about.counted ?? singularText({ ...about, tail: '' }));
    const said = this.#memory.say(choice, of);
    const at = said.indexOf(choice);
    const several = !choice.array ? label : as === 'thing' ? pluralText(about) : `${label}s`;
    if (at >= 0) return said.length > 1 ? `the ${ORDINALS[at] ?? 'same'} ${several}` : `the same ${several}`;
    const many = as === 'thing' && (choice.array || isUncounted(about));
    if (said.length === 0) return choice.array ? `given ${several}` : `${many ? '' : 'a '}given ${label}`;
    return said.length === 1
      ? `${many ? 'other' : 'another'} given ${several}`
      : `${article(ORDINALS[said.length] ?? 'further')} given ${label}`;
  }

  noun(term: Term): NounPhrase {
    const { apart } = this.#manner;
    const say = () => nounOf(term, this);
    return this.#memory.noun(term, this.subject, () => apart?.noun(term, this.subject, say) ?? say());
  }

  attempt<T>(say: () => T | null): T | null {
    return this.#memory.attempt(say);
  }

  adjuncts(conditions: readonly Condition[], lead: Lead = 'for'): string {
    return adjunctsOf(conditions, this, lead);
  }

  clause(condition: Condition): string {
    return clauseOf(condition, this);
  }

  query(clauses: Clauses, one = false): string {
    return queryText(clauses, this, one);
  }
}

/** What a sentence has said so far, whatever of. */
class Memory {
  /** Choices by what they are a value of, in the order said. */
  #values: ReadonlyMap<string, readonly Choice[]> = new Map();
  /** A term that is asked for again is the same phrase, not said a second time. */
  readonly #nouns = new Map<Term, Map<string, NounPhrase>>();

  /** Notes a choice as a value of something; answers those that were said of it before. */
  say(choice: Choice, of: string): readonly Choice[] {
    const said = this.#values.get(of) ?? [];
    this.#values = new Map([...this.#values, [of, said.includes(choice) ? said : [...said, choice]]]);
    return said;
  }

  noun(term: Term, subject: Thing | null, say: () => NounPhrase): NounPhrase {
    const known = this.#nouns.get(term) ?? new Map<string, NounPhrase>();
    this.#nouns.set(term, known);
    const of = subject?.one.join(' ') ?? '';
    const found = known.get(of) ?? say();
    known.set(of, found);
    return found;
  }

  attempt<T>(say: () => T | null): T | null {
    const before = this.#values;
    const result = say();
    if (result === null) this.#values = before;
    return result;
  }
}

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
