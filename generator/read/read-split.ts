import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { UserError } from '../../contracts/errors.ts';
import type { Domain, Question, Split, SplitFormat } from '../../contracts/split.ts';
import { annotate } from './catalog/annotate.ts';
import { readCatalog } from './catalog/read-catalog.ts';
import { contentHash, databaseParts, describingFile, type HashedFile } from './content-hash.ts';
import { type FoundLayout, findLayout } from './layouts/find-layout.ts';
import { asUserError, openReadonly, readablePath } from './open-database.ts';
import { numberQuestions } from './questions/number-questions.ts';
import { splitName } from './split-name.ts';

export interface ReadOptions {
  /** Which layout it is; found by looking unless given. */
  readonly format?: SplitFormat;
  /** What to call the split; the folder's name unless given. */
  readonly name?: string;
  /** Called before each database is read, and once at the end (`done` = `total`, `db` null). */
  readonly onProgress?: (progress: ReadProgress) => void;
  readonly signal?: AbortSignal;
}

export interface ReadProgress {
  readonly done: number;
  readonly total: number;
  readonly db: string | null;
}

/**
 * Reads a split whole from its folder, or from one of its questions files: questions, and a catalog of every
 * database that they mention. Nothing in the folder is changed. UserError names file, field and fix.
 */
export async function readSplit(path: string, options: ReadOptions = {}): Promise<Split> {
  const found = findLayout(path, options.format);
  const { layout, place } = found;
  const questions = numberQuestions(place.questionsFile, layout.readQuestions(place.questionsFile));
  const databases = findDatabases(found, questions);

  const domains: Domain[] = [];
  const hashed: HashedFile[] = [{ label: 'questions', file: place.questionsFile }];
  for (const [db, file] of databases) {
    options.onProgress?.({ done: domains.length, total: databases.size, db });
    await setImmediate(); // lets a progress bar be drawn and Ctrl-C be heard
    if (options.signal?.aborted) throw new UserError('INTERRUPTED', path, 'reading was stopped');
    const domain = readDatabase(db, file);
    const annotations = layout.annotations(place, db, file);
    domains.push({ ...domain, catalog: annotate(domain.catalog, annotations) });
    hashed.push(...databaseParts(db, file), ...annotations.files.map((one) => describingFile(db, one)));
  }
  options.onProgress?.({ done: domains.length, total: databases.size, db: null });

  return {
    name: splitName(options.name ?? defaultName(found)),
    format: layout.format,
    content_hash: contentHash(hashed),
    questions,
    domains,
  };
}

function defaultName({ place, byDefault }: FoundLayout): string {
  const folder = basename(place.folder);
  return byDefault ? folder : `${folder}-${basename(place.questionsFile, extname(place.questionsFile))}`;
}

/** The SQLite file of every database that is mentioned, by name. UserError lists those that are missing. */
function findDatabases({ layout, place }: FoundLayout, questions: readonly Question[]): Map<string, string> {
  const names = [...new Set(questions.map((question) => question.db_id))].sort();
  const found = new Map<string, string>();
  const missing: string[] = [];
  for (const db of names) {
    const candidates = layout.databaseFiles(place, db);
    const file = candidates.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
    if (file !== undefined) found.set(db, file);
    else missing.push(candidates[0] ?? db);
  }
  const [first, ...others] = missing;
  if (first !== undefined) {
    const mentioned = questions.filter((question) => !found.has(question.db_id)).length;
    const more = others.length > 0 ? `, and so are ${others.length} more databases` : '';
    const fix = `${mentioned} questions ask for it; put the file there, or leave the questions out`;
    throw new UserError('DATABASE_NOT_FOUND', first, `is missing${more}; ${fix}`);
  }
  return found;
}

function readDatabase(db: string, original: string): Domain {
  return asUserError(original, () => {
    const file = readablePath(original);
    const connection = openReadonly(file);
    try {
      const catalog = readCatalog(db, connection);
      if (catalog.tables.length > 0) return { db, file, catalog };
    } finally {
      connection.close();
    }
    throw new UserError('DATABASE_CORRUPT', original, 'holds no tables; get the file again');
  });
}
