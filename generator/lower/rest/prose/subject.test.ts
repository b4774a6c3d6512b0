import { expect, test } from 'vitest';
import { restFixture } from '../rest-fixture.ts';

const films = restFixture();
const wide = restFixture(`
  CREATE TABLE gauge (
    id INTEGER PRIMARY KEY, rain REAL, snow REAL, wind REAL, gust REAL, fog REAL, hail REAL, cloud REAL, sun REAL, dew REAL
  );
`);

test('the end of the alphabet comes last, in the name and in the summary', () => {
  const [endpoint] = films.lower('SELECT title FROM film ORDER BY title DESC LIMIT 3').endpoints;
  expect([endpoint?.name, endpoint?.summary]).toEqual([
    'last_films_by_film_title',
    'The last three films, by film title, in descending order',
  ]);
});

test('many columns are counted, not listed', () => {
  const [endpoint] = wide.lower('SELECT * FROM gauge WHERE rain > 2').endpoints;
  expect(endpoint?.summary).toBe(
    'IDs, rain, snows, winds, gusts and 5 more columns of gauges with rain above a given value',
  );
  expect(endpoint?.columns).toHaveLength(10);
});

test('rows of joined tables are pairs', () => {
  const said = (sql: string) => films.lower(sql).endpoints[0]?.description;
  expect(said('SELECT a.title, b.title FROM film a JOIN film b ON a.year = b.year')).toContain(
    'One row for each pair of films.',
  );
  expect(said('SELECT a.title FROM film a JOIN studio s ON a.score = s.id JOIN genre g')).toMatch(
    /One row for each (pair|combination) of film/,
  );
});
