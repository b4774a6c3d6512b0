/** A download failed in a way that may be gone the next time. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}
