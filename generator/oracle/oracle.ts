import type { Catalog, Row } from '../../contracts/catalog.ts';
import { QueryError, type QueryErrorCode, UserError } from '../../contracts/errors.ts';
import { type PlaceSource, placeSources } from '../../services/base/scalars/gazetteer.ts';
import { ChildCrashedError, ChildPool, TimeoutError } from '../../services/base/sqlite/child-pool.ts';
import type { RowChange } from '../../services/base/sqlite/private-copy.ts';
import { tokenize } from '../../sql/index.ts';
import { namesScalarApi, nondeterministicFunction, pinTime, splitStatements } from './gold-sql.ts';

/** Far more than the allowed visits take. */
const STORED_LIMIT_MS = 600_000;
/** The same on every machine, since verdicts depend on it: SQLite, the rows, and a database in memory. */
export const STATEMENT_MEGABYTES = 768;
/** No limit by the clock: a busy machine must not decide a verdict. */
export const PATIENCE = Number.POSITIVE_INFINITY;

type Pool = ChildPool<
  OracleRequest | StoredRequest | VisitsRequest | WritesRequest,
  OracleAnswer | OracleFailure | Stored[][] | WritesAnswer | number | null
>;

export interface OracleOptions extends Partial<OracleLimits> {
  readonly referenceTime: string;
  /** Child processes at once; 2 by default. */
  readonly children?: number;
  /** Milliseconds of processor time for one statement; 60,000 by default. */
  readonly limitMs?: number;
  /** Called in the caller's async context, with the used share of the limit. */
  readonly onCost?: (share: number) => void;
}

export interface RunOptions {
  /** Forces one of the SQLites. */
  readonly engine?: Engine | null;
  /** Visits unsorted rows in the opposite order, to show what SQL leaves open. */
  readonly reversed?: boolean;
}

/** The rows of a gold query, and whether its current time was pinned. */
export interface Gold extends OracleAnswer {
  readonly pinned: boolean;
}

/** Runs SQL as given, without the IR, in child processes, so that any statement can be stopped. */
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
        memoryMegabytes: STATEMENT_MEGABYTES,
        patience: PATIENCE,
      });
    this.#places = shared?.places ?? null;
    this.#limitMs = limitMs;
  }

  /** An oracle with the same child processes, for a catalog, so that statements may call scalar APIs. */
  over(catalog: Catalog, onCost = this.#options.onCost): Oracle {
    const options = { ...this.#options, ...(onCost ? { onCost } : {}) };
    return new Oracle(options, { pool: this.#pool, places: placeSources(catalog) });
  }

  /** Throws QueryError: NONDETERMINISTIC, SQL_NOT_EXECUTABLE, TOO_SLOW, SQL_TOO_LARGE, SQL_NOT_PARSED. */
  async run(file: string, sql: string, { engine = null, reversed = false }: RunOptions = {}): Promise<Gold> {
    const chance = nondeterministicFunction(sql);
    if (chance) throw new QueryError('NONDETERMINISTIC', `${chance}() has no fixed value`, chance);
    if (holdsSeveralStatements(sql)) {
      throw new QueryError('SQL_NOT_EXECUTABLE', 'more than one statement');
    }
    const pin = pinTime(sql, this.#options.referenceTime);
    const answer = await this.#send({ file, sql: pin.sql, engine, reversed, ...this.#scalars(sql) });
    if ('code' in answer) throw new QueryError(answer.code, answer.reason);
    return { ...answer, pinned: pin.pinned };
  }

  /**
   * What statements change, on a copy. Throws QueryError: NONDETERMINISTIC, SQL_NOT_EXECUTABLE, SQL_UNSUPPORTED,
   * SQL_TOO_LARGE, TOO_SLOW.
   */
  async writes(
    file: string,
    sql: string,
    { reversed = false, atMost }: Pick<RunOptions, 'reversed'> & { readonly atMost?: number } = {},
  ): Promise<WritesAnswer> {
    const { referenceTime } = this.#options;
    const statements = splitStatements(sql);
    const answer = await this.#send<WritesAnswer>({ file, statements, referenceTime, reversed, atMost });
    if ('code' in answer) throw new QueryError(answer.code, answer.reason);
    return answer;
  }

  /** As stored; null when SQLite refuses the query or `VISITED` is called too often, on any machine alike. */
  async readStored(file: string, sql: string, maxVisits: number): Promise<readonly Stored[][] | null> {
    return (await this.#counted(file, { file, storedOf: sql, maxVisits, ...this.#scalars(sql) })) as
      | Stored[][]
      | null;
  }

  /** Calls of `VISITED`, at most `maxVisits` + 1; null when SQLite refuses the query. */
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
      if (error instanceof ChildCrashedError && error.outOfMemory) return null;
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

  async #send<Answer = OracleAnswer>(
    request: OracleRequest | WritesRequest,
  ): Promise<Answer | OracleFailure> {
    let cost = 0;
    const send = (alone: boolean) =>
      this.#pool.run(request, this.#limitMs, {
        alone,
        onCost: (cpuMs) => {
          cost = cpuMs;
        },
      }) as Promise<Answer | OracleFailure>;
    try {
      // Statements beside it cost this one processor time too, so it is retried alone.
      return await send(false).catch((error) => {
        if (error instanceof TimeoutError) return send(true);
        throw error;
      });
    } catch (error) {
      if (error instanceof ChildCrashedError && error.outOfMemory)
        throw new QueryError('SQL_TOO_LARGE', `takes more than ${STATEMENT_MEGABYTES} MB of memory`);
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

/** `native` reads `"text"` as a name, `wasm` falls back to a string, `requoted` is native after `requote`. */
export type Engine = 'native' | 'wasm' | 'requoted';

interface OnDatabase {
  readonly file: string;
  /** For scalar APIs: tables with places. */
  readonly places?: readonly PlaceSource[];
}

export interface OracleRequest extends OnDatabase {
  readonly sql: string;
  /** null: native when it accepts the text as given, else wasm, or requoted for a large database. */
  readonly engine: Engine | null;
  /** Visit unsorted rows in the opposite order. */
  readonly reversed: boolean;
}

/** Asks what statements change. */
export interface WritesRequest extends OnDatabase {
  readonly statements: readonly string[];
  readonly referenceTime: string;
  readonly reversed: boolean;
  readonly atMost?: number | undefined;
}

/** What statements do to a database. */
export interface WritesAnswer {
  readonly changes: readonly RowChange[];
  /** The rows of the last statement, if that is a query; as they are after the changes. */
  readonly answer: { readonly columns: readonly string[]; readonly rows: readonly Row[] } | null;
  /** The constraint by which SQLite refused a statement; nothing is changed then. */
  readonly refused: string | null;
  /** A subquery in place of a value that finds no row or several; then nothing is run. */
  readonly unclear: string | null;
}

/** Asks for rows as stored; the native SQLite must accept the query. */
export interface StoredRequest extends OnDatabase {
  readonly storedOf: string;
  /** How often the query may call `VISITED`. */
  readonly maxVisits: number;
}

/** Asks how often a query calls `VISITED`, at most `maxVisits` + 1. */
export interface VisitsRequest extends OnDatabase {
  readonly visitsOf: string;
  readonly maxVisits: number;
}

/** A value as SQLite stores it; a Uint8Array is a blob. */
export type Stored = bigint | number | string | Uint8Array | null;

export interface OracleAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly engine: Engine;
}

/** A QueryError as plain data, to cross the process boundary. */
export interface OracleFailure {
  readonly code: QueryErrorCode;
  readonly reason: string;
}

/** The result of the work, or null if it throws a QueryError. */
export async function unlessRefused<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}
