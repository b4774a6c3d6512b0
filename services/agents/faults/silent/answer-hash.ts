import { createHash } from 'node:crypto';

/** By what a task's silent faults know the answer that they are proven for. */
export function answerHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
