import { CHARACTER_KINDS, type CharacterKind, countCharacters } from './count-characters.ts';
import { countSyllables } from './count-syllables.ts';
import { isDivisible, isFibonacci, isPerfectSquare, isPrime } from './numbers.ts';
import { PLACE_APIS } from './place-apis.ts';
import type { ScalarApi, ScalarInput } from './scalar-api.ts';

const text: ScalarInput = { name: 'string', type: 'string', description: 'Any text.' };
const number: ScalarInput = {
  name: 'number',
  type: 'number',
  description: 'A number; decimals are cut off.',
};

/** An API that says whether a whole number is of some kind. */
function numberTest(name: string, kind: string, test: (n: bigint) => boolean): ScalarApi {
  return {
    name,
    description: `Whether a number is a ${kind}.`,
    inputs: [number],
    output: { name: 'truth', type: 'boolean' },
    compute: ([n]) => test(n as bigint),
  };
}

/** Every scalar API, in the order in which they are listed. */
export const SCALAR_APIS: readonly ScalarApi[] = [
  {
    name: 'count_characters',
    description: 'How many characters, vowels or consonants a text has.',
    inputs: [
      text,
      {
        name: 'kind',
        type: 'string',
        description: 'What is counted; y is a consonant.',
        values: CHARACTER_KINDS,
        usual: 'total',
      },
    ],
    output: { name: 'count', type: 'integer' },
    compute: ([string, kind]) => countCharacters(String(string), kind as CharacterKind),
  },
  {
    name: 'count_syllables',
    description:
      'How many syllables a text has: of each word as the CMU Pronouncing Dictionary says it, of others by English spelling.',
    inputs: [text],
    output: { name: 'count', type: 'integer' },
    compute: ([string]) => countSyllables(String(string)),
  },
  {
    name: 'is_divisible',
    description: 'Whether a number can be divided by another without rest.',
    inputs: [number, { ...number, name: 'divisor' }],
    output: { name: 'truth', type: 'boolean' },
    compute: ([n, divisor]) => isDivisible(n as bigint, divisor as bigint),
  },
  numberTest('is_prime', 'prime', isPrime),
  numberTest('is_perfect_square', 'perfect square', isPerfectSquare),
  numberTest('is_fibonacci', 'Fibonacci number', isFibonacci),
  ...PLACE_APIS,
];

export const SCALARS_BY_NAME: ReadonlyMap<string, ScalarApi> = new Map(
  SCALAR_APIS.map((api) => [api.name, api]),
);
