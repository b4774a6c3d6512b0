import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { hasPublished, publishedSplit, withPublished } from '../../tests/support/published-splits.ts';
import { temporaryFolder, writeDatabase, writeFiles } from '../../tests/support/split-fixture.ts';
import { type ReadProgress, readLabel, readSplit } from './read-split.ts';

const pets = `CREATE TABLE owner (id INTEGER PRIMARY KEY, "full name" TEXT);
  INSERT INTO owner VALUES (1, 'Ada'), (2, 'Bo');`;

function birdSplit(): string {
  const folder = temporaryFolder('Bird Dev');
  writeFiles(folder, {
    'dev.json': [
      { question_id: 7, db_id: 'pets', question: 'q', evidence: 'e', SQL: 'SELECT 1', difficulty: 'simple' },
    ],
    'dev_tied_append.json': [],
    'dev_databases/pets/database_description/Owner.csv': Buffer.from(
      '\ufeffOriginal Column Name ,column_name,column_description,data_format,value_description\r\n' +
        'id,,"the unique, id",integer,\r\nFULL_NAME,name, caf\xe9 ,text,"two\nlines"\r\n,,stray,,\r\n',
      'latin1',
    ),
    'dev_tables.json': [
      {
        db_id: 'pets',
        table_names_original: ['owner'],
        table_names: ['owners of pets'],
        column_names_original: [
          [-1, '*'],
          [0, 'id'],
          [0, 'full name'],
        ],
        column_names: [
          [-1, '*'],
          [0, 'owner id'],
          [0, 'ignored'],
        ],
      },
    ],
  });
  writeDatabase(folder, 'dev_databases/pets/pets.sqlite', pets);
  return folder;
}

function rookerySplit(
  records: readonly object[] = [{ db_id: 'pets', question: 'q', sql: 'SELECT 1' }],
): string {
  const folder = temporaryFolder('tiny');
  writeFiles(folder, {
    'questions.jsonl': records.map((record) => `${JSON.stringify(record)}\n`).join('\n'),
  });
  writeDatabase(folder, 'pets.sqlite', pets);
  return folder;
}

async function failure(path: string, format?: 'bird' | 'spider' | 'rookery'): Promise<string> {
  try {
    await readSplit(path, format === undefined ? {} : { format });
  } catch (error) {
    if (error instanceof UserError) return `${error.file}: ${error.code} ${error.message}`;
    throw error;
  }
  return 'no error';
}

describe('layouts', () => {
  test('BIRD: questions, names and descriptions, whatever their spelling and encoding', async () => {
    const split = await readSplit(birdSplit());
    expect(split).toMatchObject({ name: 'bird-dev', format: 'bird' });
    expect(split.questions).toEqual([
      { question_id: 7, db_id: 'pets', question: 'q', evidence: 'e', difficulty: 'simple', sql: 'SELECT 1' },
    ]);
    const [owner] = split.domains[0]!.catalog.tables;
    expect(owner!.friendly_name).toBe('owners of pets');
    expect(owner!.columns).toMatchObject([
      { name: 'id', friendly_name: 'owner id', description: 'the unique, id', value_description: null },
      { name: 'full name', friendly_name: 'name', description: 'café', value_description: 'two\nlines' },
    ]);
  });

  test('BIRD train: no question_id and no difficulty, so positions', async () => {
    const folder = temporaryFolder();
    const record = { db_id: 'pets', question: 'q', evidence: '', SQL: 'SELECT 1' };
    writeFiles(folder, { 'train.json': [record, record] });
    writeDatabase(folder, 'train_databases/pets/pets.sqlite', pets);
    const split = await readSplit(folder);
    expect(split.questions.map((q) => [q.question_id, q.difficulty])).toEqual([
      [0, null],
      [1, null],
    ]);
  });

  test('Spider: each questions file goes with its databases, and has a name of its own', async () => {
    const folder = temporaryFolder('spider');
    const record = { db_id: 'pets', question: 'q', query: 'SELECT 1', query_toks: ['SELECT'] };
    writeFiles(folder, { 'dev.json': [record], 'test.json': [record], 'tables.json': [] });
    writeDatabase(folder, 'database/pets/pets.sqlite', pets);
    writeDatabase(folder, 'test_database/pets/pets.sqlite', 'CREATE TABLE other (x)');
    const dev = await readSplit(folder);
    const testing = await readSplit(join(folder, 'test.json'));
    expect([dev.name, dev.domains[0]!.catalog.tables[0]!.name]).toEqual(['spider', 'owner']);
    expect([testing.name, testing.domains[0]!.catalog.tables[0]!.name]).toEqual(['spider-test', 'other']);
    expect((await readSplit(join(folder, 'dev.json'))).content_hash).toBe(dev.content_hash);
    expect([dev.unread_files, testing.unread_files]).toEqual([['test.json'], []]);
  });

  test('a question without SQL is one that cannot be run, and no reason to refuse the others', async () => {
    const folder = rookerySplit();
    const lines = ['SELECT 1', '', ' ;'].map((sql) => JSON.stringify({ db_id: 'pets', question: 'q', sql }));
    writeFileSync(join(folder, 'questions.jsonl'), lines.join('\n'));
    expect((await readSplit(folder)).questions.map(({ sql }) => sql)).toEqual(['SELECT 1', '', ' ;']);
  });

  test('rookery: descriptions of tables and columns', async () => {
    const folder = rookerySplit();
    writeFiles(folder, {
      'descriptions/pets.csv':
        'table,column,name,description,value_description\nowner,,people,Who owns,\nowner,id,key,,1 and up\n',
    });
    const { catalog } = (await readSplit(folder, { name: 'My Pets!' })).domains[0]!;
    expect(catalog.tables[0]).toMatchObject({
      friendly_name: 'people',
      description: 'Who owns',
      columns: [{ friendly_name: 'key', value_description: '1 and up' }, { friendly_name: null }],
    });
  });

  test.each([
    [
      'ownr,id,key',
      /descriptions\/pets\.csv: SPLIT_INVALID "ownr" is no table of the database; did you mean owner/,
    ],
    ['owner,idd,key', /SPLIT_INVALID "idd" is no column of owner; did you mean id/],
  ])('rookery: a description of what there is not is refused: %s', async (line, message) => {
    const folder = rookerySplit();
    writeFiles(folder, { 'descriptions/pets.csv': `table,column,name\n${line}\n` });
    expect(await failure(folder)).toMatch(message);
  });

  const record = { db_id: 'pets', question: 'q', SQL: 'SELECT 1' };
  const lines = `${JSON.stringify(record)}\n${JSON.stringify(record)}\n`;
  test.each([
    ['an array', 'dev.json', [record, record]],
    ['a record a line', 'dev.jsonl', lines],
    ['a record a line in a file called .json', 'dev.json', lines],
    [
      'SQL called as in Spider',
      'dev.json',
      [1, 2].map(() => ({ ...record, SQL: undefined, query: 'SELECT 1' })),
    ],
    ['UTF-16', 'dev.json', Buffer.from(`\ufeff${JSON.stringify([record, record])}`, 'utf16le')],
  ])('copies of BIRD have questions as %s', async (_what, name, content) => {
    const folder = temporaryFolder();
    writeFiles(folder, { [name]: content });
    writeDatabase(folder, 'dev_databases/pets/pets.sqlite', pets);
    const { questions } = await readSplit(folder);
    expect(questions.map(({ question_id, sql }) => [question_id, sql])).toEqual([
      [0, 'SELECT 1'],
      [1, 'SELECT 1'],
    ]);
  });

  test.each([
    'dev_databases/Pets/PETS.sqlite',
    'dev_databases/pets/pets.sqlite3',
    'dev_databases/pets/database.db',
    'dev_databases/dev_databases/pets/pets.sqlite',
  ])('copies of BIRD have a database at %s', async (place) => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'dev.json': [record] });
    const file = writeDatabase(folder, place, pets);
    expect((await readSplit(folder)).domains.map((domain) => [domain.db, domain.file])).toEqual([
      ['pets', file],
    ]);
  });

  test('only the databases that questions mention are read, sorted by name', async () => {
    const folder = rookerySplit([
      { db_id: 'pets', question: 'q', sql: 's' },
      { db_id: 'B', question: 'q', sql: 's' },
    ]);
    writeDatabase(folder, 'databases/B.db', pets);
    writeFiles(folder, { 'unused.sqlite': 'not a database' });
    const progress: ReadProgress[] = [];
    const split = await readSplit(folder, { onProgress: (one) => progress.push(one) });
    expect(split.domains.map((domain) => domain.db)).toEqual(['B', 'pets']);
    expect(progress.map(({ done, total }) => [done, total]).map(String)).toEqual([
      '0,2',
      '0,2',
      '1,2',
      '1,2',
      '2,2',
    ]);
    expect(progress.map(readLabel)).toEqual(['B', 'B owner', 'pets', 'pets owner', '']);
  });
});

test('questions without one answer are read, and those that are not right are refused by name', async () => {
  const folder = rookerySplit();
  expect((await readSplit(folder)).domains[0]).not.toHaveProperty('unanswerable');
  const first = {
    question_id: 900,
    db_id: 'pets',
    question: 'Who?',
    kind: 'not_in_data',
    missing: 'a',
    nearest: 'b',
  };
  const write = (...lines: object[]) =>
    writeFiles(folder, {
      'unanswerable/pets.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
  write(first);
  const read = await readSplit(folder);
  expect(read.domains[0]?.unanswerable).toEqual([{ ...first, evidence: '' }]);
  write({ ...first, missing: 'c' });
  expect((await readSplit(folder)).content_hash).not.toBe(read.content_hash);
  write(first, first);
  expect(await failure(folder)).toMatch(
    /unanswerable\/pets.jsonl: SPLIT_INVALID question 900 has the id of another/,
  );
  write({ ...first, db_id: 'shop' });
  expect(await failure(folder)).toMatch(/question 900 is about shop; put it into unanswerable\/shop.jsonl/);
  write({ ...first, nearest: undefined });
  expect(await failure(folder)).toMatch(/line 1: field "nearest" is missing/);
  write({ ...first, kind: 'riddle' });
  expect(await failure(folder)).toMatch(/line 1: field "kind"/);
});

test('a glossary is part of the catalog, and too long a one is refused', async () => {
  const folder = rookerySplit();
  const { content_hash, domains } = await readSplit(folder);
  expect(domains[0]?.catalog).not.toHaveProperty('glossary');
  writeFiles(folder, { 'glossary/pets.md': '# Glossary\n\n## Owner\n\nWho pays.\n' });
  const read = await readSplit(folder);
  expect(read.domains[0]?.catalog.glossary).toContain('Who pays.');
  expect(read.content_hash).not.toBe(content_hash);
  writeFiles(folder, { 'glossary/pets.md': 'x'.repeat(50_001) });
  expect(await failure(folder)).toMatch(/glossary\/pets.md: SPLIT_INVALID has 50001 characters; shorten it/);
});

test('documents are part of the catalog and of the content hash', async () => {
  const folder = rookerySplit();
  const { content_hash, domains } = await readSplit(folder);
  expect(domains[0]?.catalog).not.toHaveProperty('documents');
  writeFiles(folder, {
    'documents/pets/visits.md': 'On weekdays.',
    'documents/pets/fees.md': '# Fees\n',
    'documents/pets/x.txt': '',
  });
  const read = await readSplit(folder);
  expect(read.domains[0]?.catalog.documents).toEqual([
    { name: 'fees', text: '# Fees\n' },
    { name: 'visits', text: 'On weekdays.' },
  ]);
  expect(read.content_hash).not.toBe(content_hash);
});

describe('the rules of a domain', () => {
  const RULE = { id: 'no-ada', rule: 'Ada stays.', table: 'owner', on: ['delete'], forbid: 'before.id = 1' };

  test('are part of the catalog and of the content hash', async () => {
    const folder = rookerySplit();
    const { content_hash, domains } = await readSplit(folder);
    expect(domains[0]?.catalog).not.toHaveProperty('policies');
    const more = { ...RULE, id: 'few', forbid: undefined, at_most: 2 };
    writeFiles(folder, { 'policies/pets.jsonl': `${JSON.stringify(RULE)}\n\n${JSON.stringify(more)}\n` });
    const read = await readSplit(folder);
    const { forbid: _, ...few } = more;
    expect(read.domains[0]?.catalog.policies).toEqual([RULE, few]);
    expect(read.content_hash).not.toBe(content_hash);
  });

  test.each<[object | string, RegExp]>([
    ['{"id": ', /pets\.jsonl.*SPLIT_INVALID/],
    [{ ...RULE, id: 'No Ada' }, /pets\.jsonl:2: SPLIT_INVALID id must be words in kebab-case/],
    [RULE, /pets\.jsonl:2: SPLIT_INVALID id no-ada is taken; give it another/],
    [{ ...RULE, id: 'a', rule: ' ' }, /pets\.jsonl:2: SPLIT_INVALID rule/],
    [
      { ...RULE, id: 'a', on: ['insert'] },
      /pets\.jsonl:2: SPLIT_INVALID on\.0 must be one of create, update, delete/,
    ],
    [
      { ...RULE, id: 'a', table: 'owners' },
      /pets\.jsonl:2: SPLIT_INVALID table: the database has no table owners.*owner/,
    ],
    [
      { ...RULE, id: 'a', at_most: 3 },
      /pets\.jsonl:2: SPLIT_INVALID forbid must be there, or at_most instead/,
    ],
    [{ ...RULE, id: 'a', forbid: undefined }, /pets\.jsonl:2: SPLIT_INVALID forbid must be there/],
    [{ ...RULE, id: 'a', extra: 1 }, /pets\.jsonl:2: SPLIT_INVALID .*extra/],
    [
      { ...RULE, id: 'a', forbid: 'before.name = 1' },
      /pets\.jsonl:2: SPLIT_INVALID forbid: no such column: before\.name; write a condition on before\.<column>/,
    ],
    [{ ...RULE, id: 'a', forbid: '1); DELETE FROM owner; SELECT (1' }, /pets\.jsonl:2: SPLIT_INVALID forbid/],
  ])('are refused with line, field and fix: %j', async (rule, message) => {
    const folder = rookerySplit();
    const line = typeof rule === 'string' ? rule : JSON.stringify(rule);
    writeFiles(folder, { 'policies/pets.jsonl': `${JSON.stringify(RULE)}\n${line}` });
    expect(await failure(folder)).toMatch(message);
  });
});

describe('columns that a task leaves open', () => {
  const read = async (...open: string[]) => {
    const sql = "UPDATE owner SET name = 'x'";
    const folder = rookerySplit([{ db_id: 'pets', question: 'Rename Ada.', sql, open }]);
    return { failed: await failure(folder), folder };
  };

  test('are columns of its database that tell no records apart', async () => {
    const { folder } = await read('owner.full name');
    expect((await readSplit(folder)).questions[0]?.open).toEqual(['owner.full name']);
    expect((await read('owner.full name', 'owner.ful name')).failed).toMatch(
      /questions\.jsonl: SPLIT_INVALID question 0: open: the database has no column owner\.ful name; did you mean owner\.full name/,
    );
    expect((await read('owner.id')).failed).toMatch(/question 0: open: owner\.id identifies records/);
  });
});

describe('content hash', () => {
  test('does not depend on the place, and changes with questions, rows and descriptions', async () => {
    const folder = birdSplit();
    const { content_hash } = await readSplit(folder);
    const moved = join(temporaryFolder(), 'elsewhere');
    cpSync(folder, moved, { recursive: true });
    expect((await readSplit(moved)).content_hash).toBe(content_hash);

    const seen = new Set([content_hash]);
    const changed = async () => {
      const next = (await readSplit(folder)).content_hash;
      const isNew = !seen.has(next);
      seen.add(next);
      return isNew;
    };
    new Database(join(folder, 'dev_databases/pets/pets.sqlite')).exec('DELETE FROM owner').close();
    expect(await changed()).toBe(true);
    rmSync(join(folder, 'dev_databases/pets/database_description'), { recursive: true });
    expect(await changed()).toBe(true);
    writeFileSync(join(folder, 'dev.json'), `${readFileSync(join(folder, 'dev.json'))} `);
    expect(await changed()).toBe(true);
    writeFileSync(join(folder, 'README'), 'not part of the split');
    expect(await changed()).toBe(false);
  });
});

describe('databases that a writer left behind', () => {
  test('WAL mode: committed rows are seen and nothing is created in the folder', async () => {
    const folder = rookerySplit();
    const source = new Database(join(folder, 'pets.sqlite'));
    source.pragma('journal_mode = WAL');
    source.exec("INSERT INTO owner VALUES (3, 'Cy')");
    // A copy while the writer is alive is what a crash leaves: the row is only in the -wal.
    const crashed = temporaryFolder('crashed');
    cpSync(folder, crashed, { recursive: true });
    rmSync(join(crashed, 'pets.sqlite-shm'));
    source.close();

    for (const place of [crashed, folder]) {
      const before = readdirSync(place);
      const split = await readSplit(place);
      expect(split.domains[0]!.catalog.tables[0]!.rows).toBe(3);
      expect(readdirSync(place)).toEqual(before);
      // Later readers of the domain's file see the same rows.
      const again = new Database(split.domains[0]!.file, { readonly: true });
      expect(again.prepare('SELECT count(*) FROM owner').pluck().get()).toBe(3);
      again.close();
    }
  });

  test('a stale -wal beside a database that is not in WAL mode', async () => {
    const folder = rookerySplit();
    writeFiles(folder, { 'pets.sqlite-wal': 'left by something else' });
    expect((await readSplit(folder)).domains[0]!.catalog.tables[0]!.rows).toBe(2);
  });

  test('a hot journal is rolled back, in a copy', async () => {
    const folder = rookerySplit();
    const source = new Database(join(folder, 'pets.sqlite'));
    source.pragma('cache_size = 1');
    source.exec('CREATE TABLE filler (x)');
    source.exec('BEGIN; DELETE FROM owner');
    const fill = source.prepare('INSERT INTO filler VALUES (randomblob(5000))');
    for (let i = 0; i < 50; i++) fill.run(); // more than the cache holds: unfinished pages reach the file
    const crashed = temporaryFolder('crashed');
    cpSync(folder, crashed, { recursive: true });
    source.exec('ROLLBACK');
    source.close();
    expect(existsSync(join(crashed, 'pets.sqlite-journal'))).toBe(true);
    const split = await readSplit(crashed);
    expect(split.domains[0]!.catalog.tables.map((table) => table.rows)).toEqual([2, 0]);
    expect(existsSync(join(crashed, 'pets.sqlite-journal'))).toBe(true);
  });
});

describe('bad input says which file, which field, and what to do', () => {
  test('no such folder, and a folder without a split', async () => {
    const folder = temporaryFolder('nothing');
    expect(await failure(join(folder, 'gone'))).toMatch(/gone: SPLIT_NOT_FOUND does not exist/);
    expect(await failure(folder)).toMatch(
      /nothing: SPLIT_FORMAT_UNKNOWN looked for rookery: .*; bird: .*; spider: .*--format/,
    );
  });

  test('a domain that no question asks for', async () => {
    await expect(readSplit(rookerySplit(), { only: ['cats'] })).rejects.toThrow(
      /the split has no domain cats; it has pets/,
    );
  });

  test('a folder around the split is hinted at', async () => {
    const folder = birdSplit();
    expect(await failure(resolve(folder, '..'))).toContain(`did you mean ${folder}?`);
  });

  test('several questions files', async () => {
    const folder = birdSplit();
    cpSync(join(folder, 'dev.json'), join(folder, 'a.json'));
    cpSync(join(folder, 'dev.json'), join(folder, 'b.json'));
    rmSync(join(folder, 'dev.json'));
    expect(await failure(folder)).toMatch(
      /several questions files \(a.json, b.json, dev_tied_append.json\); give/,
    );
    expect((await readSplit(join(folder, 'b.json'))).name).toBe('bird-dev-b');
  });

  test('broken JSON, by line and column', async () => {
    const folder = birdSplit();
    writeFileSync(join(folder, 'dev.json'), '[\n {"db_id": "pets",}\n]');
    expect(await failure(folder)).toMatch(/dev.json: SPLIT_INVALID is not valid JSON at line 2, column 19: /);
    writeFileSync(join(folder, 'dev.json'), '[\n {');
    expect(await failure(folder)).toMatch(/line 2, column 3/);
    writeFileSync(join(folder, 'dev.json'), '{}');
    expect(await failure(folder)).toMatch(/not a JSON array/);
    writeFileSync(join(folder, 'dev.json'), Buffer.from([0x5b, 0xff]));
    expect(await failure(folder)).toMatch(/not UTF-8/);

    const jsonl = rookerySplit();
    writeFileSync(
      join(jsonl, 'questions.jsonl'),
      '\n{"db_id": "pets", "question": "q", "sql": "s"}\n{oops}\n',
    );
    expect(await failure(jsonl)).toMatch(
      /questions.jsonl: SPLIT_INVALID is not valid JSON at line 3, column 2/,
    );
  });

  test('missing and ill-typed fields, by record', async () => {
    const folder = birdSplit();
    writeFiles(folder, {
      'dev.json': [
        { db_id: 'pets', question: 'q', SQL: 's' },
        { db_id: 3, question: 'q' },
      ],
    });
    expect(await failure(folder)).toMatch(
      /record 1: field "db_id" must be a text, field "SQL" is missing; fields: question_id \(optional\), db_id/,
    );
    expect(await failure(rookerySplit([{ db_id: 'pets', question: 'q' }]))).toMatch(
      /line 1: field "sql" is missing/,
    );
  });

  test('no questions, ids used twice, names that are paths', async () => {
    expect(await failure(rookerySplit([]))).toMatch(/SPLIT_INVALID holds no questions/);
    const record = { db_id: 'pets', question: 'q', sql: 's' };
    const twice = [
      { ...record, question_id: 1 },
      { ...record, question_id: '1' },
    ];
    expect(await failure(rookerySplit(twice))).toMatch(
      /question_id is used more than once: 1 \(records 0 and 1\)/,
    );
    for (const db_id of ['../pets', 'a/b', 'a\\b', '..', '.hidden', 'a\0b', 'a\u2028b', 'a\u0085b']) {
      expect(await failure(rookerySplit([{ ...record, db_id }]))).toMatch(
        /record 0: db_id ".*" cannot be used/,
      );
    }
  });

  test('a database that is missing', async () => {
    const record = { question: 'q', sql: 's' };
    expect(
      await failure(
        rookerySplit([
          { ...record, db_id: 'gone' },
          { ...record, db_id: 'away' },
        ]),
      ),
    ).toMatch(
      /tiny[^/]*\/away.sqlite: DATABASE_NOT_FOUND is missing, and so is 1 more database; 2 questions ask for it/,
    );
  });

  test('databases that are none, have no tables, or are damaged', async () => {
    const folder = rookerySplit();
    const file = join(folder, 'pets.sqlite');
    writeFileSync(file, 'version https://git-lfs.github.com/spec/v1\n'.repeat(20));
    expect(await failure(folder)).toMatch(
      /pets.sqlite: DATABASE_CORRUPT is not the database but a pointer of Git LFS/,
    );
    writeFileSync(file, 'SQLite format 4');
    expect(await failure(folder)).toMatch(/pets.sqlite: DATABASE_CORRUPT file is not a database/);
    writeFileSync(file, '');
    expect(await failure(folder)).toMatch(/pets.sqlite: DATABASE_CORRUPT holds no tables/);

    rmSync(file);
    writeDatabase(folder, 'pets.sqlite', `${pets} CREATE TABLE big AS SELECT randomblob(90000) AS x`);
    const handle = readFileSync(file);
    handle.fill(0xaa, 4096, 3 * 4096);
    writeFileSync(file, handle);
    expect(await failure(folder)).toMatch(/pets.sqlite: DATABASE_CORRUPT .*malformed/);

    rmSync(file);
    writeDatabase(folder, 'pets.sqlite', `${pets} CREATE TABLE big AS SELECT randomblob(90000) AS x`);
    truncateSync(file, 4 * 4096);
    expect(await failure(folder)).toMatch(/pets.sqlite: DATABASE_CORRUPT is cut off: 16384 of \d+ bytes/);
  });

  test('stopping before the end', async () => {
    const signal = AbortSignal.abort();
    await expect(readSplit(rookerySplit(), { signal })).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('a split that somebody else made', () => {
  const elsewhere = () => writeDatabase(temporaryFolder('elsewhere'), 'private.sqlite', pets);

  test('links out of its folder are refused, those within it are followed', async () => {
    const folder = rookerySplit();
    const file = join(folder, 'pets.sqlite');
    renameSync(file, join(folder, 'real.sqlite'));
    symlinkSync('real.sqlite', file);
    expect(await failure(folder)).toBe('no error');

    const outside = elsewhere();
    rmSync(file);
    symlinkSync(outside, file);
    expect(await failure(folder)).toBe(
      `${file}: SPLIT_LINK_REFUSED is a link out of the split's folder, to ${outside}; put a copy there, or allow links out of it with --follow-links`,
    );
    expect((await readSplit(folder, { followLinks: true })).domains).toHaveLength(1);

    rmSync(file);
    symlinkSync(dirname(outside), join(folder, 'databases'));
    writeFiles(folder, { 'questions.jsonl': { db_id: 'private', question: 'q', sql: 'SELECT 1' } });
    expect(await failure(folder)).toMatch(/databases\/private.sqlite: SPLIT_LINK_REFUSED/);
  });

  test('so are links of journals, descriptions, schemas and questions, unless the questions file was named', async () => {
    const outside = elsewhere();
    const journal = rookerySplit();
    symlinkSync(outside, join(journal, 'pets.sqlite-journal'));
    expect(await failure(journal)).toMatch(/pets.sqlite-journal: SPLIT_LINK_REFUSED/);

    const described = birdSplit();
    symlinkSync(outside, join(described, 'dev_databases/pets/database_description/more.csv'));
    expect(await failure(described)).toMatch(/more.csv: SPLIT_LINK_REFUSED/);

    const schemas = birdSplit();
    rmSync(join(schemas, 'dev_tables.json'));
    symlinkSync(outside, join(schemas, 'dev_tables.json'));
    expect(await failure(schemas)).toMatch(/dev_tables.json: SPLIT_LINK_REFUSED/);

    const asked = rookerySplit();
    const questions = join(asked, 'questions.jsonl');
    const original = join(temporaryFolder('originals'), 'questions.jsonl');
    renameSync(questions, original);
    symlinkSync(original, questions);
    expect(await failure(asked)).toMatch(/questions.jsonl: SPLIT_LINK_REFUSED/);
    expect(await failure(questions)).toBe('no error');
  });

  test('a folder that is itself reached by a link is a folder like any other', async () => {
    const link = join(temporaryFolder('links'), 'tiny');
    symlinkSync(rookerySplit(), link);
    expect(await failure(link)).toBe('no error');
  });

  test.skipIf(process.platform === 'win32')('pipes are refused rather than waited for', async () => {
    const pipe = (path: string) => {
      rmSync(path, { force: true });
      execFileSync('mkfifo', [path]);
    };
    for (const name of ['questions.jsonl', 'pets.sqlite', 'pets.sqlite-wal', 'descriptions/pets.csv']) {
      const folder = rookerySplit();
      mkdirSync(join(folder, 'descriptions'));
      pipe(join(folder, name));
      expect(await failure(folder)).toBe(
        `${join(folder, name)}: SPLIT_INVALID is not a regular file; put a file there`,
      );
    }
    const folder = rookerySplit();
    pipe(join(folder, 'questions.jsonl'));
    expect(await failure(join(folder, 'questions.jsonl'))).toMatch(/SPLIT_INVALID is not a regular file/);
  });
});

describe('published splits', () => {
  test.skipIf(!hasPublished('bird-dev'))(withPublished('bird-dev', 'BIRD dev is read whole'), async () => {
    const split = await readSplit(publishedSplit('bird-dev'));
    expect([split.name, split.questions.length, split.domains.length]).toEqual(['bird-dev', 1033, 7]);
    for (const domain of split.domains) expect(catalog.parse(domain.catalog)).toEqual(domain.catalog);
    const columns = split.domains.flatMap((d) => d.catalog.tables.flatMap((table) => table.columns));
    // The publisher's own files leave 46 of 503 columns undescribed.
    expect(columns.filter((column) => column.description !== null).length).toBe(457);
  });

  test.skipIf(!hasPublished('spider-dev'))(
    withPublished('spider-dev', 'Spider dev is read whole'),
    async () => {
      const split = await readSplit(publishedSplit('spider-dev'));
      expect([split.name, split.questions.length, split.domains.length]).toEqual(['spider-dev', 972, 19]);
      for (const domain of split.domains) expect(catalog.parse(domain.catalog)).toEqual(domain.catalog);
    },
  );
});

test('only the databases asked for are opened', async () => {
  const folder = rookerySplit([
    { db_id: 'pets', question: 'q', sql: 'SELECT 1' },
    { db_id: 'gone', question: 'q', sql: 'SELECT 1' },
  ]);
  const split = await readSplit(folder, { only: ['pets'] });
  expect(split.domains.map(({ db }) => db)).toEqual(['pets']);
  expect(split.questions.map(({ db_id }) => db_id)).toEqual(['pets']);
});

test('a database file may be spelled in another case', async () => {
  const folder = rookerySplit([{ db_id: 'PETS', question: 'q', sql: 'SELECT 1' }]);
  expect((await readSplit(folder)).domains.map(({ db }) => db)).toEqual(['PETS']);
});
