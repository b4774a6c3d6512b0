import { readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import type { SplitFormat } from '../../contracts/split.ts';
import { findDatabases, findLayout, layouts } from '../read/layouts.ts';
import { numberQuestions } from '../read/questions.ts';
import { outputStep, printJson } from '../write/write-file.ts';
import { prepareTarget, writeFolder } from '../write/write-folder.ts';
import { type Downloaded, download, type OnProgress } from './download.ts';
import { type Limits, type Material, unpackMaterial, walkFiles } from './unpack.ts';

export interface FetchOptions {
  readonly what: PublishedName;
  /** An address, a zip, or a folder; the publisher's address by default. */
  readonly from?: string;
  /** The folder to make; it must be new, empty, or fetched earlier. */
  readonly to: string;
  /** Fetch even if the same address was fetched there before. */
  readonly again?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  /** Milliseconds before the first retry; doubled each time. */
  readonly retryDelay?: number;
  readonly limits?: Limits;
}

export interface Fetched {
  readonly record: FetchRecord;
  /** Whether it had been fetched before, so that nothing was done. */
  readonly already: boolean;
}

/** Fetches a split by download, or from a zip or folder. The folder appears complete or not at all. */
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
    // Remove invalid downloads; keep interrupted ones to resume.
    const isInvalid = error instanceof UserError && INVALID.includes(error.code);
    if (isInvalid) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function build(
  material: Material,
  arrived: Downloaded | null,
  options: FetchOptions,
): Promise<FetchRecord> {
  const { what, to, signal } = options;
  const published = publishedSplits[what];
  const { record } = await writeFolder(to, { isOurs: isFetched, what: WHAT, signal }, async (scratch) => {
    const layout = layouts[published.format];
    const { folder, digest } = await unpackMaterial(material, scratch, { ...options, layout });
    checkSplit(material.source, folder, published.format);
    const files = walkFiles(folder).filter((file) => file.path !== FETCH_RECORD);
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
    const moved = files.map(({ path }) => ({ path, moveFrom: join(folder, path) }));
    return { record, files: [...moved, { path: FETCH_RECORD, content: printJson(record) }] };
  });
  return record;
}

const WHAT = 'a fetched split';
const INVALID: readonly string[] = [
  'ARCHIVE_INVALID',
  'SPLIT_INVALID',
  'SPLIT_FORMAT_UNKNOWN',
  'DATABASE_NOT_FOUND',
];

function isFetched(folder: string): boolean {
  return readFetchRecord(folder) !== null;
}

/** Throws if source and target are inside one another, since the target is replaced. */
function refuseOverlap(from: string, target: string): void {
  const [a, b] = [`${realpathSync(from)}${sep}`, `${target}${sep}`];
  if (!a.startsWith(b) && !b.startsWith(a)) return;
  throw new UserError(
    'OPTION_INVALID',
    from,
    `and ${target} are inside one another; give another folder to write to`,
  );
}

interface PublishedSplit {
  readonly title: string;
  /** The publisher's address of the archive. */
  readonly url: string;
  readonly homepage: string;
  readonly format: SplitFormat;
  readonly license: string;
  readonly license_url: string;
  readonly citation: string;
}

export type PublishedName = 'bird-dev' | 'bird-train' | 'spider';

const CC_BY_SA = {
  license: 'CC BY-SA 4.0',
  license_url: 'https://creativecommons.org/licenses/by-sa/4.0/',
} as const;

const BIRD = {
  homepage: 'https://bird-bench.github.io/',
  format: 'bird',
  ...CC_BY_SA,
  citation:
    'Li et al., "Can LLM Already Serve as A Database Interface? A BIg Bench for Large-Scale Database Grounded Text-to-SQLs", NeurIPS 2023',
} as const;

/** The splits that `rookery fetch` knows by name. To add one, add an entry. */
export const publishedSplits: Readonly<Record<PublishedName, PublishedSplit>> = {
  'bird-dev': {
    title: 'BIRD, dev',
    url: 'https://bird-bench.oss-cn-beijing.aliyuncs.com/dev.zip',
    ...BIRD,
  },
  'bird-train': {
    title: 'BIRD, train',
    url: 'https://bird-bench.oss-cn-beijing.aliyuncs.com/train.zip',
    ...BIRD,
  },
  spider: {
    title: 'Spider 1.0',
    url: 'https://drive.google.com/uc?export=download&id=1403EGqzIDoHMdQF4c9Bkyl7dZLZ5Wt6J',
    homepage: 'https://yale-lily.github.io/spider',
    format: 'spider',
    ...CC_BY_SA,
    citation:
      'Yu et al., "Spider: A Large-Scale Human-Labeled Dataset for Complex and Cross-Domain Semantic Parsing and Text-to-SQL Task", EMNLP 2018',
  },
};

/** The licence in one paragraph, for users before they fetch. */
export function licenceNotice(what: PublishedName): string {
  const { title, license, license_url, homepage, citation } = publishedSplits[what];
  return `${title} is the work of its authors (${homepage}), licensed ${license} (${license_url}): credit them, and share adaptations under the same licence. Cite: ${citation}.`;
}

/** Where a split comes from. */
export type Source =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/** Reads `--from`: an http(s) address, or a file or folder. UserError when it is neither. */
function findSource(from: string): Source {
  if (/^https?:\/\//i.test(from)) return { kind: 'url', url: checkUrl(from) };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(from) && !from.startsWith('file://')) {
    throw new UserError('OPTION_INVALID', from, 'only http, https and file addresses can be fetched');
  }
  const path = resolve(from.startsWith('file://') ? fileURLToPath(from) : from);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new UserError('SPLIT_NOT_FOUND', from, 'does not exist; give an address, a zip or a folder');
  return { kind: stat.isDirectory() ? 'folder' : 'file', path };
}

function checkUrl(from: string): string {
  if (!URL.canParse(from)) throw new UserError('OPTION_INVALID', from, 'is not a valid address');
  const url = new URL(from);
  // The page of a shared file is not the file itself.
  const shared = /^\/file\/d\/([\w-]+)/.exec(url.pathname)?.[1];
  if (url.hostname === 'drive.google.com' && shared !== undefined) {
    return `https://drive.google.com/uc?export=download&id=${shared}`;
  }
  return url.href;
}

/** `fetch.json`: where a split came from, and the files received. */
const fetchRecord = z.object({
  split: z.string(),
  /** The address, or the name of the file or folder. */
  source: z.string(),
  /** null for a folder. */
  archive: z
    .object({
      bytes: z.number().int(),
      sha256: z.string(),
      etag: z.string().nullable(),
      last_modified: z.string().nullable(),
    })
    .nullable(),
  /** The number of files, without this one. */
  files: z.number().int(),
  bytes: z.number().int(),
  license: z.string(),
  license_url: z.string(),
  citation: z.string(),
});
type FetchRecord = z.infer<typeof fetchRecord>;

const FETCH_RECORD = 'fetch.json';

/** Reads `fetch.json`; null for a folder that was not fetched. */
function readFetchRecord(folder: string): FetchRecord | null {
  try {
    return fetchRecord.parse(JSON.parse(readFileSync(join(folder, FETCH_RECORD), 'utf8')));
  } catch {
    return null;
  }
}

/** UserError unless the folder holds a split: its questions can be read and their databases exist. */
function checkSplit(source: string, folder: string, format: SplitFormat): void {
  try {
    const found = findLayout(folder, format);
    const { questionsFile } = found.place;
    findDatabases(found, numberQuestions(questionsFile, found.layout.readQuestions(found.place)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // The folder will be removed, so the error names the source.
    const inside = relative(folder, error.file);
    throw new UserError(error.code, source, inside === '' ? error.message : `${inside}: ${error.message}`);
  }
}
