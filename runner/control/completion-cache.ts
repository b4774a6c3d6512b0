import Database from 'better-sqlite3';
import type { Completion } from '../model/model.ts';

/** A completion as it was obtained the first time. */
export interface CachedCompletion {
  readonly completion: Completion;
  readonly latencyMs: number;
}

/** Completions by request, in one file; kept as they came, with usage and latency. */
export class CompletionCache {
  readonly #database: Database.Database;
  readonly #get: Database.Statement<[string], { readonly body: string }>;
  readonly #put: Database.Statement<[string, string]>;

  constructor(file: string) {
    this.#database = new Database(file);
    this.#database.pragma('journal_mode = WAL');
    this.#database.pragma('synchronous = NORMAL');
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS completion (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID',
    );
    this.#get = this.#database.prepare('SELECT body FROM completion WHERE key = ?');
    this.#put = this.#database.prepare('INSERT OR REPLACE INTO completion VALUES (?, ?)');
  }

  /** The key is a hash of all that an answer can depend on. */
  get(key: string): CachedCompletion | null {
    const row = this.#get.get(key);
    return row === undefined ? null : (JSON.parse(row.body) as CachedCompletion);
  }

  put(key: string, cached: CachedCompletion): void {
    this.#put.run(key, JSON.stringify(cached));
  }

  close(): void {
    this.#database.close();
  }
}
