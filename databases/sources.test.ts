import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packSources, unpackSources } from './sources.ts';

it.each([
  ['cells in quotes', Buffer.from('id,said\n1,"one, ""two"",\nthree"\n2,\n')],
  ['bytes that are no UTF-8', Buffer.from([0x69, 0x0a, 0xff, 0xe9, 0x0a])],
  ['rows of different lengths', Buffer.from('a,b\n1\n1,2,3\n')],
  ['no last line break', Buffer.from('a,b\n1,2')],
  ['a quote within a cell', Buffer.from('a,b\n6" pipe,2\n')],
  ['nothing', Buffer.from('')],
])('packed sources come out byte for byte: %s', (_, bytes) => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'from/shop'), { recursive: true });
  writeFileSync(join(folder, 'from/shop/item.csv'), bytes);
  writeFileSync(join(folder, 'from/shop/glossary.md'), bytes);
  unpackSources(packSources(join(folder, 'from'), 1), join(folder, 'to'));
  expect(readFileSync(join(folder, 'to/shop/item.csv'))).toEqual(bytes);
  expect(readFileSync(join(folder, 'to/shop/glossary.md'))).toEqual(bytes);
});
