import type Database from 'better-sqlite3';
import { tokenize } from '../../sql/index.ts';
import { closing, editText, pinTime, type TextEdit } from './gold-sql.ts';

/** Gives the reference time to what tables and triggers take from the clock. */
export function pinSchema(db: Database.Database, reference: string): void {
  const schema = db.prepare(
    "SELECT rowid, type, sql FROM sqlite_schema WHERE type IN ('table', 'trigger') AND sql IS NOT NULL",
  );
  const rows = schema.raw().all() as [rowid: number, type: 'table' | 'trigger', sql: string][];
  const edits = rows.flatMap(([rowid, type, sql]) => {
    const pinned = pinDefinition(type, sql, reference);
    return pinned === sql ? [] : [[pinned, rowid]];
  });
  if (edits.length === 0) return;
  db.unsafeMode(true);
  db.pragma('writable_schema = on');
  const update = db.prepare('UPDATE sqlite_schema SET sql = ? WHERE rowid = ?');
  for (const edit of edits) update.run(...edit);
  // Reads the schema again.
  db.pragma('writable_schema = reset');
  db.unsafeMode(false);
}

/** The definition of a table with the time in its defaults, or of a trigger with the time in its statements. */
export function pinDefinition(type: 'table' | 'trigger', sql: string, reference: string): string {
  const tokens = tokenize(sql);
  const edits: TextEdit[] = [];
  const pin = (from: number, to: number) => {
    const [start, end] = [tokens[from]?.start ?? 0, tokens[to]?.end ?? sql.length];
    edits.push({ start, end, text: pinTime(sql.slice(start, end), reference).sql });
  };
  const isWord = (at: number, word: string) => tokens[at]?.kind === 'word' && tokens[at]?.upper === word;
  const words = (word: string) => [...tokens.keys()].filter((at) => isWord(at, word));
  if (type === 'trigger') pin(words('BEGIN')[0] ?? 0, tokens.length - 1);
  for (const at of type === 'table' ? words('DEFAULT') : []) {
    const from = at + 1;
    pin(from, tokens[from]?.text === '(' ? closing(tokens, from) : from);
  }
  return editText(sql, edits);
}
