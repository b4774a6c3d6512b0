import type { ENDINGS } from '../../contracts/error-classes.ts';

/** How an attempt can end before its agent has an answer, none of which is the farm's or the provider's fault. */
export type EarlyEnd = Exclude<(typeof ENDINGS)[number], 'empty' | 'length'>;

/** Thrown through an agent to end its attempt. */
export class AttemptEnd extends Error {
  readonly end: EarlyEnd;

  constructor(end: EarlyEnd, reason: string) {
    super(reason);
    this.name = 'AttemptEnd';
    this.end = end;
  }
}
