import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { makeFolder } from './make-folder.ts';
import { article, didYouMean, faultIn, firstSentence, nearestNames, summaryOf } from './wording.ts';

const names = ['superhero_by_name', 'superheroes_by_colour', 'powers_of_superhero', 'id'];

test('finds typos, other case and partial names, nearest first', () => {
  expect(nearestNames('superhero_by_nme', names)[0]).toBe('superhero_by_name');
  expect(nearestNames('ID', names)).toEqual(['id']);
  expect(nearestNames('colour', names)).toEqual(['superheroes_by_colour']);
});

test('has no suggestion for distant names', () => {
  expect(nearestNames('zzz', names)).toEqual([]);
  expect(nearestNames('', names)).toEqual([]);
  expect(nearestNames('x'.repeat(1000), names)).toEqual([]);
  expect(didYouMean([])).toBe('');
});

test.each<[z.ZodType, unknown, string]>([
  [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, 'a must be one of x, y'],
  [z.object({ a: z.literal(2) }), { a: 1 }, 'a must be 2'],
  [z.object({ a: z.int() }), { a: 1.5 }, 'a must be a whole number'],
  [z.object({ a: z.string() }), {}, 'a is missing'],
  [z.object({ a: z.array(z.object({ b: z.number() })) }), { a: [{ b: 'x' }] }, 'a.0.b must be a number'],
  [z.object({ a: z.string().min(1) }), { a: '' }, 'a must not be empty'],
  [z.object({ a: z.array(z.string()).max(1) }), { a: ['x', 'y'] }, 'a must have at most 1 entries'],
  [z.object({ a: z.number().positive() }), { a: 0 }, 'a must be more than 0'],
  [z.strictObject({}), { b: 1 }, 'the top has b, which it cannot have'],
  [z.union([z.string(), z.boolean()]), 1, 'the top must be a text, or must be true or false'],
  [
    z.discriminatedUnion('a', [z.object({ a: z.literal('x') }), z.object({ a: z.enum(['y', 'z']) })]),
    { a: 'w' },
    'a must be one of x, y, z',
  ],
  [z.string().refine(() => false, 'must be a colour'), 'x', 'the top must be a colour'],
  [z.array(z.string()), null, 'the top must be a list'],
])('what a schema refuses is said by its place and what must be there (%#)', (schema, value, fault) => {
  const { error } = schema.safeParse(value);
  expect(error && faultIn(error)).toBe(fault);
});

test('a folder is made with those that it is in, and where none can be made that is an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  makeFolder(join(folder, 'a/b/c'));
  makeFolder(join(folder, 'a/b/c'));
  expect(existsSync(join(folder, 'a/b/c'))).toBe(true);
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(folder, 'file/below'))).toThrow(/ENOTDIR/);
  if (process.platform === 'linux') expect(() => makeFolder('/proc/rookery/a')).toThrow(/ENOENT/);
});

test.each([
  'an SAT score',
  'an NCES number',
  'an FRPM count',
  'a NAME1',
  'a LOINC',
  'a MATNR',
  'a URL',
  'an ID',
  'an hour',
  'a unit',
])('the article of %s', (text) => {
  expect(article(text.replace(/^an? /, ''))).toBe(text);
});

test('takes the first sentence and the summary of a description', () => {
  const description =
    'Returns the column born: year of birth (c. 1890 = about; NULL = unknown). In row order.';
  expect(firstSentence(description)).toBe(
    'Returns the column born: year of birth (c. 1890 = about; NULL = unknown).',
  );
  expect(summaryOf(description)).toBe('Returns the column born');
  expect(summaryOf('Keeps rows; drops others.')).toBe('Keeps rows');
});
