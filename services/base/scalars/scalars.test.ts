import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dictionary } from 'cmu-pronouncing-dictionary';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LIST_TABLES } from '../../../contracts/hybrid.ts';
import { Gazetteer, type Place, type PlacePart } from './gazetteer.ts';
import {
  countCharacters,
  countSyllables,
  distanceBetween,
  isDivisible,
  isFibonacci,
  isList,
  isPerfectSquare,
  isPrime,
  primeFactorsOf,
  readScalarInputs,
  rowsInSql,
  SCALAR_APIS,
  SCALARS_BY_NAME,
  syllablesBySpelling,
  wordsOf,
} from './scalars.ts';

test.each([
  // Names whose syllables the paper counts.
  ['Todor Salparov', 5],
  ['Roman Bragin', 4],
  ['Sergey Grankin', 4],
  ['Yevgeni Sivozhelez', 7],
  ['Maksim Botin', 4],
  ['Semen Poltavskiy', 5],
  ['table', 2],
  ['cakes', 1],
  ['boxes', 2],
  ['wanted', 2],
  ['jumped', 1],
  ['France', 1],
  ['the', 1],
  ['Zoë', 2],
  ['tables', 2],
  ['hundred', 2],
  ['naked', 2],
  ["Don’t ask Max's wife", 5],
  ['bcd', 1],
  ['  12 – ', 0],
  ['', 0],
] as const)('%j has %i syllables', (text, count) => {
  expect(countSyllables(text)).toBe(count);
});

test('every word of the Pronouncing Dictionary has its stated number of syllables', () => {
  const words = Object.entries(dictionary).filter(([word]) => /^[a-z]+('[a-z]+)*$/.test(word));
  const sounds = words.flatMap(([word, spoken]) => {
    const count = spoken.match(/\d/g)?.length ?? 0;
    return count === 0 ? [] : [{ word, count }];
  });
  expect(sounds.length).toBeGreaterThan(100_000);
  expect(sounds.filter(({ word, count }) => countSyllables(word) !== count)).toEqual([]);
});

test('the spelling gives the syllables of most words outside the dictionary', () => {
  const words = Object.entries(dictionary).filter(([word]) => /^[a-z]{4,}$/.test(word));
  const right = words.filter(([word, spoken]) => syllablesBySpelling(word) === spoken.match(/\d/g)?.length);
  expect(right.length / words.length).toBeGreaterThan(0.85);
});

test.each([
  ['Ärmel 7', 7, 2, 3],
  ['yes', 3, 1, 2],
  ['🐘é', 2, 1, 0],
  ['', 0, 0, 0],
] as const)('%j has %i characters, %i vowels, %i consonants', (text, total, vowels, consonants) => {
  expect(countCharacters(text, 'total')).toBe(total);
  expect(countCharacters(text, 'vowels')).toBe(vowels);
  expect(countCharacters(text, 'consonants')).toBe(consonants);
});

describe('whole numbers', () => {
  const upTo = (test: (n: bigint) => boolean, last: number) =>
    Array.from({ length: last + 1 }, (_, n) => n).filter((n) => test(BigInt(n)));

  test('are prime if no smaller number divides them', () => {
    const byTrial = (n: number) =>
      n > 1 && !upTo((d) => d > 1n && d < n && n % Number(d) === 0, Math.sqrt(n) | 0).length;
    expect(upTo(isPrime, 2000)).toEqual(Array.from({ length: 2001 }, (_, n) => n).filter(byTrial));
  });

  test.each([
    ['2305843009213693951', true],
    ['9223372036854775783', true],
    ['9223372036854775807', false],
    // Composites that pass the Miller–Rabin test for the bases 2, 3, 5 and 7, and for all up to 31.
    ['3215031751', false],
    ['3825123056546413051', false],
    ['-7', false],
  ])('%s: prime is %s', (digits, expected) => {
    expect(isPrime(BigInt(digits))).toBe(expected);
  });

  test('are Fibonacci numbers and squares according to published lists', () => {
    expect(upTo(isFibonacci, 400)).toEqual([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377]);
    expect(upTo(isPerfectSquare, 150)).toEqual([0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144]);
    expect([isFibonacci(7540113804746346429n), isFibonacci(7540113804746346430n)]).toEqual([true, false]);
    expect([isPerfectSquare(3037000499n ** 2n), isPerfectSquare(3037000499n ** 2n + 1n)]).toEqual([
      true,
      false,
    ]);
    expect([isFibonacci(-1n), isPerfectSquare(-4n)]).toEqual([false, false]);
  });

  test('are divisible without remainder, but not by 0', () => {
    expect([isDivisible(96n, 32n), isDivisible(97n, 32n), isDivisible(0n, 5n), isDivisible(-6n, 3n)]).toEqual(
      [true, false, true, true],
    );
    expect(isDivisible(1n, 0n)).toBeNull();
  });
});

test('distances are on a sphere of the mean radius', () => {
  const a = { latitude: 0, longitude: 0 };
  // A quarter of the circumference.
  expect(distanceBetween(a, { latitude: 90, longitude: 0 }, 'km')).toBe(10007.557);
  expect(distanceBetween(a, { latitude: 0, longitude: 180 }, 'km')).toBe(20015.114);
  expect(distanceBetween(a, { latitude: 90, longitude: 0 }, 'miles')).toBe(6218.408);
  expect(distanceBetween(a, a, 'km')).toBe(0);
});

const nowhere = { latitude: null, longitude: null, country: null, province: null, county: null };
const unaddressed = { locality: null, street: null, street_number: null, postal_code: null };
const place = (name: string, more: Partial<Place>): Place => ({
  names: [name],
  ...nowhere,
  ...unaddressed,
  ...more,
});
const places = new Gazetteer([
  place('Mill Depot', {
    latitude: 51.5,
    longitude: -0.25,
    country: 'England',
    locality: 'Acton',
    street: 'Mill Lane',
    street_number: '7',
    postal_code: 'W3',
  }),
  place('Newport', { country: 'Wales', province: 'Gwent' }),
  place('Newport', { country: 'England', province: 'Shropshire' }),
  place('Ärö', { country: 'Denmark' }),
]);

describe('places', () => {
  test('are found by name, ignoring case and accents', () => {
    expect(places.find('  aro', 'country')).toEqual({ value: 'Denmark', isAmbiguous: false });
    expect(places.find('MILL depot', 'address')).toEqual({
      value: 'Mill Lane 7, W3 Acton, England',
      isAmbiguous: false,
    });
  });

  test('with a shared name are ambiguous unless qualified', () => {
    expect(places.find('Newport', 'country')).toEqual({ unknown: 'several_places' });
    expect(places.find('Newport, Wales', 'province')).toEqual({ value: 'Gwent', isAmbiguous: false });
    expect(places.find('Newport,shropshire', 'country')).toEqual({ value: 'England', isAmbiguous: false });
    expect(places.find('Newport', 'street')).toEqual({ value: null, isAmbiguous: false });
  });

  test('that are unknown have no country, even if part of their name is known', () => {
    expect(places.find('Mill', 'country')).toEqual({ unknown: 'no_place' });
  });
});

describe('places of the world', () => {
  const known = new Gazetteer([
    place('Lyon', { country: 'France' }),
    place('Berlin', { country: 'Atlantis' }),
    place('Zürich', { country: 'Switzerland', latitude: 1 }),
    place('Rome', { latitude: 2 }),
  ]);
  const part = (name: string, asked: PlacePart) => known.find(name, asked);

  test("supplement the domain's places unless these contradict", () => {
    expect(part('Tokyo', 'country')).toEqual({ value: 'Japan', isAmbiguous: false });
    expect(part('são paulo, brazil', 'latitude')).toEqual({ value: -23.5587, isAmbiguous: false });
    expect(part('Lyon', 'latitude')).toEqual({ value: 45.77, isAmbiguous: false });
    expect(part('Zurich', 'latitude')).toEqual({ value: 1, isAmbiguous: false });
    expect(part('Zurich', 'longitude')).toEqual({ value: 8.55, isAmbiguous: false });
  });

  test('do not supplement a place that is, or may be, another of that name', () => {
    expect(part('Berlin', 'latitude')).toEqual({ value: null, isAmbiguous: false });
    expect(part('Rome', 'country')).toEqual({ value: null, isAmbiguous: false });
  });

  test('are countries before towns, larger towns before smaller, and towns before provinces', () => {
    expect(part('Georgia', 'country')).toEqual({ value: 'Georgia', isAmbiguous: true });
    expect(part('Georgia', 'latitude')).toEqual({ value: null, isAmbiguous: false });
    expect(part('London', 'country')).toEqual({ value: 'United Kingdom', isAmbiguous: true });
    expect(part('London, Ontario', 'country')).toEqual({ value: 'Canada', isAmbiguous: false });
    expect(part('New York', 'locality')).toEqual({ value: 'New York', isAmbiguous: false });
    expect(part('Bavaria', 'country')).toEqual({ unknown: 'no_place' });
    expect(part('Bayern', 'address')).toEqual({ value: 'Bayern, Germany', isAmbiguous: false });
    expect(part('Singapore', 'latitude')).toEqual({ value: 1.293, isAmbiguous: false });
    expect(part('UK', 'country')).toEqual({ value: 'United Kingdom', isAmbiguous: false });
  });

  test('have full names, and valid coordinates', () => {
    const lines = readFileSync(join(import.meta.dirname, 'world-places.json'), 'utf8');
    const towns = z.array(z.string()).parse(JSON.parse(lines));
    expect(towns.length).toBeGreaterThan(7_000);
    for (const town of towns) {
      const [names = '', , country = '', latitude, longitude, ...more] = town.split('\t');
      expect(more).toEqual([]);
      expect(names.length * country.length, town).toBeGreaterThan(0);
      expect(town).not.toMatch(/[?\uFFFD]/);
      expect(Math.abs(Number(latitude)), town).toBeLessThanOrEqual(90);
      expect(Math.abs(Number(longitude)), town).toBeLessThanOrEqual(180);
    }
  });
});

describe('in SQL', () => {
  const call = (name: string, ...inputs: unknown[]) => {
    const api = SCALARS_BY_NAME.get(name);
    if (!api) throw new Error(name);
    return rowsInSql(api, inputs, places)[0]?.[0] ?? null;
  };

  test('NULL means no value', () => {
    const values = [
      [call('is_prime', 7n), 1n],
      [call('is_prime', 7.9), 1n],
      [call('is_prime', '7'), 1n],
      [call('is_prime', 'seven'), null],
      [call('is_prime', null), null],
      [call('is_prime'), null],
      [call('is_divisible', 6n, 0n), null],
      [call('count_syllables', 12n), 0n],
      [call('count_characters', 'abc'), 3n],
      [call('count_characters', 'abc', 'vowels'), 1n],
      [call('count_characters', 'abc', 'letters'), null],
      [call('get_country_of_place', 'Nowhere'), null],
      [call('get_latitude_of_place', 'Mill Depot'), 51.5],
      [call('calculate_distance', 'Mill Depot', 'mill depot'), 0],
      [call('calculate_distance', 'Mill Depot', 'Ärö'), null],
    ];
    for (const [value, expected] of values) expect(value).toBe(expected);
  });

  test('reads numbers of any size', () => {
    const api = SCALARS_BY_NAME.get('is_prime');
    expect(api && readScalarInputs(api, ['9223372036854775783'])).toEqual({ inputs: [9223372036854775783n] });
    expect(api && readScalarInputs(api, [Number.POSITIVE_INFINITY])).toMatchObject({
      faults: [{ code: 'wrong_type' }],
    });
  });
});

test.each([
  [
    "Don’t ask Max's well-known wife, 7 times!",
    ['Don’t', 'ask', "Max's", 'well-known', 'wife', '7', 'times'],
  ],
  ['Éo\u0301n – “b”', ['Éo\u0301n', 'b']],
  [' -- ', []],
])('%j has the words %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('numbers are products of powers of their prime factors', () => {
  for (const n of [2, 12, 97, 360, 1001, 65_536, 999_999_937, 1_000_000_000]) {
    const factors = primeFactorsOf(BigInt(n));
    expect(factors.every(isPrime), String(n)).toBe(true);
    let rest = BigInt(n);
    for (const factor of factors) while (rest % factor === 0n) rest /= factor;
    expect(rest, String(n)).toBe(1n);
    expect(factors).toEqual([...new Set(factors)].sort((a, b) => Number(a - b)));
  }
  expect([-6n, 0n, 1n].map(primeFactorsOf)).toEqual([[], [], []]);
});

test('lists are rows in SQL, none for NULL and for what has no list', () => {
  const rows = (name: string, input: unknown) => {
    const api = SCALARS_BY_NAME.get(name);
    return api && rowsInSql(api, [input], places);
  };
  expect(rows('list_words', 'Old  Quay')).toEqual([
    [1n, 'Old'],
    [2n, 'Quay'],
  ]);
  expect(rows('list_prime_factors', 12n)).toEqual([[2n], [3n]]);
  const none = [rows('list_words', null), rows('list_words', ''), rows('list_prime_factors', 'six')];
  expect([...none, rows('list_prime_factors', 1_000_000_001n)]).toEqual([[], [], [], []]);
});

test('the columns of lists are those that SQL has', () => {
  const lists = SCALAR_APIS.filter(isList).map(({ name, inputs, columns }) => {
    const names = (of: readonly { readonly name: string }[]) => of.map((each) => each.name);
    return [name, { inputs: names(inputs), columns: names(columns) }];
  });
  expect(Object.fromEntries(lists)).toEqual(LIST_TABLES);
});

test('has every API of the paper, and two of lists', () => {
  const parts = ['address', 'latitude', 'longitude', 'country', 'province', 'county', 'locality', 'street'];
  const of = [...parts, 'street_number', 'postal_code'].map((part) => `get_${part}_of_place`);
  const numeric = ['is_divisible', 'is_prime', 'is_perfect_square', 'is_fibonacci'];
  expect(new Set(SCALAR_APIS.map(({ name }) => name))).toEqual(
    new Set([
      'count_characters',
      'count_syllables',
      ...numeric,
      ...of,
      'calculate_distance',
      'list_words',
      'list_prime_factors',
    ]),
  );
});
