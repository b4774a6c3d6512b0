import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Registry } from 'prom-client';
import type { TableApiStyle } from '../../contracts/hybrid.ts';
import { keyNames } from '../../contracts/records.ts';
import type { Endpoint, Service } from '../../contracts/service.ts';
import { ArgumentError } from '../base/arguments.ts';
import { getOrInsert, SingleFlight } from '../base/concurrency.ts';
import { type Caller, isRun, OWN_CALLER, type OwnRequests } from '../base/http/caller.ts';
import { argumentProblem, HttpProblem, tooManySlowQueries, unknownDomain } from '../base/http/problem.ts';
import type { Limits } from '../base/limits.ts';
import type {
  ReadRequest,
  RunReply,
  RunRequest,
  WorkspaceReply,
  WorkspaceRequest,
} from '../base/scalars/messages.ts';
import type { ReadStatement } from '../base/scalars/read-statement.ts';
import {
  AbandonedError,
  ChildNotStartedError,
  ChildPool,
  type ChildPoolOptions,
  OverloadedError,
  PoolClosedError,
  TimeoutError,
} from '../base/sqlite/child-pool.ts';
import {
  BudgetSpentError,
  type Connection,
  type Driver,
  isBounded,
  type JsonRows,
  jsonSql,
  type RowCaps,
  runJsonQuery,
  type SqlParameters,
  statementMegabytes,
} from '../base/sqlite/driver.ts';
import { type Journal, PrivateCopy, WrittenConnection } from '../base/sqlite/private-copy.ts';
import type { ChildQuery } from '../base/sqlite/query-child.ts';
import { counter, gauge, RequestMetrics, watchProcess } from '../base/telemetry.ts';

export interface RuntimeContext {
  readonly domains: DomainRegistry;
  readonly limits: Limits;
  /** Child processes for queries that may be slow: each is stopped at the time limit and delays no other. */
  readonly slowQueries: SlowQueries;
  /** Child processes for statements of callers. */
  readonly workspaces: Workspaces;
  /** What the APIs of tables can do. Default: rich. */
  readonly tableApi?: TableApiStyle | undefined;
  readonly cache: AnswerCache;
  readonly metrics: Metrics;
  /** Sends HTTP requests to this process itself. */
  readonly own: OwnRequests;
}

/** A domain of a running service: its description, and its database, opened on first use. */
export class ServedDomain {
  readonly service: Service;
  readonly database: string;
  /** Changes whenever an answer could change. Part of every ETag. */
  readonly version: string;
  readonly #driver: Driver;
  #endpoints: ReadonlyMap<string, Endpoint> | undefined;
  readonly #compiled = new Map<string, CompiledEndpoint>();
  #connection: Connection | undefined;
  #copy: PrivateCopy | undefined;
  readonly paces = { tables: newPace(), query: newPace(), tools: newPace() };

  constructor(service: Service, database: string, version: string, driver: Driver) {
    this.service = service;
    this.database = database;
    this.version = version;
    this.#driver = driver;
  }

  /** What the run that is served has written; empty for all other callers. */
  get journal(): Journal {
    return [];
  }

  /** The domain as everybody sees it. */
  get plain(): ServedDomain {
    return this;
  }

  /** The domain as a run sees it that has written this. */
  written(journal: Journal): ServedDomain {
    return journal.length === 0 ? this : new WrittenDomain(this, journal, this.#driver);
  }

  /** The copy on which calls of runs are carried out, made on first use. Throws SqliteError. */
  copy(): PrivateCopy {
    const { tables } = this.service.catalog;
    this.#copy ??= new PrivateCopy(this.database, (name) =>
      keyNames(tables.find((each) => each.name === name)),
    );
    return this.#copy;
  }

  /** The part of a child's query that says where its rows are. */
  get source(): Pick<ChildQuery, 'database' | 'journal'> {
    return { database: this.database };
  }

  connection(): Connection {
    this.#connection ??= this.#driver.open(this.database);
    return this.#connection;
  }

  endpoint(name: string): CompiledEndpoint | undefined {
    const known = this.#compiled.get(name);
    if (known) return known;
    const endpoint = this.#byName().get(name);
    if (!endpoint) return undefined;
    const compiled = new CompiledEndpoint(endpoint);
    this.#compiled.set(name, compiled);
    return compiled;
  }

  endpointNames(): Iterable<string> {
    return this.#byName().keys();
  }

  #byName(): ReadonlyMap<string, Endpoint> {
    this.#endpoints ??= new Map(this.service.endpoints.map((endpoint) => [endpoint.name, endpoint]));
    return this.#endpoints;
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#copy?.close();
    this.#copy = undefined;
  }
}

/** A domain in the state of one run. It lives for one call. */
class WrittenDomain extends ServedDomain {
  readonly #plain: ServedDomain;
  readonly #journal: Journal;

  constructor(plain: ServedDomain, journal: Journal, driver: Driver) {
    super(plain.service, plain.database, plain.version, driver);
    this.#plain = plain;
    this.#journal = journal;
  }

  override get journal(): Journal {
    return this.#journal;
  }

  override get plain(): ServedDomain {
    return this.#plain;
  }

  override get source(): Pick<ChildQuery, 'database' | 'journal'> {
    return { database: this.database, journal: this.#journal.map(({ text }) => text) };
  }

  override copy(): PrivateCopy {
    return this.#plain.copy();
  }

  override connection(): Connection {
    return new WrittenConnection(this.copy(), this.#journal);
  }

  override endpoint(name: string): CompiledEndpoint | undefined {
    return this.#plain.endpoint(name);
  }
}

/** A call this many times over its limit by the clock is not explained by a busy machine. */
const FAR_OVER = 10;

/**
 * Finds the calls on the main thread that take long. On a busy machine a quick one may take long by the clock, so processor
 * time decides. Asking for that costs as much as a quick statement, so only once a call has been long by the clock.
 */
class CallTimer {
  #isSuspect = false;

  start(): CallStart {
    return { at: performance.now(), cpu: this.#isSuspect ? process.cpuUsage() : undefined };
  }

  tookLong({ at, cpu }: CallStart, ms: number): boolean {
    const clock = performance.now() - at;
    if (clock <= ms) return false;
    this.#isSuspect = true;
    return clock > ms * FAR_OVER || (cpu !== undefined && cpuMsSince(cpu) > ms);
  }
}

interface CallStart {
  readonly at: number;
  readonly cpu: NodeJS.CpuUsage | undefined;
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export class CompiledEndpoint {
  readonly endpoint: Endpoint;
  /** SQL that returns each row as JSON text. */
  readonly sql: string;
  /** Whether it runs in a child process: marked slow in the farm, or measured slow since. */
  slow: boolean;
  #bounded: boolean | undefined;
  readonly timer = new CallTimer();

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
    this.sql = jsonSql(
      endpoint.sql,
      endpoint.columns.map((column) => column.name),
    );
    this.slow = endpoint.speed === 'slow';
  }

  bounded(connection: Connection, parameters: SqlParameters): boolean {
    this.#bounded ??= isBounded(connection, this.endpoint.sql, parameters);
    return this.#bounded;
  }

  /** Records a call on the main thread. Returns true if the endpoint has just become slow. */
  observe(start: CallStart, quickMs: number): boolean {
    if (this.slow || !this.timer.tookLong(start, quickMs)) return false;
    this.slow = true;
    return true;
  }
}

/** The domains of a running service, by split and name. */
export class DomainRegistry implements Iterable<ServedDomain> {
  readonly #splits = new Map<string, Map<string, ServedDomain>>();

  add(domain: ServedDomain): void {
    const { split, db } = domain.service;
    const inSplit = getOrInsert(this.#splits, split, () => new Map<string, ServedDomain>());
    if (inSplit.has(db)) throw new Error(`the domain ${split}/${db} is given twice`);
    inSplit.set(db, domain);
  }

  get names(): string[] {
    return Array.from(this, ({ service }) => service.db);
  }

  get size(): number {
    return [...this.#splits.values()].reduce((sum, domains) => sum + domains.size, 0);
  }

  /** Throws UNKNOWN_DOMAIN with the nearest names. */
  get(split: string, db: string): ServedDomain {
    const domain = this.#splits.get(split)?.get(db);
    if (domain) return domain;
    const known = [...this].map(({ service }) => `${service.split}/${service.db}`);
    throw unknownDomain(`${split}/${db}`, known, Number.POSITIVE_INFINITY);
  }

  /** The domain that the path of a request names. Throws UNKNOWN_DOMAIN. */
  of({ params }: Pick<FastifyRequest, 'params'>): ServedDomain {
    const { split, db } = params as { readonly split: string; readonly db: string };
    return this.get(split, db);
  }

  /** The first domain of this name, in any split. */
  byName(db: string): ServedDomain | undefined {
    for (const domains of this.#splits.values()) {
      const domain = domains.get(db);
      if (domain) return domain;
    }
    return undefined;
  }

  *[Symbol.iterator](): IterableIterator<ServedDomain> {
    for (const domains of this.#splits.values()) yield* domains.values();
  }
}

interface BoundedStatement {
  readonly sql: string;
  readonly parameters: SqlParameters;
  /** An upper bound of its work (see plan-bounds.ts). */
  readonly steps: number;
  /** What it is for; statements of a kind have a pace of their own. */
  readonly kind: keyof ServedDomain['paces'];
  readonly maxRows?: number;
  readonly timeoutMs?: number;
}

interface StatementPace {
  /** Maximum steps of one statement on the main thread. */
  quickSteps: number;
  readonly timer: CallTimer;
}

/** Holds up the main thread for at most 15 ms, at the lowest speed observed: 10 million steps per second. */
const QUICK_STEPS = 150_000;

function newPace(): StatementPace {
  return { quickSteps: QUICK_STEPS, timer: new CallTimer() };
}

/**
 * Runs a statement: on the main thread if its plan takes few steps, else in a child process, which is stopped at the
 * limit. If the main thread was held up nevertheless, the step limit is lowered. Throws QUERY_TIMEOUT, OVERLOADED,
 * QUERY_FAILED, QUERY_TOO_COMPLEX.
 */
export async function runStatement(
  { limits, slowQueries }: Pick<RuntimeContext, 'limits' | 'slowQueries'>,
  domain: ServedDomain,
  { sql, parameters, steps, kind, maxRows = limits.maxRows, timeoutMs = limits.timeoutMs }: BoundedStatement,
  asker: Caller,
): Promise<JsonRows> {
  const { quickMs, maxBytes } = limits;
  const pace = domain.plain.paces[kind];
  const queryWithin = (caps: RowCaps) => ({ sql, parameters, caps, keep: false });
  const inChild = () =>
    slowQueries.run({ ...queryWithin({ maxRows, maxBytes }), ...domain.source }, timeoutMs, asker);
  try {
    if (steps > pace.quickSteps) return await inChild();
    const start = pace.timer.start();
    try {
      return runJsonQuery(domain.connection(), queryWithin({ maxRows, maxBytes, budgetMs: quickMs }));
    } catch (error) {
      if (error instanceof BudgetSpentError) return await inChild();
      throw error;
    } finally {
      if (pace.timer.tookLong(start, quickMs))
        pace.quickSteps = Math.floor(Math.min(steps, pace.quickSteps) / 2);
    }
  } catch (error) {
    throw isTooComplex(error) ? tooComplex(error) : asProblem(error);
  }
}

/** SQLite's errors for a valid statement that is too complex to prepare. */
const TOO_MUCH = /too (many|large|big|complex|long)|at most \d+ tables|parser stack overflow/i;

/** Compares the name, since the error may come from a child process. */
function isTooComplex(error: unknown): error is Error {
  return error instanceof Error && error.name === 'SqliteError' && TOO_MUCH.test(error.message);
}

function tooComplex(cause: Error): HttpProblem {
  const detail = 'The result is made of too many steps, tables or columns for one SQL statement.';
  return new HttpProblem('QUERY_TOO_COMPLEX', detail, { cause });
}

/** Bytes of an entry besides its texts: map slot and objects. */
const ENTRY_BYTES = 300;

export interface CachedAnswer {
  readonly body: string;
  readonly etag: string;
}

/**
 * A cache of answers by URL within a byte budget, which evicts the least recently used. Entries never expire, since the
 * data never change.
 */
export class AnswerCache {
  readonly #entries: LRUCache<string, CachedAnswer> | undefined;
  readonly #maxEntryBytes: number;
  /** Slow answers in progress, so that concurrent identical requests are computed once. */
  readonly underWay = new SingleFlight<CachedAnswer>();
  hits = 0;
  misses = 0;

  /** A budget of 0 disables the cache. */
  constructor(maxBytes: number) {
    // Keeps one answer from evicting everything else.
    this.#maxEntryBytes = Math.floor(maxBytes / 4);
    if (maxBytes > 0) this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  get(url: string): CachedAnswer | undefined {
    const entry = this.#entries?.get(url);
    if (entry) this.hits++;
    else this.misses++;
    return entry;
  }

  set(url: string, answer: CachedAnswer): void {
    if (sizeOf(answer, url) <= this.#maxEntryBytes) this.#entries?.set(url, answer);
  }
}

/** An upper bound: a string takes one or two bytes per character. */
function sizeOf(answer: CachedAnswer, url: string): number {
  return ENTRY_BYTES + 2 * (url.length + answer.body.length + answer.etag.length);
}

/** The service's metrics. Labels are bounded: known domains, kinds of routes, status codes; never a URL. */
export class Metrics {
  /** Endpoints moved from the main thread to child processes since the start. */
  demotions = 0;
  readonly #registry = new Registry();
  readonly requests: RequestMetrics;
  /** Further metrics in the Prometheus text format, from plugins. */
  readonly more: ((isOperator: boolean) => Promise<string>)[] = [];
  #scraped = false;

  constructor(watched: { cache: AnswerCache; slowQueries: SlowQueries; domains: DomainRegistry }) {
    const registry = this.#registry;
    this.requests = new RequestMetrics(registry, 'rookery_http');
    const { cache, slowQueries, domains } = watched;
    gauge(registry, 'rookery_domains', 'Domains served', () => domains.size);
    gauge(registry, 'rookery_answer_cache_bytes', 'Bytes of answers kept', () => cache.bytes);
    gauge(
      registry,
      'rookery_slow_queries_running',
      'Queries running in child processes',
      () => slowQueries.load.running,
    );
    gauge(
      registry,
      'rookery_slow_queries_waiting',
      'Queries waiting for a child process',
      () => slowQueries.load.waiting,
    );
    for (const [name, help, value] of [
      ['rookery_answer_cache_hits_total', 'Answers found in the cache', () => cache.hits],
      ['rookery_answer_cache_misses_total', 'Answers not found in the cache', () => cache.misses],
      ['rookery_query_timeouts_total', 'Queries stopped at the limit', () => slowQueries.timeouts],
      ['rookery_queries_refused_total', 'Queries refused because too many waited', () => slowQueries.refused],
      [
        'rookery_endpoints_demoted_total',
        'Endpoints found slow and moved to child processes',
        () => this.demotions,
      ],
    ] as const)
      counter(registry, name, help, value);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text of `/metrics`. Process metrics are collected from the first scrape on. */
  async text(isOperator: boolean): Promise<string> {
    if (!this.#scraped) watchProcess(this.#registry);
    this.#scraped = true;
    const texts = [this.#registry.metrics(), ...this.more.map((text) => text(isOperator))];
    return (await Promise.all(texts)).join('\n');
  }
}

export interface SlowQueriesOptions {
  readonly size: number;
  readonly maxQueue: number;
  /** Limit of a query's processor time, in milliseconds. */
  readonly timeoutMs: number;
  /** Factor between the wall-clock and the processor time limit; see ChildPool. */
  readonly patience?: number;
  /** Called in the caller's async context with the fraction of its limit that a query used. */
  readonly onCost?: (share: number) => void;
}

export class SlowQueries {
  readonly #pool: ChildPool<ChildQuery, JsonRows>;
  readonly #timeoutMs: number;
  timeouts = 0;
  refused = 0;

  readonly #onCost: SlowQueriesOptions['onCost'];

  constructor({ timeoutMs, onCost, ...pool }: SlowQueriesOptions) {
    const module = new URL('../base/sqlite/query-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, ...pool, memoryMegabytes: statementMegabytes() });
    this.#timeoutMs = timeoutMs;
    this.#onCost = onCost;
  }

  get load(): { running: number; waiting: number } {
    return this.#pool.load;
  }

  /**
   * Runs a query, stopped after `timeoutMs` (default: the common limit). Rejects with QUERY_TIMEOUT, OVERLOADED,
   * QUERY_FAILED, CALLER_GONE, NOT_READY, or another error of the child.
   */
  async run(query: ChildQuery, timeoutMs = this.#timeoutMs, asker: Caller = OWN_CALLER): Promise<JsonRows> {
    let cost = 0;
    const onCost = (cpuMs: number) => {
      cost = cpuMs;
    };
    try {
      return await this.#pool.run(query, timeoutMs, { ...asker, sharing: isRun(asker.caller), onCost });
    } catch (error) {
      if (error instanceof TimeoutError) this.timeouts++;
      if (error instanceof OverloadedError) this.refused++;
      throw asProblem(error);
    } finally {
      this.#onCost?.(cost / timeoutMs);
    }
  }

  warm(): void {
    this.#pool.warm();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The error of a query as a problem, without internal details. */
export function asProblem(error: unknown): unknown {
  if (error instanceof TimeoutError) {
    const detail = `The query was stopped after ${error.limitMs} ms. Other parameter values may be quicker.`;
    return new HttpProblem('QUERY_TIMEOUT', detail, { cause: error });
  }
  if (error instanceof OverloadedError) return tooManySlowQueries('1', error);
  if (error instanceof AbandonedError) {
    const detail = 'The caller hung up before the query was answered.';
    return new HttpProblem('CALLER_GONE', detail, { cause: error });
  }
  if (error instanceof PoolClosedError)
    return new HttpProblem('NOT_READY', 'The server is stopping.', { cause: error });
  if (error instanceof ChildNotStartedError)
    return new HttpProblem('NOT_READY', 'The process for such queries does not start.', { cause: error });
  // Compares the name, since the error may come from a child process.
  if (error instanceof Error && error.name === 'QueryFailedError') {
    const detail =
      'SQLite cannot compute the answer for these values: a number or a text became too large, or a text is no JSON.';
    return new HttpProblem('QUERY_FAILED', detail, { cause: error });
  }
  return error;
}

/** Enough for the rows of a plan and of an answer. A few names can expand to millions of columns. */
const HEAP_MEGABYTES = 512;

/** Runs callers' statements in child processes, each killed at the limit. The processes start on first use. */
export class Workspaces {
  readonly #pool: ChildPool<WorkspaceRequest, WorkspaceReply>;
  readonly #timeoutMs: number;

  constructor({
    timeoutMs,
    ...pool
  }: { readonly timeoutMs: number } & Pick<ChildPoolOptions, 'size' | 'maxQueue' | 'patience'>) {
    const module = new URL('../base/scalars/workspace-child.ts', import.meta.url);
    this.#pool = new ChildPool({
      module,
      ...pool,
      heapMegabytes: HEAP_MEGABYTES,
      memoryMegabytes: statementMegabytes(),
    });
    this.#timeoutMs = timeoutMs;
  }

  /** Parses a statement. Rejects with INVALID_PARAMETERS, QUERY_TIMEOUT, OVERLOADED, CALLER_GONE, NOT_READY. */
  async read(request: Omit<ReadRequest, 'kind'>, asker: Caller = OWN_CALLER): Promise<ReadStatement> {
    const reply = await this.#ask({ kind: 'read', ...request }, asker);
    if (reply.kind !== 'read') throw new Error(`a statement to be read was answered with ${reply.kind}`);
    return reply;
  }

  /**
   * Runs a statement. Rejects with INVALID_PARAMETERS, QUERY_TIMEOUT, OVERLOADED, QUERY_FAILED, QUERY_TOO_COMPLEX,
   * CALLER_GONE, NOT_READY, UNBOUND_API_INPUT.
   */
  async run(request: Omit<RunRequest, 'kind'>, asker: Caller = OWN_CALLER): Promise<RunReply> {
    const reply = await this.#ask({ kind: 'run', ...request }, asker);
    if (reply.kind === 'read') throw new Error('a statement to be run was answered with what it says');
    return reply;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(request: WorkspaceRequest, asker: Caller) {
    const sharing = isRun(asker.caller);
    const reply = await this.#pool.run(request, this.#timeoutMs, { ...asker, sharing }).catch((error) => {
      throw statementProblem(error);
    });
    if (reply.kind === 'refused') throw argumentProblem(new ArgumentError(reply.errors));
    return reply;
  }
}

/**
 * Compares the name, since the error comes from a child process. SQLite's message can only mention what the statement
 * may name.
 */
function statementProblem(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'UnboundInputError')
    return new HttpProblem('UNBOUND_API_INPUT', `${error.message}.`, { cause: error });
  if (error.name === 'QueryFailedError' || error.name === 'SqliteError')
    return new HttpProblem('QUERY_FAILED', `SQLite: ${error.message}`.slice(0, 400), { cause: error });
  // It exceeded the memory limit of the process.
  if (error.name === 'ChildCrashedError')
    return new HttpProblem('QUERY_TOO_COMPLEX', 'The statement takes too much memory.', { cause: error });
  return asProblem(error);
}
