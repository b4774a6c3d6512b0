import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { parseQuery } from '../../sql/index.ts';
import { readCatalog } from '../read/catalog.ts';
import type { Random } from '../variants/random.ts';
import { profileOfAsked } from './asked-columns.ts';
import { aggregatesOf, profileDatabase } from './profile.ts';
import { ask, isStilted, phraseOf, wordingOf } from './wording.ts';

const db = new Database(':memory:');
db.exec(`
  CREATE TABLE marina (marina_id INTEGER PRIMARY KEY, name TEXT, country TEXT, postcode TEXT, berths INTEGER, has_fuel INTEGER);
  CREATE TABLE tutor (tutor_id INTEGER PRIMARY KEY, name TEXT, marina_id INTEGER REFERENCES marina, years_of_experience INTEGER,
    tours_per_week INTEGER, tour_hours REAL, is_lead INTEGER, online INTEGER, employed_on TEXT);
  CREATE TABLE lock (lock_id INTEGER PRIMARY KEY, name TEXT, nearest_marina_id INTEGER REFERENCES marina, rise_m REAL,
    built_year INTEGER, edition INTEGER, max_boats INTEGER);
  CREATE TABLE lesson (lesson_id INTEGER PRIMARY KEY, topic TEXT, examiner_id INTEGER REFERENCES tutor);
  CREATE TABLE fault (fault_id INTEGER PRIMARY KEY, topic TEXT, reported_by INTEGER REFERENCES tutor);
  CREATE TABLE stk (stk_id INTEGER PRIMARY KEY, qty_oh INTEGER, since_dt TEXT, terms_d INTEGER, terms_days INTEGER);`);
for (let i = 1; i <= 60; i++) {
  const marina = 1 + (i % Math.min(i, 20));
  if (i <= 20)
    db.prepare('INSERT INTO marina VALUES (?, ?, ?, ?, ?, ?)').run(
      ...[
        i,
        `Basin ${'abcdefghijklmnopqrst'[i - 1]}`,
        ['United Kingdom', 'France'][i % 2],
        `B${i} 4XY`,
        10 * i,
        i % 2,
      ],
    );
  db.prepare('INSERT INTO tutor VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
    ...[i, `Ann ${i}`, marina, i % 31, 1 + (i % 4), i / 4, i % 2, (i >> 1) % 2, `20${10 + (i % 10)}-03-04`],
  );
  db.prepare('INSERT INTO lock VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    ...[i, `Lock ${i}`, marina, 1 + i / 7, 1770 + i, 1 + (i % 5), 2 + (i % 3)],
  );
  db.prepare('INSERT INTO lesson VALUES (?, ?, ?)').run(i, `Topic ${i}`, i);
  db.prepare('INSERT INTO fault VALUES (?, ?, ?)').run(i, `Topic ${i}`, i);
  db.prepare('INSERT INTO stk VALUES (?, ?, ?, ?, ?)').run(i, i * 7, '2024-01-02', i % 50, i % 50);
}
const catalog = readCatalog('canals', db);
const profile = profileDatabase(catalog, db);
db.close();
const wording = wordingOf(catalog);
const parsed = (sql: string) => parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' });

test.each([
  [
    'numbers of things are many, not high',
    'SELECT name FROM marina ORDER BY berths DESC LIMIT 2',
    'The two marinas with the most berths',
  ],
  [
    'also of what rows refer to',
    'SELECT COUNT(*) FROM lock AS l JOIN marina AS m ON l.nearest_marina_id = m.marina_id WHERE m.berths > 90',
    'Number of locks whose nearest marina has more than 90 berths',
  ],
  [
    'years of experience are counted',
    'SELECT COUNT(*) FROM tutor WHERE years_of_experience > 20',
    'Number of tutors with more than 20 years of experience',
  ],
  [
    'as are hours, also half ones',
    'SELECT COUNT(*) FROM tutor WHERE tour_hours < 4.5',
    'Number of tutors with fewer than 4.5 tour hours',
  ],
  [
    'and what there is per week',
    'SELECT name FROM tutor WHERE tours_per_week = 1',
    'Tutors with 1 tour per week',
  ],
  [
    'm after a number is a metre',
    'SELECT name FROM lock WHERE rise_m > 4',
    'Locks with a rise above 4 metres',
  ],
  [
    'an average has the same unit',
    'SELECT name FROM lock WHERE rise_m > (SELECT AVG(rise_m) FROM lock)',
    'Locks with a rise above the average rise of all locks',
  ],
  [
    'the nearest of others is just one of its kind',
    'SELECT m.name FROM lock AS l JOIN marina AS m ON l.nearest_marina_id = m.marina_id GROUP BY m.marina_id ORDER BY COUNT(*) DESC LIMIT 2',
    'The two marinas with the most locks',
  ],
  [
    'but the nearest of these',
    "SELECT COUNT(*) FROM lock AS l JOIN marina AS m ON l.nearest_marina_id = m.marina_id WHERE m.country = 'France'",
    'Number of locks whose nearest marina is in France',
  ],
  [
    'a teacher who examines is the examiner',
    'SELECT COUNT(*) FROM lesson AS e JOIN tutor AS t ON e.examiner_id = t.tutor_id WHERE t.years_of_experience > 20',
    'Number of lessons whose examiner has more than 20 years of experience',
  ],
  [
    'and who reported something the reporting one',
    'SELECT COUNT(*) FROM fault AS f JOIN tutor AS t ON f.reported_by = t.tutor_id WHERE t.years_of_experience > 20',
    'Number of faults whose reporting tutor has more than 20 years of experience',
  ],
  [
    'some countries take an article',
    "SELECT name FROM marina WHERE country = 'United Kingdom'",
    'Marinas in the United Kingdom',
  ],
  ['a flag may say what people are', 'SELECT name FROM tutor WHERE is_lead = 1', 'Tutors who are leads'],
  ['or what they are like', 'SELECT name FROM tutor WHERE online = 0', 'Tutors who are not online'],
  ['or what there is, without an article', 'SELECT name FROM marina WHERE has_fuel = 1', 'Marinas with fuel'],
  [
    'what happened has a noun',
    'SELECT name, built_year FROM lock WHERE rise_m > 4',
    'Names and construction years of locks with a rise above 4 metres',
  ],
  [
    'a mean per row of another table has no ID',
    'WITH p AS (SELECT marina_id, COUNT(*) AS n FROM tutor WHERE is_lead = 1 GROUP BY marina_id) SELECT AVG(n) FROM p',
    'Average number of tutors who are leads per marina',
  ],
])('%s', (_, sql, phrase) => {
  expect(phraseOf(sql, parsed(sql), wording)).toBe(phrase);
});

test('"for each" is for groups only', () => {
  const first = { pick: <T>([one]: readonly T[]) => one, chance: () => true } as unknown as Random;
  const asked = (sql: string) => ask(sql, parsed(sql), wording, first).question;
  const mean =
    'WITH p AS (SELECT marina_id, COUNT(*) AS n FROM tutor WHERE is_lead = 1 GROUP BY marina_id) SELECT AVG(n) FROM p';
  expect(asked(mean)).toBe('What is the average number of tutors who are leads per marina?');
  expect(asked('SELECT name FROM tutor WHERE tours_per_week = 2')).toBe(
    'List the tutors with 2 tours per week.',
  );
  expect(asked('SELECT country, AVG(berths) FROM marina WHERE has_fuel = 1 GROUP BY country')).toBe(
    'For each country, what is the average number of berths of marinas with fuel?',
  );
});

test.each([
  'List the enrolments that enrolled in 2024.',
  'Find the enrolments whose status is open that enrolled in 2024.',
  'For what fraction of the teachers is the examiner flag not set?',
  'How many courses per lessons are there per week?',
  'How many monthly reports have a loss above 20?',
])('is not asked: %s', (question) => {
  expect(isStilted(question)).toBe(true);
});

test('postcodes, editions and most numbers of boats: not asked, not measured, not added up', () => {
  const asked = profileOfAsked(profile);
  const column = (name: string) =>
    asked.tables.flatMap(({ columns }) => columns).find((one) => one.column.name === name);
  expect(column('postcode')).toBeUndefined();
  expect(['qty_oh', 'terms_d'].flatMap((name) => column(name) ?? [])).toEqual([]);
  expect(asked.tables.map(({ table }) => table.name)).not.toContain('stk');
  expect(column('edition')?.kind).not.toBe('number');
  expect(column('max_boats') && aggregatesOf(column('max_boats')?.column as never)).not.toContain('SUM');
});
