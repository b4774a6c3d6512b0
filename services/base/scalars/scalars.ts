import { type Gazetteer, type PlacePart, type WorldPlacePart, withoutMarks } from './gazetteer.ts';
import lines from './syllables.json' with { type: 'json' };

/** A value of an API. In SQL, booleans are 1 and 0. */
export type ScalarValue = string | number | bigint | boolean | null;

export interface ScalarInput {
  readonly name: string;
  readonly type: 'string' | 'number';
  readonly description: string;
  readonly values?: readonly string[];
  readonly usual?: string;
  readonly most?: bigint;
}

export interface ScalarOutput {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean';
}

interface AnyApi {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly ScalarInput[];
}

/** An API that returns one value for its inputs. */
export interface ScalarApi extends AnyApi {
  readonly output: ScalarOutput;
  /** Computes the value for non-null inputs of the right types. */
  compute(inputs: readonly (string | bigint)[], places: Gazetteer): ScalarValue | NoPlace | ChosenPlace;
}

/** An API that returns a list for its inputs: of values where it has one column, else of rows. */
export interface ListApi extends AnyApi {
  /** What the list is of, in the plural. */
  readonly list: string;
  readonly columns: readonly ScalarOutput[];
  /** Computes the rows for non-null inputs of the right types. */
  rows(inputs: readonly (string | bigint)[]): (string | bigint)[][];
}

export type Api = ScalarApi | ListApi;

export function isList(api: Api): api is ListApi {
  return 'list' in api;
}

export function outputsOf(api: Api): readonly ScalarOutput[] {
  return isList(api) ? api.columns : [api.output];
}

/** The value for the largest of several places with the same name. */
export class ChosenPlace {
  readonly value: ScalarValue;

  constructor(value: ScalarValue) {
    this.value = value;
  }
}

/** The place is unknown or ambiguous. */
export class NoPlace {
  readonly place: string;
  readonly reason: 'no_place' | 'several_places';

  constructor(place: string, reason: 'no_place' | 'several_places') {
    this.place = place;
    this.reason = reason;
  }
}

export const CHARACTER_KINDS = ['total', 'vowels', 'consonants'] as const;
export type CharacterKind = (typeof CHARACTER_KINDS)[number];

/** Number of characters (code points), vowels (aeiou) or consonants (all other letters) of a text. */
export function countCharacters(text: string, kind: CharacterKind): number {
  if (kind === 'total') return [...text].length;
  const plain = withoutMarks(text);
  const vowels = plain.match(/[aeiou]/gi)?.length ?? 0;
  return kind === 'vowels' ? vowels : (plain.match(/\p{L}/gu)?.length ?? 0) - vowels;
}

/**
 * Syllables of a text: for each word the first pronunciation in CMU's Pronouncing Dictionary, or an estimate by its
 * spelling. Every word has at least one; a text without letters has none.
 */
export function countSyllables(text: string): number {
  const words = withoutMarks(text).toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
  return words.reduce((sum, word) => sum + (spoken().get(word) ?? syllablesBySpelling(word)), 0);
}

const WORD = /\p{L}+(?:'\p{L}+)*/gu;

/** The words whose syllables differ from the estimate by spelling; read on first use. */
let read: ReadonlyMap<string, number> | undefined;

function spoken(): ReadonlyMap<string, number> {
  read ??= new Map(lines.flatMap((line, count) => line.split(' ').map((word) => [word, count] as const)));
  return read;
}

const VOWELS = /[aeiouy]+/g;
const SILENT_E = /[^aeiouy]e$/;
const SILENT_ENDING = /[^aeiouy](?:es|ed)$/;
const SPOKEN_ENDING = /(?:[^aeiouy]les?|ses|zes|xes|ches|shes|ges|ces|ted|ded)$/;
const HISSING = /(?:[sxz]|[cs]h|[cgsz]e)$/;

/**
 * Estimates the syllables of a lower-case word by English spelling: the groups of vowels, less one for a silent e at
 * the end or in -es and -ed. The part after an apostrophe (it's, we'll) adds one only if it has a vowel or makes a
 * sibilant after a sibilant (Max's).
 */
export function syllablesBySpelling(word: string): number {
  const [first = '', ...endings] = word.split("'");
  const groups = first.match(VOWELS)?.length ?? 0;
  const silent = (SILENT_E.test(first) || SILENT_ENDING.test(first)) && !SPOKEN_ENDING.test(first);
  const more = endings.map((ending) =>
    ending === 's' && HISSING.test(first) ? 1 : (ending.match(VOWELS)?.length ?? 0),
  );
  return more.reduce((sum, one) => sum + one, Math.max(1, groups - (silent ? 1 : 0)));
}

/** The words of a text as written: letters and digits, with apostrophes and hyphens between them. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}

const MOST_FACTORED = 1_000_000_000n;

/** The different prime factors of a number up to `MOST_FACTORED`, ascending; none below 2. */
export function primeFactorsOf(n: bigint): bigint[] {
  const factors: bigint[] = [];
  let rest = Number(n);
  for (let factor = 2; factor * factor <= rest; factor++) {
    if (rest % factor !== 0) continue;
    factors.push(BigInt(factor));
    while (rest % factor === 0) rest /= factor;
  }
  if (rest > 1) factors.push(BigInt(rest));
  return factors;
}

/** Whether an integer is prime. Certain below 3.3 · 10^24. */
export function isPrime(n: bigint): boolean {
  if (n < 2n) return false;
  for (const prime of WITNESSES) if (n % prime === 0n) return n === prime;
  let odd = n - 1n;
  let twos = 0;
  while (odd % 2n === 0n) {
    odd /= 2n;
    twos++;
  }
  return WITNESSES.every((witness) => !provesComposite(witness, n, odd, twos));
}

/** Miller–Rabin with these bases finds every composite below 3.3 · 10^24. */
const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n] as const;

function provesComposite(witness: bigint, n: bigint, odd: bigint, twos: number): boolean {
  let power = powerOf(witness, odd, n);
  if (power === 1n || power === n - 1n) return false;
  for (let i = 1; i < twos; i++) {
    power = (power * power) % n;
    if (power === n - 1n) return false;
  }
  return true;
}

function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

export function isPerfectSquare(n: bigint): boolean {
  if (n < 0n) return false;
  const root = squareRoot(n);
  return root * root === n;
}

/** Whether an integer is a Fibonacci number: 0, 1, 2, 3, 5, 8, … */
export function isFibonacci(n: bigint): boolean {
  if (n < 0n) return false;
  const square = 5n * n * n;
  return isPerfectSquare(square + 4n) || isPerfectSquare(square - 4n);
}

/** Whether `divisor` divides `n`; null for a divisor of 0. */
export function isDivisible(n: bigint, divisor: bigint): boolean | null {
  return divisor === 0n ? null : n % divisor === 0n;
}

/** The integer square root, rounded down, by Newton's method. */
function squareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (root + n / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

export const DISTANCE_UNITS = ['km', 'miles'] as const;
export type DistanceUnit = (typeof DISTANCE_UNITS)[number];

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_KM = 6371.0088;
const KM_PER_MILE = 1.609344;

/** Great-circle distance, rounded to three decimals. */
export function distanceBetween(a: Position, b: Position, unit: DistanceUnit): number {
  const half = (degrees: number) => Math.sin((degrees * Math.PI) / 360) ** 2;
  const cosine = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
  const haversine =
    half(b.latitude - a.latitude) + cosine(a.latitude) * cosine(b.latitude) * half(b.longitude - a.longitude);
  const km = 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine)));
  return rounded(unit === 'km' ? km : km / KM_PER_MILE, 3);
}

export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

const place: ScalarInput = {
  name: 'place',
  type: 'string',
  description: 'A place of this database: its name, or "name, province" or "name, country".',
};

const PARTS: readonly (readonly [part: PlacePart, type: 'number' | 'string', what: string])[] = [
  [
    'address',
    'string',
    'The address of a place: street and number, postal code and locality, province, country.',
  ],
  ['latitude', 'number', 'The latitude of a place, in degrees.'],
  ['longitude', 'number', 'The longitude of a place, in degrees.'],
  ['country', 'string', 'The country that a place is in.'],
  ['province', 'string', 'The province, state or region that a place is in.'],
  ['county', 'string', 'The county or district that a place is in.'],
  ['locality', 'string', 'The town, city or village that a place is in.'],
  ['street', 'string', 'The street of a place.'],
  ['street_number', 'string', 'The street number of a place.'],
  ['postal_code', 'string', 'The postal code of a place.'],
];

const parts = PARTS.map(
  ([part, type, description]): ScalarApi => ({
    name: `get_${part}_of_place`,
    description,
    inputs: [place],
    output: { name: part, type },
    compute([name = ''], places) {
      const found = partOf(String(name), part, places);
      if (found instanceof NoPlace) return found;
      return found.isAmbiguous ? new ChosenPlace(found.value) : found.value;
    },
  }),
);

const calculateDistance: ScalarApi = {
  name: 'calculate_distance',
  description: 'The distance between two places along a great circle.',
  inputs: [
    { ...place, name: 'place_1' },
    { ...place, name: 'place_2' },
    {
      name: 'unit',
      type: 'string',
      description: 'The unit of the distance.',
      values: DISTANCE_UNITS,
      usual: 'km',
    },
  ],
  output: { name: 'distance', type: 'number' },
  compute([from, to, unit], places) {
    const positions: Position[] = [];
    let isAmbiguous = false;
    for (const name of [String(from), String(to)]) {
      const latitude = partOf(name, 'latitude', places);
      const longitude = partOf(name, 'longitude', places);
      if (latitude instanceof NoPlace) return latitude;
      if (longitude instanceof NoPlace) return longitude;
      const position = { latitude: latitude.value, longitude: longitude.value };
      if (!isPosition(position)) return null;
      positions.push(position);
      isAmbiguous ||= latitude.isAmbiguous || longitude.isAmbiguous;
    }
    const [a, b] = positions;
    if (!a || !b) return null;
    const distance = distanceBetween(a, b, unit as DistanceUnit);
    return isAmbiguous ? new ChosenPlace(distance) : distance;
  },
};

export const PLACE_APIS: readonly ScalarApi[] = [...parts, calculateDistance];

function isPosition(given: Readonly<Record<keyof Position, unknown>>): given is Position {
  return typeof given.latitude === 'number' && typeof given.longitude === 'number';
}

function partOf(name: string, part: PlacePart, places: Gazetteer): WorldPlacePart | NoPlace {
  const found = places.find(name, part);
  if ('unknown' in found) return new NoPlace(name, found.unknown);
  const { value, isAmbiguous } = found;
  return { value: typeof value === 'number' ? rounded(value, 6) : value, isAmbiguous };
}

const text: ScalarInput = { name: 'string', type: 'string', description: 'Any text.' };
const number: ScalarInput = {
  name: 'number',
  type: 'number',
  description: 'A number; decimals are cut off.',
};

function numberTest(name: string, kind: string, test: (n: bigint) => boolean): ScalarApi {
  return {
    name,
    description: `Whether a number is a ${kind}.`,
    inputs: [number],
    output: { name: 'truth', type: 'boolean' },
    compute: ([n]) => test(n as bigint),
  };
}

/** All scalar APIs, those of lists too, in listing order. */
export const SCALAR_APIS: readonly Api[] = [
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
  {
    name: 'list_words',
    description: 'The words of a text, in order.',
    inputs: [text],
    list: 'words',
    columns: [
      { name: 'position', type: 'integer' },
      { name: 'word', type: 'string' },
    ],
    rows: ([string]) => wordsOf(String(string)).map((word, i) => [BigInt(i + 1), word]),
  },
  {
    name: 'list_prime_factors',
    description: 'The different prime factors of a number, ascending.',
    inputs: [{ ...number, most: MOST_FACTORED }],
    list: 'factors',
    columns: [{ name: 'factor', type: 'integer' }],
    rows: ([n]) => primeFactorsOf(n as bigint).map((factor) => [factor]),
  },
  ...PLACE_APIS,
];

export const SCALARS_BY_NAME: ReadonlyMap<string, Api> = new Map(SCALAR_APIS.map((api) => [api.name, api]));

/** Valid inputs of an API; null if one is NULL, so that the result is NULL. */
export type ScalarInputs = readonly (string | bigint)[] | null;

export interface InputFault {
  readonly input: ScalarInput;
  readonly code: 'missing' | 'wrong_type' | 'not_one_of' | 'out_of_range';
}

/**
 * Converts positional inputs of an API. Numbers are truncated to integers; a numeric text counts as a number, and a
 * number as text, where the other is expected. An optional input that is null or absent gets its default.
 */
export function readScalarInputs(
  api: Api,
  given: readonly unknown[],
): { readonly inputs: ScalarInputs } | { readonly faults: readonly InputFault[] } {
  const faults: InputFault[] = [];
  let isNull = false;
  const inputs = api.inputs.map((input, i) => {
    const value = given[i] ?? input.usual;
    if (value === undefined || value === null) {
      if (value === undefined && i >= given.length) faults.push({ input, code: 'missing' });
      isNull = true;
      return '';
    }
    const read = input.type === 'number' ? wholeNumber(value) : textOf(value);
    if (read === null) faults.push({ input, code: 'wrong_type' });
    else if (input.values && !input.values.includes(String(read))) faults.push({ input, code: 'not_one_of' });
    else if (input.most !== undefined && BigInt(read) > input.most)
      faults.push({ input, code: 'out_of_range' });
    return read ?? '';
  });
  if (faults.length > 0) return { faults };
  return { inputs: isNull ? null : inputs };
}

function textOf(value: unknown): string | null {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : null;
}

function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
  if (typeof value !== 'string' || !NUMBER.test(value)) return null;
  return INTEGER.test(value) ? BigInt(value.trim()) : wholeNumber(Number(value));
}

const NUMBER = /^\s*[-+]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][-+]?\d{1,3})?\s*$/;
const INTEGER = /^\s*-?\d+\s*$/;

/** What an API answered: its columns, without its inputs. */
export type ApiRows = readonly (readonly (string | number | bigint | null)[])[];

/** The value of an API as an SQL function: NULL for a NULL or non-numeric input, and for an unknown place. */
function scalarInSql(api: ScalarApi, given: readonly unknown[], places: Gazetteer) {
  const read = readScalarInputs(api, given);
  if ('faults' in read || read.inputs === null) return null;
  const value = api.compute(read.inputs, places);
  if (value instanceof NoPlace) return null;
  return sqlValue(api, value instanceof ChosenPlace ? value.value : value);
}

/** The rows of an API as a virtual table, without its inputs: none where a function would give NULL. */
export function rowsInSql(api: Api, given: readonly unknown[], places: Gazetteer): ApiRows {
  if (!isList(api)) {
    const value = scalarInSql(api, given, places);
    return value === null ? [] : [[value]];
  }
  const read = readScalarInputs(api, given);
  return 'faults' in read || read.inputs === null ? [] : api.rows(read.inputs);
}

/** Booleans as 1 and 0, counts as integers. */
function sqlValue(api: ScalarApi, value: unknown): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number' && api.output.type === 'integer') return BigInt(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : null;
}
