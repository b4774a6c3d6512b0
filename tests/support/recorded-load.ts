import { setTimeout } from 'node:timers/promises';
import type { Rookery, Run } from '../../client/index.ts';

/** The answers that an agent has received. */
interface AgentProgress {
  readonly run: Run;
  /** The arguments of its calls that were answered with 200: what a farm has acknowledged it must not lose. */
  readonly acknowledged: number[];
  /** When the call that was answered last had begun. */
  lastBegan: number;
}

/** Agents at work: each makes one call after the other, each with an argument of its own, whatever it is answered. */
export interface RecordedLoad {
  /** Milliseconds until a call of one of these runs that began after now is answered. Rejects after `limitMs`. */
  untilAnswered(limitMs: number, isOne?: (run: Run) => boolean): Promise<number>;
  /** How many calls have been answered so far. */
  readonly answered: number;
  stop(): Promise<readonly AgentProgress[]>;
}

/** What every agent works at. */
export interface LoadTask {
  readonly sampleId: string;
  /** The name of a tool with one argument, an integer called `id`. */
  readonly tool: string;
}

/** Begins as many runs and works at them all until `stop`. */
export async function recordedLoad(
  farm: Rookery,
  { sampleId, tool }: LoadTask,
  count: number,
): Promise<RecordedLoad> {
  const runs = await Promise.all(Array.from({ length: count }, () => farm.run({ sample_id: sampleId })));
  let isOver = false;
  const work = async (agent: AgentProgress, who: number) => {
    for (let id = who * 1_000_000; !isOver; id++) {
      const began = performance.now();
      try {
        const { status } = await agent.run.call(tool, { id });
        if (status !== 200) throw new Error(String(status));
        agent.acknowledged.push(id);
        agent.lastBegan = began;
      } catch {
        // The process was away, and has acknowledged nothing.
      }
      await setTimeout(20);
    }
  };
  const all = runs.map(
    (run): AgentProgress => ({ run, acknowledged: [], lastBegan: Number.NEGATIVE_INFINITY }),
  );
  const workers = all.map(work);
  return {
    async untilAnswered(limitMs, isOne = () => true) {
      const asked = performance.now();
      while (!all.some(({ run, lastBegan }) => isOne(run) && lastBegan >= asked)) {
        if (performance.now() - asked > limitMs) throw new Error(`no call was answered for ${limitMs} ms`);
        await setTimeout(5);
      }
      return performance.now() - asked;
    },
    get answered() {
      return all.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    },
    async stop() {
      isOver = true;
      await Promise.all(workers);
      return all;
    },
  };
}

/** The arguments of an agent's acknowledged calls that its run has no record of. */
export async function lostCalls({ run, acknowledged }: AgentProgress): Promise<number[]> {
  const { trajectory } = await run.view();
  const recorded = new Set(trajectory.map((call) => (call.arguments as { id?: number }).id));
  return acknowledged.filter((id) => !recorded.has(id));
}
