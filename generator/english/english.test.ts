import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { restFixture } from '../lower/testing/rest-fixture.ts';
import type { Choice } from '../template/choices.ts';
import { columnText } from './column-text.ts';
import { Lexicon } from './lexicon.ts';
import { QueryContext } from './query-context.ts';
import { Description } from './query-to-clauses.ts';
import { questionText } from './realize.ts';
import { ValueGuard } from './realizer.ts';

const films = restFixture();
afterAll(() => films.db.close());

test('a parameter is described from the catalog, with its comparison and format', () => {
  const describe = (sql: string) =>
    films.lower(sql).endpoints[0]?.parameters.map(({ description }) => description);
  expect(describe('SELECT id FROM film WHERE NumTstScr > 5')).toEqual([
    'Number of test screenings (film.NumTstScr): above this value. How often it was shown before it opened.',
  ]);
  expect(describe("SELECT id FROM person WHERE birth_date <= '1970-01-01'")).toEqual([
    'Latest birth date (person.birth_date). Format: YYYY-MM-DD.',
  ]);
  expect(describe('SELECT id FROM film WHERE score = 7.5')).toEqual([
    'Film score (film.score): exact match. The score of the critics. Unit: points.',
  ]);
  expect(describe("SELECT id FROM person WHERE strftime('%Y-%m', birth_date) = '1970-01'")).toEqual([
    'Birth month (person.birth_date): exact match. Format: YYYY-MM.',
  ]);
  expect(describe('SELECT title FROM film EXCEPT SELECT title FROM film WHERE year >= 1999')).toEqual([
    'Earliest year (film.year) of what is ruled out.',
  ]);
  expect(describe("SELECT id FROM person WHERE birth_date > date('1970-01-01', '+1 year')")).toEqual([
    'Birth date (person.birth_date): after this date plus 1 year. Format: YYYY-MM-DD.',
  ]);
  const [scaled] = films.lower([
    'SELECT title FROM film WHERE score > 3 * (SELECT AVG(score) FROM film)',
    'Which films score more than 3 times the average?',
  ]).endpoints;
  expect(scaled?.parameters[0]?.description).toBe(
    'Used in the calculation: this value times average score of all films.',
  );
});

test('an average of the values in the middle is a median, also in another unit', () => {
  const shop = restFixture(`
    CREATE TABLE sale (id INTEGER PRIMARY KEY, shop TEXT NOT NULL, price INTEGER NOT NULL);
    INSERT INTO sale VALUES (1, 'a', 250), (2, 'a', 300), (3, 'b', 900), (4, 'b', 100);
  `);
  const price = shop.catalog.tables[0]?.columns.find(({ name }) => name === 'price');
  Object.assign(price ?? {}, { words: { unit: 'euro cents' } });
  const columns = (order: string) =>
    shop.lower(
      `WITH placed AS (SELECT shop, price, COUNT(*) OVER (PARTITION BY shop) AS n,
         ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ${order}) AS place FROM sale)
       SELECT shop, AVG(price) / 100.0 FROM placed WHERE 2 * place BETWEEN n AND n + 2 GROUP BY shop`,
    ).endpoints[0]?.columns;
  expect(columns('price')?.[1]?.description).toBe('Median price in euros.');
  expect(columns('id')?.[1]?.description).toBe('Average price in euros.');
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

test('patterns of LIKE and of GLOB are written in their own ways', () => {
  const describe = (sql: string) => films.lower(sql).endpoints[0]?.parameters[0]?.description;
  expect(describe("SELECT id FROM film WHERE title LIKE 'F%t'")).toContain('% stands for any text');
  expect(describe("SELECT id FROM film WHERE title GLOB 'F*'")).toContain('* stands for any text');
});

test('summaries that would be the same tell what differs', () => {
  const summaries = (...queries: readonly string[]) =>
    films.lower(...queries).endpoints.map(({ summary }) => summary);
  expect(
    summaries(
      'SELECT title FROM film WHERE year = 2001',
      'SELECT id, title FROM film WHERE year = 2001',
      'SELECT title, id FROM film WHERE year = 2001',
    ),
  ).toEqual([
    'Films in a given year',
    'Films in a given year, with the film ID (in the order id and title)',
    'Films in a given year, with the film ID (in the order title and id)',
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

test('the same clauses make a question with its values', () => {
  const said = (sql: string) => {
    const { query, origins, choices } = films.member(sql);
    const context = new QueryContext(query, origins, new Lexicon(films.catalog, []), choices);
    return questionText(new Description(context, query).clauses(query));
  };
  expect(said("SELECT COUNT(*) FROM film WHERE type = 'short' AND score > 7")).toBe(
    'Number of films whose type is short and whose score is above 7',
  );
  const ofStudios = (where: string) =>
    said(`SELECT COUNT(*) FROM film f JOIN studio s ON f.studio_id = s.id WHERE ${where}`);
  expect(ofStudios("s.studio_name = 'Orb' AND f.score > 7")).toBe(
    'Number of films of the studio Orb with a score above 7',
  );
  expect(ofStudios("s.cntry = 'FR'")).toBe('Number of films of studios in FR');
  expect(said('SELECT title, score FROM film ORDER BY score DESC LIMIT 3')).toBe(
    'The titles and scores of the three films with the highest score',
  );
  expect(said("SELECT title FROM film WHERE type = 'short' ORDER BY score DESC LIMIT 1")).toBe(
    'The film with the highest score among those whose type is short',
  );
  expect(said('SELECT type, COUNT(*) FROM film WHERE score > 7 GROUP BY type HAVING COUNT(*) >= 3')).toBe(
    'Number of films with a score above 7 per type, only for those with at least 3 such films',
  );
});

test('conditions on both of two tables with a key in common make a question', () => {
  const cars = restFixture(`
    CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE model_list (model TEXT PRIMARY KEY, maker_id INTEGER REFERENCES maker (maker_id));
    CREATE TABLE car_name (make_id INTEGER PRIMARY KEY, model TEXT REFERENCES model_list (model));
    CREATE TABLE car (id INTEGER PRIMARY KEY REFERENCES car_name (make_id), weight INTEGER, year INTEGER);
    INSERT INTO maker VALUES (1, 'Lotus');
    INSERT INTO model_list VALUES ('elan', 1);
    INSERT INTO car_name VALUES (1, 'elan'), (2, 'elan');
    INSERT INTO car VALUES (1, 700, 1970), (2, 680, 1971);
  `);
  onTestFinished(() => void cars.db.close());
  const { query, origins, choices } = cars.member(
    `SELECT COUNT(*) FROM car AS c JOIN car_name AS n ON c.id = n.make_id JOIN model_list AS l ON n.model = l.model
     WHERE l.maker_id = 1 AND c.weight > 690 AND n.model = 'elan'`,
  );
  const context = new QueryContext(query, origins, new Lexicon(cars.catalog, []), choices);
  expect(questionText(new Description(context, query).clauses(query))).toMatch(/^Number of .*690/);
});

test.each([
  // a scalar over all rows beside a number of some
  [
    'SELECT COUNT(*), (SELECT COUNT(*) FROM film) FROM film WHERE year > 1990',
    'number of films) and film_count_2 (number of all films)',
  ],
  [
    "SELECT title FROM film WHERE score > (SELECT AVG(score) FROM film WHERE type = 'short')",
    'average score of all films where type = `film_type`',
  ],
  // places that are computed
  [
    'SELECT score FROM film ORDER BY score LIMIT 1 OFFSET (SELECT COUNT(*) * 9 / 10 FROM film)',
    'one row only, after as many others as (9 times number of all films divided by 10 (rounded down))',
  ],
  // a pattern with an escape sign
  [
    "SELECT title FROM film WHERE title LIKE '%a!_b%' ESCAPE '!'",
    'film title matches `film_title_pattern` ("!" before a sign means the sign)',
  ],
  // rows that an outer join keeps are counted, too
  [
    'SELECT COUNT(*) FROM studio s LEFT JOIN film f ON f.studio_id = s.id',
    'number of pairs of studio and film (also studios without)',
  ],
  [
    'SELECT COUNT(*) FROM studio s LEFT JOIN film f ON f.studio_id = s.id WHERE f.id IS NULL',
    'number of studios). Conditions: there is no film.',
  ],
  ["SELECT COUNT(type = 'short') FROM film", 'for which it is known whether type = `film_type`'],
  // two parts of one text
  [
    "SELECT substr(title, instr(title, 'MAX=') + 4), substr(title, instr(title, 'BUKRS=') + 6, 3) FROM film",
    'part of film title after "MAX=") and film_title_part_2 (first 3 characters of film title after "BUKRS=")',
  ],
  // a column and what is made of it
  [
    "SELECT code FROM film ORDER BY CAST(replace(code, 'A', '') AS INTEGER)",
    'Rows with code (film code). Sorted by film code (as a number)',
  ],
])('%s is told as it is', (sql, said) => {
  expect(films.lower(sql).endpoints[0]?.description).toContain(said);
});

test('alternatives about what rows refer to are whole clauses', () => {
  const [endpoint] = films.lower(
    "SELECT film.title FROM film JOIN studio ON film.studio_id = studio.id WHERE studio.cntry LIKE 'A%' OR film.year = 2001",
  ).endpoints;
  expect(endpoint?.summary).toBe(
    "Films whose studio's country starts with a given text or that are in a given year",
  );
});

test('what rows refer to by name, ages, times and extremes are worded as people do', () => {
  const ward = restFixture(`
    CREATE TABLE ward (ward_id INTEGER PRIMARY KEY, ward_name TEXT UNIQUE, floor INTEGER, number INTEGER);
    CREATE TABLE medicine (medicine_id INTEGER PRIMARY KEY, medicine_name TEXT UNIQUE, number INTEGER, points REAL);
    CREATE TABLE nurse (nurse_id INTEGER PRIMARY KEY, nickname TEXT, age INTEGER, gender TEXT, height REAL,
      link_to_ward INTEGER REFERENCES ward (ward_id));
    CREATE TABLE dose (dose_id INTEGER PRIMARY KEY, number INTEGER, price REAL, date TEXT,
      medicine_id INTEGER REFERENCES medicine (medicine_id), nurse_id INTEGER REFERENCES nurse (nurse_id));
    CREATE TABLE blood_test (test_id INTEGER PRIMARY KEY, test REAL, nurse_id INTEGER REFERENCES nurse (nurse_id));
    INSERT INTO ward VALUES (1, 'a', 1, 5), (2, 'b', 2, 6);
    INSERT INTO medicine VALUES (1, 'c', 7, 1.5), (2, 'd', 8, 2);
    INSERT INTO nurse VALUES (1, 'e', 30, 'f', 170, 1), (2, 'g', 40, 'm', 180.5, 1), (3, 'h', 41, 'm', 175, 2);
    INSERT INTO dose VALUES (1, 1, 9.5, '2024-01-02 10:00:00', 1, 1), (2, 1, 8, '2024-01-03 11:00:00', 1, 2),
      (3, 2, 7, '2024-01-04 12:00:00', 2, 2);
    INSERT INTO blood_test VALUES (1, 4.5, 1), (2, 5, 1);
  `);
  const of = (table: string, joined: string, condition: string, columns = 'COUNT(*)') =>
    ward.lower(`SELECT ${columns} FROM ${table} t ${joined} WHERE ${condition}`).endpoints[0]?.summary;
  const medicine = 'JOIN medicine d ON d.medicine_id = t.medicine_id';
  const home = 'JOIN ward w ON w.ward_id = t.link_to_ward';
  expect([
    of('dose', medicine, "d.medicine_name = 'c'"),
    of('dose', medicine, "d.medicine_name = 'c' AND t.price = 8"),
    of('dose', medicine, "d.medicine_name = 'c' AND t.number = 1"),
    of('nurse', home, "w.ward_name = 'a' AND t.gender = 'f'"),
    of('nurse', home, "w.ward_name = 'a' AND w.floor = 1"),
    of(
      'medicine',
      'JOIN dose o ON o.medicine_id = t.medicine_id JOIN nurse n ON n.nurse_id = o.nurse_id',
      'n.age BETWEEN 20 AND 30',
    ),
    of('dose', '', "t.date = '2024-01-02 10:00:00'"),
    of('nurse', '', 't.link_to_ward = 1'),
    of('nurse', '', 't.height > 150', 'MIN(t.height), t.nickname'),
    of('dose', medicine, 't.price > 1 ORDER BY t.date LIMIT 1', 'd.medicine_name'),
    of('blood_test', '', 't.nurse_id = 1 ORDER BY t.test DESC LIMIT 1', 't.test_id'),
    of('medicine', '', 't.number > 1 ORDER BY t.points DESC LIMIT 1', 't.medicine_name'),
    of('nurse', '', 't.nurse_id NOT IN (SELECT nurse_id FROM dose UNION SELECT nurse_id FROM blood_test)'),
    of('nurse', '', 't.age > 35', 't.nickname, (SELECT MAX(height) - MIN(height) FROM nurse)'),
  ]).toEqual([
    'Number of doses of a given medicine',
    'Number of doses of a given medicine with a given price',
    'Number of doses with a given number whose medicine has a given name',
    'Number of nurses of a given gender in a given ward',
    'Number of nurses whose ward has a given name and is on a given floor',
    'Number of doses whose nurse is between two given ages',
    'Number of doses at a given time',
    'Number of nurses with a given ward ID',
    'Lowest height of nurses above a given height, with its nick name',
    'The medicine of the earliest dose above a given price',
    'The ID of the highest blood test with a given nurse ID',
    'The medicine with the most points among those with a number above a given value',
    'Number of nurses whose ID is not among the nurse IDs of doses or the nurse IDs of blood tests',
    'Nick names of nurses older than a given age, with the highest height minus lowest height of all nurses',
  ]);
});

test('a schema in abbreviations reads as one in words', () => {
  const { db, lower } = restFixture(`
    CREATE TABLE tbl_EMP_MSTR_01 (EMP_NO INTEGER PRIMARY KEY, EMP_NM TEXT, HIRE_DT DATE, age INTEGER, DEPT_CD TEXT REFERENCES DEPT_02);
    CREATE TABLE DEPT_02 (DEPT_CD TEXT PRIMARY KEY, DEPT_NM TEXT, artist TEXT, loc_nm TEXT);
    CREATE TABLE trackInfo (id_track INTEGER PRIMARY KEY, trackTitle TEXT, durationSec INTEGER, createdAt DATE, population INTEGER);
    CREATE TABLE ref_product_3 (id INTEGER PRIMARY KEY, PRODUCT_NM TEXT, county_name TEXT, weight REAL, price REAL);
    INSERT INTO DEPT_02 VALUES ('A', 'Sales', 'Ann', 'Ulm'), ('B', 'Stock', 'Bob', 'Rom');
    INSERT INTO tbl_EMP_MSTR_01 VALUES (1, 'Ann', '2001-05-01', 30, 'A'), (2, 'Bob', '2002-05-01', 40, 'B');
    INSERT INTO trackInfo VALUES (1, 'a', 90, '2001-05-01', 3), (2, 'b', 91, '2002-05-01', 4);
  `);
  const read = (sql: string) => lower(sql).endpoints[0]?.summary;
  expect([
    read("SELECT EMP_NM FROM tbl_EMP_MSTR_01 WHERE HIRE_DT > '2001-01-01'"),
    read('SELECT EMP_NM FROM tbl_EMP_MSTR_01 WHERE age > 30'),
    read('SELECT EMP_NM FROM tbl_EMP_MSTR_01 WHERE age BETWEEN 30 AND 40'),
    read('SELECT EMP_NM FROM tbl_EMP_MSTR_01 ORDER BY age DESC LIMIT 1'),
    read('SELECT PRODUCT_NM FROM ref_product_3 WHERE weight > 2'),
    read("SELECT PRODUCT_NM FROM ref_product_3 WHERE county_name = 'Ulm' ORDER BY price LIMIT 1"),
    read("SELECT DEPT_NM FROM DEPT_02 WHERE artist = 'Ann'"),
    read("SELECT DEPT_NM FROM DEPT_02 WHERE artist <> 'Ann'"),
    read('SELECT trackTitle FROM trackInfo ORDER BY durationSec DESC LIMIT 1'),
    read("SELECT trackTitle FROM trackInfo WHERE createdAt < '2002-01-01'"),
    read('SELECT trackTitle FROM trackInfo ORDER BY population, trackTitle DESC'),
    read('SELECT COUNT(DISTINCT population) FROM trackInfo'),
  ]).toEqual([
    'Employees hired after a given date',
    'Employees older than a given age',
    'Employees between two given ages',
    'The oldest employee',
    'Products heavier than a given weight',
    'The cheapest product in a given county',
    'Departments by a given artist',
    'Departments by an artist other than a given one',
    'The longest track',
    'Tracks created before a given date',
    'Tracks, sorted by population, smallest first',
    'Number of different populations of tracks',
  ]);
  db.close();
});

test.each([
  ['09:00', '20:30', 'from time'],
  ['2024-01-02', '2024-03-04', 'from date'],
  ['new', 'sold', 'from status'],
])('a column called "from" of %s and %s is a %s', (min, max, text) => {
  const statistics = { nulls: 0, distinct: 2, min, max };
  const column = {
    name: 'from',
    declared_type: 'TEXT',
    type: 'string',
    statistics,
  } as unknown as CatalogColumn;
  const lexicon = { column: () => ['from'], columnText: () => 'from' } as unknown as Lexicon;
  const table = { name: 'opening hours' } as CatalogTable;
  expect(columnText({ table, column }, lexicon, ['from'])).toBe(text);
});

test.each([
  ['check in', 'check-in date'],
  ['drop off', 'drop-off date'],
  ['from date', 'start date'],
])('a date called "%s" is a %s', (name, text) => {
  const statistics = { nulls: 0, distinct: 2, min: '2024-01-02', max: '2024-03-04' };
  const column = { name, declared_type: 'TEXT', type: 'string', statistics } as unknown as CatalogColumn;
  const lexicon = { column: () => name.split(' '), columnText: () => name } as unknown as Lexicon;
  expect(columnText({ table: { name: 'stay' } as CatalogTable, column }, lexicon, name.split(' '))).toBe(
    text,
  );
});

test('prefixes, left-out vowels and foreign words are read', () => {
  const { db, lower } = restFixture(`
    CREATE TABLE t_brnch (br_cd TEXT PRIMARY KEY, br_nm TEXT, cty TEXT, crdt_scr INTEGER);
    CREATE TABLE t_cust (cust_id INTEGER PRIMARY KEY, cust_nm TEXT, br_cd TEXT REFERENCES t_brnch, referred_by_cust_id INTEGER REFERENCES t_cust);
    CREATE TABLE t_visit (visit_id INTEGER PRIMARY KEY, cust_id INTEGER REFERENCES t_cust, w INTEGER, h INTEGER, paid INTEGER);
    INSERT INTO t_brnch VALUES ('A', 'Ann', 'Ulm', 3), ('B', 'Bea', 'Rom', 4);
    INSERT INTO t_cust VALUES (1, 'x', 'A', NULL), (2, 'y', 'B', 1);
    INSERT INTO t_visit VALUES (1, 1, 2, 3, 0), (2, 1, 3, 4, 1), (3, 2, 4, 5, 1);
  `);
  const kunden = restFixture(`
    CREATE TABLE KUNDE (KUNDEN_NR INTEGER PRIMARY KEY, NACHNAME TEXT, VORNAME TEXT, ORT TEXT, GEHALT REAL, GEBURTSDATUM DATE);
    INSERT INTO KUNDE VALUES (1, 'A', 'B', 'Ulm', 1, '2000-01-01'), (2, 'C', 'D', 'Rom', 2, '2001-01-01');
  `);
  const read = (sql: string) => lower(sql).endpoints[0]?.summary;
  expect([
    read("SELECT br_nm FROM t_brnch WHERE cty = 'Ulm' AND crdt_scr > 3"),
    read('SELECT visit_id FROM t_visit WHERE w + h > 5'),
    read('SELECT visit_id FROM t_visit WHERE w - h > 5'),
    read('SELECT SUM(paid) * 100.0 / COUNT(*) FROM t_visit'),
    read(
      'SELECT r.cust_nm FROM t_cust c JOIN t_cust r ON r.cust_id = c.referred_by_cust_id WHERE c.cust_id = 2',
    ),
    read(
      'SELECT c.cust_nm FROM t_cust c JOIN t_visit v ON v.cust_id = c.cust_id WHERE v.paid = 1 GROUP BY c.cust_id HAVING COUNT(*) > 2',
    ),
    read('SELECT br_nm FROM t_brnch ORDER BY crdt_scr DESC LIMIT 1 OFFSET 21'),
    kunden.lower("SELECT VORNAME, NACHNAME FROM KUNDE WHERE ORT = 'Ulm' ORDER BY GEBURTSDATUM LIMIT 1")
      .endpoints[0]?.summary,
  ]).toEqual([
    'Branches in a given city with a credit score above a given value',
    'IDs of visits whose w and h add up to more than a given value',
    'IDs of visits whose w exceeds h by more than a given value',
    'Percentage of visits that are paid',
    'Referring customers of customers with a given ID',
    'Customers with more than a given number of visits that are paid (or not)',
    'The branch with the 22nd highest credit score',
    'The oldest customer in a given city',
  ]);
  db.close();
  kunden.db.close();
});

test('what rows refer to is called by a name that no other has, and described without detours', () => {
  const { db, lower } = restFixture(`
    CREATE TABLE Shows (ShowID INTEGER PRIMARY KEY, Title TEXT, Genre TEXT, Lang TEXT);
    CREATE TABLE Hosts (HostID INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT);
    CREATE TABLE ShowHosts (ShowID INTEGER REFERENCES Shows, HostID INTEGER REFERENCES Hosts, Role TEXT, Since INTEGER,
      Fee REAL, PRIMARY KEY (ShowID, HostID));
    CREATE TABLE Listeners (ListenerID INTEGER PRIMARY KEY, UserName TEXT, Handle TEXT);
    CREATE TABLE Ratings (RatingID INTEGER PRIMARY KEY, ListenerID INTEGER REFERENCES Listeners,
      ShowID INTEGER REFERENCES Shows, Stars REAL, duration_sec REAL, Medal TEXT);
    INSERT INTO Shows VALUES (1, 'Up', 'tech', 'en'), (2, 'Down', 'news', 'de');
    INSERT INTO Hosts VALUES (1, 'Ann', 'Lee'), (2, 'Ann', 'Roy'), (3, 'Bob', 'Lee');
    INSERT INTO ShowHosts VALUES (1, 1, 'main', 2001, 5), (2, 1, 'co', 2002, 6), (2, 2, 'co', 2002, 6);
    INSERT INTO Listeners VALUES (1, 'x', NULL), (2, 'y', '@y');
    INSERT INTO Ratings VALUES (1, 1, 1, 3.5, 60, 'G'), (2, 1, 2, 4.5, 70, 'S'), (3, 2, 2, 4.5, 70, 'S');
  `);
  onTestFinished(() => void db.close());
  const ofShow = 'FROM Ratings r JOIN Shows s ON r.ShowID = s.ShowID WHERE';
  const ofListener = 'FROM Ratings r JOIN Listeners l ON r.ListenerID = l.ListenerID WHERE';
  const rated = (title: string) => `ListenerID IN (SELECT r.ListenerID ${ofShow} s.Title = '${title}')`;
  expect(
    [
      `SELECT COUNT(*) ${ofShow} s.Title = 'Up'`,
      `SELECT COUNT(*) ${ofShow} s.Title = 'Up' AND s.Genre = 'tech'`,
      `SELECT COUNT(*) ${ofShow} s.Lang = 'en' AND r.Medal = 'G'`,
      `SELECT COUNT(*) ${ofListener} l.Handle IS NULL AND r.duration_sec > 60`,
      'SELECT COUNT(*) FROM (SELECT HostID FROM ShowHosts GROUP BY HostID HAVING COUNT(*) > 1)',
      "SELECT h.FirstName, h.LastName FROM Hosts h JOIN ShowHosts sh ON h.HostID = sh.HostID JOIN Shows s ON s.ShowID = sh.ShowID WHERE s.Genre = 'tech'",
      'SELECT ListenerID FROM Ratings GROUP BY ListenerID HAVING COUNT(*) > 1',
      'SELECT UserName FROM Listeners WHERE ListenerID IN (SELECT ListenerID FROM Ratings GROUP BY ListenerID HAVING COUNT(*) > 1)',
      `SELECT UserName FROM Listeners WHERE ${rated('Up')} OR ${rated('Down')}`,
      'SELECT RatingID FROM Ratings WHERE Stars > (SELECT AVG(Stars) * 1.3 FROM Ratings)',
    ].map((sql) => lower(sql).endpoints[0]?.summary),
  ).toEqual([
    'Number of ratings of a given show',
    'Number of ratings whose show has a given title and is of a given genre',
    'Number of ratings with a given medal whose show is in a given language',
    'Number of ratings with a duration above a given value whose listener has no handle',
    'Number of hosts with more than a given number of shows',
    'Hosts who have shows of a given genre',
    'IDs of listeners with more than a given number of ratings',
    'User names of listeners with more than a given number of ratings',
    'User names of listeners who have ratings of a given show or who have ratings of another given show',
    'IDs of ratings with stars above 1.3 times the average stars of all ratings',
  ]);
});

test('days in eight digits, acronyms, capitals within words and adjectives as roles are read', () => {
  const { db, lower } = restFixture(`
    CREATE TABLE Station (id INTEGER PRIMARY KEY, municipality TEXT, open_dt TEXT, eu_limit REAL, WHO_limit REAL,
      "PrizeFund (EUR)" REAL);
    CREATE TABLE Player (player_id INTEGER PRIMARY KEY, last_name TEXT, elo INTEGER);
    CREATE TABLE Game (id INTEGER PRIMARY KEY, white_id INTEGER REFERENCES Player, black_id INTEGER REFERENCES Player);
    INSERT INTO Station VALUES (1, 'Ulm', '20010203', 1, 2, 5), (2, 'Rom', '20110203', 2, 3, 6), (3, 'Rom', '20110203', 2, 3, 6);
    INSERT INTO Player VALUES (1, 'A', 3), (2, 'B', 4), (3, 'B', 4);
    INSERT INTO Game VALUES (1, 1, 2), (2, 2, 3), (3, 1, 3);
  `);
  onTestFinished(() => void db.close());
  expect(
    [
      "SELECT id FROM Station WHERE municipality = 'Ulm' AND open_dt > '20050101'",
      'SELECT id FROM Station WHERE eu_limit > 2 * WHO_limit',
      'SELECT id FROM Station WHERE "PrizeFund (EUR)" > 5',
      'SELECT DISTINCT w.last_name FROM Game g JOIN Player w ON g.white_id = w.player_id JOIN Player b ON g.black_id = b.player_id WHERE b.elo > 2',
    ].map((sql) => lower(sql).endpoints[0]?.summary),
  ).toEqual([
    'IDs of stations in a given municipality opened after a given date',
    'IDs of stations with an EU limit above 2 times the WHO limit',
    'IDs of stations with a prize fund (EUR) above a given value',
    'Distinct white players paired with black players with an elo above a given value',
  ]);
});

test('years before 1000, times that are lengths, and columns of the rows that a name has', () => {
  const { db, lower } = restFixture(`
    CREATE TABLE realm (realm_id INTEGER PRIMARY KEY, title TEXT, founding_year INTEGER);
    CREATE TABLE query_log (query_log_id INTEGER PRIMARY KEY, realm_id INTEGER REFERENCES realm, title TEXT, response_time REAL);
    INSERT INTO realm VALUES (1, 'A', -660), (2, 'A', 1918), (3, 'B', 1707);
    INSERT INTO query_log VALUES (1, 1, 'A', 3.5), (2, 1, 'B', 0.5), (3, 2, 'B', 2.5);
  `);
  onTestFinished(() => void db.close());
  const worded = (sql: string) => lower(sql).endpoints.map(({ name, summary }) => [name, summary])[0];
  expect(worded('SELECT title FROM realm WHERE founding_year < 1000')).toEqual([
    'realms_before_founding_year',
    'Realms founded before a given year',
  ]);
  expect(worded('SELECT title FROM query_log ORDER BY response_time LIMIT 1')?.[1]).toBe(
    'The query log with the shortest response time',
  );
  expect(worded("SELECT response_time FROM query_log WHERE title = 'A'")?.[0]).toBe(
    'query_log_response_times_by_title',
  );
});
