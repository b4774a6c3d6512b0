import { z } from 'zod';
import type { ENDINGS } from '../../contracts/vocabulary.ts';
import type { Usage } from '../models/model.ts';

/** How an attempt can end before its agent answers, other than by an error of farm or provider. */
export type EarlyEnd = Exclude<(typeof ENDINGS)[number], 'empty' | 'length'>;

/** Thrown through an agent to end its attempt. */
export class AttemptEnd extends Error {
  readonly end: EarlyEnd;

  constructor(end: EarlyEnd, reason: string) {
    super(reason);
    this.name = 'AttemptEnd';
    this.end = end;
  }
}

/** A fixed number, or `task`: what a task needs plus a margin; see `limitsFor`. */
const byTask = z
  .union([z.literal('task'), z.number().int().positive()], {
    error: "must be a whole number above 0, or 'task'",
  })
  .default('task');

export const budget = z.strictObject({
  /** Completions of the model; a turn with several calls is one loop. */
  loops: byTask,
  calls: byTask,
  /** Input and output tokens of all completions. */
  tokens: z.number().int().positive().optional(),
  seconds: z.number().positive().default(600),
  /** In the currency of the prices. */
  cost: z.number().positive().optional(),
});
export type Budget = z.infer<typeof budget>;

/** The budget of one attempt, resolved to numbers. */
export type Limits = Budget & { readonly loops: number; readonly calls: number };

/** Number of gold calls of a task, including calls that search for a tool. */
export interface NeededCalls {
  /** In its longest turn. */
  readonly turn: number;
  readonly all: number;
}

/**
 * The limits of an attempt at a task. Unless the budget fixes them, loops exceed the gold calls by half and at
 * least by ten, for the answer and for detours; calls are twice as many, at least fifty.
 */
export function limitsFor(budget: Budget, { turn, all }: NeededCalls): Limits {
  return {
    ...budget,
    loops: budget.loops === 'task' ? withMargin(turn) : budget.loops,
    calls: budget.calls === 'task' ? Math.max(50, 2 * withMargin(all)) : budget.calls,
  };
}

function withMargin(calls: number): number {
  return calls + Math.max(10, Math.ceil(calls / 2));
}

/** Whether a model that makes one call per turn, and then answers, can finish within the limits. */
export function isAttainable({ loops, calls }: Limits, { turn, all }: NeededCalls): boolean {
  return turn < loops && all <= calls;
}

/** Tracks what an attempt uses, and ends it when part of its budget is spent. */
export class BudgetMeter {
  readonly #budget: Limits;
  readonly #started: number;
  readonly #now: () => number;
  loops = 0;
  calls = 0;
  tokens = 0;
  cost: number | null = null;

  /** `now` returns milliseconds. */
  constructor(limits: Limits, now: () => number = Date.now) {
    this.#budget = limits;
    this.#now = now;
    this.#started = now();
  }

  get remainingMs(): number {
    return this.#started + this.#budget.seconds * 1000 - this.#now();
  }

  /** Each turn of a conversation has its own loops. */
  beginTurn(): void {
    this.loops = 0;
  }

  /** Call before a completion. Throws AttemptEnd. */
  beginLoop(): void {
    const { loops } = this.#budget;
    if (this.loops >= loops) throw new AttemptEnd('loops', `${loops} loops are spent`);
    this.checkSpent();
    this.loops++;
  }

  /** Call before a completion that is no loop of the agent. Throws AttemptEnd. */
  checkSpent(): void {
    const { tokens, cost } = this.#budget;
    if (tokens !== undefined && this.tokens >= tokens) throw spent(`${tokens} tokens`);
    if (cost !== undefined && (this.cost ?? 0) >= cost) throw spent(`a cost of ${cost}`);
    this.checkTime();
  }

  /** Call before a tool call. Throws AttemptEnd. */
  beginCall(): void {
    if (this.calls >= this.#budget.calls) throw spent(`${this.#budget.calls} calls`);
    this.checkTime();
    this.calls++;
  }

  /** Throws AttemptEnd if the time is up. */
  checkTime(): void {
    if (this.remainingMs <= 0) throw spent(`${this.#budget.seconds} seconds`);
  }

  /** Call after a completion. */
  add(usage: Usage, price: number | null): void {
    this.tokens += (usage.input ?? 0) + (usage.output ?? 0);
    if (price !== null) this.cost = (this.cost ?? 0) + price;
  }
}

function spent(what: string): AttemptEnd {
  return new AttemptEnd('out_of_budget', `${what} are spent`);
}
