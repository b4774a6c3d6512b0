import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { ChildPool } from '../../services/base/sandbox/index.ts';
import { buildApp } from '../../services/index.ts';
import type { Progress } from '../progress.ts';
import { interruptSignal } from '../run.ts';
import { farmReplay } from './farm-replay.ts';
import type { JudgingWorlds } from './judging-worlds.ts';
import { REPLAY_LIMITS } from './open-farm.ts';

type OpenWorld = JudgingWorlds['worlds'][number] & { close(): Promise<void> };

/** Asks for a world of some samples of a farm. */
export interface JudgingWorldRequest {
  readonly seed: string;
  readonly data: 'near' | 'sharpened';
  /** A folder for its databases. */
  readonly scratch: string;
  readonly folder: string;
  readonly dbs: readonly string[];
  readonly sampleIds: ReadonlySet<string>;
}

/** A domain of such a world: its service, its database, and the samples that hold there. */
export interface JudgingDomain {
  readonly service: Service;
  readonly database: string;
  readonly samples: readonly Sample[];
}

/** How many samples have been tried. */
export interface JudgingWorldNote {
  readonly done: number;
  readonly total: number;
}

export interface WorldsToMake {
  readonly count: number;
  /** What they are made from. */
  readonly seed: string;
  readonly progress: Progress;
}

/**
 * Makes worlds of a farm for some of its samples, in a folder that is removed when they are closed: those samples, and no
 * others, are proven in them. Without samples there are no worlds. UserError INTERRUPTED when it is stopped.
 */
export async function makeJudgingWorlds(
  folder: string,
  samples: readonly Pick<Sample, 'sample_id' | 'dataset_name'>[],
  { count, seed, progress }: WorldsToMake,
): Promise<JudgingWorlds> {
  const sampleIds = new Set(samples.map(({ sample_id }) => sample_id));
  const dbs = [...new Set(samples.map(({ dataset_name }) => dataset_name))];
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-score-worlds-'));
  const pool = new ChildPool<JudgingWorldRequest, readonly JudgingDomain[]>({
    module: new URL('./judging-world-child.ts', import.meta.url),
    size: 1,
  });
  const worlds: OpenWorld[] = [];
  const close = async () => {
    await Promise.all([pool.close(), ...worlds.map((world) => world.close())]);
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
  const signal = interruptSignal();
  try {
    for (let i = 1; dbs.length > 0 && i <= count; i++) {
      const own = join(scratch, String(i));
      mkdirSync(own);
      // Each kind of data shows slips that the other hides.
      const data = i % 2 === 1 ? 'near' : 'sharpened';
      const served = await pool.run(
        { folder, dbs, sampleIds, seed: `${seed}/${i}`, scratch: own, data },
        Number.POSITIVE_INFINITY,
        {
          signal,
          onNote: (note) => {
            const { done, total } = note as JudgingWorldNote;
            progress.update(`world ${i}`, done, total);
          },
        },
      );
      const app = await buildApp({ domains: served, limits: REPLAY_LIMITS, logger: false });
      worlds.push({
        samples: new Map(
          served.flatMap((domain) => domain.samples).map((sample) => [sample.sample_id, sample]),
        ),
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
    if (signal.aborted) throw new UserError('INTERRUPTED', folder, 'making worlds was stopped');
    throw error;
  }
}
