import pMap from 'p-map';
import type { Replica } from '../../base/upstream/replica.ts';
import type { Upstream } from '../../base/upstream/upstream.ts';
import { ASK_LIMIT_MS } from './context.ts';

/** What one replica of a service said; `text` is undefined when it gave no answer of status 200 in time. */
export interface ReplicaAnswer {
  readonly upstream: Upstream;
  readonly replica: Replica;
  readonly text: string | undefined;
}

/** How many are asked at a time: those who are being served must not notice. */
const AT_ONCE = 4;
/** A replica that was not asked by then counts as missing. */
const DEADLINE_MS = 5000;

/** Asks every replica of some services for the same, a few at a time. Never rejects, and ends in bounded time. */
export async function askReplicas(
  upstreams: readonly Upstream[],
  path: string,
  headers?: Readonly<Record<string, string>>,
): Promise<ReplicaAnswer[]> {
  const deadline = performance.now() + DEADLINE_MS;
  const questions = upstreams.flatMap((upstream) =>
    upstream.replicas.map((replica) => ({ upstream, replica })),
  );
  return pMap(
    questions,
    async ({ upstream, replica }) => {
      const left = Math.min(ASK_LIMIT_MS, deadline - performance.now());
      const answer = left > 0 ? await replica.get(path, left, headers).catch(() => undefined) : undefined;
      return { upstream, replica, text: answer?.status === 200 ? answer.text : undefined };
    },
    { concurrency: AT_ONCE },
  );
}
