import type { Choice } from '../template/choices/choice.ts';
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
export function summarise(clauses: Clauses): string {
  const texts = LEVELS.map((detail) => sentence(clauses, new Sentence('summary', () => '', detail)));
  return texts.find((text) => text.length <= LONGEST_SUMMARY) ?? cut(texts.at(-1) ?? '');
}

function cut(text: string): string {
  if (text.length <= LONGEST_SUMMARY) return text;
  return `${text.slice(0, text.lastIndexOf(' ', LONGEST_SUMMARY - 1))}…`;
}

/**
 * The same in a question, with the values that are chosen.
 */
export function questionText(clauses: Clauses): string {
  return sentence(clauses, new Sentence('question', () => ''));
}

function sentence(clauses: Clauses, r: Realizer): string {
  const text = r.query(clauses);
  return takesThe(clauses) ? `The ${text}` : capital(text);
}

/** Says parts of a description, with the names of parameters. */
export function descriptionRealizer(nameOf: (choice: Choice) => string): Realizer {
  return new Sentence('description', nameOf);
}

/** Says what a parameter is compared with: a value of any other is only "a given" one. */
export function parameterRealizer(): Realizer {
  return new Sentence('summary', () => '');
}

/** One sentence: what it has said of a given value it says no second time. */
class Sentence implements Realizer {
  readonly style: Style;
  readonly detail: Detail;
  readonly #nameOf: (choice: Choice) => string;
  /** Choices by what they are a value of, in the order said. */
  #said = new Map<string, readonly Choice[]>();
  /** A term that is asked for again is the same phrase, not said a second time. */
  readonly #nouns = new Map<Term, Map<string, NounPhrase>>();

  constructor(style: Style, nameOf: (choice: Choice) => string, detail: Detail = EVERYTHING) {
    this.style = style;
    this.#nameOf = nameOf;
    this.detail = detail;
  }

  given({ choice, shifts }: Given, about: NounPhrase, as: 'thing' | 'value'): string {
    const moved = shifts.map((shift) => shiftText(shift, null, this));
    return joinTexts(this.#value(choice, about, as), ...moved);
  }

  #value(choice: Choice, about: NounPhrase, as: 'thing' | 'value'): string {
    const label = as === 'thing' ? singularText(about) : about.tail || 'value';
    if (this.style === 'description') return `\`${this.#nameOf(choice)}\``;
    if (this.style === 'question') {
      const value =
        typeof choice.value === 'object' ? listed(choice.value.map(String), 'or') : String(choice.value);
      return as === 'thing' ? `the ${label} ${value}` : value;
    }
    // Two values of one property are told apart, whatever is asked of them.
    const of = as === 'thing' ? label : (about.counted ?? singularText({ ...about, tail: '' }));
    const said = this.#said.get(of) ?? [];
    this.#said.set(of, said.includes(choice) ? said : [...said, choice]);
    const at = said.indexOf(choice);
    const several = !choice.array ? label : as === 'thing' ? pluralText(about) : `${label}s`;
    if (at >= 0) return said.length > 1 ? `the ${ORDINALS[at] ?? 'same'} ${several}` : `the same ${several}`;
    const many = as === 'thing' && (choice.array || isUncounted(about));
    if (said.length === 0) return choice.array ? `given ${several}` : `${many ? '' : 'a '}given ${label}`;
    return said.length === 1
      ? `${many ? 'other' : 'another'} given ${several}`
      : `${article(ORDINALS[said.length] ?? 'further')} given ${label}`;
  }

  noun(term: Term, subject: Thing | null): NounPhrase {
    const known = this.#nouns.get(term) ?? new Map<string, NounPhrase>();
    this.#nouns.set(term, known);
    const of = subject?.one.join(' ') ?? '';
    const found = known.get(of) ?? nounOf(term, subject, this);
    known.set(of, found);
    return found;
  }

  attempt<T>(say: () => T | null): T | null {
    const before = new Map(this.#said);
    const result = say();
    if (result === null) this.#said = before;
    return result;
  }

  adjuncts(conditions: readonly Condition[], subject: Thing | null, lead: Lead = 'for'): string {
    return adjunctsOf(conditions, subject, this, lead);
  }

  clause(condition: Condition, subject: Thing | null): string {
    return clauseOf(condition, subject, this);
  }

  query(clauses: Clauses, one = false): string {
    return queryText(clauses, this, one);
  }
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
