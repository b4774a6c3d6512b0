import { constants, copyFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { z } from 'zod';
import type { Catalog, Facet } from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { notFound } from '../../contracts/not-found.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { type ListedTable, listTables } from '../read/catalog.ts';
import { annotate, readTableDescriptions, withVocabularyFile } from '../read/descriptions.ts';
import { filesIn } from '../read/files.ts';
import { findLayout } from '../read/layouts.ts';
import { asUserError, openReadonly, privateFolder, readablePath } from '../read/open-database.ts';
import { type ReadOptions, readDomain, readSplit } from '../read/read-split.ts';
import type { FarmFile } from '../write/write-folder.ts';

const LARGE_BYTES = 256 * 1024 * 1024;

export interface SynthesisDomain extends Domain {
  /** The file itself, or the sample of a large one, which the catalog describes. */
  readonly tried: string;
  /** The questions that the split has about it. */
  readonly asked?: readonly Question[];
}

export interface FindOptions extends Pick<ReadOptions, 'only' | 'timeoutMs' | 'onProgress' | 'signal'> {
  /** Larger files are sampled; 256 MiB by default. */
  readonly largeBytes?: number;
}

const SUFFIXES = ['.sqlite', '.sqlite3', '.db'];

/** The databases in a SQLite file, a folder of them, or a split, whose questions are ignored. Throws UserErrors. */
export async function findDatabases(
  path: string,
  options: FindOptions = {},
): Promise<readonly SynthesisDomain[]> {
  const { only, onProgress, signal } = options;
  const place = resolve(path);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined)
    throw notFound('DATABASE_NOT_FOUND', path, 'give a SQLite file, or a folder of them');
  if (stat.isDirectory() && isSplit(place)) {
    const { domains, questions } = await readSplit(place, options);
    return domains.map((domain) => ({
      ...domain,
      tried: domain.file,
      asked: questions.filter(({ db_id, query_arguments }) => db_id === domain.db && !query_arguments),
    }));
  }
  const files = stat.isDirectory()
    ? filesIn(place).filter((file) => SUFFIXES.includes(extname(file)))
    : [place];
  const wanted = files.filter((file) => only?.includes(nameOf(file)) ?? true);
  if (wanted.length === 0) {
    throw new UserError(
      'DATABASE_NOT_FOUND',
      path,
      `holds no SQLite file (${SUFFIXES.join(', ')}); give the file itself if it has another ending`,
    );
  }
  const domains: SynthesisDomain[] = [];
  for (const file of wanted) {
    const progress = { done: domains.length, total: wanted.length, db: nameOf(file) };
    onProgress?.(progress);
    await setImmediate(); // gives the progress bar and Ctrl-C a chance to run
    if (signal?.aborted) throw new UserError('INTERRUPTED', path, 'reading was stopped');
    const domain = await readFile(file, options, (table, rows) => onProgress?.({ ...progress, table, rows }));
    const described = annotate(domain.catalog, readTableDescriptions(descriptionsOf(file), null));
    const words = join(dirname(file), 'vocabulary', `${nameOf(file)}.yaml`);
    const { catalog } = withVocabularyFile(described, words, null);
    domains.push({ ...domain, catalog });
  }
  onProgress?.({ done: wanted.length, total: wanted.length, db: null });
  return domains;
}

async function readFile(
  file: string,
  { largeBytes = LARGE_BYTES, timeoutMs }: FindOptions,
  onRows: (table: string, rows: number) => void,
): Promise<SynthesisDomain> {
  const db = nameOf(file);
  if (statSync(file).size <= largeBytes) {
    const domain = await readDomain(db, file, timeoutMs, onRows);
    return { ...domain, tried: domain.file };
  }
  return asUserError(file, async () => {
    const readable = readablePath(file);
    const tried = join(privateFolder(), 'sample.sqlite');
    sampleDatabase(readable, tried, onRows);
    return { ...(await readDomain(db, tried, timeoutMs, onRows)), file: readable, tried };
  });
}

export function descriptionsOf(file: string): string {
  return join(dirname(file), 'descriptions', `${nameOf(file)}.csv`);
}

function nameOf(file: string): string {
  return basename(file, extname(file));
}

function isSplit(folder: string): boolean {
  try {
    return existsSync(findLayout(folder).place.questionsFile);
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

const HEADER = 'table,column,name,description,value_description';

/** The text of `descriptions/<db>.csv`, with empty cells to fill in. */
export function describeTables(catalog: Catalog): string {
  const hasFacets = catalog.tables.some(({ columns }) => columns.some(({ facets }) => facets));
  const lines = catalog.tables
    .filter(({ view }) => !view)
    .flatMap((table) => [
      csvLine([table.name, '', table.friendly_name, table.description, '', ...(hasFacets ? [''] : [])]),
      ...table.columns.map((column) =>
        csvLine([
          table.name,
          column.name,
          column.friendly_name,
          column.description,
          column.value_description,
          ...(hasFacets ? [(column.facets ?? []).map(facetLine).join('\n')] : []),
        ]),
      ),
    ]);
  return `${[hasFacets ? `${HEADER},facets` : HEADER, ...lines].join('\n')}\n`;
}

function facetLine({ phrases, terms }: Facet): string {
  return phrases.join(' / ') + (terms.length > 0 ? ` = ${terms.join(', ')}` : '');
}

/** Whether a table or column has a friendly name or a description. */
export function isDescribed(catalog: Catalog): boolean {
  return catalog.tables.some((table) =>
    [table, ...table.columns].some((one) => one.friendly_name !== null || one.description !== null),
  );
}

function csvLine(cells: readonly (string | null)[]): string {
  return cells
    .map((cell) => (/[",\n\r]/.test(cell ?? '') ? `"${cell?.replaceAll('"', '""')}"` : (cell ?? '')))
    .join(',');
}

/** Larger tables are sampled in runs of neighbouring rows at even steps. */
const MOST_ROWS = 200_000;
const RUNS = 200;

/** Copies at most 200,000 rows of each table, reading no others. Leaves out views. Throws SqliteError. */
function sampleDatabase(file: string, to: string, onRows: (table: string, rows: number) => void): void {
  const original = openReadonly(file);
  const sample = new Database(to);
  try {
    // Sampled children lack parents, and the file is useless after a crash.
    for (const pragma of ['foreign_keys = OFF', 'ignore_check_constraints = ON', 'synchronous = OFF']) {
      sample.pragma(pragma);
    }
    const tables = listTables(original).filter(({ view, sql }) => !view && !/^CREATE\s+VIRTUAL/i.test(sql));
    sample.transaction(() => {
      for (const table of tables) {
        onRows(table.name, 0);
        sample.exec(table.sql);
        copyRows(original, sample, table);
      }
    })();
  } finally {
    original.close();
    sample.close();
  }
}

function copyRows(original: Database.Database, sample: Database.Database, table: ListedTable): void {
  const stored = storedColumns(original, table.name).map(quoteIdentifier);
  const into = `${quoteIdentifier(table.name)} (${stored.join(', ')})`;
  const insert = sample.prepare(`INSERT OR IGNORE INTO ${into} VALUES (${stored.map(() => '?').join(', ')})`);
  for (const rows of samples(original, table, stored.join(', '))) {
    for (const row of rows) insert.run(row as unknown[]);
  }
}

/** Without generated columns, which cannot be written. */
function storedColumns(connection: Database.Database, table: string): string[] {
  return connection
    .prepare<[string], { name: string; hidden: number }>('SELECT name, hidden FROM pragma_table_xinfo(?)')
    .all(table)
    .filter(({ hidden }) => hidden === 0)
    .map(({ name }) => name);
}

function* samples(
  connection: Database.Database,
  { name, has_rowid }: ListedTable,
  columns: string,
): Generator<Iterable<unknown>> {
  const from = `SELECT ${columns} FROM ${quoteIdentifier(name)}`;
  const read = (sql: string) => connection.prepare<unknown[], unknown[]>(sql).safeIntegers().raw();
  const ends = has_rowid ? rowIds(connection, name) : null;
  if (ends === null || ends.last - ends.first < BigInt(MOST_ROWS)) {
    yield read(`${from} LIMIT ${MOST_ROWS}`).iterate();
    return;
  }
  const step = (ends.last - ends.first) / BigInt(RUNS) + 1n;
  const run = read(`${from} WHERE rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ${MOST_ROWS / RUNS}`);
  for (let start = ends.first; start <= ends.last; start += step) yield run.iterate(start, start + step);
}

/** null where there are no rows, or where a column hides the row id. */
function rowIds(connection: Database.Database, table: string): { first: bigint; last: bigint } | null {
  if (storedColumns(connection, table).some((column) => column.toLowerCase() === 'rowid')) return null;
  const end = (extreme: string) =>
    connection
      .prepare(`SELECT ${extreme}(rowid) FROM ${quoteIdentifier(table)}`)
      .safeIntegers()
      .pluck()
      .get() as bigint | null;
  const [first, last] = [end('min'), end('max')];
  return first === null || last === null ? null : { first, last };
}

/** The database files of a split to be written, with descriptions, glossaries and rules. */
export function* databaseFiles(domains: readonly Domain[], scratch: string): Generator<FarmFile> {
  for (const { db, file, catalog } of domains) {
    const copy = join(scratch, `copy-${db}.sqlite`);
    // Shares blocks where the file system can.
    copyFileSync(file, copy, constants.COPYFILE_FICLONE);
    yield { path: `${db}.sqlite`, moveFrom: copy };
    if (isDescribed(catalog)) yield { path: `descriptions/${db}.csv`, content: describeTables(catalog) };
    const { glossary, policies } = catalog;
    if (glossary !== undefined) yield { path: `glossary/${db}.md`, content: glossary };
    if (policies) {
      const lines = policies.map((policy) => `${JSON.stringify(policy)}\n`);
      yield { path: `policies/${db}.jsonl`, content: lines.join('') };
    }
  }
}

/** Whether a folder holds a valid report, which marks it as ours. */
export function holdsReport(folder: string, name: string, report: z.ZodType): boolean {
  try {
    return report.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8'))).success;
  } catch {
    return false;
  }
}
