import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { statementsHolding } from '../../contracts/dialogue.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readDomain } from '../read/read-split.ts';
import { synthesizeRecordDialogues } from './record-dialogues.ts';

test('dialogues about one record change it, take that back, and are the same for the same seed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-record-dialogues-'));
  const oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 5_000 });
  onTestFinished(async () => {
    await oracle.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'fleet.sqlite');
  const db = new Database(file);
  db.exec('CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, status TEXT, flag TEXT, berths INTEGER)');
  const insert = db.prepare('INSERT INTO ship (name, status, flag, berths) VALUES (?, ?, ?, ?)');
  const ships = ['Aurora', 'Bounty', 'Cutty', 'Dover', 'Erna', 'Fram', 'Gjoa', 'Hecla', 'Iris', 'Juno'];
  for (const [i, name] of [...ships, ...ships.map((each) => `${each} Minor`)].entries())
    insert.run(name, ['sailing', 'docked', 'sold'][i % 3], ['Norway', 'Malta'][i % 2], 10 + ((i * 7) % 40));
  const shipsBefore = db.prepare('SELECT * FROM ship').all();
  const domain = { ...(await readDomain('fleet', file)), tried: file };
  const draw = (seed: string) =>
    synthesizeRecordDialogues(domain, oracle, { dialogues: 4, seed, referenceTime: DEFAULT_REFERENCE_TIME });
  const { questions } = await draw('1');
  expect(questions).toHaveLength(4);
  expect((await draw('1')).questions).toEqual(questions);
  expect((await draw('2')).questions).not.toEqual(questions);
  for (const { dialogue } of questions) {
    const turns = dialogue?.turns ?? [];
    expect(turns[2]?.takes_back).toBe(2);
    for (const { text, refs } of turns) for (const { words } of refs) expect(text).toContain(words);
    const states = (statementsHolding(turns) ?? []).map((statements) => {
      db.exec('BEGIN');
      for (const statement of statements) db.exec(statement);
      const rows = db.prepare('SELECT * FROM ship').all();
      db.exec('ROLLBACK');
      return rows;
    });
    expect(states[0]).toEqual(shipsBefore);
    // Each change is one of one record, and taken back it is as before.
    for (const [i, { edit, takes_back }] of turns.entries()) {
      if (edit === 'undo') expect(states[i]).toEqual(states[(takes_back ?? 0) - 2]);
      else if (edit === 'write' || edit === 'change_mind') expect(states[i]).not.toEqual(states[i - 1]);
    }
  }
  db.close();
});
