import { describe, expect, test } from 'vitest';
import { uniqueKey } from '../../services/domain/tools/plan.ts';
import { restFixture } from '../lower/testing/rest-fixture.ts';
import { brief, fit, snake } from './names.ts';
import { splitWords } from './words.ts';

const films = restFixture();

describe('endpoints that would share a name', () => {
  const namesOf = (...queries: readonly string[]) =>
    films.lower(...queries).endpoints.map(({ name }) => name);

  test('are told apart by what differs', () => {
    expect(namesOf('SELECT type FROM film', 'SELECT DISTINCT type FROM film')).toEqual([
      'film_types',
      'distinct_film_types',
    ]);
    expect(namesOf('SELECT title FROM film', 'SELECT title FROM film ORDER BY year DESC')).toEqual([
      'films',
      'films_sorted_by_year_descending',
    ]);
  });

  test('a bound that counts and one that does not are called differently', () => {
    expect(
      namesOf('SELECT title FROM film WHERE year > 1', 'SELECT title FROM film WHERE year >= 1'),
    ).toEqual(['films_after_year', 'films_by_min_year']);
  });

  test('are numbered when nothing can be said', () => {
    const names = namesOf(
      'SELECT title, substr(code, 2, 1) FROM film',
      'SELECT title, substr(code, 3, 1) FROM film',
    );
    expect(new Set(names).size).toBe(2);
    expect(names[1]).toBe(`${names[0]}_2`);
  });
});

test('a tool is called like the last part of its path', () => {
  for (const { path, operation_id } of films.lower('SELECT title FROM film', 'SELECT year FROM film')
    .endpoints) {
    expect(operation_id).toBe(`get_${path.split('/').at(-1)}`);
  }
});

test('names of tables and columns in any writing give names that are safe', () => {
  const odd = restFixture(`
    CREATE TABLE "Ärzte & Praxen (2013-14)" ("Größe (%)" TEXT, "№" INTEGER, "номер" INTEGER, "order" TEXT, "2nd #" REAL);
    CREATE TABLE "1995" ("1996" TEXT, "2nd" TEXT);
    CREATE TABLE "表" ("列" TEXT, "constructor" TEXT, "__proto__" TEXT);
  `);
  const { endpoints } = odd.lower(
    `SELECT "Größe (%)", "номер" FROM "Ärzte & Praxen (2013-14)" WHERE "№" = 1 AND "order" = 'a' AND "2nd #" > 0.5`,
    `SELECT "列" FROM "表" WHERE "列" = 'x'`,
    `SELECT "1996", "2nd" FROM "1995" WHERE "1996" = 'x' AND "2nd" = 'y'`,
    `SELECT "constructor", "__proto__" FROM "表" WHERE "constructor" = 'x' AND "__proto__" = 'y'`,
  );
  for (const { name, operation_id, parameters, columns } of endpoints) {
    for (const one of [name, operation_id]) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    for (const one of [...parameters, ...columns]) expect(one.name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(new Set(parameters.map((one) => one.name)).size).toBe(parameters.length);
    expect(new Set(columns.map((one) => one.name)).size).toBe(columns.length);
  }
  expect(endpoints[0]?.parameters.some(({ name }) => name.endsWith('_order'))).toBe(true);
});

test('names that are far too long for a name are cut without trying every length', () => {
  const began = process.cpuUsage();
  expect(fit('a long tale of many words'.split(' '), 12)).toBe('a_long_tale');
  expect(
    fit(
      Array.from({ length: 50_000 }, (_, i) => `word${i}`),
      20,
    ),
  ).toBe('word0_word1_word2');
  expect(fit(['x'.repeat(50_000)], 64)).toBe('x'.repeat(64));
  const underscores = '_'.repeat(50_000);
  expect(uniqueKey(`${underscores}a${underscores}b${underscores}`, new Set())).toBe(`a${underscores}b`);
  expect(splitWords('A'.repeat(50_000)).length).toBe(1);
  // Each of them took many seconds when it was quadratic.
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(2000);
});

test('words become names that fit', () => {
  expect(snake(['Average', 'SAT score', 'score'])).toBe('average_sat_score');
  expect(fit(['schools', 'by', 'county', 'and', 'city'], 20)).toBe('schools_by_county');
  expect(fit(['x'.repeat(80)], 60)).toHaveLength(60);
});

test('rather than none a name tells what kind of thing its choices are', () => {
  const said = (...names: readonly string[]) =>
    brief(names.map((name) => name.split('_'))).map((words) => words.join('_'));
  expect(said('last_editor_website', 'min_transaction_year', 'excluded_home_team_short_name')).toEqual([
    'website',
    'min_year',
    'excluded_short_name',
  ]);
  expect(said('loan_date', 'account_date')).toEqual(['loan', 'account_date']);
});
