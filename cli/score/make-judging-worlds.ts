import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sample } from '../../contracts/sample.ts';
import { DEFAULT_TIMEOUT } from '../../generator/generate.ts';
import { samplesOf } from '../../generator/worlds/emit-world.ts';
import { proveWorld } from '../../generator/worlds/prove-world.ts';
import { readOrigin } from '../../generator/worlds/read-origin.ts';
import { buildApp } from '../../services/index.ts';
import type { Progress } from '../progress.ts';
import { interruptSignal } from '../run.ts';
import { farmReplay } from './farm-replay.ts';
import type { JudgingWorlds } from './judging-worlds.ts';
import { REPLAY_LIMITS } from './open-farm.ts';

const TIMEOUT_MS = 1000 * DEFAULT_TIMEOUT;

type OpenWorld = JudgingWorlds['worlds'][number] & { close(): Promise<void> };

export interface MadeWorlds {
  readonly count: number;
  /** What they are made from. */
  readonly seed: string;
  readonly progress: Progress;
}

/**
 * Makes worlds of a farm for some of its samples, in a folder that is removed when they are closed: those samples, and no
 * others, are proven in them. Without samples there are no worlds. Rejects when it is interrupted.
 */
export async function makeJudgingWorlds(
  folder: string,
  samples: readonly Pick<Sample, 'sample_id' | 'dataset_name'>[],
  { count, seed, progress }: MadeWorlds,
): Promise<JudgingWorlds> {
  const ids = new Set(samples.map(({ sample_id }) => sample_id));
  const dbs = [...new Set(samples.map(({ dataset_name }) => dataset_name))];
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-score-worlds-'));
  const worlds: OpenWorld[] = [];
  const close = async () => {
    await Promise.all(worlds.map((world) => world.close()));
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    const origin = dbs.length === 0 ? null : await readOrigin(folder, dbs);
    for (let i = 1; origin && i <= count; i++) {
      const own = join(scratch, String(i));
      mkdirSync(own);
      const domains = await proveWorld(origin, {
        seed: `${seed}/${i}`,
        timeoutMs: TIMEOUT_MS,
        scratch: own,
        // Each kind of data shows slips that the other hides.
        data: i % 2 === 1 ? 'near' : 'sharpened',
        silentFaults: false,
        choose: ({ sample_id }) => ids.has(sample_id),
        signal: interruptSignal(),
        onProgress: ({ done, total, label }) => progress.update(`world ${i}`, done, total, label),
      });
      const served = domains.map(({ origin: { service }, database }) => ({ service, database }));
      const app = await buildApp({ domains: served, limits: REPLAY_LIMITS, logger: false });
      worlds.push({
        samples: new Map(domains.flatMap(samplesOf).map((sample) => [sample.sample_id, sample])),
        replay: farmReplay(
          app,
          served.map(({ service }) => service),
        ),
        close: () => app.close(),
      });
    }
    return { worlds, close };
  } catch (error) {
    await close();
    throw error;
  }
}
