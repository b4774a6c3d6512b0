/** A query text that cannot be read: where, what stands there, and what was expected. */
export class QueryTextError extends Error {
  /** Of the character at fault, from 1. */
  readonly position: number;

  constructor(at: number, found: string, expected: string) {
    super(`character ${at + 1}: found ${found}, expected ${expected}`);
    this.name = 'QueryTextError';
    this.position = at + 1;
  }
}
