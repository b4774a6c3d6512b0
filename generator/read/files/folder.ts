import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Absolute paths of the files in a folder, by name. */
export function filesIn(folder: string): string[] {
  return namesIn(folder, 'file').map((name) => join(folder, name));
}

/** Names of the folders in a folder, sorted. */
export function foldersIn(folder: string): string[] {
  return namesIn(folder, 'folder');
}

/**
 * Names of the folders that hold databases (`database`, `dev_databases`, …). Given a questions file, those
 * that share its first word come first: `test.json` goes with `test_database`.
 */
export function databaseFolders(folder: string, questionsFile?: string): string[] {
  const names = namesIn(folder, 'folder').filter((name) => /(^|_)databases?$/.test(name));
  if (questionsFile === undefined) return names;
  const word = firstWord(questionsFile);
  return [...names.filter((name) => firstWord(name) === word), ...names.filter((n) => firstWord(n) !== word)];
}

/** `dev` of `dev_databases`, `dev.json`, `dev_tables.json`. */
export function firstWord(file: string): string {
  return basename(file).split(/[._]/, 1)[0] ?? '';
}

/** What SQLite files are called behind the dot. */
const ENDINGS = ['sqlite', 'db', 'sqlite3', 'db3'];

/** Whether a file is called like a SQLite database. */
export function isDatabaseName(file: string): boolean {
  return ENDINGS.some((ending) => file.toLowerCase().endsWith(`.${ending}`));
}

/**
 * Possible paths of a database in a folder, which unpacking may have put into another of its name; files and folders
 * whose names differ only in case come later, and the only database in a folder of that name last.
 */
export function spellings(folder: string, inside: string, db: string): string[] {
  const names = ENDINGS.map((ending) => `${db}.${ending}`);
  const alike = new Set(names.map((name) => name.toLowerCase()));
  const roots = [join(folder, inside), ...(inside === '.' ? [] : [join(folder, inside, inside)])];
  return roots.flatMap((root) => {
    const exact = names.flatMap((name) => [join(root, db, name), join(root, name)]);
    if (!isFolder(root)) return exact;
    const own = foldersIn(root)
      .filter((name) => name.toLowerCase() === db.toLowerCase())
      .map((name) => join(root, name))
      .filter(isFolder);
    const others = [...own, root].flatMap(filesIn).filter((file) => alike.has(basename(file).toLowerCase()));
    const only = own
      .map((place) => filesIn(place).filter(isDatabaseName))
      .filter(({ length }) => length === 1);
    return [...exact, ...others, ...only.flat()];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function namesIn(folder: string, kind: 'file' | 'folder'): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => (kind === 'file' ? !entry.isDirectory() : !entry.isFile()))
    .map((entry) => entry.name)
    .filter((name) => !name.startsWith('.') && !name.startsWith('__'))
    .sort();
}
