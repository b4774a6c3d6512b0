import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { packageRoot } from '../../contracts/package-root.ts';

/** Creates the small database as a file of its own and gives its path. */
export function smallDatabase(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'rookery-small-')), 'shop.sqlite');
  const db = new Database(file);
  db.exec(readFileSync(join(packageRoot, 'generator', 'lower', 'cases', 'orders.schema.sql'), 'utf8'));
  db.close();
  return file;
}
