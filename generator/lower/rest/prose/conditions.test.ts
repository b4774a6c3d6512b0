import { expect, test } from 'vitest';
import { restFixture } from '../rest-fixture.ts';

const films = restFixture();

test.each([
  // A join that no reference makes is a condition.
  [
    'SELECT f.title FROM film f JOIN person d ON f.director_id = d.id JOIN person w ON f.writer_id = w.id WHERE d.last_name = w.last_name',
    'Films where director last name is the same as writer last name',
    'Conditions: director last name = writer last name.',
  ],
  [
    'SELECT f.title FROM film f JOIN person p ON f.id = p.id',
    'Films where film ID is the same as person ID',
    'Conditions: film ID = person ID.',
  ],
  [
    'SELECT a.title FROM film a JOIN film b ON a.year = b.year WHERE a.id < b.id',
    'Films where film ID of the first film is below that of the second and the year of both films is the same',
    'Conditions: film ID of the first film < that of the second and the year of both films is the same.',
  ],
  // Whose rows a subquery is about.
  [
    'SELECT studio_name FROM studio s WHERE (SELECT COUNT(*) FROM film f WHERE f.studio_id = s.id) > 1',
    'Studios where the number of films of the studio is above a given value',
    'Conditions: the number of films of the studio > `min_film_count`.',
  ],
  [
    'SELECT title FROM film f WHERE opened = (SELECT MAX(opened) FROM film g WHERE g.studio_id = f.studio_id)',
    'Films where opened date is the latest opened date of films where the studio ID is the same',
    'Conditions: opened date = the latest opened date of films where the studio ID is the same.',
  ],
  [
    'SELECT title FROM film f WHERE (SELECT COUNT(*) FROM film g WHERE g.score > f.score) < 3',
    'Films where the number of films where film score is above that of the film in question is below a given value',
    'Conditions: the number of films where film score > that of the film in question < `max_film_count`.',
  ],
  // Membership by another column than the one reference.
  [
    "SELECT title FROM film WHERE director_id IN (SELECT writer_id FROM film WHERE type = 'short')",
    'Films where director ID is among the writer IDs of films where film type is a given value',
    'Conditions: director ID is among the writer IDs of films where film type = `film_type`.',
  ],
  [
    'SELECT title FROM film WHERE (type, year) IN (SELECT type, MAX(year) FROM film GROUP BY type)',
    'Films where film type and year are among the type and highest year of films per film type',
    'Conditions: film type and year are among the type and highest year of films per film type.',
  ],
  [
    'SELECT title FROM film WHERE id IN (SELECT id FROM film ORDER BY score DESC LIMIT 3)',
    'Films where film ID is among the IDs of films (the first three by film score descending)',
    'Conditions: film ID is among the IDs of films (the first three by film score descending).',
  ],
  [
    'SELECT studio_name FROM studio WHERE id NOT IN (SELECT studio_id FROM film WHERE studio_id IS NOT NULL)',
    'Studios that have no films',
    'Conditions: studio ID is not among the studio IDs of films.',
  ],
  [
    'SELECT studio_name FROM studio WHERE id NOT IN (SELECT studio_id FROM film WHERE year = 2001 UNION SELECT studio_id FROM film WHERE score > 8)',
    'Studios where studio ID is not among the studio IDs of films where year is a given value together with studio IDs of films where film score is above a given value',
    'Conditions: studio ID is not among the studio IDs of films where year = `year` together with studio IDs of films where film score > `min_film_score`.',
  ],
  [
    'SELECT title FROM film WHERE year = 1999 AND id NOT IN (SELECT id FROM film WHERE year = 2001)',
    'Films for a given year except those for another given year',
    'Conditions: year = `year` and (film ID is not among the IDs of films where year = `excluded_year`).',
  ],
  // Names are no rows: two people may share one.
  [
    'SELECT last_name FROM person EXCEPT SELECT p.last_name FROM person p JOIN film f ON f.director_id = p.id',
    'Last names of people, except director last names of people that have films',
    'Last names of people except director last names of people that have films. Each different row once.',
  ],
  [
    'SELECT id FROM studio EXCEPT SELECT s.id FROM studio s JOIN film f ON f.studio_id = s.id',
    'IDs of studios that have no films',
    'IDs of studios except IDs of studios that have films. Each different row once.',
  ],
  [
    'SELECT type FROM film WHERE year > 2005 INTERSECT SELECT type FROM film WHERE year < 2000',
    'Types of films with year above a given value that are also among those with year below a given value',
    'Types of films where year > `min_year` that are also among types of films where year < `max_year`.',
  ],
  [
    "SELECT title FROM film UNION SELECT 'none'",
    'Films, together with fixed values',
    'Titles of films together with fixed values.',
  ],
  [
    'SELECT title FROM film UNION SELECT studio_name FROM studio ORDER BY title LIMIT 4',
    'Films, together with studios, at most four rows by film title, in ascending order',
    'Ordered by film title; at most four rows.',
  ],
  [
    'SELECT p.last_name FROM person p JOIN film f ON f.director_id = p.id WHERE f.score = (SELECT MAX(score) FROM film)',
    'Director last names of people of the films with the highest film score',
    'Conditions: film score = the highest score of films.',
  ],
  [
    'SELECT COUNT(*) FROM film WHERE studio_id = (SELECT id FROM studio ORDER BY cntry LIMIT 1)',
    'Number of films of the studio that comes first by country',
    'Conditions: studio ID = the ID of studios that come first by country.',
  ],
  [
    'SELECT COUNT(*) FROM film UNION SELECT COUNT(*) FROM studio',
    'Number of films, together with number of studios',
    'Rows with count (number of films). Number of films together with number of studios.',
  ],
  // Alternatives, constants and arithmetic.
  [
    'SELECT studio_id FROM film GROUP BY studio_id HAVING COUNT(*) > 1 OR MAX(score) > 8',
    'Studio IDs with number of films above a given value or highest film score above a given value',
    'Conditions: number of films > `min_film_count` or highest film score > `max_film_score_above`.',
  ],
  [
    "SELECT title FROM film WHERE type = 'short' OR 'feature'",
    'Films where film type is a given value',
    'Conditions: film type = `film_type`.',
  ],
  [
    'SELECT title FROM film WHERE NumTstScr > (SELECT COUNT(*) FROM studio) - 12',
    'Films where number of test screenings is above the number of studios minus 12',
    'Conditions: number of test screenings > the number of studios minus 12.',
  ],
  [
    'SELECT title FROM film WHERE score > (SELECT AVG(score) * 1.2 FROM film)',
    'Films where film score is greater than 1.2 times average film score',
    'Conditions: film score > 1.2 times average score of films.',
  ],
  [
    'SELECT title FROM film WHERE NumTstScr = score + 3',
    'Films where number of test screenings is the same as film score plus 3',
    'Conditions: number of test screenings = film score plus 3.',
  ],
  [
    'SELECT title FROM film WHERE year BETWEEN 1999 AND NumTstScr',
    'Films where year is from a given value to number of test screenings',
    'Conditions: year from `min_year` to number of test screenings.',
  ],
  [
    "SELECT SUM(CASE WHEN type = 'short' OR score > 7 THEN 1 ELSE 0 END) FROM film",
    'Number of films with a given film type or film score above a given value',
    '(number of films with film type = `film_type` or film score > `min_film_score`)',
  ],
  [
    'SELECT SUM(CASE WHEN EXISTS (SELECT 1 FROM film f WHERE f.studio_id = s.id) THEN 1 ELSE 0 END) FROM studio s',
    'Number of studios with a film of the studio',
    '(number of studios with a film of the studio)',
  ],
  [
    'SELECT title FROM film WHERE score > (SELECT MAX(score) FROM film) * 0.9',
    'Films where film score is above 0.9 times the highest score of films',
    'Conditions: film score > 0.9 times the highest score of films.',
  ],
  [
    'SELECT place FROM (SELECT studio_name AS place, COUNT(*) FROM studio JOIN film ON film.studio_id = studio.id WHERE film.year = 2001 GROUP BY studio.id ORDER BY COUNT(*) DESC LIMIT 1)',
    'The studio with the most films for a given year',
    'with the most films.',
  ],
  // The average or the highest of something else.
  [
    'SELECT title FROM film WHERE NumTstScr > (SELECT AVG(score) FROM film)',
    'Films where number of test screenings is greater than average film score',
    'Conditions: number of test screenings > the average score of films.',
  ],
  [
    'SELECT title FROM film WHERE year = (SELECT MAX(NumTstScr) FROM film)',
    'Films where year is the same as highest number of test screenings',
    'Conditions: year = the highest number of test screenings of films.',
  ],
  [
    'SELECT title FROM film WHERE title = (SELECT studio_name FROM studio ORDER BY cntry LIMIT 1)',
    'Films where film title is the studio name of studios that come first by country',
    'Conditions: film title = the studio name of studios that come first by country.',
  ],
  [
    'SELECT title, type FROM film WHERE type IS NOT NULL',
    'Films with type where film type is known',
    'Conditions: film type is known.',
  ],
  // Of these rows, or of all.
  [
    'SELECT title FROM film WHERE year = 2001 AND score = (SELECT MAX(score) FROM film)',
    'Films for a given year with the highest film score of all',
    'Conditions: year = `year` and film score = the highest score of films.',
  ],
  [
    'SELECT title FROM film WHERE year = 2001 AND score = (SELECT MAX(score) FROM film WHERE year = 2001)',
    'Films for a given year with the highest film score',
    'Conditions: year = `year` and (film score = the highest score of films where year = `year`).',
  ],
  [
    "SELECT title FROM film WHERE year = 2001 AND type = 'short' AND score = (SELECT MAX(score) FROM film WHERE year = 2001)",
    'Films where year is a given value and film type is a given value and (film score is the highest score of films where year is a given value)',
    'Conditions: year = `year` and film type = `film_type` and (film score = the highest score of films where year = `year`).',
  ],
  [
    'SELECT f.title FROM film f JOIN studio s ON s.id = f.studio_id WHERE s.cntry = (SELECT MAX(cntry) FROM studio)',
    'Films of the studios that come last by country',
    'Conditions: country = the highest country of studios.',
  ],
  // What outer joins look for, and how much is left.
  [
    "SELECT f.title FROM film f LEFT JOIN studio s ON s.id = f.studio_id AND s.cntry = 'fr' WHERE s.id IS NULL",
    'Films where there is no studio where country is a given value',
    'Conditions: there is no studio where country = `country`.',
  ],
  [
    "SELECT f.title, s.studio_name FROM film f LEFT JOIN studio s ON s.id = f.studio_id AND s.cntry = 'fr'",
    'Films with studio name',
    'Kept also where there is no studio where country = `country`.',
  ],
  [
    'SELECT title FROM film LIMIT 50',
    'Films, at most a fixed number of rows',
    'At most a fixed number of rows.',
  ],
  [
    'SELECT DISTINCT s.studio_name FROM studio s JOIN film f ON f.studio_id = s.id',
    'Different studios that have films',
    'Only those that have films.',
  ],
])('%s', (sql, summary, sentence) => {
  const [endpoint] = films.lower(sql).endpoints;
  expect(endpoint?.summary).toBe(summary);
  expect(endpoint?.description).toContain(sentence);
});

test('a key of the same name joins tables though nothing says so, a second column of it as well', () => {
  const seasons = restFixture(`
    CREATE TABLE team (team_code TEXT, season INTEGER, city TEXT);
    CREATE TABLE goalie (goalie_name TEXT, team_code TEXT, season INTEGER, city TEXT);
  `);
  const summaryOf = (sql: string) => seasons.lower(sql).endpoints[0]?.summary;
  const both = 'SELECT g.goalie_name, t.city FROM goalie g JOIN team t ON g.team_code = t.team_code';
  expect(summaryOf(both)).not.toContain('the same');
  expect(summaryOf(`${both} AND g.season = t.season`)).not.toContain('the same');
  expect(summaryOf('SELECT g.goalie_name FROM goalie g, team t WHERE g.city = t.city')).toContain('the same');
});
