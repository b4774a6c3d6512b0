import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openOutputFolder } from '../write/write-folder.ts';
import { TINY_DB, TINY_DESCRIPTIONS, TINY_QUESTIONS, TINY_README, TINY_SCHEMA } from './tiny-split.ts';

/**
 * Writes a tiny split into a folder that is new or empty, whole or not at all: something to begin with. UserErrors of
 * writing: OUTPUT_NOT_A_FARM, OUTPUT_FAILED.
 */
export async function initSplit(folder: string): Promise<{ readonly questions: number }> {
  const output = await openOutputFolder(folder, { isOurs: () => false, what: 'an empty folder' });
  try {
    const database = join(output.scratch, `${TINY_DB}.sqlite`);
    const db = new Database(database);
    try {
      db.exec(TINY_SCHEMA);
    } finally {
      db.close();
    }
    const questions = TINY_QUESTIONS.map((each) => `${JSON.stringify({ db_id: TINY_DB, ...each })}\n`);
    await output.write([
      { path: 'README.md', content: TINY_README },
      { path: 'questions.jsonl', content: questions.join('') },
      { path: `${TINY_DB}.sqlite`, moveFrom: database },
      { path: `descriptions/${TINY_DB}.csv`, content: TINY_DESCRIPTIONS },
    ]);
    return { questions: questions.length };
  } finally {
    output.close();
  }
}
