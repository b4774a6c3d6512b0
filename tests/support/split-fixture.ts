import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, onTestFinished } from 'vitest';

/** A new empty folder of the given name that is removed when the test is over. */
export function temporaryFolder(name = 'folder'): string {
  const outer = mkdtempSync(join(tmpdir(), 'rookery-test-'));
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
  const folder = join(outer, name);
  mkdirSync(folder);
  return folder;
}

/** A new empty folder that is removed after all tests of the file or of the `describe`. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Writes files into a folder by relative path: text and bytes as they are, other values as JSON. */
export function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const asIs = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(file, asIs ? content : JSON.stringify(content));
  }
}

/** Makes a SQLite file by running SQL; answers its path. */
export function writeDatabase(folder: string, path: string, sql: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const connection = new Database(file);
  connection.exec(sql);
  connection.close();
  return file;
}
