import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants as zlib } from 'node:zlib';
import { packageRoot } from '../contracts/package-root.ts';

/** The sources that a package has, in one file. */
export const PACKED_SOURCES = join('dist', 'databases.br');

const SOURCE = /\.(ts|sql|csv|jsonl|yaml)$|\/(glossary|README)\.md$/;

/** A file's text, or the cells of each of its columns: brotli finds more that is alike in a column than in a row. */
type Content = string | string[][];

/** All sources in `folder`, for `unpackSources`. */
export function packSources(folder: string, quality = zlib.BROTLI_MAX_QUALITY): Buffer {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => SOURCE.test(path) && !/^\.built|\.test\.ts$/.test(path))
    .sort()
    .map((path): [string, Content] => {
      // As latin1 each character is one byte of the file.
      const text = readFileSync(join(folder, path), 'latin1');
      return [path, path.endsWith('.csv') ? columnsOf(text) : text];
    });
  const params = {
    [zlib.BROTLI_PARAM_QUALITY]: quality,
    [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS,
  };
  return brotliCompressSync(JSON.stringify(files), { params });
}

/** Writes the files that were packed below `to`, byte for byte. */
export function unpackSources(packed: Buffer, to: string): void {
  const files: [string, Content][] = JSON.parse(brotliDecompressSync(packed).toString());
  for (const [path, content] of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), typeof content === 'string' ? content : textOf(content), 'latin1');
  }
}

/** The columns of a CSV file, its cells as they are written; the text where rows differ in length. */
function columnsOf(text: string): Content {
  const rows = [...text.matchAll(/(?:"[^"]*"|[^"\n])*\n/g)].map(([row]) =>
    [...row.slice(0, -1).matchAll(/(?:^|,)((?:"[^"]*"|[^",])*)/g)].map(([, cell = '']) => cell),
  );
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? '')) ?? [];
  return textOf(columns) === text ? columns : text;
}

function textOf(columns: string[][]): string {
  return columns[0]?.map((_, row) => `${columns.map((cells) => cells[row]).join(',')}\n`).join('') ?? '';
}

let folder: string | undefined;

/** The folder of the bundled split's sources. Those of an installed package are unpacked when they are first asked for. */
export function sourcesFolder(): string {
  folder ??= findSources(join(packageRoot, 'databases'));
  return folder;
}

function findSources(own: string): string {
  if (existsSync(join(own, 'sources.ts'))) return own;
  const packed = readFileSync(join(packageRoot, PACKED_SOURCES));
  const name = createHash('sha256').update(packed).digest('hex').slice(0, 16);
  const below = isWritable(own) ? own : tmpdir();
  const to = join(below, `.built-sources-${name}`);
  if (existsSync(to)) return to;
  const aside = mkdtempSync(`${to}.new-`);
  try {
    unpackSources(packed, aside);
    chmodSync(aside, 0o755); // mkdtemp excludes other users, but a server may run as one
    renameSync(aside, to);
  } catch (error) {
    // Another process may have been faster, with the same bytes.
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
  return to;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
