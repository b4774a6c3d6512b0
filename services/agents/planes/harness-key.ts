import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * The header field that carries the harness key where `Authorization` is taken by a key of the server's. Clients of the
 * Open Reward Standard know `X-API-Key` only.
 */
const HARNESS_KEY_HEADER = 'x-harness-key';

/** A key that nobody can guess, for a server that was given none. */
export function makeHarnessKey(): string {
  return randomBytes(24).toString('base64url');
}

/** The key of whoever gives the exam, held as a hash. */
export class HarnessKey {
  readonly #hash: Buffer;
  /** Of the names and orders of exams: it follows from the harness key, which does not follow from it. */
  readonly examKey: string;

  constructor(key: string) {
    this.#hash = hash(key);
    this.examKey = createHmac('sha256', key).update('names and orders of exams').digest('hex');
  }

  /** Whether a request carries the key. How long it takes says nothing about the key. */
  opens({
    authorization = '',
    [HARNESS_KEY_HEADER]: own,
    'x-api-key': ofDoors,
  }: IncomingHttpHeaders): boolean {
    const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    return [own, bearer, ofDoors].some(
      (given) => typeof given === 'string' && timingSafeEqual(hash(given), this.#hash),
    );
  }
}

function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
