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

/** Possible paths of a database in a folder; files whose names differ only in case come last. */
export function spellings(folder: string, inside: string, db: string): string[] {
  const places = [join(folder, inside, db), join(folder, inside)];
  const names = [`${db}.sqlite`, `${db}.db`];
  const exact = names.flatMap((name) => places.map((place) => join(place, name)));
  const alike = new Set(names.map((name) => name.toLowerCase()));
  const others = places.filter((place) => statSync(place, { throwIfNoEntry: false })?.isDirectory());
  return [...exact, ...others.flatMap(filesIn).filter((file) => alike.has(basename(file).toLowerCase()))];
}

function namesIn(folder: string, kind: 'file' | 'folder'): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => (kind === 'file' ? !entry.isDirectory() : !entry.isFile()))
    .map((entry) => entry.name)
    .filter((name) => !name.startsWith('.') && !name.startsWith('__'))
    .sort();
}
