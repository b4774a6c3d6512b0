import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { FaultKind, FaultProfile } from '../../../contracts/fault.ts';
import { canonicalJson } from '../tool-lists/canonical-json.ts';
import { type DueFault, dueFault } from './due-fault.ts';

/** A call that belongs to no run, by the names that the service knows. */
export interface UnrecordedCall {
  /** `<split>/<db>/<formulation>` */
  readonly toolset: string;
  /** null for a tool that there is not. */
  readonly tool: string | null;
  readonly arguments: unknown;
  /** Query string for `preview`, `offset` and `limit`. */
  readonly view: string;
}

/** Calls that are remembered; one that is forgotten is met as if for the first time. */
const MAX_CALLS = 100_000;

/**
 * Faults on calls outside of runs, which have no numbers of their own: what counts is how often this process has
 * been asked the very same (tool, arguments, view). So a call that failed succeeds when repeated, and a restarted
 * server fails in the same places.
 */
export class UnrecordedCalls {
  readonly profile: FaultProfile;
  readonly #onFault: (fault: FaultKind) => void;
  readonly #times = new LRUCache<string, number>({ max: MAX_CALLS });

  constructor(profile: FaultProfile, onFault: (fault: FaultKind) => void) {
    this.profile = profile;
    this.#onFault = onFault;
  }

  /** The fault that is due for a call, or null; the call counts from then on. */
  due(call: UnrecordedCall): DueFault | null {
    const scope = createHash('sha256').update(canonicalJson(call)).digest('base64url');
    const n = (this.#times.get(scope) ?? 0) + 1;
    this.#times.set(scope, n);
    return dueFault(this.profile, { scope, n, tool: call.tool }, this.#onFault);
  }
}
