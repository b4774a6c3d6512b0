/**
 * How an attempt can end before its agent has an answer, none of which is the farm's or the provider's fault:
 * `loops` (they are spent), `out_of_budget` (calls, tokens, time or money), `context_window` (the conversation grew too long for the
 * model), `refused` (the model or its provider would not answer), `broken_arguments` (where these are not forgiven).
 */
export type EarlyEnd = 'loops' | 'out_of_budget' | 'context_window' | 'refused' | 'broken_arguments';

/** Thrown through an agent to end its attempt. */
export class AttemptEnd extends Error {
  readonly end: EarlyEnd;

  constructor(end: EarlyEnd, reason: string) {
    super(reason);
    this.name = 'AttemptEnd';
    this.end = end;
  }
}
