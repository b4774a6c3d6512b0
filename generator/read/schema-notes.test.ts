import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draftVocabulary } from '../english/draft-vocabulary.ts';
import { readCatalog } from './catalog.ts';
import { commentsOf, readComments, readDbtSchema, withNotes } from './schema-notes.ts';

const TABLE = `CREATE TABLE acct /* an account */ (
  id INTEGER PRIMARY KEY, -- account number
  -- day on which it was opened
  opn TEXT,
  "bal,c" INTEGER /* balance, in cents */ DEFAULT 0,
  kind TEXT CHECK (kind IN ('--a', 'b')), -- kind (a = private, b = business)
  ref INTEGER REFERENCES acct (id) -- the account that replaces it
)`;

test('a comment belongs to the column whose line it ends, or that follows it', () => {
  const { text, columns } = commentsOf(TABLE);
  expect(text).toBe('an account');
  expect([...columns].filter(([, note]) => note !== '')).toEqual([
    ['id', 'account number'],
    ['opn', 'day on which it was opened'],
    ['bal,c', 'balance, in cents'],
    ['kind', 'kind (a = private, b = business)'],
    ['ref', 'the account that replaces it'],
  ]);
});

describe('a draft of a vocabulary', () => {
  let folder: string;
  let file: string;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'rookery-notes-')));
    file = join(folder, 'bank.sqlite');
    const database = new Database(file);
    database.exec(`${TABLE}; INSERT INTO acct VALUES (1, '2024-01-02', 1250, 'b', NULL)`);
    database.close();
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  function draft(...notes: Parameters<typeof withNotes>[1][]) {
    const database = new Database(file, { readonly: true });
    const catalog = readCatalog('bank', database, { views: new Map() });
    database.close();
    return draftVocabulary(notes.reduce(withNotes, catalog), []).tables.acct?.columns;
  }

  test('has the words in comments', () => {
    expect(draft()?.['bal,c']?.noun).not.toBe('balance');
    expect(draft(readComments(file))).toMatchObject({
      'bal,c': { noun: 'balance', unit: 'cents' },
      kind: { noun: 'kind', codes: { a: 'private', b: 'business' } },
    });
  });

  test('has the descriptions of a dbt schema first', () => {
    writeFileSync(
      join(folder, 'schema.yml'),
      'version: 2\nmodels:\n  - name: acct\n    columns:\n      - name: opn\n        description: Opening date\n' +
        '      - name: bal,c\n        description: Amount on the account. Never negative.\n      - name: gone\n',
    );
    expect(draft(readDbtSchema([folder], folder), readComments(file))).toMatchObject({
      kind: { codes: { a: 'private', b: 'business' } },
      opn: { noun: 'opening date' },
      'bal,c': { noun: 'amount on the account' },
    });
  });

  test('refuses a dbt schema that is none, by its field', () => {
    writeFileSync(join(folder, 'schema.yml'), 'models:\n  - columns: []\n');
    expect(() => readDbtSchema([folder], folder)).toThrow(/models/);
  });
});
