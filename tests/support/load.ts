import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';

/** Answers seen by one domain, by status; -1: none at all. */
export type Tally = Map<string, Map<number, number>>;

export interface LoadRequest {
  readonly path: string;
  /** Sent by POST when given. */
  readonly body?: object;
}

/** Requests sent without a pause until `stop`. */
export interface Load {
  stop(): Promise<Tally>;
  /** Forgets what was seen so far. */
  reset(): void;
}

/** Sends the requests of each domain over and over, a few at once. */
export function startLoad(
  origin: string,
  requests: ReadonlyMap<string, readonly LoadRequest[]>,
  atOnce = 2,
): Load {
  const pool = new Pool(origin, { connections: 64 });
  const seen: Tally = new Map();
  let running = true;
  const send = ({ path, body }: LoadRequest) =>
    body === undefined
      ? pool.request({ method: 'GET', path })
      : pool.request({
          method: 'POST',
          path,
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        });
  const work = async (db: string, asked: readonly LoadRequest[]) => {
    for (let i = 0; running; i++) {
      const status = await send(asked[i % asked.length] as LoadRequest).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode;
        },
        () => -1,
      );
      const counts = seen.get(db) ?? new Map<number, number>();
      seen.set(db, counts);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      await setTimeout(2);
    }
  };
  const workers = [...requests].flatMap(([db, asked]) =>
    Array.from({ length: atOnce }, () => work(db, asked)),
  );
  return {
    reset: () => seen.clear(),
    async stop() {
      running = false;
      await Promise.all(workers);
      await pool.close();
      return seen;
    },
  };
}
