/** A download failed in a way that a retry may fix. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}
