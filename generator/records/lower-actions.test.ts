import { afterAll, expect, test } from 'vitest';
import { REFERENCE_TIME, restFixture } from '../lower/testing/rest-fixture.ts';
import { lowerActions } from './lower-actions.ts';

const SCHEMA = `
  CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
  CREATE TABLE ticket (
    id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner (id), opened TEXT, status TEXT, hours REAL, note TEXT, price INTEGER);
  CREATE TABLE line (ticket_id INTEGER, place INTEGER, item TEXT, PRIMARY KEY (ticket_id, place));
  CREATE TABLE remark (text TEXT);
  INSERT INTO owner VALUES (1, 'Ann', 'Cork'), (2, 'Bob', 'Bern');
  INSERT INTO ticket VALUES (1, 1, '2024-01-05', 'open', 2.5, 'x', 100), (2, 2, '2024-02-05', 'open', 4.0, NULL, 200);
  INSERT INTO remark VALUES ('a'), ('a');
`;
const { catalog, db, question } = restFixture(SCHEMA);
afterAll(() => db.close());

const OF_ANN =
  "owner_id = (SELECT id FROM owner WHERE name = 'Ann') AND opened < '2024-02-01' AND status != 'closed'";

function lower(...statements: readonly string[]) {
  const questions = statements.map((sql) => question(sql, 'By 2 hours.'));
  const { actions, calls } = lowerActions(questions, { catalog, referenceTime: REFERENCE_TIME });
  return { actions, calls: questions.map((each) => calls.get(each) ?? null) };
}

test('one operation on just the rows that WHERE finds, with its values and those of SET as parameters', () => {
  const { actions, calls } = lower(
    `UPDATE ticket SET status = 'closed' WHERE ${OF_ANN}`,
    "UPDATE ticket SET status = 'late' WHERE owner_id = (SELECT id FROM owner WHERE name = 'Bob') AND opened < '2023-01-01' AND status != 'new'",
  );
  const [action] = actions;
  expect(actions).toHaveLength(1);
  expect(action).toMatchObject({
    table: 'ticket',
    sql: expect.stringMatching(
      /^UPDATE "ticket" SET "status" = :new_status FROM \(SELECT .*\) AS "found" WHERE/,
    ),
  });
  expect(action?.name).toMatch(/^set_status_of_tickets_by_/);
  expect(action?.summary).toMatch(/^Set the status of tickets /);
  for (const { name } of action?.parameters ?? []) expect(action?.description).toContain(`\`${name}\``);
  expect(calls.map((call) => [call?.name, Object.values(call?.arguments ?? {})])).toEqual([
    [action?.name, ['Ann', '2024-02-01', 'closed', 'closed']],
    [action?.name, ['Bob', '2023-01-01', 'new', 'late']],
  ]);
});

test('what is done is in the name: deleted, cleared, raised, set to something computed', () => {
  const { actions } = lower(
    `DELETE FROM ticket WHERE ${OF_ANN}`,
    'UPDATE ticket SET note = NULL WHERE hours > 3',
    'UPDATE ticket SET hours = ROUND(hours + 2, 1) WHERE id = 1',
    "UPDATE ticket SET note = status || '!', hours = 0 WHERE id = 1",
    "UPDATE line AS l SET item = 'nail' WHERE l.place = 1",
  );
  expect(actions.map(({ name }) => name.split(/_(?:of|by|above|tickets)/)[0])).toEqual([
    'delete',
    'clear_note',
    'raise_hours',
    'change_note_and_hours',
    'set_item',
  ]);
  const [, , raised, changed, line] = actions;
  expect(raised?.description).toMatch(
    /^Raises the hours by `hours_difference` \(rounded to 1 decimal\) for all tickets where ticket ID = `ticket_id`\./,
  );
  expect(changed?.parameters.map(({ name }) => name)).toEqual(['ticket_id', 'new_hours']);
  expect(line?.sql).toContain('"line"."ticket_id" = "found"."key1" AND "line"."place" = "found"."key2"');
});

test('words of people for a task are those of its action, if they begin with a verb of actions', () => {
  const named = (sql: string, name: string) => ({ ...question(sql), endpoint_words: { name } });
  const asked = named(`UPDATE ticket SET status = 'closed' WHERE ${OF_ANN}`, 'set_status_of_early_tickets');
  const { actions, calls } = lowerActions(
    [asked, named('DELETE FROM line WHERE item IS NULL', 'purge_lines')],
    {
      catalog,
      referenceTime: REFERENCE_TIME,
    },
  );
  expect(actions.map(({ name }) => name)).toEqual([
    'set_status_of_early_tickets',
    'delete_lines_without_item',
  ]);
  expect(actions[0]?.summary).toMatch(/^Set the status of tickets /);
  expect(calls.get(asked)?.name).toBe('set_status_of_early_tickets');
});

test('a name has once what the rows are', () => {
  const { actions } = lower(
    'UPDATE ticket SET hours = 1 WHERE id = 1',
    "UPDATE owner SET city = 'Rome' WHERE name = 'Ann'",
  );
  expect(actions.map(({ name }) => name)).toEqual([
    'set_hours_of_tickets_by_id',
    'set_city_of_owners_by_name',
  ]);
});

test.each([
  ['price = 110 * price / 100', 'Raise', 'by 10%, rounded down'],
  ['price = price * 90 / 100', 'Lower', 'by 10%, rounded down'],
  ['hours = hours * 0.95', 'Lower', 'by 5%'],
  ['hours = ROUND(1.5 * hours)', 'Raise', 'by 50%, rounded'],
  ['hours = hours - 3', 'Lower', 'by 3'],
  ['hours = price - 3', 'Change', 'to price minus 3'],
  ['hours = hours / 1000.0', 'Change', 'to hours divided by 1000'],
  ['hours = hours * 0', 'Change', 'to 0 times the hours'],
  ['hours = 1000 / hours', 'Change', 'to 1000 divided by hours'],
  ['price = price / 2 * 3', 'Change', 'to 3 times (price divided by a given value (rounded down))'],
  ['price = CAST(price * 1.5 AS INTEGER)', 'Raise', 'by 50%, rounded down'],
  ['price = CAST(ROUND(price * 1.5) AS INTEGER)', 'Raise', 'by 50%, rounded'],
  ["owner_id = (SELECT id FROM owner WHERE name = 'Bob')", 'Set', 'to the owner with a given name'],
  [
    "owner_id = (SELECT id FROM owner WHERE name = 'Bob'), price = price + 3",
    'Change',
    ': owner ID to the owner with a given name and price raised by 3',
  ],
])('how a value changes is in the summary: %s', (set, verb, change) => {
  const { actions } = lower(`UPDATE ticket SET ${set} WHERE status = 'open'`);
  expect(actions[0]?.summary).toMatch(new RegExp(`^${verb} the `));
  expect(actions[0]?.summary.endsWith(`${change.startsWith(':') ? '' : ' '}${change}`)).toBe(true);
});

test.each([
  ['several statements', 'DELETE FROM line WHERE place = 1; DELETE FROM ticket WHERE id = 1'],
  ['rows of a join', 'UPDATE ticket SET note = o.name FROM owner AS o WHERE o.id = owner_id'],
  ['rows without a key', "DELETE FROM remark WHERE text = 'a'"],
  ['another key for a row', 'UPDATE ticket SET id = 9 WHERE id = 1'],
  [
    'several columns at once',
    'UPDATE ticket SET (note, status) = (SELECT name, city FROM owner LIMIT 1) WHERE id = 1',
  ],
  ['conflicts', "UPDATE OR IGNORE ticket SET note = 'a' WHERE id = 1"],
  ['a value of another type', "UPDATE ticket SET hours = 'many' WHERE id = 1"],
  ['rows that are returned', 'DELETE FROM ticket WHERE id = 1 RETURNING id'],
  ['new rows', "INSERT INTO remark VALUES ('b')"],
])('no action: %s', (_, sql) => {
  expect(lower(sql)).toEqual({ actions: [], calls: [null] });
});
