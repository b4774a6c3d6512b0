import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readCatalog } from '../read/catalog.ts';
import { decidingQueries } from './gold-diff.ts';

const db = new Database(':memory:').exec(`
  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner_id, name, weight);
  CREATE TABLE port (name TEXT);
  CREATE TABLE visit (pet_id, day, vet_id, PRIMARY KEY (pet_id, day));`);
const catalog = readCatalog('vets', db);
db.close();

test.each([
  ["UPDATE pet SET weight = 5 WHERE name = 'Bella'", [`SELECT "id" FROM pet WHERE name = 'Bella'`]],
  [
    "UPDATE OR IGNORE visit AS v SET vet_id = (SELECT id FROM vet WHERE name = 'Carys') WHERE v.day < '2024' RETURNING day",
    [
      `SELECT "pet_id", "day" FROM visit AS v WHERE v.day < '2024'`,
      "SELECT id FROM vet WHERE name = 'Carys'",
    ],
  ],
  [
    "DELETE FROM port WHERE name = 'Kanalmitte' AND NOT EXISTS (SELECT 1 FROM vessel WHERE vessel.port_id = port.id)",
    [
      "SELECT * FROM port WHERE name = 'Kanalmitte' AND NOT EXISTS (SELECT 1 FROM vessel WHERE vessel.port_id = port.id)",
      'SELECT 1 FROM vessel WHERE vessel.port_id = port.id',
    ],
  ],
  [
    "INSERT INTO visit (pet_id, day) VALUES ((SELECT id FROM pet WHERE owner_id = (SELECT id FROM owner WHERE name = 'A)')), '2025')",
    [
      "SELECT id FROM owner WHERE name = 'A)'",
      "SELECT id FROM pet WHERE owner_id = (SELECT id FROM owner WHERE name = 'A)')",
    ],
  ],
  ['INSERT INTO pet (name) SELECT name FROM old; DELETE FROM old', ['SELECT name FROM old']],
  ['UPDATE pet SET weight = o.weight FROM old AS o WHERE o.id = pet.id', []],
])('%s', (sql, queries) => {
  expect(decidingQueries(sql, catalog)).toEqual(queries);
});
