import {
  constants,
  createWriteStream,
  existsSync,
  readdirSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { UserError } from '../../contracts/errors.ts';
import { filesIn, foldersIn } from '../read/files.ts';
import type { Layout } from '../read/layouts.ts';
import { type FileDigest, fileDigest, type Transfer } from './download.ts';

export interface Material {
  readonly kind: 'archive' | 'folder';
  readonly path: string;
  /** Its name in messages and in the record. */
  readonly source: string;
}

interface UnpackMaterialOptions extends Transfer {
  readonly layout: Layout;
  readonly limits?: Limits | undefined;
}

/** Copies a split's files into a scratch folder and unpacks all archives. UserError if there is no split. */
export async function unpackMaterial(
  material: Material,
  scratch: string,
  options: UnpackMaterialOptions,
): Promise<{ folder: string; digest: FileDigest | null }> {
  const { layout } = options;
  const unpacked = join(scratch, 'unpacked');
  const unpackOptions = (packedBytes: number) => ({
    ...options,
    name: material.source,
    budget: openBudget(packedBytes, scratch, options.limits),
  });
  let digest: FileDigest | null = null;
  if (material.kind === 'archive') {
    digest = await fileDigest(material.path, options);
    const toUnpack = unpackOptions(digest.bytes);
    await unpackInner(unpacked, await unpackZip(material.path, unpacked, toUnpack), toUnpack);
  } else {
    const inside = requireSplit(material.path, layout, material.source);
    const files = walkFiles(inside);
    await copyFiles(inside, unpacked, files, options);
    const toUnpack = unpackOptions(files.reduce((sum, file) => sum + file.bytes, 0));
    const paths = files.map((file) => file.path);
    await unpackInner(unpacked, paths, toUnpack);
  }
  return { folder: requireSplit(unpacked, layout, material.source), digest };
}

function requireSplit(folder: string, layout: Layout, source: string): string {
  const found = findSplitFolder(folder, layout);
  if (found !== null) return found;
  throw new UserError('SPLIT_FORMAT_UNKNOWN', source, `holds no split; looked for ${layout.looksFor}`);
}

/** How deep publishers nest a split: `spider/spider_data/…`. */
const MAX_FOLDER_DEPTH = 3;

/** The outermost folder that looks like a split, packed or unpacked, or null. */
function findSplitFolder(folder: string, layout: Layout): string | null {
  let level = [folder];
  for (let depth = 0; depth <= MAX_FOLDER_DEPTH; depth++) {
    const found = level.find((one) => layout.recognises(one) || holdsPackedDatabases(one));
    if (found !== undefined) return found;
    level = level.flatMap((one) => foldersIn(one).map((name) => join(one, name)));
  }
  return null;
}

function holdsPackedDatabases(folder: string): boolean {
  return filesIn(folder).some((file) => /databases?\.zip$/i.test(file));
}

async function copyFiles(
  from: string,
  to: string,
  files: readonly WalkedFile[],
  { signal, onProgress }: Transfer,
): Promise<void> {
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  let done = 0;
  await mkdir(to, { recursive: true });
  for (const { path, bytes } of files) {
    signal?.throwIfAborted();
    onProgress?.({ stage: 'copy', done, total, label: path });
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
    done += bytes;
  }
  onProgress?.({ stage: 'copy', done, total, label: '' });
}

/** A regular file under a folder: its `/`-separated path, and its bytes. */
interface WalkedFile {
  readonly path: string;
  readonly bytes: number;
}

/** The files below a folder, sorted. Follows links except cycles, skips hidden files. */
export function walkFiles(folder: string, prefix = '', above: readonly string[] = []): WalkedFile[] {
  const real = realpathSync(folder);
  if (above.includes(real)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && name !== '__MACOSX')
    .sort()
    .flatMap((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stat?.isDirectory()) return walkFiles(join(folder, name), `${prefix}${name}/`, [...above, real]);
      return stat?.isFile() ? [{ path: prefix + name, bytes: stat.size }] : [];
    });
}

export interface Limits {
  readonly entries: number;
  readonly bytes: number;
  /** Most bytes unpacked per byte of the archive, */
  readonly ratio: number;
  /** beyond this many. */
  readonly free: number;
}

const GiB = 2 ** 30;

/** Enough for the largest published splits (60 GB, 6:1), but not for a zip bomb. */
export const DEFAULT_LIMITS: Limits = { entries: 200_000, bytes: 256 * GiB, ratio: 100, free: GiB };

export interface Budget {
  /** Deducts declared entries and bytes before anything is written; throws if over budget. */
  spend(archive: string, entries: number, bytes: number): void;
}

/** The budget is shared with all nested archives. */
function openBudget(archiveBytes: number, folder: string, limits: Limits = DEFAULT_LIMITS): Budget {
  const most = Math.min(limits.bytes, Math.max(limits.free, limits.ratio * archiveBytes));
  let entriesLeft = limits.entries;
  let bytesLeft = most;
  return {
    spend(archive, entries, bytes) {
      entriesLeft -= entries;
      bytesLeft -= bytes;
      if (entriesLeft < 0) {
        throw new UserError('ARCHIVE_INVALID', archive, `holds more than ${limits.entries} files; refused`);
      }
      if (bytesLeft < 0) {
        const size = `${bytes} bytes from an archive of ${archiveBytes}`;
        const fault = `would unpack to ${size}; refused as a likely zip bomb`;
        throw new UserError('ARCHIVE_INVALID', archive, fault);
      }
      const disk = statfsSync(folder);
      const room = disk.bavail * disk.bsize;
      const lack = `needs ${bytes} bytes but only ${room} are free on the disk`;
      if (bytes > room) throw new UserError('OUTPUT_FAILED', archive, lack);
    },
  };
}

interface ListedEntry {
  /** `/`-separated, relative, without `..`. */
  readonly path: string;
  readonly entry: Entry;
}

/** The files of an archive, validated before any is unpacked. Files added by macOS are left out. */
async function listEntries(archive: string, zip: ZipFile): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  const seen = new Set<string>();
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName;
    refuseUnlessRegular(archive, entry);
    if (path.endsWith('/') || isMacOsFile(path)) continue;
    const plain = path.split('/').filter((part) => part !== '' && part !== '.');
    const normal = plain.join('/');
    if (normal === '' || seen.has(normal)) refuse(archive, path, 'occurs twice, or has no name');
    seen.add(normal);
    listed.push({ path: normal, entry });
  }
  for (const { path } of listed) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (seen.has(path.slice(0, at))) refuse(archive, path, 'has a file as its folder');
    }
  }
  return listed;
}

const UNIX = 3;
const [KIND, REGULAR, FOLDER] = [0o170000, 0o100000, 0o040000];

function refuseUnlessRegular(archive: string, entry: Entry): void {
  const { fileName } = entry;
  // The library has already refused absolute paths and `..`; these checks are left to us.
  if (fileName.includes('\0')) refuse(archive, fileName, 'has a name that is no file name');
  const kind = (entry.externalFileAttributes >>> 16) & KIND;
  if (entry.versionMadeBy >> 8 === UNIX && kind !== 0 && kind !== REGULAR && kind !== FOLDER) {
    refuse(archive, fileName, 'is a link or a device');
  }
  if (entry.isEncrypted()) refuse(archive, fileName, 'is encrypted');
  if (!entry.canDecodeFileData()) refuse(archive, fileName, 'is compressed in a way that is not supported');
}

function refuse(archive: string, path: string, why: string): never {
  throw new UserError('ARCHIVE_INVALID', archive, `${JSON.stringify(path)} ${why}; nothing was unpacked`);
}

function isMacOsFile(path: string): boolean {
  return path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part.startsWith('._'));
}

/** BIRD nests archives once; no split more than twice. */
const MAX_ARCHIVE_NESTING = 2;

/** Unpacks nested archives in place and removes them; one beside its own folder is only removed. */
async function unpackInner(
  folder: string,
  paths: readonly string[],
  options: UnpackOptions,
  depth = 1,
): Promise<void> {
  if (depth > MAX_ARCHIVE_NESTING) return;
  for (const path of paths.filter((one) => one.toLowerCase().endsWith('.zip'))) {
    const archive = join(folder, path);
    const stem = basename(path).slice(0, -'.zip'.length);
    const target = join(dirname(archive), stem);
    if (!existsSync(target)) {
      const inner = { ...options, name: `${options.name} › ${path}` };
      const place = `${archive}.unpacked`;
      const unpacked = await unpackZip(archive, place, inner);
      await unpackInner(place, unpacked, inner, depth + 1);
      const named = unpacked.length > 0 && unpacked.every((one) => one.startsWith(`${stem}/`));
      await rename(named ? join(place, stem) : place, target);
      await rm(place, { recursive: true, force: true });
    }
    await rm(archive);
  }
}

interface UnpackOptions extends Transfer {
  /** The archive's name in messages. */
  readonly name: string;
  readonly budget: Budget;
}

/** Unpacks a zip into a new folder and returns the paths. Verifies names, sizes and checksums. */
async function unpackZip(file: string, folder: string, options: UnpackOptions): Promise<string[]> {
  const { name, budget, onProgress } = options;
  const zip = await openPromise(file, { autoClose: false, validateEntrySizes: true }).catch(damaged(name));
  try {
    const entries = await listEntries(name, zip).catch(damaged(name));
    const total = entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
    await mkdir(folder, { recursive: true });
    budget.spend(name, entries.length, total);
    let done = 0;
    for (const listed of entries) {
      onProgress?.({ stage: 'unpack', done, total, label: listed.path });
      await unpackEntry(zip, listed, folder, options);
      done += listed.entry.uncompressedSize;
    }
    onProgress?.({ stage: 'unpack', done, total, label: name });
    return entries.map((entry) => entry.path);
  } finally {
    zip.close();
  }
}

async function unpackEntry(
  zip: ZipFile,
  { path, entry }: ListedEntry,
  folder: string,
  { name, signal }: UnpackOptions,
): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  let sum = 0;
  const summed = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      sum = crc32(chunk, sum);
      callback(null, chunk);
    },
  });
  const content = await zip.openReadStreamPromise(entry).catch(damaged(name));
  const file = createWriteStream(target, { flags: 'wx', mode: 0o644 });
  await pipeline(content, summed, file, { signal }).catch(damaged(name, path));
  if (sum !== entry.crc32) {
    throw new UserError('ARCHIVE_INVALID', name, `${path} has the wrong checksum; get the archive again`);
  }
}

/** Turns the library's errors into UserErrors, and passes on disk errors and Ctrl-C. */
function damaged(name: string, path?: string): (error: unknown) => never {
  return (error) => {
    const isOurs = error instanceof UserError || (error instanceof Error && error.name === 'AbortError');
    if (isOurs || !(error instanceof Error) || 'syscall' in error) throw error;
    const where = path === undefined ? '' : `${path}: `;
    const fault = `${where}${error.message}; get the archive again`;
    throw new UserError('ARCHIVE_INVALID', name, fault, { cause: error });
  };
}
