import type { Sample } from '../../contracts/sample.ts';
import { quantile } from '../process.ts';
import type { ToolClient } from '../tool-client.ts';

/** How long tasks took from first call to last answer, over HTTP, one call after the other. */
export interface TaskTimes {
  readonly name: string;
  readonly tasks: number;
  readonly calls: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  readonly over50Ms: number;
}

/** Rounds in which every task is played; its best time counts, since whatever else the machine does can only add. */
const ROUNDS = 5;

/** Plays every task in turn, some rounds long. */
export async function measureTasks(
  name: string,
  samples: readonly Sample[],
  client: ToolClient,
): Promise<TaskTimes> {
  const best = samples.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, sample] of samples.entries())
      best[i] = Math.min(best[i] as number, await client.play(sample));
  }
  return {
    name,
    tasks: samples.length,
    calls: samples.reduce((sum, { output }) => sum + output.length, 0),
    medianMs: quantile(best, 0.5),
    p95Ms: quantile(best, 0.95),
    maxMs: Math.max(...best),
    over50Ms: best.filter((ms) => ms > 50).length,
  };
}
