import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHARES } from '../../contracts/hybrid.ts';
import { type Augmentation, DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { generate } from '../../generator/generate.ts';
import { initSplit } from '../../generator/init-split.ts';
import { cached } from './cache.ts';

/** The shares of the farm; all tests take each. */
export const TESTED_SHARES: readonly number[] = process.env.ROOKERY_TESTS === 'all' ? SHARES : [40, 100];
export const SHARE_SEED = 3;
/** Questions of the farm's one domain, `library`. */
export const HYBRID_QUESTIONS = 8;

const QUESTION = 'Which authors have a name with a prime number of syllables?';
const augmentation: Augmentation = {
  original: { question_id: 'a', question: 'Which authors are there?', sql: 'SELECT name FROM author' },
  augmenter: 'filter',
  class: 'lexical',
  depth: 2,
  apis: ['count_syllables', 'is_prime'],
  column: { table: 'author', name: 'name' },
  virtual_sql:
    'SELECT a.name FROM author AS a JOIN count_syllables AS s ON s.string = a.name JOIN is_prime AS p ON p.number = s.count WHERE p.truth = 1',
};

const WORDS: Augmentation = {
  ...augmentation,
  original: { question_id: 'b', question: 'Which books are there?', sql: 'SELECT title FROM book' },
  apis: ['list_words', 'count_syllables'],
  column: { table: 'book', name: 'title' },
  virtual_sql:
    'SELECT title FROM book AS b WHERE EXISTS (SELECT 1 FROM list_words AS w JOIN count_syllables AS s ON s.string = w.word WHERE w.string = b.title AND s.count = 2)',
};

/** A farm with tasks over databases and APIs at several shares, and two questions that scalar APIs answer. */
export function hybridFarm(): Promise<string> {
  return cached('farm-hybrid-apis', async (out) => {
    const split = `${out}-split`;
    await initSplit(split);
    const asked = { db_id: 'library', question_id: 'primes', question: QUESTION, augmentation };
    const sql = 'SELECT name FROM author WHERE is_prime(count_syllables(name)) = 1';
    const words = {
      ...asked,
      question_id: 'words',
      question: 'Which books have a title with a word of exactly 2 syllables?',
      augmentation: WORDS,
      sql: 'SELECT title FROM book WHERE EXISTS (SELECT 1 FROM list_words AS w WHERE w.string = title AND count_syllables(w.word) = 2)',
    };
    const lines = [{ ...asked, sql }, words].map((question) => `${JSON.stringify(question)}\n`);
    appendFileSync(join(split, 'questions.jsonl'), lines.join(''));
    const hidden = TESTED_SHARES.map((share) => ({ share, seed: SHARE_SEED }));
    await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, hidden });
  });
}
