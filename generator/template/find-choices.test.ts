import { expect, test } from 'vitest';
import { restFixture } from '../lower/testing/rest-fixture.ts';

const films = restFixture();

/** Each choice as `role value`, wildcards that stay in the SQL included. */
function choicesOf(sql: string, question?: string): readonly string[] {
  return films.member(sql, question).choices.map(({ role, value, prefix, suffix, negated }) => {
    const text = JSON.stringify(value).replace(/^"(.*)"$/, `$1`);
    return `${negated ? 'not ' : ''}${role} ${prefix}${text}${suffix}`;
  });
}

test.each([
  ["SELECT id FROM film WHERE type = 'short'", ['equal short']],
  ["SELECT id FROM film WHERE 'short' = type", ['equal short']],
  ['SELECT id FROM film WHERE year >= 1999 AND year < 2010', ['below 2010', 'at_least 1999']],
  ['SELECT id FROM film WHERE 1999 < year', ['above 1999']],
  ['SELECT id FROM film WHERE year BETWEEN 1999 AND 2001', ['high 2001', 'low 1999']],
  ['SELECT id FROM film WHERE NumTstScr > -5', ['above -5']],
  ["SELECT id FROM film WHERE NOT type = 'short'", ['not equal short']],
  ["SELECT id FROM film WHERE type IN ('short', 'feature')", ['among ["short","feature"]']],
  ["SELECT id FROM film WHERE type NOT IN ('short')", ['not_among ["short"]']],
  ["SELECT SUM(CASE WHEN type = 'short' THEN 1 ELSE 0 END) FROM film", ['equal short']],
  ["SELECT SUM(IIF(type = 'short', 1, 0)) * 100.0 / COUNT(*) FROM film", ['equal short']],
  ["SELECT COUNT(*) FILTER (WHERE type = 'short') FROM film", ['equal short']],
  ["SELECT CASE type WHEN 'short' THEN 'S' ELSE 'F' END FROM film", ['equal short']],
  ['SELECT type FROM film GROUP BY type HAVING COUNT(*) > 1', ['above 1']],
  [
    "SELECT f.id FROM film f JOIN studio s ON f.studio_id = s.id AND s.studio_name = 'Aurora'",
    ['equal Aurora'],
  ],
  ["SELECT id FROM film WHERE (type, year) = ('short', 1999)", ['equal short', 'equal 1999']],
  ["SELECT id FROM film WHERE INSTR(title, 'ir') > 0", ['contains ir']],
  ["SELECT id FROM film WHERE lower(title) = lower('FIRST')", ['equal FIRST']],
])('%s', (sql, choices) => {
  expect(choicesOf(sql)).toEqual(choices);
});

test.each([
  ["SELECT id FROM film WHERE strftime('%Y', opened) = '2001'", ['equal 2001']],
  ["SELECT id FROM film WHERE substr(opened, 1, 4) > '2000'", ['above 2000']],
  ['SELECT id FROM film WHERE score * 1.0 / NumTstScr > 0.5', ['above 0.5']],
  ["SELECT COALESCE(type, 'none') FROM film", []],
  ["SELECT title || ' (' || year || ')' FROM film", []],
  ["SELECT id FROM film WHERE type != ''", []],
  ['SELECT id FROM film WHERE year % 4 = 0', []],
  ['SELECT id FROM film WHERE type IS NULL', []],
  ['SELECT id FROM film WHERE 1 = 1', []],
  ["SELECT id FROM film WHERE date(opened) < date('now')", []],
  ["SELECT id FROM film WHERE date(opened) < date('2001-01-01')", ['below 2001-01-01']],
  ["SELECT IIF(COUNT(*) > 0, 'YES', 'NO') FROM film", []],
  ["SELECT 'a' AS label, COUNT(*) FROM film", []],
  ["SELECT id FROM film WHERE opened LIKE '____-__-__'", []],
])('fixed is what says how, not what: %s', (sql, choices) => {
  expect(choicesOf(sql)).toEqual(choices);
});

test.each([
  ["'%ir%'", ['contains %ir%']],
  ["'F%'", ['starts_with F%']],
  ["'%th'", ['ends_with %th']],
  ["'First'", ['like First']],
  ["'F_rst'", ['pattern F_rst']],
  ["'%a%b%'", ['pattern %a%b%']],
])('LIKE %s', (pattern, choices) => {
  expect(choicesOf(`SELECT id FROM film WHERE title LIKE ${pattern}`)).toEqual(choices);
});

test.each([
  ['List the top 3 films.', 3, ['limit 3']],
  ['List the three newest films.', 3, ['limit 3']],
  ['List the newest films.', 3, []],
  ['Which film is the newest?', 1, []],
  ['Give the third film.', 3, []],
  ['Give the 3rd film.', 3, []],
  ['List one film.', 1, []],
  ['What is the top one film?', 1, ['limit 1']],
])('the limit of "%s" (%d)', (question, limit, choices) => {
  expect(choicesOf(`SELECT id FROM film ORDER BY year DESC LIMIT ${limit}`, question)).toEqual(choices);
});

test('a number that the question names for something else is no limit', () => {
  const sql = 'SELECT id FROM film WHERE NumTstScr > 3 LIMIT 3';
  expect(choicesOf(sql, 'Films shown more than 3 times')).toEqual(['above 3']);
  expect(choicesOf(sql, 'Three films shown more than 3 times')).toEqual(['above 3', 'limit 3']);
});

test('a factor is chosen only when the question names it and it converts no unit', () => {
  const sql = 'SELECT id FROM film WHERE score * 100 > (SELECT AVG(score) FROM film) * 79';
  expect(choicesOf(sql, 'Films above 79% of the average')).toEqual(['factor 79']);
  expect(choicesOf(sql, 'Films above most of the average')).toEqual([]);
});

test('the same value of the same column in another query is the same choice', () => {
  const sql = `SELECT id FROM film WHERE type = 'short' AND score > (SELECT AVG(score) FROM film WHERE type = 'short')`;
  expect(choicesOf(sql)).toEqual(['equal short']);
  expect(films.member(sql).choices[0]?.occurrences).toHaveLength(2);
});

test('the same value of two rows of one table is two choices', () => {
  const sql = `SELECT f.id FROM film f JOIN person d ON f.director_id = d.id JOIN person w ON f.writer_id = w.id
    WHERE d.first_name = 'Ada' AND w.first_name = 'Ada'`;
  expect(choicesOf(sql)).toEqual(['equal Ada', 'equal Ada']);
});

test('an alias used again in HAVING is one place in the SQL', () => {
  const sql =
    "SELECT studio_id, SUM(type = 'short') AS shorts FROM film GROUP BY studio_id HAVING shorts > 0";
  expect(choicesOf(sql)).toEqual(['equal short']);
});

test.each([
  [
    'a number that the question says once is one parameter, however often the SQL writes it',
    'SELECT SUM(MIN(NumTstScr, 40)), SUM(MAX(NumTstScr - 40, 0)) FROM film',
    'How many screenings were there up to 40, and how many beyond?',
    [2],
  ],
  [
    'also where it is compared as well',
    'SELECT SUM(NumTstScr - 40) FROM film WHERE NumTstScr > 40',
    'By how many do the films with more than 40 screenings exceed it?',
    [2],
  ],
  [
    'what the question says twice stays fixed in arithmetic',
    'SELECT SUM(MIN(NumTstScr, 40)), SUM(MAX(NumTstScr - 40, 0)) FROM film',
    'How many screenings were there up to 40, and beyond 40?',
    [],
  ],
  [
    'a number that only looks alike is another one',
    'SELECT SUM(NumTstScr - 1) FROM film WHERE NumTstScr > 1',
    'By how many do films with more than 1 exceed that?',
    [1],
  ],
])('%s', (_, sql, question, occurrences) => {
  expect(films.member(sql, question).choices.map((choice) => choice.occurrences.length)).toEqual(occurrences);
});

test('one parameter in several places answers other values as its query does', () => {
  const sql = 'SELECT SUM(MIN(NumTstScr, 40)), SUM(MAX(NumTstScr - 40, 0)) FROM film';
  const [endpoint] = films.lower([sql, 'How many screenings up to 40, and beyond?']).endpoints;
  const name = endpoint?.parameters[0]?.name ?? '';
  const answer = films.db
    .prepare(endpoint?.sql ?? '')
    .raw()
    .all({ [name]: 20 });
  expect(answer).toEqual(films.db.prepare(sql.replaceAll('40', '20')).raw().all());
});
