import { z } from 'zod';
import type { Usage } from '../model/model.ts';
import { AttemptEnd } from './attempt-end.ts';

/** What one attempt may use up. */
export const budget = z.strictObject({
  /** Completions of the model; a turn with several calls is one loop. */
  loops: z.number().int().positive().default(10),
  calls: z.number().int().positive().default(50),
  /** Input and output of all completions. */
  tokens: z.number().int().positive().optional(),
  seconds: z.number().positive().default(600),
  /** In the currency of the prices. */
  cost: z.number().positive().optional(),
});
export type Budget = z.infer<typeof budget>;

/** Counts what an attempt uses, and ends it when a part of its budget is spent. */
export class BudgetMeter {
  readonly #budget: Budget;
  readonly #started: number;
  readonly #now: () => number;
  loops = 0;
  calls = 0;
  tokens = 0;
  /** null as long as no price is known. */
  cost: number | null = null;

  /** `now` gives milliseconds. */
  constructor(limits: Budget, now: () => number = Date.now) {
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
    if (this.loops >= loops) throw spent(`${loops} loops`);
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
