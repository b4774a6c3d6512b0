import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The keys that open the gateway, held as hashes. */
export class ApiKeys {
  readonly #hashes: readonly Buffer[];

  /** Empty: no key is needed. */
  constructor(keys: readonly string[]) {
    this.#hashes = keys.map(hash);
  }

  get required(): boolean {
    return this.#hashes.length > 0;
  }

  /**
   * The number of the key that a request carries: `Authorization: Bearer`, `X-API-Key`, or the password of HTTP
   * Basic, so that a browser can ask for it. -1 when there is none or a wrong one. How long it takes says nothing
   * about the keys.
   */
  find(headers: IncomingHttpHeaders): number {
    const given = givenKey(headers);
    if (given === undefined) return -1;
    const candidate = hash(given);
    let found = -1;
    for (const [i, known] of this.#hashes.entries()) {
      if (timingSafeEqual(known, candidate)) found = i;
    }
    return found;
  }
}

function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function givenKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return key;
  const [, scheme = '', credentials = ''] =
    /^(bearer|basic) +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}
