import { expect, test } from 'vitest';
import { restFixture } from '../rest-fixture.ts';

const films = restFixture();

test.each([
  [
    'what rows are taken away by is excluded',
    'SELECT title FROM film EXCEPT SELECT title FROM film WHERE year = 1999',
    'films_by_excluded_year(excluded_year)',
  ],
  [
    'to take away all others leaves only it',
    "SELECT title FROM film EXCEPT SELECT title FROM film WHERE type != 'short'",
    'films_by_only_film_type(only_film_type)',
  ],
  [
    'but what others are taken away by as well is not all that is left',
    "SELECT title FROM film EXCEPT SELECT title FROM film WHERE type != 'short' AND year = 1999",
    'films_by_excluded_film_type_and_excluded_year(excluded_film_type, excluded_year)',
  ],
  [
    'rows that there are none of say it themselves, however long the rest is',
    "SELECT studio_name, cntry FROM studio WHERE studio_name LIKE 'A%' AND cntry > 'a' AND id NOT IN (SELECT studio_id FROM film WHERE year = 1999 AND NumTstScr > 5)",
    'studios_with_country_without_films_by_studio_name_prefix(studio_name_prefix, min_country, year, min_num_test_screenings)',
  ],
  [
    'the bound of a highest value is no lowest one',
    'SELECT studio_id FROM film GROUP BY studio_id HAVING MAX(score) > 7 AND MIN(year) <= 2001',
    'studio_ids_by_max_film_score_above_and_min_year_to(max_film_score_above, min_year_to)',
  ],
])('%s', (_, sql, signature) => {
  const [endpoint] = films.lower(sql).endpoints;
  expect(`${endpoint?.name}(${endpoint?.parameters.map(({ name }) => name).join(', ')})`).toBe(signature);
});

test('an alias may tell what a chosen code means, and names no column that it is chosen in', () => {
  const columnsOf = (sql: string) => films.lower(sql).endpoints[0]?.columns.map(({ name }) => name);
  expect(columnsOf("SELECT SUM(type = 'short') AS film_sum FROM film")).toEqual(['film_type_count']);
  expect(columnsOf('SELECT COUNT(*) AS film_sum FROM film')).toEqual(['film_sum']);
});

test('equal but for the case of letters is told where it is all that differs', () => {
  const endpoints = films.lower(
    "SELECT year FROM film WHERE title = 'First'",
    "SELECT year FROM film WHERE title LIKE 'first'",
  ).endpoints;
  expect(endpoints.map(({ name, summary }) => [name, summary])).toEqual([
    ['film_years_by_film_title', 'Years of films for a given film title'],
    [
      'film_years_by_film_title_in_any_case',
      'Years of films for a given film title (in any case of letters)',
    ],
  ]);
});
