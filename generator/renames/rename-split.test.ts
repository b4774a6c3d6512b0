import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../contracts/catalog.ts';
import { temporaryFolder, writeDatabase, writeFiles } from '../../tests/support/split-fixture.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readSplit } from '../read/read-split.ts';
import { renameSplit } from './rename-split.ts';

const OPTIONS = { referenceTime: '2025-01-01 00:00:00', timeoutMs: 10_000, jobs: 1 };

const SCHEMA = `
  CREATE TABLE owner (ownerId INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT);
  CREATE TABLE Boat (
    boatId INTEGER PRIMARY KEY, ownerId INTEGER REFERENCES owner (ownerId), name TEXT, length REAL, sails TEXT
  );
  CREATE INDEX by_owner ON Boat (ownerId);
  CREATE VIEW long_boat AS SELECT name, length FROM Boat WHERE length > 9;
  INSERT INTO owner VALUES (1, 'Ada', 'Cork'), (2, 'Per', 'Malmö');
  INSERT INTO Boat VALUES (1, 1, 'Tern', 7.5, 'yes'), (2, 1, 'Auk', 11, 'no'), (3, 2, 'Gull', 12.5, 'yes');
`;

const QUESTIONS: readonly Record<string, unknown>[] = [
  { question: 'How long is the Auk?', sql: `SELECT length FROM Boat WHERE name = "Auk";` },
  {
    question: 'Which owners have how many boats?',
    sql: 'SELECT o.name, COUNT(*) AS n FROM owner o JOIN boat b ON o.ownerId = b.ownerId GROUP BY o.ownerId ORDER BY n DESC, 1',
  },
  {
    question: 'Whose boats are longer than the average?',
    sql: 'WITH long AS (SELECT ownerId AS who FROM Boat WHERE length > (SELECT AVG(length) FROM Boat)) SELECT name FROM owner WHERE ownerId IN (SELECT who FROM long)',
  },
  { question: 'What are the towns?', sql: 'SELECT town FROM (SELECT town FROM owner)' },
  { question: 'All pairs?', sql: 'SELECT COUNT(*) FROM owner NATURAL JOIN Boat' },
  { question: 'All boats?', sql: 'SELECT COUNT(*) FROM owner JOIN Boat USING (ownerId)' },
  { question: 'Remove the Auk.', sql: `DELETE FROM Boat WHERE name = 'Auk'` },
  {
    question: 'Which boats have a name with a word of a prime number of characters?',
    sql: 'SELECT name FROM Boat WHERE EXISTS (SELECT 1 FROM list_words AS w WHERE w.string = name AND is_prime(count_characters(w.word)))',
  },
  {
    question: 'How many sail?',
    sql: 'SELECT COUNT(*) FROM Boat',
    query_arguments: {
      collection_name: 'Boat',
      boolean_property_filter: { property_name: 'sails', operator: '=', value: true },
      text_property_aggregation: { property_name: 'name', metrics: 'COUNT' },
      groupby_property: 'ownerId',
    },
  },
];

async function read() {
  const folder = temporaryFolder('harbour');
  writeDatabase(folder, 'harbour.sqlite', SCHEMA);
  const lines = QUESTIONS.map((each, question_id) =>
    JSON.stringify({ db_id: 'harbour', question_id, ...each }),
  );
  writeFiles(folder, {
    'questions.jsonl': `${lines.join('\n')}\n`,
    'descriptions/harbour.csv': 'table,column,name,description\nowner,town,home town,\n',
  });
  return readSplit(folder);
}

describe('a split under new names', () => {
  it('has them in its database, its SQL and its calls, and gives the same rows', async () => {
    const split = await read();
    const renamed = await renameSplit(split, { ...OPTIONS, names: '7' });
    const [domain] = renamed.domains;
    const names = renamed.renamed?.names.harbour ?? {};
    const old = ['owner', 'Boat', 'ownerId', 'boatId', 'name', 'town', 'length', 'sails'];
    const spelled = domain?.catalog.tables
      .filter(({ view }) => !view)
      .flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]);
    expect(spelled?.filter((name) => old.includes(name))).toEqual([]);
    const boats = domain?.catalog.tables.find(({ name }) => name === names.Boat?.name);
    expect(boats?.foreign_keys).toEqual([
      {
        columns: [names.Boat?.columns.ownerId],
        references_table: names.owner?.name,
        references_columns: [names.owner?.columns.ownerId],
      },
    ]);
    expect(renamed.questions.map(({ question }) => question)).toEqual(
      [0, 1, 2, 7, 8].map((i) => QUESTIONS[i]?.question),
    );
    const oracle = new Oracle({ referenceTime: OPTIONS.referenceTime }).over(
      split.domains[0]?.catalog as Catalog,
    );
    try {
      for (const { question_id, sql } of renamed.questions) {
        const before = await oracle.run(
          split.domains[0]?.file ?? '',
          String(QUESTIONS[Number(question_id)]?.sql),
        );
        expect((await oracle.run(domain?.file ?? '', sql)).rows).toEqual(before.rows);
      }
    } finally {
      await oracle.close();
    }
    expect(renamed.questions.at(-1)?.query_arguments).toEqual({
      collection_name: names.Boat?.name,
      boolean_property_filter: { property_name: names.Boat?.columns.sails, operator: '=', value: true },
      text_property_aggregation: { property_name: names.Boat?.columns.name, metrics: 'COUNT' },
      groupby_property: names.Boat?.columns.ownerId,
    });
  });

  it('says which questions are left out, and why', async () => {
    const { renamed } = await renameSplit(await read(), { ...OPTIONS, names: '7' });
    expect(renamed?.left_out).toEqual([
      { db: 'harbour', question_id: 3, reason: 'no such column: town' },
      { db: 'harbour', question_id: 4, reason: 'NATURAL JOIN goes by names' },
      {
        db: 'harbour',
        question_id: 5,
        reason: 'cannot join using column ownerId - column not present in both tables',
      },
      { db: 'harbour', question_id: 6, reason: 'near "DELETE": syntax error' },
    ]);
  });

  it('is the same for a seed, and another for another', async () => {
    const split = await read();
    const hashes = await Promise.all(
      ['7', '7', '8'].map(async (names) => (await renameSplit(split, { ...OPTIONS, names })).content_hash),
    );
    expect(hashes[0]).toBe(hashes[1]);
    expect(new Set([split.content_hash, ...hashes]).size).toBe(3);
  });

  it('takes names that are given, and keeps the others', async () => {
    const names = { harbour: { owner: { name: 'skipper', columns: { town: 'home_port' } } } };
    const { domains, questions } = await renameSplit(await read(), { ...OPTIONS, names });
    const owner = domains[0]?.catalog.tables[0];
    expect([owner?.name, ...(owner?.columns.map(({ name }) => name) ?? [])]).toEqual([
      'skipper',
      'ownerId',
      'name',
      'home_port',
    ]);
    expect(owner?.columns[2]?.friendly_name).toBe('home town');
    expect(questions[0]?.sql).toContain('SELECT length FROM Boat');
  });

  it.each([
    ['an unknown database', { port: { owner: { columns: {} } } }, 'names no database'],
    ['an unknown table', { harbour: { ownr: { columns: {} } } }, 'harbour.ownr, which the split has not'],
    [
      'an unknown column',
      { harbour: { owner: { columns: { twn: 'x' } } } },
      'owner.twn, which the split has not',
    ],
    ['a name that is taken', { harbour: { owner: { columns: { town: 'name' } } } }, 'cannot be carried out'],
  ])('refuses %s', async (_, names, message) => {
    await expect(renameSplit(await read(), { ...OPTIONS, names })).rejects.toThrow(message);
  });
});
