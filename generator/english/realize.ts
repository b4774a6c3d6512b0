import type { Choice } from '../template/choices.ts';
import type { Apart } from './apart.ts';
import type { Clauses, Condition, Given, Term, Thing } from './clauses/clause.ts';
import { adjunctsOf } from './conditions/adjuncts.ts';
import { clauseOf } from './conditions/clause-text.ts';
import { shiftText } from './moments.ts';
import {
  article,
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
import { ORDINALS } from './words/numbers.ts';
import { listed } from './words/word-lists.ts';

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
