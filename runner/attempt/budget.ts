import { z } from 'zod';
import type { ENDINGS } from '../../contracts/vocabulary.ts';
import type { Usage } from '../models/model.ts';

/** How an attempt can end before its agent has an answer, none of which is the farm's or the provider's fault. */
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

/** A fixed number, or what a task needs and a margin: see `limitsFor`. */
const byTask = z
  .union([z.literal('task'), z.number().int().positive()], {
    error: "must be a whole number above 0, or 'task'",
  })
  .default('task');

/** What one attempt may use up. */
export const budget = z.strictObject({
  /** Completions of the model; a turn with several calls is one loop. */
  loops: byTask,
  calls: byTask,
  /** Input and output of all completions. */
  tokens: z.number().int().positive().optional(),
  seconds: z.number().positive().default(600),
  /** In the currency of the prices. */
  cost: z.number().positive().optional(),
});
export type Budget = z.infer<typeof budget>;

/** The budget of one attempt, in numbers. */
export type Limits = Budget & { readonly loops: number; readonly calls: number };

/** How many calls the gold of a task has, those of looking for a tool included. */
export interface NeededCalls {
  /** In its longest turn. */
  readonly turn: number;
  readonly all: number;
}

/**
 * What an attempt at a task may use up. Where the budget does not say how many loops, there is one for each gold call
 * and half as many again, ten at least, for the answer and for detours; calls are twice as many, fifty at least.
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

/** Whether a model that makes one call a turn, and then answers, can be done with a task. */
export function isAttainable({ loops, calls }: Limits, { turn, all }: NeededCalls): boolean {
  return turn < loops && all <= calls;
}

/** Counts what an attempt uses, and ends it when a part of its budget is spent. */
export class BudgetMeter {
  readonly #budget: Limits;
  readonly #started: number;
  readonly #now: () => number;
  loops = 0;
  calls = 0;
  tokens = 0;
  /** null as long as no price is known. */
  cost: number | null = null;

  /** `now` gives milliseconds. */
  constructor(limits: Limits, now: () => number = Date.now) {
    this.#budget = limits;
    this.#now = now;
    this.#started = now();
  }

  /** Milliseconds that are left. */
  get remainingMs(): number {
    return this.#started + this.#budget.seconds * 1000 - this.#now();
  }

  /** A turn of a conversation has loops of its own. */
  beginTurn(): void {
    this.loops = 0;
  }

  /** Before a completion. Throws AttemptEnd. */
  beginLoop(): void {
    const { loops, tokens, cost } = this.#budget;
    if (this.loops >= loops) throw new AttemptEnd('loops', `${loops} loops are spent`);
    if (tokens !== undefined && this.tokens >= tokens) throw spent(`${tokens} tokens`);
    if (cost !== undefined && (this.cost ?? 0) >= cost) throw spent(`a cost of ${cost}`);
    this.checkTime();
    this.loops++;
  }

  /** Before a call of a tool. Throws AttemptEnd. */
  beginCall(): void {
    if (this.calls >= this.#budget.calls) throw spent(`${this.#budget.calls} calls`);
    this.checkTime();
    this.calls++;
  }

  /** Throws AttemptEnd when the time is over. */
  checkTime(): void {
    if (this.remainingMs <= 0) throw spent(`${this.#budget.seconds} seconds`);
  }

  /** After a completion. */
  add(usage: Usage, price: number | null): void {
    this.tokens += (usage.input ?? 0) + (usage.output ?? 0);
    if (price !== null) this.cost = (this.cost ?? 0) + price;
  }
}

function spent(what: string): AttemptEnd {
  return new AttemptEnd('out_of_budget', `${what} are spent`);
}
