import { LRUCache } from 'lru-cache';
import type { InjectableApp, InjectedAnswer } from './play-calls.ts';

/** What an entry costs besides its texts. */
const ENTRY_BYTES = 300;

/**
 * An app that answers the same request once and says it again: the data never change, and a proof asks the same of them
 * many times, since questions begin alike, and silent faults are looked for in the calls that were verified before. Answers
 * other than 200 are asked for again: a query that was stopped on a busy machine may be answered then.
 */
export function rememberingApp(app: InjectableApp, bytes: number): InjectableApp {
  const known = new LRUCache<string, InjectedAnswer>({ maxSize: bytes });
  return {
    async inject(request) {
      const key = requestKey(request);
      const before = known.get(key);
      if (before) return before;
      const { statusCode, body } = await app.inject(request);
      const answer = { statusCode, body };
      if (statusCode === 200) known.set(key, answer, { size: ENTRY_BYTES + 2 * (key.length + body.length) });
      return answer;
    },
  };
}

/** The same for requests that are the same. */
export function requestKey({ method, url, payload = '' }: Parameters<InjectableApp['inject']>[0]): string {
  return `${method} ${url} ${payload}`;
}
