import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Random } from '../../../generator/variants/random.ts';
import { fillMachines } from './machines.ts';
import { QUESTIONS } from './questions.ts';
import { fillTrade } from './trade.ts';

export interface EnterpriseSize {
  /** Order positions, the largest table of `trade`. */
  readonly positions: number;
  /** Measurements, the largest table of `machines`. */
  readonly readings: number;
}

/** Enough to meet every kind of query; a farm of it is made in seconds. */
export const SMALL: EnterpriseSize = { positions: 3_000, readings: 4_000 };

/**
 * Writes a split like those of companies into a folder: `trade`, an old ERP with wide tables and names that say little,
 * and `machines`, measurements whose payloads are JSON and whose states are bits. All of it is made up here (CC0); the
 * same size gives the same bytes.
 */
export function buildEnterpriseSplit(folder: string, size = SMALL): void {
  mkdirSync(folder, { recursive: true });
  write(join(folder, 'trade.sqlite'), (db) => fillTrade(db, new Random('trade'), size.positions));
  write(join(folder, 'machines.sqlite'), (db) => fillMachines(db, new Random('machines'), size.readings));
  const lines = QUESTIONS.map((question, i) => JSON.stringify({ question_id: i + 1, ...question }));
  writeFileSync(join(folder, 'questions.jsonl'), `${lines.join('\n')}\n`);
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
