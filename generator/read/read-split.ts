import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { UserError } from '../../contracts/errors.ts';
import type { Domain, Split, SplitFormat } from '../../contracts/split.ts';
import { listTables, readCatalog } from './catalog.ts';
import { readDataLicence } from './data-licence.ts';
import { annotate } from './descriptions.ts';
import { requireOwnFile } from './files.ts';
import { type FoundLayout, findDatabases, findLayout } from './layouts.ts';
import { asUserError, openReadonly, readablePath, requireWhole } from './open-database.ts';
import { chooseQuestions, numberQuestions } from './questions.ts';
import { readViews } from './views.ts';

export interface ReadOptions {
  /** The layout; detected unless given. */
  readonly format?: SplitFormat;
  /** The split's name; the folder's name unless given. */
  readonly name?: string;
  /** The licence of the data; what the folder says about it unless given. */
  readonly dataLicence?: string;
  /** Whether links may point outside the split's folder; refused unless true. */
  readonly followLinks?: boolean;
  /** Only these databases are read, and their questions; the content hash is of these alone. */
  readonly only?: readonly string[];
  /** Called before each database is read, within one, and once at the end (`done` = `total`, `db` null). */
  readonly onProgress?: (progress: ReadProgress) => void;
  readonly signal?: AbortSignal;
  /** Milliseconds of processor time that one view may take; 60,000 unless given. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

export interface ReadProgress {
  readonly done: number;
  readonly total: number;
  readonly db: string | null;
  /** The table that is read, and about how many of its rows have been; before the first, neither. */
  readonly table?: string;
  readonly rows?: number;
}

/**
 * Reads a split from its folder, or from one of its questions files: questions, and a catalog of every database that
 * they mention. Nothing in the folder is changed. UserError names file, field and fix.
 */
export async function readSplit(path: string, options: ReadOptions = {}): Promise<Split> {
  const found = findLayout(path, options.format, options.followLinks);
  const { layout, place } = found;
  // A file named by the caller may be anywhere.
  const raw = layout.readQuestions(found.named ? { ...place, confines: null } : place);
  const all = numberQuestions(place.questionsFile, raw);
  const questions = [...chooseQuestions(all, options.only)];
  const databases = findDatabases(found, questions);

  const domains: Domain[] = [];
  const hashed: HashedFile[] = [{ label: 'questions', file: place.questionsFile }];
  for (const [db, file] of databases) {
    options.onProgress?.({ done: domains.length, total: databases.size, db });
    await setImmediate(); // gives the progress bar and Ctrl-C a chance to run
    if (options.signal?.aborted) throw new UserError('INTERRUPTED', path, 'reading was stopped');
    const parts = databaseParts(db, file);
    for (const part of parts) requireOwnFile(part.file, place.confines);
    const domain = await readDomain(db, file, options.timeoutMs, (table, rows) => {
      options.onProgress?.({ done: domains.length, total: databases.size, db, table, rows });
    });
    const annotations = layout.annotations(place, db, file);
    domains.push({ ...domain, catalog: annotate(domain.catalog, annotations) });
    hashed.push(...parts, ...annotations.files.map((one) => describingFile(db, one)));
  }
  options.onProgress?.({ done: domains.length, total: databases.size, db: null });

  return {
    name: splitName(options.name ?? defaultName(found)),
    format: layout.format,
    data_licence: options.dataLicence ?? readDataLicence(place.folder, place.confines),
    content_hash: contentHash(hashed),
    questions,
    questions_file: place.questionsFile,
    unread_files: found.unread,
    domains,
  };
}

/** What is read, for people: `shops`, `shops sale`, `shops sale, 131,072 rows`. */
export function readLabel({ db, table, rows }: ReadProgress): string {
  const count = rows ? `, ${rows.toLocaleString('en')} rows` : '';
  return [db, table].filter((each) => each).join(' ') + count;
}

function defaultName({ place, byDefault }: FoundLayout): string {
  const folder = basename(place.folder);
  return byDefault ? folder : `${folder}-${basename(place.questionsFile, extname(place.questionsFile))}`;
}

/**
 * A database by itself: its file and a catalog without annotations. A view that is not read within `timeoutMs`
 * milliseconds of processor time is left out. UserError: DATABASE_CORRUPT, and those of reading.
 */
export async function readDomain(
  db: string,
  original: string,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  onRows?: (table: string, rows: number) => void,
): Promise<Domain> {
  return asUserError(original, async () => {
    const file = readablePath(original);
    requireWhole(file, original);
    const connection = openReadonly(file);
    try {
      const views = listTables(connection).filter(({ view }) => view);
      const read = await readViews(file, views, timeoutMs);
      const catalog = readCatalog(db, connection, { views: read, onRows });
      const unread_views = views.flatMap(({ name }) => (read.has(name) ? [] : [name]));
      if (catalog.tables.length > 0) return { db, file, catalog, unread_views };
    } finally {
      connection.close();
    }
    throw new UserError('DATABASE_CORRUPT', original, 'holds no tables; get the file again');
  });
}

/** A file that is hashed, under a name that does not depend on where the split is. */
export interface HashedFile {
  readonly label: string;
  readonly file: string;
}

/** sha256 over labels and bytes of files, in the order of their labels. */
export function contentHash(files: readonly HashedFile[]): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (const { label, file } of [...files].sort((a, b) => (a.label < b.label ? -1 : 1))) {
    // Each file has its own hash first, so that bytes cannot move from one file to the next unnoticed.
    hash.update(`${label}\n${fileHash(file, chunk)}\n`);
  }
  return hash.digest('hex');
}

/** The files of a database: itself and, from a crashed writer, the journal that completes it. */
export function databaseParts(db: string, file: string): HashedFile[] {
  return ['', '-journal', '-wal']
    .map((suffix) => ({ label: `database/${db}${suffix}`, file: file + suffix }))
    .filter((part) => existsSync(part.file));
}

/** A file that describes databases; `db` is null if it describes all of them. */
export function describingFile(db: string, file: string): HashedFile {
  return { label: `description/${db}/${basename(file)}`, file };
}

function fileHash(file: string, chunk: Buffer): string {
  const hash = createHash('sha256');
  const handle = openSync(file, 'r');
  try {
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      hash.update(chunk.subarray(0, read));
    }
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}

/** A split's name as used in URLs and sample ids: lower case, `[a-z0-9-]`, never empty. */
export function splitName(text: string): string {
  const name = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'split' : name;
}
