import { expect, test } from 'vitest';
import type { Choice } from '../choices/choice.ts';
import { restFixture } from '../rest-fixture.ts';
import { ValueGuard } from './guard.ts';

const films = restFixture();

test('a parameter is described from the catalog, with its comparison and format', () => {
  const describe = (sql: string) =>
    films.lower(sql).endpoints[0]?.parameters.map(({ description }) => description);
  expect(describe('SELECT id FROM film WHERE NumTstScr > 5')).toEqual([
    'Number of test screenings (film.NumTstScr): more than this value. How often it was shown before it opened.',
  ]);
  expect(describe("SELECT id FROM person WHERE birth_date <= '1970-01-01'")).toEqual([
    'Birth date (person.birth_date): this value or less. Written as YYYY-MM-DD.',
  ]);
  expect(describe('SELECT id FROM film WHERE score = 7.5')).toEqual([
    'Film score (film.score): equal to this value. The score of the critics. Unit: points.',
  ]);
  expect(describe("SELECT id FROM person WHERE strftime('%Y-%m', birth_date) = '1970-01'")).toEqual([
    'Birth month: equal to this value. Written as YYYY-MM.',
  ]);
});

test('a result column is described, with its type and whether it may be NULL', () => {
  const [endpoint] = films.lower(
    'SELECT f.title, f.score, s.studio_name, COUNT(*) FROM film f LEFT JOIN studio s ON s.id = f.studio_id GROUP BY f.id',
  ).endpoints;
  expect(endpoint?.columns).toEqual([
    { name: 'title', type: 'string', nullable: false, description: 'Film title (film.title).' },
    {
      name: 'score',
      type: 'number',
      nullable: true,
      description: 'Film score (film.score). The score of the critics. Unit: points.',
    },
    { name: 'studio_name', type: 'string', nullable: true, description: 'Studio name (studio.studio_name).' },
    { name: 'count', type: 'integer', nullable: false, description: 'Number of films.' },
  ]);
});

test.each([
  ['SELECT anything FROM film', 'any', true],
  ['SELECT AVG(year) FROM film', 'number', true],
  ['SELECT SUM(year) FROM film', 'integer', true],
  ['SELECT year / 2 FROM film', 'integer', true],
  ['SELECT year / 2.0 FROM film', 'number', true],
  ['SELECT COUNT(*) FROM film', 'integer', false],
  ['SELECT title, COUNT(*) FROM film', 'string', true],
  ['SELECT title FROM film UNION SELECT year FROM film', 'any', true],
  ["SELECT CASE WHEN year > 1 THEN 'a' ELSE 'b' END FROM film", 'string', false],
  ['SELECT id FROM film', 'integer', false],
])('%s is %s', (sql, type, nullable) => {
  expect(films.lower(sql).endpoints[0]?.columns[0]).toMatchObject({ type, nullable });
});

test('an alias that tells something names its column, one that tells a value does not', () => {
  const columnsOf = (sql: string) => films.lower(sql).endpoints[0]?.columns.map(({ name }) => name);
  expect(columnsOf('SELECT AVG(score) AS average_film_score FROM film')).toEqual(['average_film_score']);
  expect(columnsOf('SELECT AVG(score) AS result FROM film')).toEqual(['average_score']);
  expect(columnsOf("SELECT SUM(type = 'short') AS short_count FROM film")).toEqual(['film_type_count']);
  expect(columnsOf('SELECT id, id FROM film')).toEqual(['film_id', 'film_id_2']);
});

test('what is said of an endpoint never holds a value that a question of the domain chooses', () => {
  const { endpoints } = films.lower(
    "SELECT f.title FROM film f JOIN studio s ON s.id = f.studio_id WHERE s.cntry = 'fr'",
    "SELECT f.title FROM film f JOIN studio s ON s.id = f.studio_id WHERE s.cntry LIKE 'd%'",
    "SELECT title FROM film WHERE type = 'short'",
    "SELECT title FROM film WHERE score > (SELECT AVG(score) FROM film WHERE type = 'feature')",
    "SELECT id FROM film WHERE title = 'critics'",
    'SELECT score FROM film WHERE id = 1',
  );
  const texts = endpoints.flatMap(({ name, summary, description, parameters, columns }) => [
    name,
    summary,
    description,
    ...parameters.map((one) => one.description),
    ...columns.map((one) => one.description),
  ]);
  const all = texts.join('\n');
  for (const value of ['short', 'feature', 'critics', 'fr'])
    expect(all).not.toMatch(new RegExp(`\\b${value}\\b`, 'i'));
  // Guarded piece by piece: the unit may stay.
  expect(all).toContain('Unit: points.');
});

test('the guard knows values from words', () => {
  const guard = (...values: readonly (string | number)[]) =>
    new ValueGuard(values.map((value) => ({ value }) as unknown as Choice));
  expect(guard('Monterey').holdsValue('such as Monterey or others')).toBe(true);
  expect(guard('Monterey').holdsValue('montereys')).toBe(false);
  expect(guard('A').holdsValue("'A' stands for finished")).toBe(true);
  expect(guard('A').holdsValue('F: female, A: all')).toBe(true);
  expect(guard('A').holdsValue('A list of names')).toBe(false);
  expect(guard(65).holdsValue('adult: 19-65')).toBe(true);
  expect(guard(65).holdsValue('in 1965')).toBe(false);
  expect(guard(1).holdsValue('one of 1 to 3')).toBe(false);
  expect(guard('C++ (2)').holdsValue('languages such as C++ (2)')).toBe(true);
});

test.each([
  [
    "SELECT title FROM film WHERE year = 2001 AND (type = 'short' OR score > 7)",
    'Films where year is a given value and (film type is a given value or film score is above a given value)',
    'Conditions: year = `year` and (film type = `film_type` or film score > `min_film_score`).',
  ],
  [
    "SELECT title FROM film WHERE year = 2001 AND (type = 'short' OR type = 'feature')",
    'Films where year is a given value and film type is one of two given values',
    'Conditions: year = `year` and (film type = `first_film_type` or film type = `second_film_type`).',
  ],
  [
    "SELECT title FROM film WHERE (type = 'short' AND year = 1999) OR (type = 'feature' AND year = 2001)",
    'Films where for one of two sets of values (film type is a given value and year is a given value)',
    'Conditions: (film type = `first_film_type` and year = `first_year`) or (film type = `second_film_type` and year = `second_year`).',
  ],
  [
    'SELECT studio_name FROM studio WHERE id NOT IN (SELECT studio_id FROM film GROUP BY studio_id HAVING COUNT(*) > 2)',
    'Studios that have no films where number of films is above a given value',
    'Conditions: studio ID is not among the studio IDs of films per studio ID where number of films > `min_film_count`.',
  ],
  [
    'SELECT s.studio_name FROM studio s LEFT JOIN film f ON f.studio_id = s.id WHERE f.id IS NULL',
    'Studios that have no films',
    'Conditions: there is no film.',
  ],
  [
    "SELECT studio_name FROM studio WHERE cntry = 'fr' EXCEPT SELECT title FROM film WHERE year = 2001",
    'Studios for a given country, except films for a given year',
    'Studio names of studios where country = `country` except titles of films where year = `year`. Each different row once.',
  ],
  [
    'SELECT title FROM film f WHERE score > (SELECT AVG(score) FROM film g WHERE g.type = f.type)',
    'Films where film score is above the average score of films where the film type is the same',
    'Conditions: film score > the average score of films where the film type is the same.',
  ],
  [
    "SELECT title FROM film WHERE score > (SELECT MIN(score) FROM film WHERE type = 'short')",
    'Films where film score is above the lowest score of films where film type is a given value',
    'Conditions: film score > the lowest score of films where film type = `film_type`.',
  ],
  [
    "SELECT title FROM film WHERE type = 'short' LIMIT 1",
    'Films for a given film type, one row only',
    'One row only.',
  ],
  [
    'SELECT title FROM film ORDER BY score DESC, title LIMIT 1 OFFSET 1',
    'The second film, by film score, highest first',
    'Ordered by film score descending and film title; one row only after the first one.',
  ],
  [
    'SELECT DISTINCT p.last_name FROM person p JOIN film f ON f.director_id = p.id',
    'Different director last names of people that have films',
    'Each different row once with director_last_name.',
  ],
  [
    "SELECT title, (julianday('now') - julianday(opened)) / 365.25 FROM film",
    'Films with years since opened',
    'Rows with title (film title) and years_since_opened.',
  ],
  [
    'SELECT (SUM(CASE WHEN year = 2001 THEN score ELSE 0 END) - SUM(CASE WHEN year = 1999 THEN score ELSE 0 END)) / SUM(CASE WHEN year = 1999 THEN score ELSE 0 END) FROM film',
    'Relative change from total film score with a given year to total film score with another given year',
    '(relative change from total film score with year = `second_year` to total film score with year = `first_year`).',
  ],
  [
    'SELECT SUM(CASE WHEN year = 2001 THEN score ELSE 0 END) / SUM(CASE WHEN year = 1999 THEN score ELSE 0 END) FROM film',
    'Ratio of total film score with a given year to total film score with another given year',
    '(ratio of total film score with year = `first_year` to total film score with year = `second_year`).',
  ],
  [
    'SELECT title, type FROM film WHERE year NOT BETWEEN 1999 AND 2001',
    'Films with type where year is outside a given range',
    'Conditions: not (year from `min_year` to `max_year`).',
  ],
  [
    'SELECT title FROM film WHERE score > 1.5 * (SELECT AVG(score) FROM film)',
    'Films where film score is above 1.5 times the average score of films',
    'Conditions: film score > 1.5 times the average score of films.',
  ],
  [
    'SELECT studio_name FROM studio s WHERE EXISTS (SELECT 1 FROM film f WHERE f.studio_id = s.id AND f.year = 2001)',
    'Studios for a given year',
    'Conditions: there is a film of the studio where year = `year`.',
  ],
  [
    "SELECT SUM(CASE WHEN type = 'short' THEN 1 ELSE 0 END), COUNT(*) FROM (SELECT type FROM film ORDER BY score DESC LIMIT 3) WHERE type = 'short'",
    'Number of films with a given film type and number of films read from the types of films (the first three by film score descending) where film type is a given value',
    'Read from the types of films (the first three by film score descending).',
  ],
  [
    'SELECT title FROM (SELECT title, RANK() OVER (PARTITION BY type ORDER BY score DESC) AS place FROM film) WHERE place = 1',
    'Films where rank by film score within each film type is one',
    'Conditions: rank by film score within each film type is one.',
  ],
  [
    'SELECT year, SUM(score) OVER (ORDER BY year) FROM film',
    'Years and running totals of score in the order of year of films',
    'Rows with year and running_total_film_score (running total of film score in the order of year).',
  ],
  [
    'SELECT SUM(DISTINCT score) FROM film',
    'Total of different values of film score',
    'One row with total_score (total of different values of film score).',
  ],
  [
    'SELECT COUNT(*) * 100.0 / (SELECT COUNT(*) FROM studio) FROM film WHERE year = 2001',
    'Percentage of number of films to number of studios for a given year',
    'Conditions: year = `year`.',
  ],
  [
    'SELECT title FROM film f JOIN (SELECT MAX(score) AS best FROM film) m ON f.score = m.best WHERE f.year = 2001',
    'Films for a given year where film score is the same as highest film score',
    'Conditions: year = `year` and film score = highest film score.',
  ],
  [
    'SELECT studio_name FROM studio WHERE id = (SELECT studio_id FROM film ORDER BY score DESC LIMIT 1)',
    'Studios of the film with the highest film score',
    'Conditions: studio ID = the studio ID of films with the highest film score.',
  ],
])('what a query does is said as it is: %s', (sql, summary, sentence) => {
  const [endpoint] = films.lower(sql).endpoints;
  expect(endpoint?.summary).toBe(summary);
  expect(endpoint?.description).toContain(sentence);
});

test('summaries that would be the same tell what differs', () => {
  const summaries = (...queries: readonly string[]) =>
    films.lower(...queries).endpoints.map(({ summary }) => summary);
  expect(
    summaries(
      'SELECT s.studio_name FROM studio s JOIN film f ON f.studio_id = s.id WHERE f.year = 2001',
      'SELECT studio_name FROM studio WHERE id IN (SELECT studio_id FROM film WHERE year = 2001)',
    ),
  ).toEqual(['Studios for a given year (one row for each film)', 'Studios for a given year (each row once)']);
  expect(
    summaries(
      'SELECT title FROM film WHERE year = 2001',
      'SELECT id, title FROM film WHERE year = 2001',
      'SELECT title, id FROM film WHERE year = 2001',
    ),
  ).toEqual([
    'Films for a given year',
    'Films for a given year (with film ID) (in the order id and title)',
    'Films for a given year (with film ID) (in the order title and id)',
  ]);
});

test('queries that differ only in how ties are broken are variants', () => {
  const { endpoints } = films.lower(
    'SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id ORDER BY s.cntry LIMIT 1',
    'SELECT s.studio_name FROM studio s JOIN film f ON f.studio_id = s.id ORDER BY s.cntry LIMIT 1',
  );
  expect(endpoints.map(({ summary }) => summary)).toEqual([
    'The studio that comes first by country that has films',
    'The studio that comes first by country that has films (variant 2)',
  ]);
});

test('patterns of LIKE and of GLOB are written in their own ways', () => {
  const describe = (sql: string) => films.lower(sql).endpoints[0]?.parameters[0]?.description;
  expect(describe("SELECT id FROM film WHERE title LIKE 'F%t'")).toContain('% stands for any text');
  expect(describe("SELECT id FROM film WHERE title GLOB 'F*'")).toContain('* stands for any text');
});
