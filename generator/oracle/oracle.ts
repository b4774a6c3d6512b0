import { LRUCache } from 'lru-cache';
import type { Catalog, Row } from '../../contracts/catalog.ts';
import { QueryError, type QueryErrorCode, UserError, unlessQueryError } from '../../contracts/errors.ts';
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

type Pool = ChildPool<AnyRequest, AnyReply>;

/** A statement that took more milliseconds of processor time on one database runs alone on the others. */
const SLOW_MS = 300;
/** Few enough that little is run again if one of them takes long. */
const TOGETHER = 8;
/** Processor time of statements that run in one message; one that takes longer runs again alone, with its own limit. */
const TOGETHER_MS = 2000;
const MOST_STATEMENTS = 1000;
/** Remembered answers, by their cells and the texts in them. */
const REMEMBERED_CELLS = 1_000_000;

/** Items to ask for in one message. */
export function togetherOf<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / TOGETHER) }, (_, i) =>
    items.slice(i * TOGETHER, (i + 1) * TOGETHER),
  );
}

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
  /** Only whether SQLite accepts the statement; there are no rows. */
  readonly prepareOnly?: boolean;
}

export interface StatementAhead extends RunOptions {
  readonly sql: string;
  /** Skip it if the nearest earlier statement without `least` returns fewer rows. */
  readonly least?: number;
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
  readonly #answers: LRUCache<string, Remembered> | null;
  /** Statements read so far, by their text: each runs on several databases. */
  readonly #statements = new LRUCache<string, Statement>({ max: MOST_STATEMENTS });
  /** Statements that took long on some database. */
  readonly #slow = new Set<string>();
  /** Statements that are running and will be remembered. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(
    options: OracleOptions,
    shared: {
      readonly pool: Pool;
      readonly places: readonly PlaceSource[];
      readonly remembers: boolean;
    } | null = null,
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
    this.#answers = shared?.remembers
      ? new LRUCache({ maxSize: REMEMBERED_CELLS, sizeCalculation: cellsOf })
      : null;
  }

  /**
   * An oracle with the same child processes, for a catalog, so that statements may call scalar APIs. One that
   * `remembers` runs no statement twice; its files must not change.
   */
  over(
    catalog: Catalog,
    {
      onCost = this.#options.onCost,
      remembers = false,
    }: Pick<OracleOptions, 'onCost'> & { readonly remembers?: boolean } = {},
  ): Oracle {
    const options = { ...this.#options, ...(onCost ? { onCost } : {}) };
    return new Oracle(options, { pool: this.#pool, places: placeSources(catalog), remembers });
  }

  /** Throws QueryError: NONDETERMINISTIC, SQL_NOT_EXECUTABLE, TOO_SLOW, SQL_TOO_LARGE, SQL_NOT_PARSED. */
  async run(file: string, sql: string, options: RunOptions = {}): Promise<Gold> {
    const { request, pinned } = this.#requestOf(file, sql, options);
    const key = keyOf(request);
    const running = this.#underWay.get(key);
    // Awaited only if there is one: of two calls that begin at once, the second must find the first here.
    if (running) await running;
    const known = this.#answers?.get(key);
    if (known) {
      this.#options.onCost?.(known.share);
      return { ...known.answer, pinned };
    }
    let share = 0;
    const sent = this.#send(request, (used) => {
      share = used;
    });
    const answer = await this.#whileUnderWay([key], sent);
    if ('code' in answer) throw new QueryError(answer.code, answer.reason);
    if (share * this.#limitMs > SLOW_MS) this.#slow.add(request.sql);
    this.#answers?.set(key, { answer, share });
    return { ...answer, pinned };
  }

  /**
   * Runs statements in one message to a child process, for an oracle that remembers, so that `run` has their answers
   * already. Whatever fails or takes long is left to `run`.
   */
  async runAhead(file: string, statements: readonly StatementAhead[]): Promise<void> {
    const answers = this.#answers;
    if (!answers) return;
    const together = statements.flatMap(({ sql, least, ...options }) => {
      const read = unlessQueryError(() => this.#requestOf(file, sql, options));
      return read ? [{ ...read.request, least }] : [];
    });
    const unknown = together.filter((request) => {
      const key = keyOf(request);
      return !answers.has(key) && !this.#underWay.has(key) && !this.#slow.has(request.sql);
    });
    if (unknown.length < 2) return;
    await this.#whileUnderWay(unknown.map(keyOf), this.#runTogether(file, unknown, answers));
  }

  async #whileUnderWay<T>(keys: readonly string[], work: Promise<T>): Promise<T> {
    const ended = Promise.allSettled([work]);
    if (this.#answers) for (const key of keys) this.#underWay.set(key, ended);
    try {
      return await work;
    } finally {
      for (const key of keys) this.#underWay.delete(key);
    }
  }

  async #runTogether(
    file: string,
    together: TogetherRequest['together'],
    answers: LRUCache<string, Remembered>,
  ): Promise<void> {
    const limitMs = Math.min(TOGETHER_MS, this.#limitMs);
    try {
      const made = (await this.#pool.run({ file, together }, limitMs)) as (Costed | null)[];
      together.forEach((request, i) => {
        const each = made[i];
        if (!each) return;
        if (each.cpuMs > SLOW_MS) this.#slow.add(request.sql);
        answers.set(keyOf(request), { answer: each.answer, share: each.cpuMs / this.#limitMs });
      });
    } catch (error) {
      if (!(error instanceof TimeoutError || error instanceof ChildCrashedError)) throw error;
    }
  }

  #requestOf(
    file: string,
    sql: string,
    { engine = null, reversed = false, prepareOnly = false }: RunOptions,
  ): { readonly request: OracleRequest; readonly pinned: boolean } {
    const { pinned, ...statement } = this.#statements.get(sql) ?? this.#readStatement(sql);
    return { request: { file, engine, reversed, prepareOnly, ...statement }, pinned };
  }

  #readStatement(sql: string): Statement {
    const chance = nondeterministicFunction(sql);
    if (chance) throw new QueryError('NONDETERMINISTIC', `${chance}() has no fixed value`, chance);
    if (holdsSeveralStatements(sql)) {
      throw new QueryError('SQL_NOT_EXECUTABLE', 'more than one statement');
    }
    const statement = { ...pinTime(sql, this.#options.referenceTime), ...this.#scalars(sql) };
    this.#statements.set(sql, statement);
    return statement;
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

  /**
   * For each query its rows as stored; null when SQLite refuses it or `VISITED` is called too often, on any machine
   * alike.
   */
  readStored(
    file: string,
    queries: readonly string[],
    maxVisits: number,
  ): Promise<readonly (Stored[][] | null)[]> {
    return this.#count(file, { counted: 'rows', queries, maxVisits });
  }

  /** For each query the calls of `VISITED`, at most `maxVisits` + 1; null when SQLite refuses it. */
  visits(file: string, queries: readonly string[], maxVisits: number): Promise<readonly (number | null)[]> {
    return this.#count(file, { counted: 'visits', queries, maxVisits });
  }

  #scalars(sql: string): { readonly places?: readonly PlaceSource[] } {
    return this.#places && namesScalarApi(sql) ? { places: this.#places } : {};
  }

  async #count<Counted>(file: string, asked: Omit<CountingRequest, 'file'>): Promise<(Counted | null)[]> {
    const parts = togetherOf(asked.queries).map((queries) =>
      this.#countPart<Counted>({ file, ...asked, queries }),
    );
    return (await Promise.all(parts)).flat() as (Counted | null)[];
  }

  /** If one of several takes too much memory, each is run alone. */
  async #countPart<Counted>(request: CountingRequest): Promise<(Counted | null)[]> {
    const { file, queries } = request;
    try {
      const sent = { ...request, ...this.#scalars(queries.join(' ')) };
      return (await this.#pool.run(sent, STORED_LIMIT_MS)) as (Counted | null)[];
    } catch (error) {
      if (error instanceof ChildCrashedError && error.outOfMemory) {
        if (queries.length === 1) return [null];
        const each = queries.map((query) => this.#countPart<Counted>({ ...request, queries: [query] }));
        return (await Promise.all(each)).flat() as (Counted | null)[];
      }
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
    onShare?: (share: number) => void,
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
      onShare?.(cost / this.#limitMs);
      this.#options.onCost?.(cost / this.#limitMs);
    }
  }
}

interface Statement extends Pick<OracleRequest, 'sql' | 'places'> {
  readonly pinned: boolean;
}

interface Remembered {
  readonly answer: OracleAnswer;
  /** The share of its processor time limit that it used. */
  readonly share: number;
}

function keyOf({ file, sql, engine, reversed, prepareOnly }: OracleRequest): string {
  return JSON.stringify([file, sql, engine, reversed, prepareOnly]);
}

/** Texts count by their length. */
function cellsOf({ answer: { rows } }: Remembered): number {
  let cells = 1;
  for (const row of rows) for (const cell of row) cells += typeof cell === 'string' ? 1 + cell.length / 8 : 1;
  return Math.ceil(cells);
}

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

/** `native` reads `"text"` as a name, `requoted` as a string where no column has that name. */
export type Engine = 'native' | 'requoted';

interface OnDatabase {
  readonly file: string;
  /** For scalar APIs: tables with places. */
  readonly places?: readonly PlaceSource[];
}

export interface OracleRequest extends OnDatabase {
  readonly sql: string;
  /** null: native when it accepts the text as given, else requoted. */
  readonly engine: Engine | null;
  /** Visit unsorted rows in the opposite order. */
  readonly reversed: boolean;
  readonly prepareOnly: boolean;
}

/** Asks for the answers of several statements; null for each that fails or is skipped. */
export interface TogetherRequest extends OnDatabase {
  readonly together: readonly (OracleRequest & Pick<StatementAhead, 'least'>)[];
}

export interface Costed {
  readonly answer: OracleAnswer;
  readonly cpuMs: number;
}

export type AnyRequest = OracleRequest | TogetherRequest | CountingRequest | WritesRequest;

export type AnyReply =
  | OracleAnswer
  | OracleFailure
  | (Costed | null)[]
  | (Stored[][] | null)[]
  | (number | null)[]
  | WritesAnswer;

export interface WritesRequest extends OnDatabase {
  readonly statements: readonly string[];
  readonly referenceTime: string;
  readonly reversed: boolean;
  readonly atMost?: number | undefined;
}

export interface WritesAnswer {
  readonly changes: readonly RowChange[];
  /** The rows of the last statement, if that is a query; as they are after the changes. */
  readonly answer: { readonly columns: readonly string[]; readonly rows: readonly Row[] } | null;
  /** The constraint by which SQLite refused a statement; nothing is changed then. */
  readonly refused: string | null;
  /** A subquery in place of a value that finds no row or several; then nothing is run. */
  readonly unclear: string | null;
}

/** Asks for rows as stored, or how often queries call `VISITED`; the native SQLite must accept them. */
interface CountingRequest extends OnDatabase {
  readonly counted: 'rows' | 'visits';
  readonly queries: readonly string[];
  /** How often each query may call `VISITED`. */
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
