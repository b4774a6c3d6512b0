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
