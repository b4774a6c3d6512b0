import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import pidusage from 'pidusage';
import { UserError } from '../../../contracts/errors.ts';
import { keepObjects } from './driver.ts';

keepObjects();

export interface ChildPoolOptions {
  /** Entry module of the child, e.g. `new URL('./x-child.ts', import.meta.url)`; it calls `serveChild`. */
  readonly module: URL;
  readonly size: number;
  /** Maximum queue length, above which requests are rejected. Default: unlimited. */
  readonly maxQueue?: number;
  /** Passed to every child's handler; must be serializable. */
  readonly init?: unknown;
  /** Heap limit of a child in megabytes, above which it crashes. Default: Node's own. */
  readonly heapMegabytes?: number;
  /**
   * Limit of all memory that a child allocates, in megabytes; Linux only. SQLite then fails the statement:
   * better-sqlite3 is compiled without SQLite's own limits.
   */
  readonly memoryMegabytes?: number;
  /**
   * Factor between a request's wall-clock and processor time limit, for busy machines; default 3. A child may take this
   * many times 40 seconds to start.
   */
  readonly patience?: number;
}

const PATIENCE = 3;
/** Processor time, and generous: a child that is not `ready` by then is considered broken. */
const START_MS = 40_000;
/** Minimum interval for checking a child's processor time. */
const LEAST_WAIT_MS = 20;

/** Delay before an abandoned request is stopped: most end sooner, and cost less than a new child. */
const ABANDONED_MS = 200;

/**
 * Child processes that run one request each at a time and can be stopped. Synchronous work such as an SQL statement
 * cannot be interrupted from within, so a child over its limit is killed and replaced.
 */
export class ChildPool<Request, Reply> {
  readonly #module: ChildModule;
  readonly #options: ChildPoolOptions;
  readonly #patience: number;
  readonly #slots = new Set<Slot<Request, Reply>>();
  readonly #queue = new FairQueue<Job<Request, Reply>>();
  #closed = false;

  constructor(options: ChildPoolOptions) {
    this.#options = options;
    this.#patience = options.patience ?? PATIENCE;
    const module = resolveChildModule(options.module);
    const heap = options.heapMegabytes ? [`--max-old-space-size=${options.heapMegabytes}`] : [];
    const own = { ...module, execArgv: [...module.execArgv, ...heap] };
    this.#module = options.memoryMegabytes ? withMemory(own, options.memoryMegabytes) : own;
  }

  get load(): { running: number; waiting: number } {
    return { running: [...this.#slots].filter((slot) => slot.job).length, waiting: this.#queue.length };
  }

  warm(): void {
    if (!this.#closed && this.#slots.size === 0) this.#start();
  }

  /**
   * Resolves to the child's reply. `limitMs` is the child's processor time, and may be Infinity. Rejects with
   * TimeoutError (the child was killed), OverloadedError, ChildCrashedError, ChildNotStartedError, PoolClosedError,
   * AbandonedError, or the child's own error. Callers take turns; when the queue is full, the caller with most requests
   * in it gives way. With `sharing`, a caller never occupies all children.
   */
  run(
    request: Request,
    limitMs: number,
    { caller = '', signal, sharing = false, alone = false, onNote, onCost }: Requester = {},
  ): Promise<Reply> {
    if (this.#closed) return Promise.reject(new PoolClosedError());
    if (signal?.aborted) return Promise.reject(new AbandonedError());
    // Requests for which a child is free or can be started do not count as waiting.
    const waiting = this.#queue.length - (this.#options.size - this.load.running);
    if (waiting >= (this.#options.maxQueue ?? Number.POSITIVE_INFINITY)) {
      const error = new OverloadedError(this.#queue.length);
      const displaced = this.#queue.displace(caller);
      if (!displaced) return Promise.reject(error);
      displaced.reject(error);
    }
    let abandon = () => {};
    return new Promise<Reply>((resolve, reject) => {
      const most = sharing ? Math.max(1, this.#options.size - 1) : this.#options.size;
      const job: Job<Request, Reply> = {
        request,
        limitMs,
        caller,
        most,
        alone,
        isAbandoned: false,
        resolve,
        reject,
        onNote,
        onCost,
      };
      abandon = () => this.#abandon(job);
      signal?.addEventListener('abort', abandon, { once: true });
      this.#queue.push(job);
      this.#pump();
    }).finally(() => signal?.removeEventListener('abort', abandon));
  }

  /** Kills all children; running and waiting requests reject with PoolClosedError. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.clear()) job.reject(new PoolClosedError());
    const slots = [...this.#slots];
    for (const slot of slots) {
      settle(slot)?.reject(new PoolClosedError());
      slot.child.keepParent();
      slot.child.kill();
    }
    await Promise.all(slots.map((slot) => slot.gone));
  }

  #freeSlot(): Slot<Request, Reply> | undefined {
    for (const slot of this.#slots) if (slot.ready && !slot.job) return slot;
    return undefined;
  }

  #pump(): void {
    for (let slot = this.#freeSlot(); slot; slot = this.#freeSlot()) {
      const job = this.#queue.shift((each) => this.#room(each) > 0);
      if (!job) break;
      this.#assign(slot, job);
    }
    const starting = [...this.#slots].filter((slot) => !slot.ready).length;
    const runnable = this.#queue.takeable((each) => this.#room(each));
    const wanted = Math.min(runnable - starting, this.#options.size - this.#slots.size);
    // At most doubles: short requests are often all done by the first child before a second one would be ready.
    const most = Math.max(1, this.#slots.size - starting) - starting;
    for (let i = 0; i < Math.min(wanted, most); i++) this.#start();
    // Their results are unwanted, but their processes are needed by the queue.
    const abandoned = [...this.#slots].filter(({ job }) => job?.isAbandoned);
    for (const slot of abandoned.slice(0, Math.max(0, runnable - starting - Math.max(0, wanted))))
      this.#stop(slot);
  }

  /** How many more requests of a job's caller may run now. Abandoned ones do not count. */
  #room({ caller, most, alone }: Job<Request, Reply>): number {
    const running = [...this.#slots].flatMap(({ job }) => (job && !job.isAbandoned ? [job] : []));
    if (running.some((job) => job.alone)) return 0;
    if (alone) return running.length === 0 ? 1 : 0;
    return most - running.filter((job) => job.caller === caller).length;
  }

  /** Drops a waiting job. A running one is stopped as soon as its child is needed, at the latest after a delay. */
  #abandon(job: Job<Request, Reply>): void {
    this.#queue.remove(job);
    job.isAbandoned = true;
    job.reject(new AbandonedError());
    const slot = [...this.#slots].find((each) => each.job === job);
    if (slot) {
      clearTimeout(slot.timer);
      slot.timer = setTimeout(() => this.#stop(slot), ABANDONED_MS);
    }
    this.#pump();
  }

  #start(): void {
    let markGone = () => {};
    const gone = new Promise<void>((resolve) => {
      markGone = resolve;
    });
    const startLimitMs = START_MS * this.#patience;
    const child = new Child<Request, Reply>(this.#module, this.#options.init, startLimitMs, {
      onReady: (cpuMs) => {
        slot.ready = true;
        slot.cpuMs = cpuMs;
        slot.child.setBusy(false);
        this.#pump();
      },
      onNote: (note) => slot.job?.onNote?.(note),
      onAnswer: (answer) => this.#answered(slot, answer),
      onGone: (reason) => {
        markGone();
        this.#gone(slot, reason);
      },
    });
    const slot: Slot<Request, Reply> = { child, ready: false, gone, cpuMs: 0, since: 0 };
    // A request waits for it, so the parent must not exit while it starts.
    child.setBusy(true);
    this.#slots.add(slot);
  }

  #assign(slot: Slot<Request, Reply>, job: Job<Request, Reply>): void {
    slot.job = job;
    slot.child.setBusy(true);
    slot.since = performance.now();
    if (Number.isFinite(job.limitMs))
      slot.timer = setTimeout(() => void this.#stopIfSpent(slot, job), job.limitMs);
    try {
      slot.child.run(job.request);
    } catch (error) {
      settle(slot)?.reject(error);
      this.#pump();
    }
  }

  /** Stops a job that has used its processor time. Wall-clock time is no measure on a busy machine. */
  async #stopIfSpent(slot: Slot<Request, Reply>, job: Job<Request, Reply>): Promise<void> {
    const waited = performance.now() - slot.since;
    const used = ((await slot.child.processorMs()) ?? Number.POSITIVE_INFINITY) - slot.cpuMs;
    if (slot.job !== job || job.isAbandoned) return;
    const left = job.limitMs - used;
    if (left <= 0 || waited >= job.limitMs * this.#patience) {
      job.onCost?.(job.limitMs);
      this.#stop(slot);
    } else {
      slot.timer = setTimeout(() => void this.#stopIfSpent(slot, job), Math.max(left, LEAST_WAIT_MS));
    }
  }

  #answered(slot: Slot<Request, Reply>, answer: Answer<Reply>): void {
    const job = settle(slot);
    job?.onCost?.(answer.cpuMs - slot.cpuMs);
    slot.cpuMs = answer.cpuMs;
    if (answer.kind === 'reply') job?.resolve(answer.reply);
    else job?.reject(fromWire(answer.error));
    this.#pump();
  }

  #stop(slot: Slot<Request, Reply>): void {
    this.#slots.delete(slot);
    slot.child.kill();
    const job = settle(slot);
    job?.reject(new TimeoutError(job.limitMs));
    // Starts at once, so that the next request does not wait for it.
    if (!this.#closed) this.#start();
  }

  #gone(slot: Slot<Request, Reply>, reason: ChildCrashedError): void {
    this.#slots.delete(slot);
    // A child that dies while starting would die again, so the first waiting request fails, which ends the loop.
    if (slot.ready) settle(slot)?.reject(reason);
    else this.#queue.shift()?.reject(new ChildNotStartedError(reason));
    if (!this.#closed) this.#pump();
  }
}

export interface Requester {
  /** Requests of the same caller wait for each other rather than for other callers'. */
  readonly caller?: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether to leave one child to other callers. */
  readonly sharing?: boolean;
  /** Whether to run exclusively, since concurrent requests add to a request's processor time. */
  readonly alone?: boolean;
  readonly onNote?: (note: unknown) => void;
  /** Called before the reply with the processor time used, in milliseconds. */
  readonly onCost?: ((cpuMs: number) => void) | undefined;
}

interface Job<Request, Reply> {
  readonly request: Request;
  readonly limitMs: number;
  readonly caller: string;
  readonly most: number;
  readonly alone: boolean;
  isAbandoned: boolean;
  resolve(reply: Reply): void;
  reject(reason: unknown): void;
  readonly onNote: ((note: unknown) => void) | undefined;
  readonly onCost: ((cpuMs: number) => void) | undefined;
}

interface Slot<Request, Reply> {
  readonly child: Child<Request, Reply>;
  readonly gone: Promise<void>;
  ready: boolean;
  /** The child's processor time when it was last idle, in milliseconds. */
  cpuMs: number;
  /** When it started its job, by `performance.now`. */
  since: number;
  job?: Job<Request, Reply> | undefined;
  timer?: NodeJS.Timeout | undefined;
}

function settle<Request, Reply>(slot: Slot<Request, Reply>): Job<Request, Reply> | undefined {
  const { job } = slot;
  clearTimeout(slot.timer);
  slot.job = undefined;
  slot.timer = undefined;
  slot.child.setBusy(false);
  return job;
}

interface Waiting {
  readonly caller: string;
}

/** A queue in which callers take turns, regardless of how many items each has. */
export class FairQueue<Item extends Waiting> {
  /** In order of turns; no list is empty. */
  readonly #byCaller = new Map<string, Item[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: Item): void {
    const own = this.#byCaller.get(item.caller);
    if (own) own.push(item);
    else this.#byCaller.set(item.caller, [item]);
    this.#length++;
  }

  /** Removes the first eligible item of the next caller with one. */
  shift(mayHave: (item: Item) => boolean = () => true): Item | undefined {
    for (const [caller, own] of this.#byCaller) {
      const [item] = own;
      if (!item || !mayHave(item)) continue;
      own.shift();
      this.#byCaller.delete(caller);
      if (own.length > 0) this.#byCaller.set(caller, own);
      this.#length--;
      return item;
    }
    return undefined;
  }

  /** How many items could be taken now. `room` returns how many more a caller may have, given its first item. */
  takeable(room: (item: Item) => number): number {
    let sum = 0;
    for (const own of this.#byCaller.values()) sum += Math.min(own.length, Math.max(0, room(own[0] as Item)));
    return sum;
  }

  /** Removes an item; false if it is not in the queue. */
  remove(item: Item): boolean {
    const own = this.#byCaller.get(item.caller);
    const at = own?.indexOf(item) ?? -1;
    if (!own || at < 0) return false;
    own.splice(at, 1);
    if (own.length === 0) this.#byCaller.delete(item.caller);
    this.#length--;
    return true;
  }

  /**
   * Removes and returns the newest item of the caller with most, if those are more than `caller` would have with one
   * more.
   */
  displace(caller: string): Item | undefined {
    let most: Item[] = [];
    for (const own of this.#byCaller.values()) if (own.length > most.length) most = own;
    const wanted = (this.#byCaller.get(caller)?.length ?? 0) + 1;
    const item = most.length > wanted ? most.at(-1) : undefined;
    if (item) this.remove(item);
    return item;
  }

  clear(): Item[] {
    const all = [...this.#byCaller.values()].flat();
    this.#byCaller.clear();
    this.#length = 0;
    return all;
  }
}

export interface ChildListener<Reply> {
  /** Called with the processor time of its start, in milliseconds. */
  onReady(cpuMs: number): void;
  onNote(note: unknown): void;
  onAnswer(answer: Answer<Reply>): void;
  onGone(reason: ChildCrashedError): void;
}

/** A forked process, which keeps the parent alive only while `busy`. */
export class Child<Request, Reply> {
  readonly #process: ChildProcess;
  readonly #startTimer: NodeJS.Timeout | undefined;
  #keepsParent = false;

  /** Kills the process if it is not `ready` after `startLimitMs` of wall-clock time, which may be Infinity. */
  constructor(module: ChildModule, init: unknown, startLimitMs: number, listener: ChildListener<Reply>) {
    this.#process = fork(module.file, [], {
      ...(module.execPath === undefined ? {} : { execPath: module.execPath }),
      execArgv: [...module.execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#startTimer = Number.isFinite(startLimitMs)
      ? setTimeout(() => this.kill(), startLimitMs).unref()
      : undefined;
    let gone = false;
    const leave = (message: string, signal?: NodeJS.Signals | null) => {
      if (gone) return;
      gone = true;
      clearTimeout(this.#startTimer);
      listener.onGone(new ChildCrashedError(message, signal));
    };
    this.#process.on('exit', (code, signal) =>
      leave(`the child process ended (${signal ?? `exit ${code}`})`, signal),
    );
    this.#process.on('error', (error) => {
      this.kill();
      leave(`the child process failed: ${error.message}`);
    });
    this.#process.on('message', (message) => {
      const answer = message as FromChild<Reply>;
      if (answer.kind === 'note') return listener.onNote(answer.note);
      if (answer.kind !== 'ready') return listener.onAnswer(answer);
      clearTimeout(this.#startTimer);
      listener.onReady(answer.cpuMs);
    });
    this.setBusy(false);
    this.#send({ kind: 'init', init });
  }

  /** Throws if the request cannot be serialized. */
  run(request: Request): void {
    this.#send({ kind: 'run', request });
  }

  /** Keeps the parent alive until this child has exited, even if a late `ready` arrives. */
  keepParent(): void {
    this.#keepsParent = true;
    this.setBusy(true);
  }

  setBusy(busy: boolean): void {
    if (busy || this.#keepsParent) {
      this.#process.ref();
      this.#process.channel?.ref();
    } else {
      this.#process.unref();
      this.#process.channel?.unref();
    }
  }

  /** Processor time since its start, in milliseconds; null if unknown. */
  async processorMs(): Promise<number | null> {
    const { pid } = this.#process;
    if (pid === undefined) return null;
    return pidusage(pid).then(
      ({ ctime }) => ctime,
      () => null,
    );
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #send(message: ToChild<Request>): void {
    // Ignores a failed delivery: a dead child is reported by its exit.
    this.#process.send(message, () => {});
  }
}

/** Messages from a pool to its child. */
export type ToChild<Request> = { kind: 'init'; init: unknown } | { kind: 'run'; request: Request };

/** Messages from a child to its pool: `ready` once, then notes and one answer per request. */
export type FromChild<Reply> =
  | ({ kind: 'ready' } & Used)
  | { kind: 'note'; note: unknown }
  | ({ kind: 'reply'; reply: Reply } & Used)
  | ({ kind: 'error'; error: WireError } & Used);

/** Processor time of the child since its start, in milliseconds. */
interface Used {
  readonly cpuMs: number;
}

export type Answer<Reply> = Extract<FromChild<Reply>, { kind: 'reply' | 'error' }>;

export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
  readonly user?: Pick<UserError, 'code' | 'file'>;
}

export function toWire(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) {
    return { name: 'Error', message: String(thrown), code: undefined, stack: undefined };
  }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  const user = thrown instanceof UserError ? { user: { code: thrown.code, file: thrown.file } } : {};
  return { name: thrown.name, message: thrown.message, code, stack: thrown.stack, ...user };
}

/** Restores an error with the name, message, code and stack of the child's; a UserError for one. */
export function fromWire(wire: WireError): Error {
  const { user, message } = wire;
  const error = user ? new UserError(user.code, user.file, message) : new Error(message);
  error.name = wire.name;
  if (wire.stack !== undefined) error.stack = wire.stack;
  return wire.code === undefined ? error : Object.assign(error, { code: wire.code });
}

/** A child exceeded the limit of its request and was killed. */
export class TimeoutError extends Error {
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`stopped after ${limitMs} ms`);
    this.name = 'TimeoutError';
    this.limitMs = limitMs;
  }
}

/** The pool's queue is full; the request did not start. */
export class OverloadedError extends Error {
  constructor(waiting: number) {
    super(`${waiting} requests are waiting already`);
    this.name = 'OverloadedError';
  }
}

/** A child exited before it replied. */
export class ChildCrashedError extends Error {
  /** Whether Node.js ended itself, as it does when it cannot have the memory for a value. */
  readonly outOfMemory: boolean;

  constructor(message: string, signal?: NodeJS.Signals | null) {
    super(message);
    this.name = 'ChildCrashedError';
    this.outOfMemory = signal === 'SIGABRT';
  }
}

/** A child exited before it could take a request, or was not ready in time. */
export class ChildNotStartedError extends Error {
  constructor(cause: ChildCrashedError) {
    super(`no child process could be started: ${cause.message}`, { cause });
    this.name = 'ChildNotStartedError';
  }
}

export class AbandonedError extends Error {
  constructor() {
    super('whoever asked has gone');
    this.name = 'AbandonedError';
  }
}

export class PoolClosedError extends Error {
  constructor() {
    super('the pool is closed');
    this.name = 'PoolClosedError';
  }
}

/**
 * Makes this process a child of a ChildPool: answers each request with what the handler returns or throws. Notes of the
 * handler reach the request's `onNote`. The process exits when its parent does, even during an SQL statement.
 */
export function serveChild<Request, Reply>(
  handler: (request: Request, init: unknown, tell: (note: unknown) => void) => Reply | Promise<Reply>,
): void {
  let init: unknown;
  const tell = (note: unknown) => send<Reply>({ kind: 'note', note });
  process.on('message', async (message) => {
    const order = message as ToChild<Request>;
    if (order.kind === 'init') {
      init = order.init;
      send<Reply>({ kind: 'ready', cpuMs: cpuMs() });
      return;
    }
    try {
      const reply = await handler(order.request, init, tell);
      send({ kind: 'reply', reply, cpuMs: cpuMs() });
    } catch (error) {
      send<Reply>({ kind: 'error', error: toWire(error), cpuMs: cpuMs() });
    }
  });
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the parent decides about work in progress.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  dieWithParent();
}

function send<Reply>(message: FromChild<Reply>): void {
  process.send?.(message);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Exits when the parent has exited. A thread watches, since 'disconnect' is not seen while a statement runs. */
export function dieWithParent(): void {
  const watch = `
    const parent = ${process.ppid};
    setInterval(() => process.ppid === parent || process.kill(${process.pid}, 'SIGKILL'), 1000);
  `;
  const resourceLimits = { codeRangeSizeMb: 8 };
  new Worker(watch, {
    eval: true,
    execArgv: [],
    env: {},
    resourceLimits,
    stdout: true,
    stderr: true,
  }).unref();
}

/** A module to fork: its file and the Node flags that it needs. */
export interface ChildModule {
  readonly file: string;
  readonly execArgv: readonly string[];
  /** Replaces this process's Node.js. */
  readonly execPath?: string;
}

/** Megabytes that Node.js reserves for compiled code at startup; since Node.js 24 they count against the limit on Linux. */
const RESERVED_MEGABYTES = Number(process.versions.node.split('.')[0]) < 24 ? 0 : 512;

/** Starts the child through a shell that sets a memory limit. */
function withMemory(module: ChildModule, megabytes: number): ChildModule {
  if (process.platform !== 'linux') return module;
  const kilobytes = (megabytes + RESERVED_MEGABYTES) * 1024;
  const limited = ['-c', 'ulimit -S -d "$0"; exec "$@"', String(kilobytes), process.execPath];
  return { ...module, execPath: '/bin/sh', execArgv: [...limited, ...module.execArgv] };
}

/**
 * Resolves a child's entry. Callers write `new URL('./x-child.ts', import.meta.url)`; compiled, that is `x-child.js`,
 * and from source Node needs tsx.
 */
export function resolveChildModule(module: URL): ChildModule {
  const compiled = !import.meta.url.endsWith('.ts');
  const file = fileURLToPath(module);
  if (compiled) return { file: file.replace(/\.ts$/, '.js'), execArgv: [] };
  if (!file.endsWith('.ts')) return { file, execArgv: [] };
  // A URL, so that it resolves from any working directory.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return { file, execArgv: ['--import', tsx] };
}
