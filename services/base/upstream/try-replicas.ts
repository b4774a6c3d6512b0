import { setTimeout } from 'node:timers/promises';
import { kindOfFailure } from './failure.ts';
import { brokenOff, late, notHttp, unavailable } from './problems.ts';
import type { Replica } from './replica.ts';
import type { Upstream } from './upstream.ts';

export interface Attempts {
  /** Whether a request may be sent again when it is unknown whether it was carried out. */
  readonly repeatable: boolean;
  readonly onRetry?: () => void;
}

/** How long a request waits for a name to be resolved again when no replica is left. */
const LOOKUP_WAIT_MS = 300;

/**
 * Sends a request to one of an upstream's replicas. One that cannot be reached is passed over for the next; so is,
 * if that is allowed, one that closes the connection before it says anything. `send` rejects only when there was no
 * answer at all. Throws DOMAIN_UNAVAILABLE or AGENTS_UNAVAILABLE, BAD_GATEWAY, GATEWAY_TIMEOUT.
 */
export async function tryReplicas<Answer>(
  upstream: Upstream,
  send: (replica: Replica) => Promise<Answer>,
  { repeatable, onRetry }: Attempts,
): Promise<Answer> {
  const passedOver = new Set<Replica>();
  const reconnected = new Set<Replica>();
  for (;;) {
    const replica = upstream.pick(passedOver) ?? (await lookAgain(upstream, passedOver));
    if (!replica) throw unavailable(upstream);
    replica.inFlight++;
    try {
      const answer = await send(replica);
      replica.resume();
      return answer;
    } catch (error) {
      const kind = kindOfFailure(error);
      if (kind === 'late') throw late(upstream, error);
      if (kind === 'broken') throw notHttp(upstream, error);
      if (kind === 'unreachable') {
        replica.pause();
        passedOver.add(replica);
      } else if (!repeatable) {
        throw brokenOff(upstream, error);
      } else if (reconnected.has(replica)) {
        passedOver.add(replica);
      }
      // A kept connection may be closed by the other side at the very moment it is used: that is no sign of a fault.
      reconnected.add(replica);
      onRetry?.();
    } finally {
      replica.inFlight--;
    }
  }
}

async function lookAgain(upstream: Upstream, except: ReadonlySet<Replica>): Promise<Replica | undefined> {
  await Promise.race([upstream.refresh(), setTimeout(LOOKUP_WAIT_MS, undefined, { ref: false })]);
  return upstream.pick(except);
}
