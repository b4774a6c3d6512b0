import type { Catalog, Row } from '../../contracts/catalog.ts';
import { QueryError, type QueryErrorCode, UserError } from '../../contracts/errors.ts';
import { type PlaceSource, placeSources } from '../../services/base/scalars/gazetteer.ts';
import { ChildPool, TimeoutError } from '../../services/base/sqlite/child-pool.ts';
import { tokenize } from '../../sql/index.ts';
import { namesScalarApi, nondeterministicFunction, pinTime } from './gold-sql.ts';

/** Far longer than the allowed visits take. */
const STORED_LIMIT_MS = 600_000;
/** By the clock, a statement may take as long as it takes: a busy machine must not decide a verdict. */
export const PATIENCE = Number.POSITIVE_INFINITY;

type Pool = ChildPool<
  OracleRequest | StoredRequest | VisitsRequest,
  OracleAnswer | OracleFailure | Stored[][] | number | null
>;

export interface OracleOptions extends Partial<OracleLimits> {
  /** What `now` means, `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly referenceTime: string;
  /** Child processes at once; 2 when not given. */
  readonly children?: number;
  /** Milliseconds of processor time that one statement may take; 60,000 when not given. */
  readonly limitMs?: number;
  /** Called in the context of whoever asked, with the part of its limit that a statement took. */
  readonly onCost?: (share: number) => void;
}

export interface RunOptions {
  /** Forces one of the two SQLites. */
  readonly engine?: Engine | null;
  /**
   * Visits rows in the opposite order wherever the SQL does not sort, to show which parts of the answer SQL leaves
   * open.
   */
  readonly reversed?: boolean;
}

/** The rows of a gold query, and whether it used the current time and got the reference time. */
export interface Gold extends OracleAnswer {
  readonly pinned: boolean;
}

/**
 * Runs SQL on SQLite exactly as given, double-quoted strings included; does not use the IR. Runs in child processes, so
 * that any statement can be stopped.
 */
export class Oracle {
  readonly #options: OracleOptions;
  readonly #pool: Pool;
  readonly #places: readonly PlaceSource[] | null;
  readonly #limitMs: number;

  constructor(
    options: OracleOptions,
    shared: { readonly pool: Pool; readonly places: readonly PlaceSource[] } | null = null,
  ) {
    const { children = 2, limitMs = 60_000, maxRows = 100_000, maxBytes = 64 * 1024 * 1024 } = options;
    const init: OracleLimits = { maxRows, maxBytes };
    this.#options = options;
    this.#pool =
      shared?.pool ??
      new ChildPool({
        module: new URL('./oracle-child.ts', import.meta.url),
        size: children,
        init,
        patience: PATIENCE,
      });
    this.#places = shared?.places ?? null;
    this.#limitMs = limitMs;
  }

  /**
   * The same oracle, with the same child processes, for statements over databases of this catalog: they may call scalar
   * APIs, as functions and as virtual tables, which without a catalog do not exist. `onCost` is the oracle's own unless given.
   */
  over(catalog: Catalog, onCost = this.#options.onCost): Oracle {
    const options = { ...this.#options, ...(onCost ? { onCost } : {}) };
    return new Oracle(options, { pool: this.#pool, places: placeSources(catalog) });
  }

  /**
   * The rows on a database file. Throws QueryError: NONDETERMINISTIC, SQL_NOT_EXECUTABLE, TOO_SLOW,
   * SQL_TOO_LARGE, SQL_NOT_PARSED.
   */
  async run(file: string, sql: string, { engine = null, reversed = false }: RunOptions = {}): Promise<Gold> {
    const chance = nondeterministicFunction(sql);
    if (chance) throw new QueryError('NONDETERMINISTIC', `${chance}() has no fixed value`, chance);
    if (holdsSeveralStatements(sql)) {
      throw new QueryError('SQL_NOT_EXECUTABLE', 'more than one statement');
    }
    const pin = pinTime(sql, this.#options.referenceTime);
    const answer = await this.#ask({ file, sql: pin.sql, engine, reversed, ...this.#scalars(sql) });
    if ('code' in answer) throw new QueryError(answer.code, answer.reason);
    return { ...answer, pinned: pin.pinned };
  }

  /**
   * The rows of a query printed by rookery, as SQLite stores them; null when SQLite refuses it or it calls `VISITED`
   * more than `maxVisits` times. The limit is a count, so the result does not depend on the machine. A query that is
   * still not done after ten minutes of processor time ends the run: GENERATION_TOO_SLOW.
   */
  async readStored(file: string, sql: string, maxVisits: number): Promise<readonly Stored[][] | null> {
    return (await this.#counted(file, { file, storedOf: sql, maxVisits, ...this.#scalars(sql) })) as
      | Stored[][]
      | null;
  }

  /**
   * How often a query printed by rookery calls `VISITED`, at most once more than `maxVisits`; null when SQLite refuses it.
   * As with `readStored`, the limit is a count: GENERATION_TOO_SLOW after ten minutes.
   */
  async visits(file: string, sql: string, maxVisits: number): Promise<number | null> {
    return (await this.#counted(file, { file, visitsOf: sql, maxVisits, ...this.#scalars(sql) })) as
      | number
      | null;
  }

  #scalars(sql: string): { readonly places?: readonly PlaceSource[] } {
    return this.#places && namesScalarApi(sql) ? { places: this.#places } : {};
  }

  async #counted(file: string, request: StoredRequest | VisitsRequest) {
    try {
      return await this.#pool.run(request, STORED_LIMIT_MS);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      throw new UserError(
        'GENERATION_TOO_SLOW',
        file,
        `a search for rows ran longer than ${STORED_LIMIT_MS / 60_000} minutes; run again on a faster machine`,
      );
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(request: OracleRequest): Promise<OracleAnswer | OracleFailure> {
    let cost = 0;
    const ask = (alone: boolean) =>
      this.#pool.run(request, this.#limitMs, {
        alone,
        onCost: (cpuMs) => {
          cost = cpuMs;
        },
      }) as Promise<OracleAnswer | OracleFailure>;
    try {
      // What runs beside it costs a statement processor time of its own.
      return await ask(false).catch((error) => {
        if (error instanceof TimeoutError) return ask(true);
        throw error;
      });
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      throw new QueryError('TOO_SLOW', `stopped after ${this.#limitMs} ms of processor time`);
    } finally {
      this.#options.onCost?.(cost / this.#limitMs);
    }
  }
}

/** sql.js would run the first and silently ignore the others. */
function holdsSeveralStatements(sql: string): boolean {
  const tokens = tokenize(sql);
  const end = tokens.findIndex(({ kind, text }) => kind === 'operator' && text === ';');
  return end >= 0 && tokens.slice(end).some(({ kind, text }) => kind !== 'operator' || text !== ';');
}

/** Limits of one SELECT's result. */
export interface OracleLimits {
  readonly maxRows: number;
  /** Approximate bytes of JSON. */
  readonly maxBytes: number;
}

/**
 * Which SQLite answers: `native` takes `"text"` for a name only, `wasm` falls back to a string as SQLite does,
 * `requoted` is the native one with these strings written as such.
 */
export type Engine = 'native' | 'wasm' | 'requoted';

/** What every request says. */
interface OnDatabase {
  readonly file: string;
  /** Given where the statement may call scalar APIs: the tables that tell of places. */
  readonly places?: readonly PlaceSource[];
}

/** What the oracle asks of its child. */
export interface OracleRequest extends OnDatabase {
  readonly sql: string;
  /** null: native when it accepts the text as given, else wasm, or requoted for a large database. */
  readonly engine: Engine | null;
  /** Visit rows in the opposite order wherever the SQL asks for none. */
  readonly reversed: boolean;
}

/** Requests a query's rows as SQLite stores them; the native SQLite must accept the query. */
export interface StoredRequest extends OnDatabase {
  readonly storedOf: string;
  /** How often the query may call `VISITED`. */
  readonly maxVisits: number;
}

/** Asks how often a query calls `VISITED`, up to once more than `maxVisits`. */
export interface VisitsRequest extends OnDatabase {
  readonly visitsOf: string;
  readonly maxVisits: number;
}

/** The function by which a query counts the rows it visits; always true. */
export const VISITED = 'rookery_visited';

/** A value as SQLite stores it; a Uint8Array is a blob. */
export type Stored = bigint | number | string | Uint8Array | null;

/** The rows SQLite gives. */
export interface OracleAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly engine: Engine;
}

/** A query error as a value, since classes do not cross a process boundary. */
export interface OracleFailure {
  readonly code: QueryErrorCode;
  readonly reason: string;
}
