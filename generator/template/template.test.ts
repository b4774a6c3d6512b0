import { describe, expect, test } from 'vitest';
import { replay, restFixture } from '../lower/testing/rest-fixture.ts';

const films = restFixture();

describe('queries of one template are one endpoint', () => {
  test.each([
    ['values', "SELECT id FROM film WHERE type = 'short'", "SELECT id FROM film WHERE type = 'feature'"],
    [
      'aliases',
      "SELECT a.id FROM film a WHERE a.type = 'short'",
      "SELECT film.id AS x FROM film WHERE type = 'x'",
    ],
    [
      'order of conditions',
      "SELECT id FROM film WHERE type = 'short' AND year > 1999",
      "SELECT id FROM film WHERE 2001 < year AND type = 'feature'",
    ],
    [
      'order of inner joins',
      "SELECT COUNT(*) FROM film f JOIN studio s ON f.studio_id = s.id WHERE s.studio_name = 'Aurora'",
      "SELECT COUNT(*) FROM studio s JOIN film f ON s.id = f.studio_id WHERE s.studio_name = 'Basalt'",
    ],
    [
      'joins in WHERE',
      "SELECT f.title FROM film f JOIN studio s ON f.studio_id = s.id WHERE s.studio_name = 'Aurora'",
      "SELECT f.title FROM film f, studio s WHERE s.studio_name = 'Basalt' AND s.id = f.studio_id",
    ],
    [
      'length of a list',
      "SELECT id FROM film WHERE type IN ('short')",
      "SELECT id FROM film WHERE type IN ('short', 'feature', 'x')",
    ],
    [
      'counting a column that a join keeps from being NULL',
      'SELECT COUNT(f.studio_id) FROM film f JOIN studio s ON f.studio_id = s.id',
      'SELECT COUNT(s.id) FROM studio s JOIN film f ON f.studio_id = s.id',
    ],
    [
      'bounds as BETWEEN',
      'SELECT id FROM film WHERE year BETWEEN 1999 AND 2001',
      'SELECT id FROM film WHERE year >= 2000 AND 2010 >= year',
    ],
    [
      'order of joins where ties are settled',
      'SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id GROUP BY s.id ORDER BY COUNT(f.id) DESC, s.id LIMIT 1',
      'SELECT s.studio_name FROM studio s JOIN film f ON f.studio_id = s.id GROUP BY s.id ORDER BY COUNT(*) DESC, s.id LIMIT 1',
    ],
    [
      'sort keys that earlier ones settle',
      'SELECT f.title FROM film f JOIN studio s ON f.studio_id = s.id ORDER BY f.score, f.id, s.id LIMIT 2',
      'SELECT f.title FROM film f JOIN studio s ON f.studio_id = s.id ORDER BY f.score, f.id LIMIT 2',
    ],
    ['counting a column that is never NULL', 'SELECT COUNT(title) FROM film', 'SELECT COUNT(*) FROM film'],
    ['sides of + and *', 'SELECT score * 100 FROM film', 'SELECT 100 * score FROM film'],
    [
      'an integer and a real',
      'SELECT id FROM film WHERE score > 7',
      'SELECT id FROM film WHERE score > 7.25',
    ],
    [
      'names of CTEs',
      'WITH a AS (SELECT id AS x FROM film) SELECT x FROM a',
      'WITH b AS (SELECT id AS y FROM film) SELECT y FROM b',
    ],
  ])('%s', (_, ...queries) => {
    const lowered = films.lower(...queries);
    expect(lowered.endpoints).toHaveLength(1);
    for (const { gold, answer } of replay(films.db, films.catalog, lowered)) expect(answer).toEqual(gold);
  });
});

describe('what changes answers is another endpoint', () => {
  test.each([
    ['columns', 'SELECT id, title FROM film', 'SELECT title, id FROM film'],
    ['strictness', 'SELECT id FROM film WHERE year > 1999', 'SELECT id FROM film WHERE year >= 1999'],
    ['counting a column with NULL', 'SELECT COUNT(type) FROM film', 'SELECT COUNT(*) FROM film'],
    [
      'ties that the order of joins settles',
      'SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id ORDER BY s.cntry LIMIT 1',
      'SELECT s.studio_name FROM studio s JOIN film f ON f.studio_id = s.id ORDER BY s.cntry LIMIT 1',
    ],
    [
      'a column that OR lets be NULL',
      "SELECT COUNT(type) FROM film WHERE type = 'short' OR year > 2000",
      "SELECT COUNT(*) FROM film WHERE type = 'short' OR year > 2000",
    ],
    [
      'the nullable side of an outer join',
      'SELECT COUNT(f.id) FROM studio s LEFT JOIN film f ON f.studio_id = s.id',
      'SELECT COUNT(*) FROM studio s LEFT JOIN film f ON f.studio_id = s.id',
    ],
    [
      'columns of a derived table that change places',
      'SELECT x FROM (SELECT id AS x, year AS y FROM film)',
      'SELECT y FROM (SELECT id AS x, year AS y FROM film)',
    ],
    [
      'one value twice and two values',
      "SELECT id FROM film WHERE type = 'short' INTERSECT SELECT id FROM film WHERE type = 'short'",
      "SELECT id FROM film WHERE type = 'short' INTERSECT SELECT id FROM film WHERE type = 'feature'",
    ],
    [
      'the column of a self-join',
      "SELECT d.id FROM film f JOIN person d ON f.director_id = d.id JOIN person w ON f.writer_id = w.id WHERE d.first_name = 'Ada'",
      "SELECT d.id FROM film f JOIN person d ON f.director_id = d.id JOIN person w ON f.writer_id = w.id WHERE w.first_name = 'Ada'",
    ],
    [
      'collation decides between the sides of =',
      'SELECT f.id FROM film f JOIN studio s ON f.code = s.cntry',
      'SELECT f.id FROM film f JOIN studio s ON s.cntry = f.code',
    ],
    [
      'a fixed limit',
      'SELECT id FROM film ORDER BY year LIMIT 1',
      'SELECT id FROM film ORDER BY year LIMIT 2',
    ],
  ])('%s', (_, ...queries) => {
    const lowered = films.lower(...queries);
    expect(lowered.endpoints).toHaveLength(2);
    for (const { gold, answer } of replay(films.db, films.catalog, lowered)) expect(answer).toEqual(gold);
  });
});

describe('a bound value has the effect of the literal', () => {
  test.each([
    'SELECT id FROM film WHERE code = 7',
    "SELECT id FROM film WHERE code = '7'",
    'SELECT id FROM film WHERE code = 5.0',
    'SELECT id FROM film WHERE code > 12',
    'SELECT id FROM film WHERE code IN (7, 12)',
    "SELECT id FROM film WHERE code IN ('7', '007')",
    "SELECT id FROM film WHERE year = '2001'",
    "SELECT id FROM film WHERE year IN ('2001', '1999')",
    'SELECT id FROM film WHERE year IN (2001, 1999)',
    'SELECT id FROM film WHERE year NOT IN (2001, 1999)',
    'SELECT id FROM film WHERE score = 9',
    'SELECT id FROM film WHERE score IN (9, 6)',
    'SELECT id FROM film WHERE score IN (7.5, 6)',
    "SELECT id FROM film WHERE score = '9.0'",
    'SELECT id FROM film WHERE anything = 5',
    "SELECT id FROM film WHERE anything = '5'",
    'SELECT id FROM film WHERE anything IN (5)',
    "SELECT id FROM film WHERE anything IN ('5')",
    'SELECT id FROM film WHERE anything > 4.5',
    'SELECT id FROM film WHERE NumTstScr / 5 = 2',
    'SELECT id FROM film WHERE NumTstScr = -3',
    'SELECT id FROM film WHERE NumTstScr IN (-3, 12)',
    "SELECT id FROM film WHERE strftime('%Y', opened) = 2001",
    "SELECT id FROM film WHERE strftime('%Y', opened) IN ('2001', '1999')",
    "SELECT id FROM film WHERE CAST(strftime('%Y', opened) AS INTEGER) IN (2001, 1999)",
    "SELECT id FROM film WHERE year = CAST('2001' AS INTEGER)",
    "SELECT id FROM studio WHERE cntry = 'FR'",
    "SELECT id FROM studio WHERE cntry IN ('FR', 'DE')",
    "SELECT id FROM film WHERE type IN ('short', NULL)",
    "SELECT id FROM film WHERE title LIKE '%IR%'",
    "SELECT id FROM film WHERE title LIKE 'f%' AND title NOT LIKE '%h'",
    "SELECT id FROM film WHERE title LIKE '%i%' ESCAPE 'x'",
    "SELECT id FROM film WHERE title GLOB 'F*'",
    "SELECT id FROM film WHERE 'First' IN (title, type)",
    'SELECT id FROM film ORDER BY score * 2 DESC LIMIT 2 OFFSET 1',
    'SELECT column1 FROM (VALUES (1, 2), (3, 4)) WHERE column2 > 2',
  ])('%s', (sql) => {
    const [result] = replay(films.db, films.catalog, films.lower([sql, 'The top 2 films']));
    expect(result?.answer).toEqual(result?.gold);
  });
});

test('a text column asks for text, a numeric one for numbers', () => {
  const typeOf = (sql: string) =>
    films.lower(sql).endpoints[0]?.parameters.map(({ type, array }) => (array ? `${type}[]` : type));
  expect(typeOf('SELECT id FROM film WHERE code = 7')).toEqual(['string']);
  expect(typeOf('SELECT id FROM film WHERE code IN (7, 12)')).toEqual(['string[]']);
  expect(typeOf("SELECT id FROM film WHERE year = '2001'")).toEqual(['integer']);
  expect(typeOf('SELECT id FROM film WHERE score > 7')).toEqual(['number']);
  expect(typeOf('SELECT id FROM film WHERE NumTstScr > 7')).toEqual(['integer']);
});

test('a candidate says where each argument stands in the gold SQL', () => {
  const sql =
    "SELECT id FROM film WHERE type = 'short' AND title LIKE '%ir%' AND NumTstScr > - 5 AND year IN (1999, 2001)";
  const [candidate] = films.lower(sql).candidates;
  const places = candidate?.bindings.map(({ parameter, literals, column }) => [
    parameter,
    literals.map(({ start, end, prefix, suffix }) => [prefix, sql.slice(start, end), suffix]),
    column?.column ?? null,
  ]);
  expect(places).toEqual([
    ['film_type', [['', "'short'", '']], 'type'],
    ['film_title_contains', [['%', "'%ir%'", '%']], 'title'],
    ['above_num_test_screenings', [['', '- 5', '']], 'NumTstScr'],
    [
      'years',
      [
        ['', '1999', ''],
        ['', '2001', ''],
      ],
      'year',
    ],
  ]);
  expect(candidate?.output[0]?.arguments).toEqual({
    film_type: 'short',
    film_title_contains: 'ir',
    above_num_test_screenings: -5,
    years: [1999, 2001],
  });
});
