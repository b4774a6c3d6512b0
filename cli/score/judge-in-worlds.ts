import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report, WorldsReport } from '../../contracts/report.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import type { ScoredFarm } from '../../eval/farm/read-farm.ts';
import type { Predictions } from '../../eval/farm/read-predictions.ts';
import { type JudgingWorld, judgeWorlds } from '../../eval/worlds/judge-worlds.ts';
import { samplesOf } from '../../generator/worlds/emit-world.ts';
import { proveWorld } from '../../generator/worlds/prove-world.ts';
import { readOrigin } from '../../generator/worlds/read-origin.ts';
import { buildApp } from '../../services/index.ts';
import type { Progress } from '../progress.ts';
import { interruptSignal } from '../run.ts';
import { farmReplay } from './farm-replay.ts';
import { REPLAY_LIMITS } from './open-farm.ts';

/** Known to everybody. Give another one where agents may have been made to fit these worlds. */
export const DEFAULT_WORLD_SEED = 'rookery';

const TIMEOUT_MS = 30_000;

export interface ScoredRun {
  readonly folder: string;
  readonly farm: ScoredFarm;
  readonly predictions: Predictions;
  readonly universe: ToolUniverse;
  readonly report: Report;
}

/** Makes `count` worlds of the domains that have passes, and replays the calls of these there. */
export async function judgeInWorlds(
  { folder, farm, predictions, universe, report }: ScoredRun,
  { count, seed, progress }: { readonly count: number; readonly seed: string; readonly progress: Progress },
): Promise<WorldsReport> {
  const passes = report.samples.filter(
    // A composed task is of no world as a whole.
    ({ outcome, withheld, parts }) => outcome === 'pass' && !withheld && parts === null,
  );
  const ids = new Set(passes.map(({ sample_id }) => sample_id));
  const dbs = [...new Set(passes.map(({ db }) => db))];
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-score-worlds-'));
  const opened: OpenWorld[] = [];
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
      opened.push({
        samples: new Map(domains.flatMap(samplesOf).map((sample) => [sample.sample_id, sample])),
        replay: farmReplay(
          app,
          served.map(({ service }) => service),
        ),
        close: () => app.close(),
      });
    }
    return await judgeWorlds({
      farm,
      predictions,
      universe,
      worlds: opened,
      options: report.options,
      passes,
      onProgress: (done, total) => progress.update('robust', done, total),
    });
  } finally {
    await Promise.all(opened.map((world) => world.close()));
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface OpenWorld extends JudgingWorld {
  close(): Promise<void>;
}
