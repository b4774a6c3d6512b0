import { QueryError } from '../../contracts/errors.ts';
import { ChildPool, TimeoutError } from '../../services/base/sandbox/index.ts';
import { tokenize } from '../sql/index.ts';
import type {
  Engine,
  OracleAnswer,
  OracleFailure,
  OracleLimits,
  OracleRequest,
  Stored,
  StoredRequest,
} from './messages.ts';
import { nondeterministicFunction } from './nondeterministic-function.ts';
import { pinTime } from './pin-time.ts';

export interface OracleOptions extends Partial<OracleLimits> {
  /** What `now` means, `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly referenceTime: string;
  /** Child processes at once; 2 when not given. */
  readonly children?: number;
  /** Milliseconds one statement may take; 30,000 when not given. */
  readonly limitMs?: number;
}

export interface RunOptions {
  /** Forces one of the two SQLites. */
  readonly engine?: Engine | null;
  /** Visits rows in the opposite order wherever the SQL asks for none: shows what the answer owes to chance. */
  readonly reversed?: boolean;
}

/** The rows of a gold query, and whether it asked for the time and was told the reference time. */
export interface Gold extends OracleAnswer {
  readonly pinned: boolean;
}

/**
 * What SQLite itself answers to SQL exactly as given, double-quoted strings included; knows nothing of the
 * IR. Runs in child processes, so that any statement can be stopped.
 */
export class Oracle {
  readonly #pool: ChildPool<OracleRequest | StoredRequest, OracleAnswer | OracleFailure | Stored[][]>;
  readonly #referenceTime: string;
  readonly #limitMs: number;

  constructor({ referenceTime, children = 2, limitMs = 30_000, ...limits }: OracleOptions) {
    const init: OracleLimits = {
      maxRows: limits.maxRows ?? 100_000,
      maxBytes: limits.maxBytes ?? 64 * 1024 * 1024,
    };
    this.#pool = new ChildPool({
      module: new URL('./oracle-child.ts', import.meta.url),
      size: children,
      init,
    });
    this.#referenceTime = referenceTime;
    this.#limitMs = limitMs;
  }

  /**
   * The rows on a database file. Throws QueryError: NONDETERMINISTIC, SQL_NOT_EXECUTABLE, SQL_TIMEOUT,
   * SQL_TOO_LARGE, SQL_NOT_PARSED.
   */
  async run(file: string, sql: string, { engine = null, reversed = false }: RunOptions = {}): Promise<Gold> {
    const chance = nondeterministicFunction(sql);
    if (chance) throw new QueryError('NONDETERMINISTIC', `${chance}() has no fixed value`, chance);
    if (holdsSeveralStatements(sql)) {
      throw new QueryError('SQL_NOT_EXECUTABLE', 'more than one statement');
    }
    const pin = pinTime(sql, this.#referenceTime);
    const answer = await this.#ask({ file, sql: pin.sql, engine, reversed });
    if ('code' in answer) throw new QueryError(answer.code, answer.reason);
    return { ...answer, pinned: pin.pinned };
  }

  /**
   * The rows of a query of our own, as SQLite stores them; null when SQLite refuses it or it takes longer
   * than `limitMs`.
   */
  async readStored(file: string, sql: string, limitMs: number): Promise<readonly Stored[][] | null> {
    try {
      return (await this.#pool.run({ file, storedOf: sql }, limitMs)) as Stored[][];
    } catch (error) {
      if (error instanceof TimeoutError || isSqliteError(error)) return null;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(request: OracleRequest): Promise<OracleAnswer | OracleFailure> {
    try {
      return (await this.#pool.run(request, this.#limitMs)) as OracleAnswer | OracleFailure;
    } catch (error) {
      if (error instanceof TimeoutError) {
        throw new QueryError('SQL_TIMEOUT', `stopped after ${this.#limitMs} ms`);
      }
      throw error;
    }
  }
}

/** sql.js would run the first and say nothing of the others. */
function holdsSeveralStatements(sql: string): boolean {
  const tokens = tokenize(sql);
  const end = tokens.findIndex(({ kind, text }) => kind === 'operator' && text === ';');
  return end >= 0 && tokens.slice(end).some(({ kind, text }) => kind !== 'operator' || text !== ';');
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}
