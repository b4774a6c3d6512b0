import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { extname, join } from 'node:path';
import Database from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { dialogue } from '../contracts/dialogue.ts';
import { quoteIdentifier } from '../sql/index.ts';
import { type DomainName, USE_CASES } from './domains.ts';
import { sourcesFolder } from './sources.ts';

/** The README of a built split. */
const README = '# The bundled split of rookery\n\nLicence: CC0-1.0\n';

/** Question files of a domain: by hand, the hard ones by hand, drawn by `rookery synthesize`, drawn for the query tool. */
export const HAND_WRITTEN = 'questions.jsonl';
export const HARD = 'hard.jsonl';
export const SYNTHESIZED = 'synthesized.jsonl';
export const COMBINED = 'combinations.jsonl';
/** Tasks that change records, written by hand, and those that `rookery synthesize --writes` drew. */
export const WRITES = 'writes.jsonl';
export const DRAWN_WRITES = 'written.jsonl';
/** Dialogues that `rookery synthesize --dialogues` drew, in one domain or two, and those that change records, by hand: a split of their own. */
export const DIALOGUES = 'dialogues.jsonl';
export const HOPS = 'hops.jsonl';
export const RECORD_DIALOGUES = 'record-dialogues.jsonl';

const QUESTION_FILES = {
  all: [HAND_WRITTEN, HARD, WRITES, SYNTHESIZED, COMBINED, DRAWN_WRITES],
  'hand-written': [HAND_WRITTEN, HARD],
  dialogues: [DIALOGUES, HOPS, RECORD_DIALOGUES],
} as const;
export type QuestionKind = keyof typeof QUESTION_FILES;

/** The file in a built split with the hash of its sources. */
export const stampFile = '.stamp';

/** Writes a split of some domains into an existing folder, its stamp last. */
export function writeSplit(
  sources: string,
  to: string,
  {
    domains,
    questions: kind,
    hash,
  }: { readonly domains: readonly DomainName[]; readonly questions: QuestionKind; readonly hash: string },
): void {
  writeDomains(sources, to, domains);
  const questions = domains.flatMap((domain) =>
    QUESTION_FILES[kind]
      .map((file) => join(sources, domain, file))
      .filter(existsSync)
      .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n')),
  );
  const whole = kind === 'dialogues' ? questions.filter((line) => staysWithin(line, domains)) : questions;
  writeFileSync(join(to, 'questions.jsonl'), whole.map((line) => `${line}\n`).join(''));
  writeFileSync(join(to, 'README.md'), README);
  writeFileSync(join(to, stampFile), `${hash}\n`);
}

/** Whether all turns of a dialogue are asked in some of these domains. */
function staysWithin(line: string, domains: readonly string[]): boolean {
  const { turns } = dialogue.parse(JSON.parse(line).dialogue);
  return turns.every(({ db_id }) => db_id === undefined || domains.includes(db_id));
}

/** Writes the split of the five use cases into an existing, empty folder: databases, descriptions, questions. */
export function writeUseCases(to: string): void {
  const useCases = join(sourcesFolder(), 'use_cases');
  writeDomains(useCases, to, USE_CASES);
  copyFileSync(join(useCases, 'README.md'), join(to, 'README.md'));
  copyFileSync(join(useCases, HAND_WRITTEN), join(to, 'questions.jsonl'));
}

/** A hash of some domains' data files, without prose. With `code`, also of the build programs in `folder`. */
export function hashSources(folder: string, domains: readonly string[], { code = false } = {}): string {
  const list = (below: string, kinds: RegExp) =>
    readdirSync(join(folder, below))
      .filter((file) => kinds.test(file) && !file.endsWith('.test.ts'))
      .sort()
      .map((file) => join(below, file));
  const files = [
    ...(code ? list('.', /\.ts$/) : []),
    ...domains.flatMap((domain) => list(domain, /\.(sql|csv|jsonl|yaml)$|^glossary\.md$/)),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

function writeDomains(sources: string, to: string, domains: readonly string[]): void {
  mkdirSync(join(to, 'descriptions'));
  mkdirSync(join(to, 'vocabulary'));
  mkdirSync(join(to, 'glossary'));
  mkdirSync(join(to, 'unanswerable'));
  mkdirSync(join(to, 'policies'));
  for (const domain of domains) {
    writeDatabase(join(to, `${domain}.sqlite`), join(sources, domain));
    copyFileSync(join(sources, domain, 'descriptions.csv'), join(to, 'descriptions', `${domain}.csv`));
    for (const [file, kind] of [
      ['vocabulary.yaml', 'vocabulary'],
      ['glossary.md', 'glossary'],
      ['unanswerable.jsonl', 'unanswerable'],
      ['policies.jsonl', 'policies'],
    ] as const) {
      const source = join(sources, domain, file);
      if (existsSync(source)) copyFileSync(source, join(to, kind, `${domain}${extname(file)}`));
    }
  }
}

/** Writes a SQLite file from `schema.sql` and one `<table>.csv` per table, on which alone its bytes depend. */
export function writeDatabase(file: string, folder: string): void {
  const db = new Database(':memory:');
  try {
    db.pragma('page_size = 4096');
    db.pragma('foreign_keys = OFF'); // rows may refer to later ones; all are checked below
    db.exec(readFileSync(join(folder, 'schema.sql'), 'utf8'));
    const tables = db
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .pluck()
      .all();
    db.transaction(() => {
      for (const table of tables) insertRows(db, table, join(folder, `${table}.csv`));
    })();
    const [dangling] = db.pragma('foreign_key_check') as unknown[];
    if (dangling !== undefined) {
      throw new Error(`${folder}: dangling reference ${JSON.stringify(dangling)}`);
    }
    db.prepare('VACUUM INTO ?').run(file);
  } finally {
    db.close();
  }
  clearLibraryVersion(file);
}

/**
 * Inserts the rows of a CSV file with a header. An empty cell is NULL, `''` the empty text (a cell in single
 * quotes is a SQL text literal), `x'0a1b'` a blob; other cells are text that SQLite converts by the column's
 * type, so that long integers keep all digits. Text is kept byte for byte, valid UTF-8 or not.
 */
function insertRows(db: Database.Database, table: string, file: string): void {
  const bytes = readFileSync(file);
  // As latin1 each character is one byte of the file.
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const [header = [], ...rows]: string[][] = parse(bytes.toString(encoding));
  const names = header.map((name) => quoteIdentifier(Buffer.from(name, encoding).toString()));
  // better-sqlite3 binds a Buffer as a blob; only a CAST turns it into text.
  const holdsBlobs = header.map((_, column) => rows.some((row) => BLOB.test(row[column] ?? '')));
  const values = holdsBlobs.map((holds) => (holds ? '?' : 'CAST(? AS TEXT)'));
  const insert = db.prepare(
    `INSERT INTO ${quoteIdentifier(table)} (${names.join(', ')}) VALUES (${values.join(', ')})`,
  );
  for (const row of rows) {
    insert.run(
      row.map((cell, column) => {
        if (cell === '') return null;
        const hex = BLOB.exec(cell)?.[1];
        if (hex !== undefined) return Buffer.from(hex, 'hex');
        const text = QUOTED.test(cell) ? cell.slice(1, -1).replaceAll("''", "'") : cell;
        if (encoding === 'utf8') return text;
        const stored = Buffer.from(text, encoding);
        return holdsBlobs[column] ? stored.toString() : stored;
      }),
    );
  }
}

const BLOB = /^x'([0-9a-f]*)'$/;
const QUOTED = /^'.*'$/s;

/** SQLite writes its version to bytes 96–99 of the header; without it, two releases write the same file. */
function clearLibraryVersion(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    writeSync(handle, Buffer.from([0, 0x2d, 0xfc, 0x6c]), 0, 4, 96);
  } finally {
    closeSync(handle);
  }
}
