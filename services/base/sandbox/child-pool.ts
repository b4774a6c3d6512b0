import { Child } from './child.ts';
import { type ChildModule, resolveChildModule } from './child-module.ts';
import {
  AbandonedError,
  type ChildCrashedError,
  ChildNotStartedError,
  OverloadedError,
  PoolClosedError,
  TimeoutError,
} from './errors.ts';
import { FairQueue } from './fair-queue.ts';
import { type Answer, fromWire } from './messages.ts';

export interface ChildPoolOptions {
  /** The child's entry, e.g. `new URL('./x-child.ts', import.meta.url)`; it calls `serveChild`. */
  readonly module: URL;
  /** Most children at once. They are started when first needed. */
  readonly size: number;
  /** Most requests waiting for a child; one more is refused. Unbounded when not given. */
  readonly maxQueue?: number;
  /** Handed to every child's handler; must be serialisable. */
  readonly init?: unknown;
  /** Megabytes of objects that a child may have; it dies of more. Node's own limit when not given. */
  readonly heapMegabytes?: number;
  /**
   * How many times its processor time a request may take by the clock, on a machine that has other work; 3 when not given.
   * A child may take as many times 40 seconds to start.
   */
  readonly patience?: number;
}

const PATIENCE = 3;
/** Of processor time, and generous: a child that has not said `ready` by then is taken for broken. */
const START_MS = 40_000;
/** The processor time of a child is not asked for more often. */
const LEAST_WAIT_MS = 20;

/** What nobody wants any more is stopped after this long: most requests end sooner, and cost less than a new child. */
const ABANDONED_MS = 200;

/**
 * Child processes that run one request each at a time and can really be stopped: synchronous work (a SQL
 * statement) cannot be interrupted from within, so a child over its limit is killed and replaced.
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
    this.#module = { ...module, execArgv: [...module.execArgv, ...heap] };
  }

  /** Requests running and waiting. */
  get load(): { running: number; waiting: number } {
    return { running: [...this.#slots].filter((slot) => slot.job).length, waiting: this.#queue.length };
  }

  /** Starts a first child, if there is none, so that a request to come need not wait for it. */
  warm(): void {
    if (!this.#closed && this.#slots.size === 0) this.#start();
  }

  /**
   * The child's reply. `limitMs` is processor time of the child, and may be Infinity. Rejects with TimeoutError (the
   * child was killed), OverloadedError, ChildCrashedError, ChildNotStartedError, PoolClosedError,
   * AbandonedError, or the child's own error. Callers take turns; when the queue is full, the caller with most in it
   * gives way. With `sharing`, a caller never has all children at once.
   */
  run(
    request: Request,
    limitMs: number,
    { caller = '', signal, sharing = false, alone = false, onNote, onCost }: Requester = {},
  ): Promise<Reply> {
    if (this.#closed) return Promise.reject(new PoolClosedError());
    if (signal?.aborted) return Promise.reject(new AbandonedError());
    // Those for whom a child is free, or can be started, do not wait.
    const waiting = this.#queue.length - (this.#options.size - this.load.running);
    if (waiting >= (this.#options.maxQueue ?? Number.POSITIVE_INFINITY)) {
      const error = new OverloadedError(this.#queue.length);
      const displaced = this.#queue.displace(caller);
      if (!displaced) return Promise.reject(error);
      displaced.reject(error);
    }
    return new Promise((resolve, reject) => {
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
      signal?.addEventListener('abort', () => this.#abandon(job), { once: true });
      this.#queue.push(job);
      this.#pump();
    });
  }

  /** Kills all children; what is running or waiting rejects with PoolClosedError. */
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
    for (let i = 0; i < wanted; i++) this.#start();
    // Their result is no longer wanted, but their process is: others are queueing for it.
    const abandoned = [...this.#slots].filter(({ job }) => job?.isAbandoned);
    for (const slot of abandoned.slice(0, Math.max(0, runnable - starting - Math.max(0, wanted))))
      this.#stop(slot);
  }

  /** How many more requests of a job's caller may run at once. What is abandoned is as good as over. */
  #room({ caller, most, alone }: Job<Request, Reply>): number {
    const running = [...this.#slots].flatMap(({ job }) => (job && !job.isAbandoned ? [job] : []));
    if (running.some((job) => job.alone)) return 0;
    if (alone) return running.length === 0 ? 1 : 0;
    return most - running.filter((job) => job.caller === caller).length;
  }

  /** What waits is forgotten; what runs is stopped as soon as its child is needed, or else after a moment. */
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
    // A request waits for it: the parent must not exit while it starts.
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

  /** A machine that is busy with something else takes longer by the clock: what counts is what the child has used. */
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
    // At once, so that the next request does not wait for a start.
    if (!this.#closed) this.#start();
  }

  #gone(slot: Slot<Request, Reply>, reason: ChildCrashedError): void {
    this.#slots.delete(slot);
    // A child that dies while starting would die again: the first request waiting fails, so that this ends.
    if (slot.ready) settle(slot)?.reject(reason);
    else this.#queue.shift()?.reject(new ChildNotStartedError(reason));
    if (!this.#closed) this.#pump();
  }
}

/** Who wants a reply. */
export interface Requester {
  /** Those of one caller wait for each other rather than make others wait. */
  readonly caller?: string;
  /** Aborted when the reply is not wanted any more. */
  readonly signal?: AbortSignal;
  /** Whether a child is left to others, whatever the caller asks for. */
  readonly sharing?: boolean;
  /** Whether nothing else of the pool may run meanwhile: what others do costs a request time of its own too. */
  readonly alone?: boolean;
  /** Called with what the child tells before it replies. */
  readonly onNote?: (note: unknown) => void;
  /** Called before the reply with the milliseconds of processor time that it took. */
  readonly onCost?: ((cpuMs: number) => void) | undefined;
}

interface Job<Request, Reply> {
  readonly request: Request;
  readonly limitMs: number;
  readonly caller: string;
  /** Of its caller that run at once. */
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
  /** Processor time that the child had used when it last had nothing to do, in milliseconds. */
  cpuMs: number;
  /** When it took its job, by `performance.now`. */
  since: number;
  job?: Job<Request, Reply> | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/** Takes the slot's job away and frees the slot. */
function settle<Request, Reply>(slot: Slot<Request, Reply>): Job<Request, Reply> | undefined {
  const { job } = slot;
  clearTimeout(slot.timer);
  slot.job = undefined;
  slot.timer = undefined;
  slot.child.setBusy(false);
  return job;
}
