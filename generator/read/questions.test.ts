import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Split } from '../../contracts/split.ts';
import { applyCorrections } from './questions.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-corrections-'));

const split: Split = {
  name: 'ferries',
  format: 'rookery',
  content_hash: 'a'.repeat(64),
  questions: [
    { question_id: 1, db_id: 'sea', question: 'How many?', evidence: '', difficulty: null, sql: 'SELECT 1' },
    { question_id: 'x', db_id: 'sea', question: 'Which?', evidence: '', difficulty: null, sql: 'SELECT 2' },
  ],
  data_licence: 'CC0-1.0',
  questions_file: 'questions.jsonl',
  unread_files: [],
  domains: [{ db: 'sea', file: 'sea.sqlite', catalog: { db: 'sea', tables: [] } }],
};

function correctWith(...lines: readonly object[]): Split {
  const file = join(folder, 'corrections.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return applyCorrections(split, file);
}

const LINE = { version: 1, db_id: 'sea', question_id: 1, reason: 'counts twice' };

test('a correction replaces what it names, and keeps what it was', () => {
  const { questions, content_hash } = correctWith({ ...LINE, sql: 'SELECT 3', author: 'ada' });
  expect(questions[0]).toMatchObject({
    sql: 'SELECT 3',
    question: 'How many?',
    correction: { reason: 'counts twice', author: 'ada', original: { sql: 'SELECT 1' } },
  });
  expect(questions[1]).toEqual(split.questions[1]);
  expect(content_hash).not.toBe(split.content_hash);
});

test.each([
  ['a question that is not there', [{ ...LINE, question_id: 9 }], 'there is no question 9 of sea'],
  ['a question corrected twice', [LINE, LINE], 'twice'],
  ['an unknown field', [{ ...LINE, query: 'SELECT 1' }], 'query'],
  ['a line without a reason', [{ version: 1, db_id: 'sea', question_id: 1 }], 'reason'],
  ['another version', [{ ...LINE, version: 2 }], 'version'],
])('%s is an error', (_, lines, message) => {
  expect(() => correctWith(...lines)).toThrow(message);
});
