import { isUtf8 } from 'node:buffer';
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
import { parseExactJson, printExactJson } from '../contracts/exact-json.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { type Columns, fromColumns, toColumns } from './columns.ts';

/** The sources and proofs that a package has, in one file. */
export const PACKED_SOURCES = join('dist', 'databases.br');

const PACKED = /\.(ts|sql|csv|jsonl|yaml|br)$|\/(glossary|README)\.md$/;

const QUICKLY = { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } };

/** The paths of files, and of each its text, the columns of a CSV file, the lines of questions, or what proofs hold. */
type Packed = [paths: string[], contents: Columns];

/** All sources and proofs in `folder`, for `unpackSources`. */
export function packSources(folder: string, quality = zlib.BROTLI_MAX_QUALITY): Buffer {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => PACKED.test(path) && !/^\.built|\.test\.ts$/.test(path))
    .sort();
  const contents = paths.map((path) => contentOf(path, readFileSync(join(folder, path))));
  const packed: Packed = [paths, toColumns(contents)];
  const params = {
    [zlib.BROTLI_PARAM_QUALITY]: quality,
    // What two files have in common may be further apart than the usual 16 MB.
    [zlib.BROTLI_PARAM_LARGE_WINDOW]: 1,
    [zlib.BROTLI_PARAM_LGWIN]: 26,
  };
  return brotliCompressSync(JSON.stringify(packed), { params });
}

/** Writes the files that were packed below `to`: sources byte for byte, and proofs that hold the same. */
export function unpackSources(packed: Buffer, to: string): void {
  const params = { [zlib.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  const [paths, columns]: Packed = JSON.parse(brotliDecompressSync(packed, { params }).toString());
  const contents = fromColumns(columns);
  for (const [i, path] of paths.entries()) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), bytesOf(path, contents[i]));
  }
}

function contentOf(path: string, bytes: Buffer): unknown {
  if (path.endsWith('.br')) return parseExactJson(brotliDecompressSync(bytes).toString());
  if (path.endsWith('.jsonl') && isUtf8(bytes)) return bytes.toString().split('\n');
  // As latin1 each character is one byte of the file.
  const text = bytes.toString('latin1');
  return path.endsWith('.csv') ? columnsOf(text) : text;
}

function bytesOf(path: string, content: unknown): Buffer {
  if (path.endsWith('.br')) return brotliCompressSync(printExactJson(content), QUICKLY);
  if (typeof content === 'string') return Buffer.from(content, 'latin1');
  const lines = content as string[];
  return path.endsWith('.csv') ? Buffer.from(textOf(lines), 'latin1') : Buffer.from(lines.join('\n'));
}

/** The columns of a CSV file, their cells as they are written, a line each; the text where rows differ in length. */
function columnsOf(text: string): string | string[] {
  const rows = [...text.matchAll(/(?:"[^"]*"|[^"\n])*\n/g)].map(([row]) =>
    [...row.slice(0, -1).matchAll(/(?:^|,)((?:"[^"]*"|[^",])*)/g)].map(([, cell = '']) => cell),
  );
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? '').join('\n')) ?? [];
  return textOf(columns) === text ? columns : text;
}

function textOf(columns: readonly string[]): string {
  const [first = [], ...others] = columns.map((column) => column.split('\n'));
  return first.map((cell, row) => `${[cell, ...others.map((cells) => cells[row])].join(',')}\n`).join('');
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
