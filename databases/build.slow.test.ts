import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBundledSplit } from './build.ts';
import { DOMAIN_NAMES, SMALL_DOMAINS } from './domains.ts';
import { writeDatabase } from './write-split.ts';

const temporary = mkdtempSync(join(tmpdir(), 'rookery-bundled-test-'));
let split = '';

beforeAll(async () => {
  split = await buildBundledSplit({ to: join(temporary, 'split') });
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe('the build', () => {
  it('gives the same bytes every time', async () => {
    const again = await buildBundledSplit({ to: join(temporary, 'again') });
    const files = readdirSync(split, { recursive: true, encoding: 'utf8' }).sort();
    expect(readdirSync(again, { recursive: true, encoding: 'utf8' }).sort()).toEqual(files);
    for (const file of files.filter((name) => statSync(join(split, name)).isFile())) {
      expect(readFileSync(join(again, file)).equals(readFileSync(join(split, file))), file).toBe(true);
    }
  });

  it('leaves an up-to-date split alone', async () => {
    const before = statSync(join(split, 'vet_clinics.sqlite'));
    await buildBundledSplit({ to: split });
    expect(statSync(join(split, 'vet_clinics.sqlite'))).toEqual(before);
  });

  it('replaces a split built from other sources, and leaves nothing behind', async () => {
    const to = join(temporary, 'outdated', 'split');
    await buildBundledSplit({ to, only: SMALL_DOMAINS });
    writeFileSync(join(to, '.stamp'), 'of another version\n');
    writeFileSync(join(to, 'questions.jsonl'), '');
    await buildBundledSplit({ to, only: SMALL_DOMAINS });
    expect(readFileSync(join(to, 'questions.jsonl'), 'utf8').length).toBeGreaterThan(0);
    expect(readdirSync(join(temporary, 'outdated'))).toEqual(['split']);
  });

  it('can run many times concurrently', async () => {
    const to = join(temporary, 'crowded', 'split');
    const built = await Promise.all(
      Array.from({ length: 5 }, () => buildBundledSplit({ to, only: SMALL_DOMAINS })),
    );
    expect(new Set(built)).toEqual(new Set([to]));
    expect(readdirSync(join(temporary, 'crowded'))).toEqual(['split']);
  });

  it('never overwrites an unrelated folder', async () => {
    const to = mkdtempSync(join(temporary, 'mine-'));
    writeFileSync(join(to, 'thesis.txt'), 'all my work');
    await expect(buildBundledSplit({ to, only: SMALL_DOMAINS })).rejects.toThrow('not a bundled split');
    expect(existsSync(join(to, 'thesis.txt'))).toBe(true);
  });
});

describe('a CSV file of rows', () => {
  it('keeps NULL, empty text, long integers, quotes, bytes that are no UTF-8, and blobs', () => {
    const folder = mkdtempSync(join(temporary, 'rows-'));
    writeFileSync(
      join(folder, 'schema.sql'),
      'CREATE TABLE thing (id INTEGER PRIMARY KEY, code TEXT, weight REAL, data BLOB);',
    );
    writeFileSync(
      join(folder, 'thing.csv'),
      Buffer.concat([
        Buffer.from("id,code,weight,data\n9007199254740993,007,5,x'00ff'\n2,'',,\n"),
        Buffer.from("3,\"say \"\"so\"\",\nplease\",1e-7,text\n4,'''so''',0.1,'x''00'''\n5,"),
        Buffer.from([0xff, 0xe9]),
        Buffer.from(',,\n'),
      ]),
    );
    writeDatabase(join(folder, 'made.sqlite'), folder);
    const db = new Database(join(folder, 'made.sqlite'), { readonly: true });
    const literals = db.prepare('SELECT id, quote(code), weight, quote(data) FROM thing WHERE id <> 5');
    const bytes = db.prepare('SELECT CAST(code AS BLOB) FROM thing WHERE id = 5').pluck().get();
    const rows = literals.raw().safeIntegers().all();
    db.close();
    expect(rows).toEqual([
      [2n, "''", null, 'NULL'],
      [3n, `'say "so",\nplease'`, 1e-7, "'text'"],
      [4n, "'''so'''", 0.1, "'x''00'''"],
      [9007199254740993n, "'007'", 5, "X'00FF'"],
    ]);
    expect(bytes).toEqual(Buffer.from([0xff, 0xe9]));
  });
});

describe('the databases', () => {
  it.each(DOMAIN_NAMES)('have a description for every table and column of %s, and no other', (domain) => {
    const db = new Database(join(split, `${domain}.sqlite`), { readonly: true });
    const columns = db
      .prepare(
        'SELECT t.name || ? || c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = ?',
      )
      .pluck()
      .all('.', 'table');
    const tables = db.prepare(`SELECT name || '.' FROM sqlite_schema WHERE type = 'table'`).pluck().all();
    db.close();
    const rows: Record<string, string>[] = parse(readFileSync(join(split, 'descriptions', `${domain}.csv`)), {
      columns: true,
    });
    const described = rows.map((row) => `${row.table}.${row.column}`);
    expect(described.sort()).toEqual([...tables, ...columns].sort());
  });

  it('hold text that is not valid UTF-8', () => {
    const db = new Database(join(split, 'vet_clinics.sqlite'), { readonly: true });
    const notes = db
      .prepare<[], Buffer>('SELECT CAST(notes AS BLOB) FROM owner WHERE notes IS NOT NULL')
      .pluck()
      .all();
    const kinds = db.prepare('SELECT DISTINCT typeof(notes) FROM owner ORDER BY 1').pluck().all();
    db.close();
    expect(notes.some((note) => !Buffer.from(note.toString('utf8')).equals(note))).toBe(true);
    expect(kinds).toEqual(['null', 'text']);
  });
});
