import { describe, expect, test } from 'vitest';
import { uniqueKey } from '../../../../services/domain/tools/plan/unique-key.ts';
import { restFixture } from '../rest-fixture.ts';
import { splitWords } from '../words/split-words.ts';
import { brief } from './choice-words.ts';
import { operationIds } from './operation-id.ts';
import { fit, snake } from './snake.ts';

const films = restFixture();

test.each([
  [
    "SELECT title FROM film WHERE type = 'short'",
    'films_by_film_type(film_type)',
    'Films for a given film type',
  ],
  [
    'SELECT title FROM film WHERE NumTstScr > 5 AND year <= 2000',
    'films_by_min_num_test_screenings_and_max_year(min_num_test_screenings, max_year)',
    'Films with number of test screenings above a given value and year of at most a given value',
  ],
  [
    "SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id WHERE f.title = 'First'",
    'studios_by_film_title(film_title)',
    'Studios for a given film title',
  ],
  [
    "SELECT f.score FROM film f JOIN person d ON f.director_id = d.id WHERE d.first_name = 'Ada' AND d.last_name = 'Berg'",
    'film_scores_by_director_name(director_first_name, director_last_name)',
    'Scores of films for a given director first name and director last name',
  ],
  [
    "SELECT COUNT(*) FROM film f JOIN film_genre l ON l.film_id = f.id JOIN genre g ON g.id = l.genre_id WHERE g.genre = 'drama'",
    'count_films_by_genre(genre)',
    'Number of films for a given genre',
  ],
  [
    "SELECT COUNT(*) FROM film_genre l JOIN film f ON l.film_id = f.id WHERE f.title = 'Second'",
    'count_genres_by_film_title(film_title)',
    'Number of genres for a given film title',
  ],
  [
    "SELECT CAST(SUM(CASE WHEN type = 'short' THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) FROM film WHERE year = 2001",
    'percentage_of_films_with_film_type_by_year(film_type, year)',
    'Percentage of films with a given film type for a given year',
  ],
  [
    'SELECT title FROM film ORDER BY NumTstScr DESC LIMIT 1',
    'film_with_highest_num_test_screenings()',
    'The film with the highest number of test screenings',
  ],
  [
    'SELECT MAX(score), MIN(score) FROM film',
    'max_and_min_film_score()',
    'Highest film score and lowest film score',
  ],
  [
    'SELECT s.studio_name, COUNT(*) FROM film f JOIN studio s ON f.studio_id = s.id GROUP BY s.id',
    'count_films_per_studio()',
    'Number of films per studio',
  ],
  [
    'SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id GROUP BY s.id ORDER BY COUNT(*) DESC LIMIT 1',
    'studio_with_most_films()',
    'The studio with the most films',
  ],
  [
    'SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id GROUP BY s.id HAVING COUNT(*) >= 2',
    'studios_by_min_film_count(min_film_count)',
    'Studios with number of films of at least a given value',
  ],
  [
    'SELECT studio_name FROM studio WHERE id NOT IN (SELECT studio_id FROM film WHERE year = 1999)',
    'studios_without_films_by_year(year)',
    'Studios that have no films where year is a given value',
  ],
  [
    'SELECT title FROM film WHERE year = 2001 EXCEPT SELECT title FROM film WHERE year = 1999',
    'films_by_year_and_excluded_year(year, excluded_year)',
    'Films for a given year, except those for another given year',
  ],
  [
    "SELECT title FROM film WHERE type = 'short' OR type = 'feature' ORDER BY year DESC",
    'films_by_two_film_types(first_film_type, second_film_type)',
    'Films for any of two given film types, sorted by year, descending',
  ],
  [
    'SELECT title FROM film WHERE score = (SELECT MAX(score) FROM film)',
    'films_with_highest_film_score()',
    'Films with the highest film score',
  ],
  [
    'SELECT title FROM film WHERE score > (SELECT AVG(score) FROM film)',
    'films_with_above_average_film_score()',
    'Films with above-average film score',
  ],
  [
    "SELECT title FROM film WHERE opened > '2001-01-01' AND type IS NOT NULL",
    'films_with_film_type_by_opened_after(opened_after)',
    'Films with opened date after a given date where film type is known',
  ],
  [
    "SELECT title FROM film WHERE opened BETWEEN '2001-01-01' AND '2001-12-31'",
    'films_by_opened_range(opened_from, opened_to)',
    'Films with opened date in a given range',
  ],
  [
    "SELECT title FROM film WHERE strftime('%Y', opened) = '2001'",
    'films_by_opened_year(opened_year)',
    'Films for a given opened year',
  ],
  [
    "SELECT title FROM film WHERE type != 'short' AND code NOT IN ('7', '8')",
    'films_by_excluded_film_type_and_excluded_film_codes(excluded_film_type, excluded_film_codes)',
    'Films with film type other than a given value and film code not among given values',
  ],
  [
    "SELECT SUM(type = 'short') * 1.0 / SUM(type = 'feature') FROM film",
    'film_count_ratio_by_two_film_types(first_film_type, second_film_type)',
    'Ratio of number of films with a given film type to number of films with another given film type',
  ],
  [
    "SELECT strftime('%Y', 'now') - strftime('%Y', birth_date) FROM person",
    'person_ages()',
    'Ages of people',
  ],
  ["SELECT first_name || ' ' || last_name FROM person", 'person_full_names()', 'Full names of people'],
])('%s', (sql, signature, summary) => {
  const [endpoint] = films.lower(sql).endpoints;
  expect(`${endpoint?.name}(${endpoint?.parameters.map(({ name }) => name).join(', ')})`).toBe(signature);
  expect(endpoint?.summary).toBe(summary);
});

describe('endpoints that would share a name', () => {
  const namesOf = (...queries: readonly string[]) =>
    films.lower(...queries).endpoints.map(({ name }) => name);

  test('are told apart by what differs', () => {
    expect(namesOf('SELECT type FROM film', 'SELECT DISTINCT type FROM film')).toEqual([
      'film_types',
      'distinct_film_types',
    ]);
    expect(
      namesOf('SELECT title FROM film WHERE year > 1', 'SELECT title FROM film WHERE year >= 1'),
    ).toEqual(['films_by_min_year', 'films_by_min_year_inclusive']);
    expect(namesOf('SELECT title FROM film', 'SELECT title FROM film ORDER BY year DESC')).toEqual([
      'films',
      'films_sorted_by_year_descending',
    ]);
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

test('an operation ID is as much of the whole as fits, and never shared', () => {
  const long = 'schools_by_magnet_and_min_num_test_takers_and_county_name_x';
  expect(operationIds(['films', 'films_by_year_and_type', long, `${long}y`], 'test', 'films')).toEqual([
    'get_films_v1_test_films_films_get',
    'get_films_by_year_and_type_v1_test_films_get',
    `get_${long}`,
    `get_${long}y`,
  ]);
  expect(operationIds(['a'.repeat(60)], 'test', 'films')).toEqual([`get_${'a'.repeat(60)}`]);
  const ids = operationIds(['a', 'a_v1_s_d'], 's', 'd');
  expect(new Set(ids).size).toBe(2);
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
