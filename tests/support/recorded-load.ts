import { setTimeout } from 'node:timers/promises';
import { Rookery, type Run } from '../../client/index.ts';

/** What an agent was answered, and what it was not. */
interface Told {
  readonly run: Run;
  /** The values of its calls that were answered with 200: what a farm has acknowledged it must not lose. */
  readonly acknowledged: string[];
  failed: number;
}

/** Agents at work: each makes one call after the other, each with a value of its own, whatever it is answered. */
export interface RecordedLoad {
  /** Milliseconds until a call that was begun after now is answered. Rejects after `limitMs`. */
  untilAnswered(limitMs: number): Promise<number>;
  stop(): Promise<readonly Told[]>;
}

/** Begins as many runs and works at them all until `stop`. */
export async function recordedLoad(address: string, harnessKey: string, runs: number): Promise<RecordedLoad> {
  const farm = new Rookery(address, { harnessKey });
  const batch = await farm.batch({ select: { formulation: 'slot', sample: runs, seed: 5 }, agent: 'load' });
  let isOver = false;
  /** When the call that was answered last had begun. */
  let lastBegan = Number.NEGATIVE_INFINITY;
  const work = async (told: Told, who: number) => {
    const [start] = told.run.task.start_tables;
    const key_name = Object.values(start?.alias_to_table_dict ?? {})[0]?.modified_table_name ?? '';
    for (let n = 0; !isOver; n++) {
      const value = `${who}/${n}`;
      const began = performance.now();
      const args = { data_source: start?.handle, key_name, condition: 'equal_to', value };
      try {
        const { status } = await told.run.call('filter_data', args);
        // Arguments that name no column are answered, and recorded, just as well.
        if (status >= 500) throw new Error(String(status));
        told.acknowledged.push(value);
        lastBegan = Math.max(lastBegan, began);
      } catch {
        told.failed++;
      }
      await setTimeout(20);
    }
  };
  const all = batch.runs.map((run): Told => ({ run, acknowledged: [], failed: 0 }));
  const workers = all.map(work);
  return {
    async untilAnswered(limitMs) {
      const asked = performance.now();
      while (lastBegan < asked) {
        if (performance.now() - asked > limitMs) throw new Error(`no call was answered for ${limitMs} ms`);
        await setTimeout(5);
      }
      return performance.now() - asked;
    },
    async stop() {
      isOver = true;
      await Promise.all(workers);
      return all;
    },
  };
}

/** The values of an agent's acknowledged calls that its run has no record of. */
export async function lostCalls({ run, acknowledged }: Told): Promise<string[]> {
  const { trajectory } = await run.view();
  const recorded = new Set(trajectory.map((call) => (call.arguments as { value?: string }).value));
  return acknowledged.filter((value) => !recorded.has(value));
}
