import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { notFound } from '../../contracts/not-found.ts';
import type { Domain } from '../../contracts/split.ts';
import { annotate } from '../read/catalog/annotate.ts';
import { readTableDescriptions } from '../read/catalog/table-descriptions.ts';
import { filesIn } from '../read/files/folder.ts';
import { findLayout } from '../read/layouts/find-layout.ts';
import { asUserError, privateFolder, readablePath } from '../read/open-database.ts';
import { readDomain, readSplit } from '../read/read-split.ts';
import { sampleDatabase } from './sample-database.ts';

/** A larger file is not read whole: a sample stands in for it. */
const LARGE_BYTES = 256 * 1024 * 1024;

/** A database that questions are wanted for. */
export interface AskedDomain extends Domain {
  /** What is read and tried: the file itself, or a sample of a large one, which the catalog is of. */
  readonly tried: string;
}

const SUFFIXES = ['.sqlite', '.sqlite3', '.db'];

/**
 * The databases at a place: a SQLite file, a folder of them, or a split in any layout, whose questions are left alone.
 * What `descriptions/<db>.csv` beside a file says of it is read. UserErrors: DATABASE_NOT_FOUND, and those of
 * reading.
 */
export async function findDatabases(
  path: string,
  only?: readonly string[],
  largeBytes = LARGE_BYTES,
): Promise<readonly AskedDomain[]> {
  const place = resolve(path);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined)
    throw notFound('DATABASE_NOT_FOUND', path, 'give a SQLite file, or a folder of them');
  if (stat.isDirectory() && isSplit(place)) {
    const { domains } = await readSplit(place, only ? { only } : {});
    return domains.map((domain) => ({ ...domain, tried: domain.file }));
  }
  const files = stat.isDirectory()
    ? filesIn(place).filter((file) => SUFFIXES.includes(extname(file)))
    : [place];
  const wanted = files.filter((file) => only?.includes(nameOf(file)) ?? true);
  if (wanted.length === 0) {
    throw new UserError(
      'DATABASE_NOT_FOUND',
      path,
      `holds no SQLite file (${SUFFIXES.join(', ')}); give the file itself if it is called otherwise`,
    );
  }
  const domains: AskedDomain[] = [];
  for (const file of wanted) {
    const domain = await readFile(file, largeBytes);
    const catalog = annotate(domain.catalog, readTableDescriptions(descriptionsOf(file), null));
    domains.push({ ...domain, catalog });
  }
  return domains;
}

async function readFile(file: string, largeBytes: number): Promise<AskedDomain> {
  const db = nameOf(file);
  if (statSync(file).size <= largeBytes) {
    const domain = await readDomain(db, file);
    return { ...domain, tried: domain.file };
  }
  return asUserError(file, async () => {
    const readable = readablePath(file);
    const tried = join(privateFolder(), 'sample.sqlite');
    sampleDatabase(readable, tried);
    return { ...(await readDomain(db, tried)), file: readable, tried };
  });
}

/** Where the descriptions of a database file are looked for. */
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
