import { expect, test } from 'vitest';
import { restFixture } from '../rest-fixture.ts';

const races = restFixture(`
  CREATE TABLE pilot (
    id INTEGER PRIMARY KEY, pilot_reg_code INTEGER UNIQUE, licence_code INTEGER UNIQUE, pilot_name TEXT, height REAL
  );
  CREATE TABLE pilot_mark (
    id INTEGER PRIMARY KEY, speed INTEGER,
    pilot_reg_code INTEGER REFERENCES pilot(pilot_reg_code), licence_code INTEGER REFERENCES pilot(licence_code)
  );
  CREATE TABLE worker (
    id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT,
    reports_to INTEGER REFERENCES worker(id), trained_by INTEGER REFERENCES worker(id)
  );
  CREATE TABLE race (
    id INTEGER PRIMARY KEY, field TEXT,
    home_pilot_reg_code INTEGER REFERENCES pilot(pilot_reg_code),
    away_pilot_reg_code INTEGER REFERENCES pilot(pilot_reg_code)
  );
`);

test.each([
  [
    'a key of the name that it refers to is no role',
    'SELECT DISTINCT p.pilot_name FROM pilot p JOIN pilot_mark m ON p.pilot_reg_code = m.pilot_reg_code WHERE m.speed = 5',
    'pilots_by_speed',
    ['pilot_name'],
    'Different pilots for a given speed',
  ],
  [
    'nor does it lend its name to another column',
    'SELECT p.id, p.pilot_reg_code FROM pilot p JOIN pilot_mark m ON p.pilot_reg_code = m.pilot_reg_code',
    'pilot_ids_and_reg_codes_with_pilot_mark_records',
    ['id', 'pilot_reg_code'],
    'IDs and pilot reg codes of pilots that have pilot mark records',
  ],
  [
    'what comes before the key is one',
    "SELECT p.height FROM race r JOIN pilot p ON r.home_pilot_reg_code = p.pilot_reg_code WHERE r.field = 'x'",
    'home_pilot_heights_by_field',
    ['home_pilot_height'],
    'Home pilot heights for a given field',
  ],
  [
    'who others report to is a manager',
    'SELECT m.first_name, m.last_name FROM worker w JOIN worker m ON w.reports_to = m.id GROUP BY m.id ORDER BY COUNT(*) DESC LIMIT 1',
    'manager_with_most_workers',
    ['manager_first_name', 'manager_last_name'],
    'The manager with the most workers',
  ],
  [
    'what ends with a preposition says of whom',
    "SELECT w.last_name FROM worker w JOIN worker t ON w.trained_by = t.id WHERE t.last_name = 'x'",
    'worker_last_names_by_trained_by_worker_last_name',
    ['last_name'],
    'Last names of workers for a given trained by worker last name',
  ],
])('%s', (_, sql, name, columns, summary) => {
  const [endpoint] = races.lower(sql).endpoints;
  expect([endpoint?.name, endpoint?.columns.map((column) => column.name), endpoint?.summary]).toEqual([
    name,
    columns,
    summary,
  ]);
});
