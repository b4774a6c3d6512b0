import { setImmediate } from 'node:timers/promises';
import type { Caller } from './http/caller.ts';

interface Shared<Answer> {
  readonly answer: Promise<Answer>;
  readonly gone: AbortController;
  wanted: number;
}

/**
 * Shares concurrent work by key: requests for the same key join it, and it is aborted when none of them wants it
 * anymore.
 */
export class SingleFlight<Answer> {
  readonly #work = new Map<string, Shared<Answer>>();

  has(key: string): boolean {
    return this.#work.has(key);
  }

  share(key: string, asker: Caller, begin: (asker: Caller) => Promise<Answer>): Promise<Answer> {
    const shared = this.#work.get(key) ?? this.#begin(key, asker.caller, begin);
    shared.wanted++;
    const leave = () => {
      if (--shared.wanted > 0) return;
      this.#forget(key, shared);
      shared.gone.abort();
    };
    const { signal } = asker;
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    return shared.answer.finally(() => signal?.removeEventListener('abort', leave));
  }

  #begin(key: string, caller: string, begin: (asker: Caller) => Promise<Answer>): Shared<Answer> {
    const gone = new AbortController();
    const answer = begin({ caller, signal: gone.signal }).finally(() => this.#forget(key, shared));
    const shared: Shared<Answer> = { answer, gone, wanted: 0 };
    this.#work.set(key, shared);
    return shared;
  }

  #forget(key: string, shared: Shared<Answer>): void {
    if (this.#work.get(key) === shared) this.#work.delete(key);
  }
}

/** Keeps what a function makes of an object as long as the object lives. */
export function cached<Key extends WeakKey, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => getOrInsert(made, key, () => make(key));
}

/** The value of a key, made and kept if the map has none, as the proposed `Map.prototype.getOrInsertComputed` does. */
export function getOrInsert<Key, Value>(
  map: { get(key: Key): Value | undefined; readonly set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Short enough not to delay other requests noticeably. */
const AT_ONCE_MS = 10;

/** Maps items in order, yielding to other work every few milliseconds. */
export async function chunkedMap<Item, Result>(
  items: Iterable<Item>,
  make: (item: Item) => Result,
): Promise<Result[]> {
  const made: Result[] = [];
  let began = performance.now();
  for (const item of items) {
    made.push(make(item));
    if (performance.now() - began < AT_ONCE_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  return made;
}
