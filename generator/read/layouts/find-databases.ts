import { statSync } from 'node:fs';
import { UserError } from '../../../contracts/errors.ts';
import type { Question } from '../../../contracts/split.ts';
import type { FoundLayout } from './find-layout.ts';

/** The SQLite file of every database that is mentioned, by name. UserError lists those that are missing. */
export function findDatabases(
  { layout, place }: FoundLayout,
  questions: readonly Question[],
): Map<string, string> {
  const names = [...new Set(questions.map((question) => question.db_id))].sort();
  const found = new Map<string, string>();
  const missing: string[] = [];
  for (const db of names) {
    const candidates = layout.databaseFiles(place, db);
    const file = candidates.find((one) => isThere(one));
    if (file !== undefined) found.set(db, file);
    else missing.push(candidates[0] ?? db);
  }
  const [first, ...others] = missing;
  if (first !== undefined) {
    const mentioned = questions.filter((question) => !found.has(question.db_id)).length;
    const more = others.length > 0 ? `, and so are ${others.length} more databases` : '';
    const asking = mentioned === 1 ? '1 question asks' : `${mentioned} questions ask`;
    const fix = `${asking} for it; put the file there, or leave the questions out`;
    throw new UserError('DATABASE_NOT_FOUND', first, `is missing${more}; ${fix}`);
  }
  return found;
}

/** A folder may have a database's name; any other file of that name is taken for the database. */
function isThere(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isDirectory();
}
