import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** How long a result waits for a client whose connection broke. */
const KEPT_MS = 60_000;
const MOST_CALLS = 10_000;

/** Calls under way and just over, by the id that their stream began with: who lost the stream asks for the rest. */
export class CallStreams<Result> {
  readonly #calls = new LRUCache<string, { session: string; result: Promise<Result> }>({
    max: MOST_CALLS,
    ttl: KEPT_MS,
  });

  /** Answers the id of the call. */
  begin(session: string, call: () => Promise<Result>): string {
    const id = randomUUID();
    const result = call();
    // Whoever waits for it is told; a call that nobody waits for any more must not end the process.
    result.catch(() => {});
    this.#calls.set(id, { session, result });
    return id;
  }

  /** The result of a call of that session; undefined where there is none. */
  resultOf(session: string, id: string): Promise<Result> | undefined {
    const call = this.#calls.get(id);
    return call?.session === session ? call.result : undefined;
  }
}
