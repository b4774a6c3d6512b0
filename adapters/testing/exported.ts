import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type JsonObject, parseJson } from '../../eval/json/lossless.ts';
import { TINY_SAMPLES, TINY_UNIVERSE } from '../../tests/support/tiny-farm.ts';
import type { ExportedFile } from '../exports.ts';

export const REST = TINY_SAMPLES.filter(({ formulation }) => formulation === 'rest');
/** What exports are given beside samples. */
export const TASKS = { universe: TINY_UNIVERSE, rulesOf: () => [] };
export const file = (files: readonly ExportedFile[], path: string) =>
  files.find((f) => f.path === path)?.content ?? '';
export const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as JsonObject);

export function writeTo(files: readonly ExportedFile[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'export-'));
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** A gold argument, the one given, the type, and whether they are the same, as scoring compares them. */
export const ARGUMENT_CASES: [gold: string, given: string, type: string, same: boolean][] = [
  ['1420070400', '1420070401', 'integer', false],
  ['1420070400', '1420070400.5', 'integer', false],
  ['1420070400', '"1420070400"', 'integer', true],
  ['1420070400', '"1420070401"', 'integer', false],
  ['9007199254740993', '9007199254740993', 'integer', true],
  ['9007199254740993', '"9007199254740993"', 'integer', true],
  ['9007199254740993', '"9007199254740993.0"', 'integer', true],
  // JSON numbers with a point are doubles for every parser.
  ['9007199254740993', '9007199254740993.0', 'integer', false],
  ['9007199254740993', '9007199254740992.0', 'integer', false],
  ['9007199254740993', '9007199254740992', 'integer', false],
  ['9007199254740993', '9007199254740994', 'integer', false],
  ['16', '"0x10"', 'integer', false],
  ['5', '5.0', 'integer', true],
  ['5', '"five"', 'integer', false],
  ['1000', '1e3', 'integer', true],
  ['1000', '"1e3"', 'integer', false],
  ['1000', '"1e3"', 'number', true],
  ['5', '5.0000000000001', 'number', true],
  ['5', '5.0000000000001', 'integer', false],
  ['1420070400', '1420070401', 'number', false],
  ['0', '""', 'integer', false],
  ['0', 'null', 'integer', false],
  ['0', 'false', 'integer', false],
  ['0.1', '0.10000000000000001', 'number', true],
  ['0.1', '0.1000001', 'number', false],
  ['0.1', '"0.10"', 'number', true],
  ['2.5', '"2.5 kg"', 'number', false],
  ['"007"', '7', 'string', false],
  ['"7"', '7', 'string', true],
  ['"7"', '7.0', 'string', true],
  ['"0000000000000123"', '"123"', 'string', false],
  ['"0000000000000123"', '"0000000000000123"', 'string', true],
  ['"a"', '"A"', 'string', false],
  ['"null"', 'null', 'string', false],
  ['true', '"true"', 'boolean', true],
  ['true', 'false', 'boolean', false],
  ['[1, 2]', '["1", 2.0]', 'array', true],
  ['[1, 2]', '[2, 1]', 'array', false],
  ['[1]', '1', 'array', true],
];
/** The schema of a type of ARGUMENT_CASES. */
export const schemaOf = (type: string) =>
  type === 'array' ? { type, items: { type: 'integer' } } : { type };
