import type { Entry, ZipFile } from 'yauzl';
import { UserError } from '../../../contracts/errors.ts';

/** A file in an archive that may be unpacked. */
export interface ListedEntry {
  /** `/`-separated, relative, without `..`. */
  readonly path: string;
  readonly entry: Entry;
}

/**
 * The files of an archive, checked one by one before any is unpacked. UserError for a path outside the folder, a link
 * or device, two files of one name, and encryption. Files added by macOS are left out.
 */
export async function listEntries(archive: string, zip: ZipFile): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  const seen = new Set<string>();
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName;
    refuseUnlessRegular(archive, entry);
    if (path.endsWith('/') || isOfMacOs(path)) continue;
    const plain = path.split('/').filter((part) => part !== '' && part !== '.');
    const normal = plain.join('/');
    if (normal === '' || seen.has(normal)) refuse(archive, path, 'is there twice, or has no name');
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

function isOfMacOs(path: string): boolean {
  return path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part.startsWith('._'));
}
