import { realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { layouts } from '../read/layouts/layouts.ts';
import type { FarmFile } from '../write/farm-file.ts';
import { outputStep } from '../write/output-error.ts';
import { prepareTarget } from '../write/prepare-target.ts';
import { printJson } from '../write/print-json.ts';
import { writeFolder } from '../write/write-folder.ts';
import { checkSplit } from './check-split.ts';
import { type Downloaded, download } from './download/download.ts';
import { FETCH_RECORD, type FetchRecord, readFetchRecord } from './fetch-record.ts';
import { findSource } from './find-source.ts';
import type { OnProgress } from './progress/fetch-progress.ts';
import { type PublishedName, publishedSplits } from './published-splits.ts';
import type { Limits } from './unpack/budget.ts';
import { type Material, unpackMaterial } from './unpack-material.ts';
import { walkFiles } from './walk-files.ts';

export interface FetchOptions {
  readonly what: PublishedName;
  /** An address, a zip, or a folder; the publisher's address unless given. */
  readonly from?: string;
  /** The folder to make; it must be new, empty, or fetched earlier. */
  readonly to: string;
  /** Fetch again although the same address was fetched there before. */
  readonly again?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  /** Milliseconds before a broken download is tried again, doubled each time. */
  readonly retryDelay?: number;
  /** The limits of unpacking. */
  readonly limits?: Limits;
}

export interface Fetched {
  readonly record: FetchRecord;
  /** True when it had been fetched before and nothing was done. */
  readonly already: boolean;
}

/**
 * Fetches a published split into a folder: by download, or from a zip or folder on disk. The folder appears complete or
 * not at all; an interrupted download resumes the next time. UserErrors.
 */
export async function fetchSplit(options: FetchOptions): Promise<Fetched> {
  const { what, to } = options;
  const source = findSource(options.from ?? publishedSplits[what].url);
  const target = await outputStep(to, () => prepareTarget(to, isFetched, WHAT));
  if (source.kind === 'url') return fetchFromUrl(source.url, target, options);

  refuseOverlap(source.path, target);
  const kind = source.kind === 'file' ? 'archive' : 'folder';
  const material = { kind, path: source.path, source: basename(source.path) } as const;
  return { record: await build(material, null, options), already: false };
}

async function fetchFromUrl(url: string, target: string, options: FetchOptions): Promise<Fetched> {
  const earlier = readFetchRecord(target);
  if (!options.again && earlier?.split === options.what && earlier.source === url) {
    return { record: earlier, already: true };
  }
  const folder = join(dirname(target), `.${basename(target)}.download`);
  const { signal, onProgress, retryDelay } = options;
  const arrived = await outputStep(options.to, () =>
    download({ url, folder, signal, onProgress, retryDelay }),
  );
  try {
    const record = await build({ kind: 'archive', path: arrived.file, source: url }, arrived, options);
    rmSync(folder, { recursive: true, force: true });
    return { record, already: false };
  } catch (error) {
    // An invalid download is removed; one that was interrupted, or did not fit on the disk, is kept to resume.
    const isNoGood = error instanceof UserError && NO_GOOD.includes(error.code);
    if (isNoGood) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Writes the folder, and the record of what is in it as its last file. */
async function build(
  material: Material,
  arrived: Downloaded | null,
  options: FetchOptions,
): Promise<FetchRecord> {
  const { what, to, signal } = options;
  const published = publishedSplits[what];
  const records: FetchRecord[] = [];
  const produce = async function* (scratch: string): AsyncGenerator<FarmFile> {
    const layout = layouts[published.format];
    const { folder, digest } = await unpackMaterial(material, scratch, { ...options, layout });
    checkSplit(material.source, folder, published.format);
    const files = walkFiles(folder).filter((file) => file.path !== FETCH_RECORD);
    for (const { path } of files) yield { path, moveFrom: join(folder, path) };
    const record: FetchRecord = {
      split: what,
      source: material.source,
      archive: digest && {
        ...digest,
        etag: arrived?.etag ?? null,
        last_modified: arrived?.last_modified ?? null,
      },
      files: files.length,
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      license: published.license,
      license_url: published.license_url,
      citation: published.citation,
    };
    records.push(record);
    yield { path: FETCH_RECORD, content: printJson(record) };
  };
  await writeFolder(to, produce, { isOurs: isFetched, what: WHAT, ...(signal ? { signal } : {}) });
  const [record] = records;
  if (record === undefined) throw new Error('the folder was written without its record');
  return record;
}

const WHAT = 'a fetched split';
const NO_GOOD: readonly string[] = [
  'ARCHIVE_INVALID',
  'SPLIT_INVALID',
  'SPLIT_FORMAT_UNKNOWN',
  'DATABASE_NOT_FOUND',
];

function isFetched(folder: string): boolean {
  return readFetchRecord(folder) !== null;
}

/** The source must not be the folder that is replaced. */
function refuseOverlap(from: string, target: string): void {
  const [a, b] = [`${realpathSync(from)}${sep}`, `${target}${sep}`];
  if (!a.startsWith(b) && !b.startsWith(a)) return;
  throw new UserError(
    'OPTION_INVALID',
    from,
    `and ${target} lie in one another; give another folder to write to`,
  );
}
