import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { ApiClass } from '../../contracts/split.ts';
import { placeSources } from '../../services/base/scalars/gazetteer.ts';
import { type Column, Origins } from '../../sql/index.ts';
import { manyOf, oneOf } from '../english/clause.ts';
import { countedPlural } from '../english/noun-phrase.ts';
import { QueryContext } from '../english/query-context.ts';
import { parameterRealizer } from '../english/realize.ts';
import { orderText } from '../english/relations.ts';
import { isPlaceNoun, plural, singular, withoutName, withThe } from '../english/words.ts';
import type { Wording } from '../synthesize/wording.ts';
import type { AugmentableQuery } from './columns.ts';
import type { Aggregation, ApiStep, Composition, Idea, Test } from './ideas.ts';

/** Something can be added to the answers of one sentence only, unless it is a condition on all. */
export function isOneSentence(question: string): boolean {
  return !/[.?!:]\s+\S/.test(question.trim());
}

/** The question, and a sentence with what is added to it. */
export function wordIdea(question: string, idea: Idea, spoken: Spoken): string {
  const text = question.trim();
  return `${text}${/[.?!]$/.test(text) ? '' : '.'} ${addition(idea, spoken)}.`;
}

function addition(idea: Idea, spoken: Spoken): string {
  const { composition, augmenter, test, aggregation, direction, isOne } = idea;
  switch (augmenter) {
    case 'filter':
      return `Consider only ${filterPhrase(spoken, composition, test)}`;
    case 'projection': {
      const value = eachPhrase(spoken, composition, isOne);
      const verb = value.startsWith('whether')
        ? 'say'
        : composition.steps[0]?.api.startsWith('list_')
          ? 'list'
          : 'give';
      return `Also ${verb} ${value}`;
    }
    case 'order':
      return `Order them by ${eachPhrase(spoken, composition, false)}, ${orderText('number', direction)}`;
    case 'aggregation':
      return `Also give ${togetherPhrase(spoken, composition, aggregation)}`;
  }
}

/** The words for a column and its rows. Throws COLUMN_UNCLEAR for names that are opaque or ambiguous. */
export function spokenOf(
  column: Column,
  kind: ApiClass,
  { select, sources }: AugmentableQuery,
  { catalog, lexicon }: Wording,
): Spoken {
  const context = new QueryContext(select, new Origins(select, catalog), lexicon, []);
  const rows = context.rowsOf(column.source);
  const property = context.property(column);
  const { own, base } = property;
  if (rows === null || base === null) throw unclear('it is of no table');
  const things = manyOf(rows);
  if (things.endsWith(' records')) throw unclear(`${things} is no word of questions`);
  const alike = sources.filter(({ id }) => {
    const other = context.rowsOf(id);
    return other !== null && manyOf(other) === things;
  });
  if (alike.length > 1)
    throw unclear(`${alike.map(({ table }) => table).join(' and ')} are both called ${things}`);
  // The place is the airport, not its name.
  const isPlace =
    kind === 'geographic' &&
    placeSources(catalog).some(
      ({ table, names }) => table === base.table.name && names.includes(column.name),
    );
  const thing = oneOf(rows);
  const np = parameterRealizer().about(rows).noun(property);
  const counted = base.column.type === 'integer' ? countedPlural(np) : null;
  // A film's film ID is its ID.
  const short = own.text.startsWith(`${thing} `) ? own.text.slice(thing.length + 1) : own.text;
  // A continent's continent is its name.
  const isName = base.column.type === 'string' && short === thing;
  const text = isName
    ? 'name'
    : kind === 'lexical' && isPlaceNoun(short)
      ? `${withoutName(short)} name`
      : short;
  const others = base.table.columns.filter(({ name }) => name !== base.column.name);
  if (others.some(({ name }) => lexicon.columnText(base.table.name, name) === text))
    throw unclear(`another column of ${base.table.name} is called ${text}, too`);
  if (!own.words.every(isLegible)) throw unclear(`${own.text} is an abbreviation that questions do not use`);
  return {
    things,
    thing,
    column: isPlace ? null : counted === null ? text : `number of ${counted}`,
    isPlural: !isPlace && counted === null && isPlural(text),
    parts: partsOf(catalog),
  };

  function unclear(reason: string): QueryError {
    return new QueryError('COLUMN_UNCLEAR', `${column.name}: ${reason}`, column.name);
  }
}

function isPlural(text: string): boolean {
  const words = text.split(' ');
  const [last = ''] = words.slice(-1);
  return /[a-z]s$/.test(last) && !/(ss|us|is|ies)$/.test(last) && singular(words).join(' ') !== text;
}

/** Whether a word is not an abbreviation, or one in common use. */
function isLegible(word: string): boolean {
  return /^(\d+|tv|cm|mm|km|kg|ft|kwh)$/i.test(word) || (word.length > 1 && /[aeiouy]/i.test(word));
}

/** A domain's possible words for parts of places. */
const PART_WORDS: Readonly<Record<string, readonly string[]>> = {
  province: ['state', 'region'],
  county: ['district'],
  locality: ['city', 'village', 'municipality', 'town'],
};

function partsOf(catalog: Catalog): Spoken['parts'] {
  const fields = placeSources(catalog).map((source) => source.fields);
  return Object.fromEntries(
    Object.entries(PART_WORDS).flatMap(([part, words]) => {
      const named = fields
        .flatMap((field) => field[part as keyof typeof field] ?? [])
        .join(' ')
        .toLowerCase();
      const word = words.find((each) => named.includes(each));
      return word === undefined ? [] : [[part, word]];
    }),
  );
}

export interface Spoken {
  /** The table's rows in the plural and singular: films, film. */
  readonly things: string;
  readonly thing: string;
  /** The column: title. null where the things themselves are the places that it names. */
  readonly column: string | null;
  readonly isPlural: boolean;
  /** The domain's words for parts of places: `province` may be a state. */
  readonly parts: Readonly<Partial<Record<string, string>>>;
}

/** The rows that a filter keeps: `films whose title has a prime number of syllables`. */
function filterPhrase(
  { things, column, isPlural, parts }: Spoken,
  composition: Composition,
  test: Test | null,
): string {
  const clause = predicate(composition.steps, test, column === null || isPlural ? 'many' : 'one', parts);
  return column === null ? `${things} that ${clause}` : `${things} whose ${column} ${clause}`;
}

/** The value for each row, as a noun phrase: the number of syllables in the title of each film. */
function eachPhrase(
  { thing, column, isPlural, parts }: Spoken,
  composition: Composition,
  isOne: boolean,
): string {
  const one = `${isOne ? 'the' : 'each'} ${thing}`;
  const of = column === null ? one : `the ${column} of ${one}`;
  return valuePhrase(composition, of, isPlural ? 'many' : 'one', parts);
}

/** The values of all rows together: the highest number of syllables in the title of any of these films. */
function togetherPhrase(
  { things, column, isPlural, parts }: Spoken,
  composition: Composition,
  together: Aggregation,
): string {
  const any = column === null ? `any of these ${things}` : `the ${column} of any of these ${things}`;
  const all =
    column === null
      ? `each of these ${things}`
      : `the ${isPlural ? column : plural(column.split(' ')).join(' ')} of these ${things}`;
  const number = isPlural ? 'many' : 'one';
  switch (together) {
    case 'max':
      return `the highest ${bare(valuePhrase(composition, any, number, parts))}`;
    case 'min':
      return `the lowest ${bare(valuePhrase(composition, any, number, parts))}`;
    case 'avg':
      return `the average ${bare(valuePhrase(composition, all, number, parts))}`;
    case 'sum': {
      const clause = predicate(composition.steps, null, column === null ? 'many' : number, parts);
      return column === null
        ? `the number of these ${things} that ${clause}`
        : `the number of these ${things} whose ${column} ${clause}`;
    }
  }
}

function bare(phrase: string): string {
  return phrase.replace(/^the /, '');
}

type GrammaticalNumber = 'one' | 'many';

/** The value of a composition as a noun phrase. */
function valuePhrase(
  { steps, class: kind }: Composition,
  of: string,
  number: GrammaticalNumber,
  parts: Spoken['parts'],
): string {
  const [first, ...others] = steps;
  if (!first) return of;
  if (first.api === 'list_words') return `the words in ${of}, one per row`;
  if (first.api === 'list_prime_factors') return `the different prime factors of ${of}, one per row`;
  if (kind !== 'geographic') return lexicalValue(steps, of, number);
  if (first.api === 'calculate_distance') return `the distance in km from ${of} to ${first.more[0]}`;
  const part = partOf(first);
  if (part === 'latitude' || part === 'longitude') return `the ${part} of ${of}`;
  const place = `the ${parts[part] ?? part} that ${of} ${number === 'one' ? 'is' : 'are'} in`;
  return others.length === 0 ? place : lexicalValue(others, `the name of ${place}`, 'one');
}

/** The value of APIs on a text or number: `the number of syllables in …`, `whether … is a prime number`. */
function lexicalValue(steps: readonly ApiStep[], of: string, number: GrammaticalNumber): string {
  const [first] = steps;
  const isCount = steps.length === 1 && first !== undefined && first.api.startsWith('count_');
  return isCount
    ? `the number of ${countedBy(first)} in ${of}`
    : `whether ${of} ${predicate(steps, null, number, {})}`;
}

/** The verb phrase of a filter, for one thing or many. */
function predicate(
  steps: readonly ApiStep[],
  test: Test | null,
  number: GrammaticalNumber,
  parts: Spoken['parts'],
): string {
  const [first] = steps;
  if (!first) throw new Error('a composition has at least one step');
  const [is, has] = number === 'one' ? ['is', 'has'] : ['are', 'have'];
  if (first.api === 'list_words') return `${has} a word with ${countPhrase(steps.slice(1), test)}`;
  if (first.api === 'list_prime_factors') return `${has} ${factorOf(test)}`;
  if (first.api === 'calculate_distance') return `${is} within ${test?.value} km of ${first.more[0]}`;
  if (first.api.startsWith('get_')) return placeClause(steps, test, is, parts);
  return first.api.startsWith('count_') ? `${has} ${countPhrase(steps, test)}` : `${is} ${kindOf(first)}`;
}

/** How many: more than four syllables, a prime number of vowels. */
function countPhrase([first, second]: readonly ApiStep[], test: Test | null): string {
  const counted = first ? countedBy(first) : '';
  if (second) return countOf(second, counted);
  const { op = '=', value = 0 } = test ?? {};
  const noun = Number(value) === 1 ? counted.replace(/s$/, '') : counted;
  return `${{ '=': 'exactly', '>': 'more than', '<': 'fewer than', '<=': 'at most' }[op]} ${value} ${noun}`;
}

function factorOf(test: Test | null): string {
  return test?.op === '=' ? `the prime factor ${test.value}` : `a prime factor greater than ${test?.value}`;
}

function placeClause(
  [first, ...others]: readonly ApiStep[],
  test: Test | null,
  is: string,
  parts: Spoken['parts'],
): string {
  const part = first ? partOf(first) : '';
  const lies = is === 'is' ? 'lies' : 'lie';
  const isAbove = test?.op === '>';
  if (part === 'latitude') return `${lies} ${isAbove ? 'north' : 'south'} of ${degrees(test, 'latitude')}`;
  if (part === 'longitude') return `${lies} ${isAbove ? 'east' : 'west'} of ${degrees(test, 'longitude')}`;
  const noun = parts[part] ?? part;
  if (others.length > 0) return `${is} in a ${noun} whose name ${predicate(others, test, 'one', parts)}`;
  return part === 'country'
    ? `${is} in ${withThe(String(test?.value))}`
    : `${is} in the ${noun} ${test?.value}`;
}

/** Negative values are south and west. */
function degrees(test: Test | null, of: 'latitude' | 'longitude'): string {
  return `${test?.value} degrees of ${of}`;
}

function partOf({ api }: ApiStep): string {
  return api.replace(/^get_|_of_place$/g, '');
}

function countedBy({ api, more }: ApiStep): string {
  if (api === 'count_syllables') return 'syllables';
  return more[0] === undefined ? 'characters' : String(more[0]);
}

/** The kind of number as a predicate: a prime number, divisible by 3. */
function kindOf(step: ApiStep): string {
  switch (step.api) {
    case 'is_prime':
      return 'a prime number';
    case 'is_fibonacci':
      return 'a Fibonacci number';
    case 'is_perfect_square':
      return 'a perfect square';
    default:
      return `divisible by ${step.more[0]}`;
  }
}

/** A number of things of some kind. */
function countOf({ api, more: [divisor] }: ApiStep, things: string): string {
  if (api === 'is_prime') return `a prime number of ${things}`;
  return divisor === 2 ? `an even number of ${things}` : `a number of ${things} divisible by ${divisor}`;
}
