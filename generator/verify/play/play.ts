import type { Call } from '../../../contracts/sample.ts';
import type { Row } from '../../../contracts/value.ts';
import type { DatabaseVariant } from '../../variants/make-variants.ts';

/** What the calls of a candidate came to. */
export interface Played {
  /** The final answer's rows, by position. */
  readonly rows: readonly Row[];
  /** The final answer as the service gave it. */
  readonly body: unknown;
}

/**
 * Sends a candidate's calls, as an agent would, to the app that serves a variant. Throws QueryError CALL_FAILED
 * when one is answered with an error, SQL_TOO_LARGE when the answer was cut by a cap.
 */
export type Play = (
  calls: readonly Call[],
  variant: DatabaseVariant,
  initialization: Call | null,
) => Promise<Played>;
