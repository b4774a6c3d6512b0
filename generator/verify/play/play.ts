import type { DatabaseVariant } from '../../variants/make-variants.ts';
import type { Playable, Played } from './play-calls.ts';

/**
 * Sends a candidate's calls, as an agent would, to the app that serves a variant. Throws QueryError CALL_FAILED when
 * one is answered with an error, SQL_TOO_LARGE when a cap truncated the answer.
 */
export type Play = (calls: Playable, variant: DatabaseVariant) => Promise<Played>;
