import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { AnsweredCall } from '../../eval/attempt/attempt.ts';
import { readCatalog } from '../../generator/read/catalog.ts';
import { readKeysOf } from './read-keys.ts';

const db = new Database(':memory:').exec(`
  CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, beds INTEGER);
  CREATE TABLE visit (pet_id INTEGER REFERENCES pet (id), day TEXT, PRIMARY KEY (pet_id, day));
  CREATE TABLE bill (no TEXT PRIMARY KEY, pet_id INTEGER REFERENCES pet (id), day TEXT, FOREIGN KEY (pet_id, day) REFERENCES visit (pet_id, day));`);
const keys = readKeysOf({ catalog: readCatalog('vets', db) });
db.close();

const called = (name: string, args: object, body: unknown = {}): AnsweredCall => ({
  call: { name, arguments: args as AnsweredCall['call']['arguments'] },
  body,
});
const pets = (id: number) => called('list_pet', { name: 'Rex' }, { data: [{ id, name: 'Rex', beds: 5 }] });
const argumentsIn = (name: string, args: object, ...[from, to]: readonly [AnsweredCall, AnsweredCall]) =>
  keys.argumentsIn(called(name, args).call, [from], [to]);

test.each([
  ['get_pet', { key: 7 }, { key: '9' }],
  ['list_visit', { pet_id: 7 }, { pet_id: 9 }],
  ['list_visit', { pet_id__in: [7, 8] }, { pet_id__in: [9, 8] }],
  ['update_visit', { key: '7,2025-01-01', day: '7' }, { key: '9,2025-01-01', day: '7' }],
  ['create_bill', { pet_id: 7, day: '2025-01-01' }, { pet_id: 9, day: '2025-01-01' }],
  // Numbers that name nothing, and keys that no answer showed.
  ['update_pet', { key: 8, beds: 7 }, { key: '8', beds: 7 }],
  ['create_bill', { no: '7' }, { no: '7' }],
])('%s %j takes the key that the same answer has in another world', (name, args, there) => {
  expect(argumentsIn(name, args, pets(7), pets(9))).toEqual(there);
});

test('a key by which a record refers to another is known too', () => {
  const bills = (pet: number) =>
    called('get_bill', { key: 'B1' }, { no: 'B1', pet_id: pet, day: '2025-01-01' });
  expect(argumentsIn('delete_pet', { key: 7 }, bills(7), bills(9))).toEqual({ key: '9' });
  expect(argumentsIn('delete_visit', { key: '7,2025-01-01' }, bills(7), bills(9))).toEqual({
    key: '9,2025-01-01',
  });
});

test.each([
  [[called('delete_pet', { key: 7 })], true],
  [[pets(7), called('delete_pet', { key: 7 })], false],
  // What it reads afterwards, and other numbers, tell nothing.
  [[called('delete_pet', { key: 7 }), pets(7)], true],
  [[pets(7), called('delete_pet', { key: 5 })], true],
  [[pets(7), called('create_visit', { pet_id: 8, day: '2025-01-01' })], true],
  [[pets(7), called('create_visit', { pet_id: 7, day: '2025-01-01' })], false],
  // In the words of the task, the key of a new record, or refused.
  [[called('delete_bill', { key: 'B1' })], false],
  [[called('create_pet', { id: 70, name: 'Ada' })], false],
  [[{ ...called('delete_pet', { key: 7 }), body: undefined }], false],
])('%#: whether a key was guessed', (calls, guessed) => {
  expect(keys.hasGuessed(calls, 'Delete the bill B1.')).toBe(guessed);
});
