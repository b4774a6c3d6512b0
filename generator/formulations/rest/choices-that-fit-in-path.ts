import Database from 'better-sqlite3';
import { fitsInPath } from '../../../contracts/path-template.ts';
import { quoteIdentifier } from '../../../sql/index.ts';
import { lookedUpColumn, type PathChoices } from '../../lower/lower-rest.ts';

/**
 * The choices of a domain that stand in a path: those that look rows up by a column of which every text fits into a
 * path, and with them every value that a question gives.
 */
export function choicesThatFitInPath(file: string): PathChoices {
  const known = new Map<string, boolean>();
  const columnFits = (table: string, column: string): boolean => {
    const key = JSON.stringify([table, column]);
    const fits = known.get(key) ?? everyTextFits(file, table, column);
    known.set(key, fits);
    return fits;
  };
  return ({ members }, position) =>
    members.every(({ choices }) => {
      const choice = choices[position];
      const column = choice ? lookedUpColumn(choice, choices) : null;
      return column && fitsInPath(String(choice?.value)) && columnFits(column.table, column.column);
    });
}

function everyTextFits(file: string, table: string, column: string): boolean {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const name = quoteIdentifier(column);
    const texts = db
      .prepare(`SELECT DISTINCT ${name} FROM ${quoteIdentifier(table)} WHERE typeof(${name}) = 'text'`)
      .pluck()
      .iterate();
    for (const text of texts) if (!fitsInPath(String(text))) return false;
    return true;
  } finally {
    db.close();
  }
}
