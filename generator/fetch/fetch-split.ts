import { readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import type { SplitFormat } from '../../contracts/split.ts';
import { findDatabases, findLayout, layouts } from '../read/layouts.ts';
import { numberQuestions } from '../read/questions.ts';
import { outputStep, prepareTarget, printJson, writeFolder } from '../write/write-folder.ts';
import { type Arrived, type Downloaded, download, downloadWhole, type Transfer } from './download.ts';
import { type Limits, type Material, unpackMaterial, walkFiles } from './unpack.ts';

export interface FetchOptions extends Transfer {
  readonly what: PublishedName;
  /** An address, a zip, or a folder; the publisher's address by default. */
  readonly from?: string;
  /** An address or a file of questions for the databases; the publisher's, if they stand apart, by default. */
  readonly questions?: string;
  /** The folder to make; it must be new, empty, or fetched earlier. */
  readonly to: string;
  /** Fetch even if the same address was fetched there before. */
  readonly again?: boolean;
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
  const same = earlier?.split === options.what && earlier.source === url;
  if (!options.again && same && sameQuestions(earlier, options)) return { record: earlier, already: true };
  const folder = join(dirname(target), `.${basename(target)}.download`);
  const arrived = await outputStep(options.to, () => download({ ...options, url, folder }));
  try {
    const record = await build({ kind: 'archive', path: arrived.file, source: url }, arrived, options);
    rmSync(folder, { recursive: true, force: true });
    return { record, already: false };
  } catch (error) {
    // Remove invalid downloads; keep interrupted ones to resume.
    const apart = questionSources(options).length > 0;
    const invalid = apart ? ['ARCHIVE_INVALID'] : INVALID;
    const isInvalid = error instanceof UserError && invalid.includes(error.code);
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
    const questions = await receiveQuestions(scratch, options);
    const { folder, digest } = await unpackMaterial(material, scratch, { ...options, layout });
    if (questions.length > 0) replaceQuestions(folder, published.format, questions);
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
      questions:
        questions.length > 0 ? questions.map(({ source, sha256 }) => ({ source, sha256 })) : undefined,
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

/** Where the questions come from, if they stand apart from the databases. */
function questionSources({ what, questions }: FetchOptions): readonly string[] {
  return questions === undefined ? (publishedSplits[what].questions ?? []) : [questions];
}

function sameQuestions({ questions = [] }: FetchRecord, options: FetchOptions): boolean {
  const sources = questionSources(options);
  return sources.length === questions.length && questions.every(({ source }, i) => source === sources[i]);
}

type Received = Pick<Arrived, 'sha256' | 'content'> & { readonly source: string };

async function receiveQuestions(scratch: string, options: FetchOptions): Promise<Received[]> {
  const received: Received[] = [];
  for (const text of questionSources(options)) {
    const source = findSource(text);
    if (source.kind === 'folder')
      throw new UserError('OPTION_INVALID', text, 'is a folder; give the file of questions');
    const folder = join(scratch, 'questions');
    const { content, sha256 } = await downloadWhole(
      source.kind === 'url' ? { ...options, url: source.url, folder } : { file: source.path },
    );
    received.push({ source: source.kind === 'url' ? source.url : basename(source.path), sha256, content });
  }
  return received;
}

/** Puts questions in the place of those that came with the databases; those of several files become one array. */
function replaceQuestions(folder: string, format: SplitFormat, received: readonly Received[]): void {
  const place = layouts[format].questionFiles(folder)[0] ?? join(folder, 'dev.json');
  const [only, ...others] = received.map(({ content }) => content);
  writeFileSync(place, others.length === 0 && only !== undefined ? only : joinArrays(received));
}

function joinArrays(received: readonly Received[]): string {
  return JSON.stringify(
    received.flatMap(({ source, content }): unknown[] => {
      try {
        return z.array(z.unknown()).parse(JSON.parse(content.toString('utf8')));
      } catch (cause) {
        throw new UserError('SPLIT_INVALID', source, 'is not a JSON array of questions', { cause });
      }
    }),
  );
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
  const fault = `and ${target} are inside one another; give another folder to write to`;
  throw new UserError('OPTION_INVALID', from, fault);
}

interface PublishedSplit {
  readonly title: string;
  readonly url: string;
  /** Addresses of its questions, where the archive has only the databases of an earlier release. */
  readonly questions?: readonly string[];
  readonly homepage: string;
  readonly format: SplitFormat;
  readonly license: string;
  readonly license_url: string;
  readonly citation: string;
}

export type PublishedName =
  | 'bird-dev'
  | 'bird-dev-corrected'
  | 'bird-mini-dev'
  | 'bird-train'
  | 'bird-train-filtered'
  | 'bird-verified'
  | 'spider';

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

const BIRD_FILES = 'https://bird-bench.oss-cn-beijing.aliyuncs.com';
const BIRD_QUESTIONS = 'https://huggingface.co/datasets/birdsql';
const VERIFIED =
  'https://raw.githubusercontent.com/uiuc-kang-lab/ReViSQL/95b73b70d8102cc5d9a0872ee14ead1a2ffe6137/data';

/** The splits that `rookery fetch` knows by name. To add one, add an entry. */
export const publishedSplits: Readonly<Record<PublishedName, PublishedSplit>> = {
  'bird-dev': { title: 'BIRD, dev', url: `${BIRD_FILES}/dev.zip`, ...BIRD },
  'bird-dev-corrected': {
    title: 'BIRD, dev as corrected on 2025-11-06',
    url: `${BIRD_FILES}/dev.zip`,
    questions: [
      `${BIRD_QUESTIONS}/bird_sql_dev_20251106/resolve/3c11fb193e5439b338e23677fa0aae11e8b85db9/data/dev_20251106-00000-of-00001.json`,
    ],
    ...BIRD,
  },
  'bird-mini-dev': {
    title: 'BIRD Mini-Dev',
    url: `${BIRD_FILES}/minidev.zip`,
    questions: [
      `${BIRD_QUESTIONS}/bird_mini_dev/resolve/f65faf4ae3b638c1fa6df1d3370c8d92c8366301/data/mini_dev_sqlite-00000-of-00001.json`,
    ],
    ...BIRD,
  },
  'bird-train': { title: 'BIRD, train', url: `${BIRD_FILES}/train.zip`, ...BIRD },
  'bird-train-filtered': {
    title: 'BIRD, train as filtered by its authors',
    url: `${BIRD_FILES}/train.zip`,
    questions: [`${BIRD_QUESTIONS}/bird23-train-filtered/resolve/main/data/train-00000-of-00001.jsonl`],
    ...BIRD,
  },
  'bird-verified': {
    title: 'BIRD-Verified, of BIRD train',
    url: `${BIRD_FILES}/train.zip`,
    questions: [`${VERIFIED}/bird-verified-train.json`, `${VERIFIED}/bird-verified-val.json`],
    ...BIRD,
    homepage: 'https://github.com/uiuc-kang-lab/ReViSQL',
    citation: `${BIRD.citation}; "ReViSQL: Achieving Human-Level Text-to-SQL", SIGMOD 2027`,
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
  /** Files of questions that replaced those of the archive. */
  questions: z.array(z.object({ source: z.string(), sha256: z.string() })).optional(),
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
