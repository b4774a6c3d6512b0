import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Catalog,
  type CatalogTable,
  type DomainDocument,
  type Policy,
  policy,
} from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { UNKNOWN_LICENCE } from '../../contracts/openapi.ts';
import { keyOf } from '../../contracts/records.ts';
import {
  type Domain,
  type Question,
  type Split,
  type SplitFormat,
  type UnanswerableQuestion,
  unanswerableQuestion,
} from '../../contracts/split.ts';
import { faultIn, insteadOf } from '../../contracts/wording.ts';
import type { EndpointWords } from '../../contracts/words.ts';
import { ChildPool, TimeoutError } from '../../services/base/sqlite/child-pool.ts';
import { quoted } from '../../services/base/sqlite/driver.ts';
import { conditionSql } from '../../services/base/sqlite/private-copy.ts';
import { PATIENCE, STATEMENT_MEGABYTES } from '../oracle/oracle.ts';
import { type ListedTable, listTables, readCatalog, type TableStatistics } from './catalog.ts';
import { annotate, areAbout, withVocabularyFile } from './descriptions.ts';
import { type Confines, filesIn, parseJson, readLegacyText, readText, requireOwnFile } from './files.ts';
import { type FoundLayout, findDatabases, findLayout } from './layouts.ts';
import { asUserError, openReadonly, readablePath, requireWhole } from './open-database.ts';
import { chooseQuestions, numberQuestions, readJsonlQuestions } from './questions.ts';

export interface ReadOptions {
  /** Detected by default. */
  readonly format?: SplitFormat;
  /** The folder's name by default. */
  readonly name?: string;
  /** Read from the folder by default. */
  readonly dataLicence?: string;
  readonly followLinks?: boolean;
  /** Read only these databases; the content hash then covers only them. */
  readonly only?: readonly string[];
  /** Called before each database, within large ones, and at the end (`db` null). */
  readonly onProgress?: (progress: ReadProgress) => void;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of processor time for one view; 60,000 by default. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

export interface ReadProgress {
  readonly done: number;
  readonly total: number;
  readonly db: string | null;
  /** The table being read, and about how many of its rows have been. */
  readonly table?: string;
  readonly rows?: number;
}

/** Reads questions, and a catalog of each of their databases. UserError names file, field and fix. */
export async function readSplit(path: string, options: ReadOptions = {}): Promise<Split> {
  const found = findLayout(path, options.format, options.followLinks);
  const { layout, place } = found;
  // A file named by the caller may be anywhere.
  const raw = layout.readQuestions(found.named ? { ...place, confines: null } : place);
  const all = numberQuestions(place.questionsFile, raw);
  const questions = [...chooseQuestions(all, options.only)];
  const databases = findDatabases(found, questions);

  const domains: Domain[] = [];
  const endpointsOf = new Map<string, EndpointWords>();
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
    const words = join(place.folder, 'vocabulary', `${db}.yaml`);
    const annotated = annotate(domain.catalog, annotations);
    const { catalog, endpoints } = withVocabularyFile(annotated, words, place.confines);
    for (const [id, own] of endpoints) endpointsOf.set(`${db} ${id}`, own);
    const glossary = join(place.folder, 'glossary', `${db}.md`);
    const documents = markdownIn(join(place.folder, 'documents', db));
    const open = join(place.folder, 'unanswerable', `${db}.jsonl`);
    const unanswerable = existsSync(open) ? readUnanswerable(open, db, place.confines, all) : [];
    const rules = join(place.folder, 'policies', `${db}.jsonl`);
    const policies = readPolicies(rules, domain, place.confines);
    domains.push({
      ...domain,
      catalog: {
        ...catalog,
        ...(existsSync(glossary) ? { glossary: textAbout(glossary, place.confines) } : {}),
        ...policies,
        ...(documents.length > 0
          ? { documents: documents.map((file) => readDocument(file, place.confines)) }
          : {}),
      },
      ...(unanswerable.length > 0 ? { unanswerable } : {}),
    });
    requireOpenColumns(
      place.questionsFile,
      questions.filter(({ db_id }) => db_id === db),
      catalog,
    );
    const own = [words, glossary, open, rules].filter(existsSync);
    const describing = [...annotations.files, ...own, ...documents];
    hashed.push(...parts, ...describing.map((one) => describingFile(db, one)));
  }
  options.onProgress?.({ done: domains.length, total: databases.size, db: null });

  return {
    name: splitName(options.name ?? defaultName(found)),
    format: layout.format,
    data_licence: options.dataLicence ?? readDataLicence(place.folder, place.confines),
    content_hash: contentHash(hashed),
    questions: questions.map((question) => {
      const words = endpointsOf.get(`${question.db_id} ${question.question_id}`);
      return words && areAbout(words, question.sql) ? { ...question, endpoint_words: words } : question;
    }),
    questions_file: place.questionsFile,
    unread_files: found.unread,
    domains,
  };
}

/** Characters; agents get all of a glossary at once. */
const LONGEST_TEXT = 50_000;

function textAbout(file: string, confines: Confines): string {
  const text = readText(file, confines);
  if (text.length <= LONGEST_TEXT) return text;
  throw new UserError('SPLIT_INVALID', file, `has ${text.length} characters; shorten it to ${LONGEST_TEXT}`);
}

function markdownIn(folder: string): string[] {
  return existsSync(folder) ? filesIn(folder).filter((file) => file.endsWith('.md')) : [];
}

function readDocument(file: string, confines: Confines): DomainDocument {
  return { name: basename(file, '.md'), text: textAbout(file, confines) };
}

/** Throws SPLIT_INVALID, also for a question of another database and for an id that another question has. */
function readUnanswerable(
  file: string,
  db: string,
  confines: Confines,
  others: readonly Question[],
): UnanswerableQuestion[] {
  const known = new Set(others.map(({ question_id }) => String(question_id)));
  const read = readJsonlQuestions(file, confines, unanswerableQuestion);
  for (const { db_id, question_id } of read) {
    const fault =
      db_id !== db
        ? `is about ${db_id}; put it into unanswerable/${db_id}.jsonl`
        : 'has the id of another question; give it one of its own';
    if (db_id !== db || known.has(String(question_id)))
      throw new UserError('SPLIT_INVALID', file, `question ${question_id} ${fault}`);
    known.add(String(question_id));
  }
  return read;
}

/** The rules of a domain, each of which compiles on its database. Throws SPLIT_INVALID with the line. */
function readPolicies(
  file: string,
  { catalog, file: database }: Domain,
  confines: Confines,
): Pick<Catalog, 'policies'> {
  if (!existsSync(file)) return {};
  const policies: Policy[] = [];
  const connection = openReadonly(readablePath(database));
  try {
    for (const [at, line] of readText(file, confines).split(/\r?\n/).entries()) {
      if (line.trim() === '') continue;
      const wrong = (fault: string) => new UserError('SPLIT_INVALID', `${file}:${at + 1}`, fault);
      const read = policy.safeParse(parseJson(file, line, at + 1));
      if (!read.success) throw wrong(faultIn(read.error));
      const { id, table, on, forbid, columns = [] } = read.data;
      if (policies.some((each) => each.id === id)) throw wrong(`id ${id} is taken; give it another`);
      const known = catalog.tables.filter(({ view }) => !view).map(({ name }) => name);
      if (!known.includes(table))
        throw wrong(`table: the database has no table ${table}${insteadOf(table, known)}`);
      const has = catalog.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
      const missing = columns.find((column) => !has.includes(column));
      if (missing !== undefined)
        throw wrong(`columns: ${table} has no column ${missing}${insteadOf(missing, has)}`);
      if (forbid !== undefined) {
        const reads = on.includes('read');
        try {
          const source = `(SELECT * FROM ${quoted(table)} LIMIT 0)`;
          connection.prepare(conditionSql(forbid, source, reads ? '(SELECT 1)' : source));
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          const rows = reads ? 'before.<column>' : 'before.<column> and after.<column>';
          throw wrong(`forbid: ${reason}; write a condition on ${rows} of ${table}`);
        }
      }
      policies.push(read.data);
    }
  } finally {
    connection.close();
  }
  return { policies };
}

/** Throws SPLIT_INVALID for a question that leaves open what is no column, or part of a key. */
function requireOpenColumns(file: string, questions: readonly Question[], { tables }: Catalog): void {
  const places = (columnsOf: (table: CatalogTable) => readonly { readonly name: string }[]) =>
    tables.flatMap((table) => columnsOf(table).map((column) => `${table.name}.${column.name}`));
  const known = places((table) => (table.view ? [] : table.columns));
  const keys = places((table) => keyOf(table) ?? []);
  for (const { question_id, open = [] } of questions)
    for (const place of open) {
      const wrong = (fault: string) =>
        new UserError('SPLIT_INVALID', file, `question ${question_id}: open: ${fault}`);
      if (!known.includes(place))
        throw wrong(`the database has no column ${place}${insteadOf(place, known)}`);
      if (keys.includes(place)) throw wrong(`${place} identifies records, so it cannot be left open`);
    }
}

/** `shops`, `shops sale`, `shops sale, 131,072 rows`. */
export function readLabel({ db, table, rows }: ReadProgress): string {
  const count = rows ? `, ${rows.toLocaleString('en')} rows` : '';
  return [db, table].filter((each) => each).join(' ') + count;
}

function defaultName({ place, byDefault }: FoundLayout): string {
  const folder = basename(place.folder);
  return byDefault ? folder : `${folder}-${basename(place.questionsFile, extname(place.questionsFile))}`;
}

/** The file and a catalog without annotations; views that are too slow are left out. */
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
      const read = await readViews(file, views, timeoutMs, onRows);
      const catalog = readCatalog(db, connection, { views: read, onRows });
      const unread_views = views.flatMap(({ name }) => (read.has(name) ? [] : [name]));
      if (catalog.tables.length > 0) return { db, file, catalog, unread_views };
    } finally {
      connection.close();
    }
    throw new UserError('DATABASE_CORRUPT', original, 'holds no tables; get the file again');
  });
}

interface HashedFile {
  readonly label: string;
  readonly file: string;
}

/** sha256 over labels and contents, in the order of labels. */
function contentHash(files: readonly HashedFile[]): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (const { label, file } of [...files].sort((a, b) => (a.label < b.label ? -1 : 1))) {
    // Files are hashed one by one, so that bytes cannot move unnoticed from one to the next.
    hash.update(`${label}\n${fileHash(file, chunk)}\n`);
  }
  return hash.digest('hex');
}

/** The database, and a crashed writer's journal that completes it. */
function databaseParts(db: string, file: string): HashedFile[] {
  return ['', '-journal', '-wal']
    .map((suffix) => ({ label: `database/${db}${suffix}`, file: file + suffix }))
    .filter((part) => existsSync(part.file));
}

function describingFile(db: string, file: string): HashedFile {
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

/** The name of a split in URLs and sample ids: `[a-z0-9-]`, never empty. */
function splitName(text: string): string {
  const name = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'split' : name;
}

const fetched = z.object({ license: z.string().min(1) });

/** The licence in `fetch.json`, or in the README's front matter, `Licence:` line or section; else `unknown`. */
export function readDataLicence(folder: string, confines: Confines): string {
  const record = join(folder, 'fetch.json');
  if (existsSync(record)) {
    const parsed = fetched.safeParse(parseJson(record, readLegacyText(record, confines)));
    if (parsed.success) return parsed.data.license;
  }
  const readme = filesIn(folder).find((file) => /^readme(\.(md|txt))?$/i.test(basename(file)));
  return (readme && licenceIn(readLegacyText(readme, confines))) ?? UNKNOWN_LICENCE;
}

/** undefined when the text names no licence. */
export function licenceIn(readme: string): string | undefined {
  const line = /^(?:[-*] +)?[*_]{0,2}(?:data +)?licen[cs]e[*_]{0,2}:[*_]{0,2} +(\S.*?)$/im.exec(readme)?.[1];
  if (line !== undefined) return plain(line);
  const section = /^#{1,6} +(?:data +)?licen[cs]e\b[^\n]*\n([^#]*)/im.exec(readme)?.[1] ?? '';
  return NAMED.exec(section)?.[0];
}

/** Licences that are common for data. */
const NAMED =
  /\bCC[ -]?(?:0|BY(?:-(?:NC|SA|ND))*)[ -]\d\.\d\b|\b(?:MIT|Apache-2\.0|ODbL-1\.0|ODC-By-1\.0|PDDL-1\.0|CDLA-[A-Za-z]+-\d\.\d)\b/i;

function plain(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/["'`*]/g, '')
    .replace(/\.$/, '')
    .trim()
    .slice(0, 80);
}

export interface ViewRequest {
  readonly file: string;
  readonly view: ListedTable;
}

/** Statistics by view, without views that fail or exceed the limit. Runs in a child process, which can be stopped. */
export async function readViews(
  file: string,
  views: readonly ListedTable[],
  limitMs: number,
  onRows?: (view: string, rows: number) => void,
): Promise<ReadonlyMap<string, TableStatistics>> {
  const read = new Map<string, TableStatistics>();
  if (views.length === 0) return read;
  const module = new URL('./views-child.ts', import.meta.url);
  const pool = new ChildPool<ViewRequest, TableStatistics | null>({
    module,
    size: 1,
    memoryMegabytes: STATEMENT_MEGABYTES,
    patience: PATIENCE,
  });
  try {
    for (const view of views) {
      onRows?.(view.name, 0);
      const statistics = await pool.run({ file, view }, limitMs).catch((error) => {
        if (error instanceof TimeoutError) return null;
        throw error;
      });
      if (statistics) read.set(view.name, statistics);
    }
    return read;
  } finally {
    await pool.close();
  }
}
