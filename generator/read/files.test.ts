import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../tests/support/split-fixture.ts';
import { matchName, readLegacyText } from './files.ts';

test('the same name wins, then case and outer space, then letters and digits', () => {
  expect(matchName(['Name', 'name'], 'name')).toBe('name');
  expect(matchName(['Full Name', 'x'], ' full name ')).toBe('Full Name');
  expect(matchName(['Full Name', 'x'], 'full_name')).toBe('Full Name');
});

test('no name when two are equally near, or none is', () => {
  expect(matchName(['a b', 'a_b'], 'A-B')).toBeNull();
  expect(matchName(['a'], 'b')).toBeNull();
  expect(matchName(['%'], '&')).toBeNull();
});

function read(bytes: Buffer): string {
  const folder = temporaryFolder();
  writeFiles(folder, { 'notes.csv': bytes });
  return readLegacyText(join(folder, 'notes.csv'), null);
}

const utf16 = Buffer.from('Größe – 5 €', 'utf16le');
const bigEndian = Buffer.from(utf16).swap16();

test.each([
  ['UTF-8', Buffer.from('Größe – 5 €')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffGröße – 5 €')],
  ['windows-1252', Buffer.from('Gr\xf6\xdfe \x96 5 \x80', 'latin1')],
  ['UTF-16 with a byte order mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
  ['UTF-16 without one', utf16],
  ['big-endian UTF-16 with a byte order mark', Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian])],
  ['big-endian UTF-16 without one', bigEndian],
])('%s is read as what was written', (_encoding, bytes) => {
  expect(read(bytes)).toBe('Größe – 5 €');
});

test('one byte, or none, is a text too', () => {
  expect([read(Buffer.from('a')), read(Buffer.from(''))]).toEqual(['a', '']);
});
