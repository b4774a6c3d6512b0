import { article, capital } from '../../contracts/wording.ts';
import type { Choice } from '../template/choices.ts';
import { adjunctsOf } from './adjuncts.ts';
import type { Clauses, Condition, Given, Term, Thing } from './clause.ts';
import { clauseOf } from './condition-text.ts';
import { shiftText } from './moments.ts';
import { behind, isUncounted, joinTexts, type NounPhrase, pluralText, singularText } from './noun-phrase.ts';
import { queryText, takesThe } from './query-text.ts';
import { type Detail, EVERYTHING, type Lead, type Realizer, type Style } from './realizer.ts';
import type { Meaning } from './shown.ts';
import { nounOf } from './terms.ts';
import { listed, ORDINALS } from './words.ts';

/** Summaries are at most so long where fewer columns can help. */
const LONGEST_SUMMARY = 160;
const LONGEST_WHOLE = 240;

/** Levels of detail for summaries, tried in turn until the text fits; descriptions have all details. */
const LEVELS: readonly Detail[] = [
  EVERYTHING,
  { order: false, whose: true, columns: 5 },
  { order: false, whose: true, columns: 3 },
  { order: false, whose: false, columns: 3 },
];
const LEAST: Detail = { order: false, whose: false, columns: 0 };

/**
 * One plain sentence on what a query answers, with all its conditions: Schools in a given county. With a `lead`, on what
 * is done to its rows: Delete schools in a given county.
 */
export function summarise(clauses: Clauses, phrases?: PhraseResolver, lead = ''): string {
  const textAt = (detail: Detail) =>
    sentence(clauses, new Sentence({ style: 'summary', detail, phrases }), lead);
  const longer: string[] = [];
  for (const detail of LEVELS) {
    const text = textAt(detail);
    if (text.length <= LONGEST_SUMMARY) return text;
    longer.push(text);
  }
  return longer.find((text) => text.length <= LONGEST_WHOLE) ?? textAt(LEAST);
}

/** The same in a question, with the values that are chosen. */
export function questionText(clauses: Clauses): string {
  return sentence(clauses, new Sentence({ style: 'question' }));
}

function sentence(clauses: Clauses, r: Realizer, lead = ''): string {
  const text = r.query(clauses);
  return capital([lead, takesThe(clauses) ? 'the' : '', text].filter((part) => part !== '').join(' '));
}

/** Renders parts of a description, with the names of parameters. */
export function descriptionRealizer(nameOf: (choice: Choice) => string, phrases?: PhraseResolver): Realizer {
  return new Sentence({ style: 'description', nameOf, phrases });
}

/** Renders the description of one parameter; values of others are "a given" one. */
export function parameterRealizer(phrases?: PhraseResolver): Realizer {
  return new Sentence({ style: 'summary', phrases });
}

/** The manner of a sentence. */
interface Manner {
  readonly style: Style;
  readonly detail?: Detail;
  readonly nameOf?: (choice: Choice) => string;
  /** Keeps phrases of different things different. */
  readonly phrases?: PhraseResolver | undefined;
}

/** One sentence: a value that it has mentioned is "the same" the second time. */
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
        typeof choice.value === 'object'
          ? listed(choice.value.map(valueInQuestion), 'or')
          : valueInQuestion(choice.value);
      return as === 'thing' ? `the ${label} ${value}` : value;
    }
    // Two values of one property are distinguished, whatever they are compared by.
    const of = about.counted ?? (as === 'thing' ? label : singularText({ ...about, tail: '' }));
    const before = this.#memory.mention(choice, of);
    const at = before.indexOf(choice);
    const several = !choice.array ? label : as === 'thing' ? pluralText(about) : `${label}s`;
    if (at >= 0)
      return before.length > 1 ? `the ${ORDINALS[at] ?? 'same'} ${several}` : `the same ${several}`;
    const many = as === 'thing' && (choice.array || isUncounted(about));
    if (before.length === 0) return choice.array ? `given ${several}` : `${many ? '' : 'a '}given ${label}`;
    return before.length === 1
      ? `${many ? 'other' : 'another'} given ${several}`
      : `${article(ORDINALS[before.length] ?? 'further')} given ${label}`;
  }

  noun(term: Term): NounPhrase {
    const { phrases } = this.#manner;
    const render = () => nounOf(term, this);
    return this.#memory.noun(term, this.subject, () => phrases?.noun(term, this.subject, render) ?? render());
  }

  attempt<T>(render: () => T | null): T | null {
    return this.#memory.attempt(render);
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

/** A value in quotes where it would seem to be several, or the end of the sentence. */
function valueInQuestion(value: unknown): string {
  const text = String(value);
  return /, |[.?!]$/.test(text) ? `"${text}"` : text;
}

/** The phrases that a sentence has used so far. */
class Memory {
  /** Choices by the property that they are a value of, in the order mentioned. */
  #values: ReadonlyMap<string, readonly Choice[]> = new Map();
  /** A term that is requested again gets the same phrase. */
  readonly #nouns = new Map<Term, Map<string, NounPhrase>>();

  /** Records a choice as a value of a property; returns those recorded for it before. */
  mention(choice: Choice, of: string): readonly Choice[] {
    const before = this.#values.get(of) ?? [];
    this.#values = new Map([...this.#values, [of, before.includes(choice) ? before : [...before, choice]]]);
    return before;
  }

  noun(term: Term, subject: Thing | null, render: () => NounPhrase): NounPhrase {
    const known = this.#nouns.get(term) ?? new Map<string, NounPhrase>();
    this.#nouns.set(term, known);
    const of = subject?.one.join(' ') ?? '';
    const found = known.get(of) ?? render();
    known.set(of, found);
    return found;
  }

  attempt<T>(render: () => T | null): T | null {
    const before = this.#values;
    const result = render();
    if (result === null) this.#values = before;
    return result;
  }
}

/** A variant of a shared phrase: with its owner (`full`), or as the second, third … form. */
type Variant = 'full' | number;

interface Use {
  readonly text: string;
  readonly term: Term;
  readonly meaning: Meaning;
  readonly subject: string;
}

/** Most rounds to make all phrases different; each settles the shortest shared phrases that are left. */
const ROUNDS = 8;

/**
 * Renders a text in which no phrase stands for two different things: shared phrases are rendered again with their
 * owners and, if that is not enough, as another form.
 */
export function withDistinctPhrases<T>(
  meaning: (term: Term) => Meaning | null,
  render: (phrases: PhraseResolver) => T,
): T {
  const phrases = new PhraseResolver(meaning);
  let text = render(phrases);
  for (let round = 0; round < ROUNDS && phrases.settle(); round++) text = render(phrases);
  return text;
}

/** Records the phrases of terms, and changes those that stand for different things. */
export class PhraseResolver {
  readonly #meaning: (term: Term) => Meaning | null;
  #uses: Use[] = [];
  readonly #variants = new Map<string, Variant>();

  constructor(meaning: (term: Term) => Meaning | null) {
    this.#meaning = meaning;
  }

  /** The phrase of a term, changed if another term has the same. */
  noun(term: Term, subject: Thing | null, render: () => NounPhrase): NounPhrase {
    const before = this.#uses.length;
    let np = render();
    const meaning = /^(constant|given)$/.test(term.kind) ? null : this.#meaning(term);
    if (meaning === null) return np;
    for (
      let variant = this.#variantOf(np, meaning);
      variant !== undefined;
      variant = this.#variantOf(np, meaning)
    ) {
      if (variant === 'full' && (term.kind !== 'property' || term.full.text === singularText(np))) break;
      np =
        variant === 'full' && term.kind === 'property'
          ? { ...np, head: term.full.text.split(' '), owner: null }
          : behind(np, `(${formText(term, meaning, variant)})`);
    }
    const text = singularText(np);
    // A value may have the phrase of a part of it; the part does not count then.
    const inside = this.#uses.slice(before).filter((one) => one.text !== text);
    this.#uses = [...this.#uses.slice(0, before), ...inside];
    this.#uses.push({ text, term, meaning, subject: subject?.one.join(' ') ?? '' });
    return np;
  }

  #variantOf(np: NounPhrase, meaning: Meaning): Variant | undefined {
    return this.#variants.get(keyOf(singularText(np), meaning));
  }

  /** The phrases that stand for different things, with these; not those whose owner is clear from the context. */
  shared(): ReadonlyMap<string, readonly Meaning[]> {
    const byText = new Map<string, Use[]>();
    for (const one of this.#uses) byText.set(one.text, [...(byText.get(one.text) ?? []), one]);
    return new Map(
      [...byText].flatMap(([text, uses]) => {
        const meanings = new Map(uses.map(({ meaning }) => [meaning.text, meaning]));
        return meanings.size < 2 || ownersAreClear(uses) ? [] : [[text, [...meanings.values()]] as const];
      }),
    );
  }

  /** Chooses variants for shared phrases; false when there are none. */
  settle(): boolean {
    const shared = this.shared();
    const texts = [...shared.keys()];
    const shortest = texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
    for (const text of shortest) {
      const meanings = shared.get(text) ?? [];
      const columns = meanings.filter(({ column }) => column);
      const whose = columns.length < 2 ? [] : columns.filter((meaning) => this.#hasFullPhrase(text, meaning));
      for (const meaning of whose) this.#variants.set(keyOf(text, meaning), 'full');
      if (whose.length > 0) continue;
      const others = meanings.filter((one) => !columns.includes(one));
      const rest = [...columns, ...others].slice(1);
      for (const [i, meaning] of rest.entries()) this.#variants.set(keyOf(text, meaning), i + 1);
    }
    this.#uses = [];
    return shortest.length > 0;
  }

  /** Whether a column has another phrase with its owner. */
  #hasFullPhrase(phrase: string, { text: meaning }: Meaning): boolean {
    return this.#uses.some(
      ({ text, term, meaning: own }) =>
        text === phrase && own.text === meaning && term.kind === 'property' && term.full.text !== phrase,
    );
  }
}

/** How a phrase differs from those of the same text before it. */
function formText({ kind }: Term, { number }: Meaning, variant: Variant): string {
  if (variant !== 1) return `in a ${ORDINALS[Number(variant)] ?? 'further'} form`;
  if (number) return 'as a number';
  return kind === 'derived' ? 'normalised' : 'in another form';
}

function keyOf(text: string, meaning: Meaning): string {
  return `${text}\n${meaning.text}`;
}

/** Whether columns of one name belong to different subjects, which the context names: chapters of parts and of directives. */
function ownersAreClear(uses: readonly Use[]): boolean {
  const owners = new Set(uses.map(({ meaning, subject }) => `${subject}\n${meaning.text}`));
  const subjects = new Set(uses.map(({ subject }) => subject));
  return uses.every(({ meaning }) => meaning.column) && !subjects.has('') && owners.size === subjects.size;
}
