import type { Composition, Step } from '../composition.ts';
import type { Test, Together } from '../idea.ts';

/** What is spoken of. */
export interface Spoken {
  /** What the rows of the column's table are called: films, film. */
  readonly things: string;
  readonly thing: string;
  /** The column: title. Null where the things themselves are the places that it names. */
  readonly column: string | null;
  /** Whether that is a plural: tags. */
  readonly isPlural: boolean;
  /** What parts of places are called in the domain: `province` may be a state. */
  readonly parts: Readonly<Partial<Record<string, string>>>;
}

/** What follows a noun: `films whose title has a prime number of syllables`. */
export function filterPhrase(
  { things, column, isPlural, parts }: Spoken,
  composition: Composition,
  test: Test | null,
): string {
  const said = predicate(composition.steps, test, column === null || isPlural ? 'many' : 'one', parts);
  return column === null ? `${things} that ${said}` : `${things} whose ${column} ${said}`;
}

/** The value for each row, as a noun phrase: the number of syllables in the title of each film. */
export function eachPhrase({ thing, column, isPlural, parts }: Spoken, composition: Composition): string {
  const of = column === null ? `each ${thing}` : `the ${column} of each ${thing}`;
  return valuePhrase(composition, of, isPlural ? 'many' : 'one', parts);
}

/** The values of all rows together: the highest number of syllables in the title of any of these films. */
export function togetherPhrase(
  { things, column, isPlural, parts }: Spoken,
  composition: Composition,
  together: Together,
): string {
  const one = (which: string) =>
    column === null ? `${which} these ${things}` : `the ${column} of ${which} these ${things}`;
  const number = isPlural ? 'many' : 'one';
  switch (together) {
    case 'max':
      return `the highest ${bare(valuePhrase(composition, one('any of'), number, parts))}`;
    case 'min':
      return `the lowest ${bare(valuePhrase(composition, one('any of'), number, parts))}`;
    case 'avg':
      return `the average ${bare(valuePhrase(composition, one('each of'), number, parts))}`;
    case 'sum': {
      const said = predicate(composition.steps, null, column === null ? 'many' : number, parts);
      return column === null
        ? `the number of these ${things} that ${said}`
        : `the number of these ${things} whose ${column} ${said}`;
    }
  }
}

function bare(phrase: string): string {
  return phrase.replace(/^the /, '');
}

type GrammaticalNumber = 'one' | 'many';

/** What the APIs answer for something. */
function valuePhrase(
  { steps, class: kind }: Composition,
  of: string,
  number: GrammaticalNumber,
  parts: Spoken['parts'],
): string {
  const [first, ...others] = steps;
  if (!first) return of;
  if (kind !== 'geographic') return lexicalValue(steps, of, number);
  if (first.api === 'calculate_distance') return `the distance in km from ${of} to ${first.more[0]}`;
  const part = partOf(first);
  if (part === 'latitude' || part === 'longitude') return `the ${part} of ${of}`;
  const place = `the ${parts[part] ?? part} that ${of} ${number === 'one' ? 'is' : 'are'} in`;
  return others.length === 0 ? place : lexicalValue(others, `the name of ${place}`, 'one');
}

/** Of a text or a number: `the number of syllables in …`, `whether … is a prime number`. */
function lexicalValue(steps: readonly Step[], of: string, number: GrammaticalNumber): string {
  const [first] = steps;
  const isCount = steps.length === 1 && first !== undefined && first.api.startsWith('count_');
  return isCount
    ? `the number of ${countedBy(first)} in ${of}`
    : `whether ${of} ${predicate(steps, null, number, {})}`;
}

/** What is said of one thing, or of many. */
function predicate(
  steps: readonly Step[],
  test: Test | null,
  number: GrammaticalNumber,
  parts: Spoken['parts'],
): string {
  const [first, second] = steps;
  if (!first) throw new Error('nothing is said by no API');
  const [is, has] = number === 'one' ? ['is', 'has'] : ['are', 'have'];
  if (first.api === 'calculate_distance') return `${is} within ${test?.value} km of ${first.more[0]}`;
  if (first.api.startsWith('get_')) return placed(steps, test, is, parts);
  if (!first.api.startsWith('count_')) return `${is} ${kindOf(first)}`;
  const counted = countedBy(first);
  if (second) return `${has} ${countOf(second, counted)}`;
  const { op = '=', value = 0 } = test ?? {};
  const noun = Number(value) === 1 ? counted.replace(/s$/, '') : counted;
  return `${has} ${{ '=': 'exactly', '>': 'more than', '<': 'fewer than', '<=': 'at most' }[op]} ${value} ${noun}`;
}

function placed(
  [first, ...others]: readonly Step[],
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
  return part === 'country' ? `${is} in ${test?.value}` : `${is} in the ${noun} ${test?.value}`;
}

/** South and west of zero are negative. */
function degrees(test: Test | null, of: 'latitude' | 'longitude'): string {
  return `${test?.value} degrees of ${of}`;
}

function partOf({ api }: Step): string {
  return api.replace(/^get_|_of_place$/g, '');
}

function countedBy({ api, more }: Step): string {
  if (api === 'count_syllables') return 'syllables';
  return more[0] === undefined ? 'characters' : String(more[0]);
}

/** What a number is. */
function kindOf(step: Step): string {
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

/** A number of things that is of some kind. */
function countOf(step: Step, things: string): string {
  switch (step.api) {
    case 'is_prime':
      return `a prime number of ${things}`;
    case 'is_fibonacci':
      return `a Fibonacci number of ${things}`;
    case 'is_perfect_square':
      return `a number of ${things} that is a perfect square`;
    default:
      return `a number of ${things} that is divisible by ${step.more[0]}`;
  }
}
