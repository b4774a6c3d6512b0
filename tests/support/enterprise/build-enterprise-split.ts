import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Random } from '../../../generator/variants/random.ts';
import { fillMachines } from './machines.ts';
import { fillTrade } from './trade.ts';

/** The rows of the largest table of `trade`, and of `machines`: enough to meet every kind of query. */
const [POSITIONS, READINGS] = [3_000, 4_000];

/**
 * Writes a split like those of companies into a folder: `trade`, an old ERP with wide tables and names that say little,
 * and `machines`, measurements whose payloads are JSON and whose states are bits. All of it is made up here (CC0), the
 * same bytes each time.
 */
export function buildEnterpriseSplit(folder: string): void {
  mkdirSync(folder, { recursive: true });
  write(join(folder, 'trade.sqlite'), (db) => fillTrade(db, new Random('trade'), POSITIONS));
  write(join(folder, 'machines.sqlite'), (db) => fillMachines(db, new Random('machines'), READINGS));
  copyFileSync(new URL('./questions.jsonl', import.meta.url), join(folder, 'questions.jsonl'));
}

function write(file: string, fill: (db: Database.Database) => void): void {
  const db = new Database(file);
  db.pragma('journal_mode = MEMORY');
  db.pragma('synchronous = OFF');
  try {
    db.transaction(() => fill(db))();
  } finally {
    db.close();
  }
}
