import type { Call, Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';

/**
 * Runs calls as an agent would send them, `$label$` references included, and gives the rows of the final result, or
 * why there is none. A rejected promise means that the service broke, not the calls.
 */
export type Replay = (sample: Sample, calls: readonly Call[]) => Promise<ReplayResult>;

export type ReplayResult = ({ readonly rows: readonly Row[] } | { readonly error: string }) & {
  /** The handle that each call answered; null for a call that gave none. */
  readonly handles?: readonly (string | null)[];
  /** Why each call was refused; null for calls that were carried out. */
  readonly refusals?: readonly (string | null)[];
};
