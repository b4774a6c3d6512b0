import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { packSources, unpackSources } from './sources.ts';

const FILES = ['item.csv', 'glossary.md', 'questions.jsonl'];

it.each([
  ['cells in quotes', Buffer.from('id,said\n1,"one, ""two"",\nthree"\n2,\n')],
  ['bytes that are no UTF-8', Buffer.from([0x69, 0x0a, 0xff, 0xe9, 0x0a])],
  ['rows of different lengths', Buffer.from('a,b\n1\n1,2,3\n')],
  ['no last line break', Buffer.from('a,b\n1,2')],
  ['a quote within a cell', Buffer.from('a,b\n6" pipe,2\n')],
  ['nothing', Buffer.from('')],
  ['lines of JSON', Buffer.from('{"id":1,"SQL":"SELECT 1"}\n{"id":2,"SQL":"SELECT 2"}\n')],
  ['JSON printed another way', Buffer.from('{"id": 1, "at": 1.0}\n\n{"id":9007199254740993,"é":null}')],
])('packed sources come out byte for byte: %s', (_, bytes) => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'from/shop'), { recursive: true });
  for (const file of FILES) writeFileSync(join(folder, 'from/shop', file), bytes);
  unpackSources(packSources(join(folder, 'from'), 1), join(folder, 'to'));
  for (const file of FILES) expect(readFileSync(join(folder, 'to/shop', file)), file).toEqual(bytes);
});

it('packed proofs hold the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'from/proofs'), { recursive: true });
  const proofs = ['shop', 'bank'].map((db): [string, string] => [
    `proofs/${db}.br`,
    `{"data":"${db}","samples":[{"id":"${db}/1","gold":[[9007199254740993,1.5,null]]},{"gold":[],"id":"${db}/2"}]}`,
  ]);
  for (const [path, text] of proofs) writeFileSync(join(folder, 'from', path), brotliCompressSync(text));
  unpackSources(packSources(join(folder, 'from'), 1), join(folder, 'to'));
  for (const [path, text] of proofs)
    expect(brotliDecompressSync(readFileSync(join(folder, 'to', path))).toString()).toBe(text);
});
