import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OptionError, UserError } from '../../contracts/errors.ts';
import type { Reward } from '../../contracts/judgement.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { isTask } from '../../eval/metrics/metrics.ts';
import type { Report, WorldsReport } from '../../eval/metrics/report.ts';
import { robustRewards } from '../../eval/score/rewards.ts';
import { type JudgeWorldsInput, type JudgingWorld, judgeWorlds } from '../../eval/score/worlds.ts';
import { ChildPool } from '../../services/base/sqlite/child-pool.ts';
import { buildApp } from '../../services/index.ts';
import { farmIn } from '../files.ts';
import { interruptSignal, type Progress } from '../terminal.ts';
import { openFarm } from './open-farm.ts';
import { farmReplay, REPLAY_LIMITS } from './replay.ts';

export interface JudgingWorlds {
  readonly worlds: readonly JudgingWorld[];
  close(): Promise<void>;
}

/** Opens other states of a farm's data: worlds or, for a world, siblings and the original. Throws FARM_INVALID. */
export async function openJudgingWorlds(farm: string, folders: readonly string[]): Promise<JudgingWorlds> {
  requireWorlds(farm, folders);
  const opened = await Promise.all(
    folders.map(async (folder) => ({ samples: readFarm(folder).byId, ...(await openFarm(folder)) })),
  );
  return {
    worlds: opened,
    close: async () => {
      await Promise.all(opened.map((world) => world.close()));
    },
  };
}

/** Throws OPTION_INVALID for a folder without another state of the farm's data, or given twice. Reads no gold. */
export function requireWorlds(farm: string, folders: readonly string[]): void {
  if (folders.length === 0) return;
  const own = identityOf(farm);
  const seen = new Set([own.hash]);
  for (const folder of folders) {
    const { hash, origin } = identityOf(folder);
    if (origin !== own.origin) throw unfit(folder, `is no world of ${farm}`);
    if (seen.has(hash)) throw unfit(folder, 'is the farm itself, or given twice');
    seen.add(hash);
  }
}

/** sha256 of its `farm.json`, and of the original farm's. */
function identityOf(folder: string): { readonly hash: string; readonly origin: string } {
  const file = join(folder, 'farm.json');
  const farm = farmIn(folder);
  if (!farm) throw unfit(folder, 'holds no farm of this version');
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { hash, origin: farm.world?.origin ?? hash };
}

function unfit(folder: string, fault: string): UserError {
  return new OptionError(folder, `${fault}; give worlds made by \`rookery generate --world\``);
}

export interface JudgingWorldRequest {
  readonly seed: string;
  readonly data: 'near' | 'sharpened' | 'plausible';
  /** A folder for its databases. */
  readonly scratch: string;
  readonly folder: string;
  readonly dbs: readonly string[];
  readonly sampleIds: ReadonlySet<string>;
}

/** A domain of such a world: its service, its database, and the samples kept there. */
export interface JudgingDomain {
  readonly service: Service;
  readonly database: string;
  readonly samples: readonly Sample[];
}

/** Number of samples tried. */
export interface JudgingWorldNote {
  readonly done: number;
  readonly total: number;
}

export interface WorldsToMake {
  readonly count: number;
  readonly seed: string;
  readonly progress: Progress;
}

/**
 * Makes worlds of a farm for the given samples only, in a folder that is removed when they are closed.
 * Without samples there are no worlds. Throws INTERRUPTED when aborted.
 */
export async function makeJudgingWorlds(
  folder: string,
  samples: readonly Pick<Sample, 'sample_id' | 'dataset_name' | 'gold_diff'>[],
  { count, seed, progress }: WorldsToMake,
): Promise<JudgingWorlds> {
  const writing = samples.filter(({ gold_diff }) => gold_diff);
  const reading = samples.filter(({ gold_diff }) => !gold_diff);
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-score-worlds-'));
  const pool = new ChildPool<JudgingWorldRequest, readonly JudgingDomain[]>({
    module: new URL('./judging-world-child.ts', import.meta.url),
    size: 1,
  });
  const apps: Awaited<ReturnType<typeof buildApp>>[] = [];
  const close = async () => {
    await Promise.all([pool.close(), ...apps.map((app) => app.close())]);
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
  const signal = interruptSignal();
  const make = async (
    i: number,
    data: JudgingWorldRequest['data'],
    of: typeof samples,
  ): Promise<JudgingWorld> => {
    const own = join(scratch, `${i}-${data}`);
    mkdirSync(own);
    const dbs = [...new Set(of.map(({ dataset_name }) => dataset_name))];
    const sampleIds = new Set(of.map(({ sample_id }) => sample_id));
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
    apps.push(app);
    const kept = served.flatMap((domain) => domain.samples);
    const services = served.map(({ service }) => service);
    return {
      samples: new Map(kept.map((sample) => [sample.sample_id, sample])),
      replay: farmReplay(app, services),
    };
  };
  try {
    const worlds: JudgingWorld[] = [];
    for (let i = 1; samples.length > 0 && i <= count; i++) {
      // Each kind of data reveals mistakes that the other hides.
      const read = reading.length > 0 && (await make(i, i % 2 === 1 ? 'near' : 'sharpened', reading));
      // Of implausible data, tasks that change records rarely make sense.
      const written = writing.length > 0 && (await make(i, 'plausible', writing));
      const both = [read, written].flatMap((world) => world || []);
      worlds.push({
        samples: new Map(both.flatMap(({ samples: kept }) => [...kept])),
        replay: (sample, ...more) => {
          const world = both.find(({ samples: kept }) => kept.has(sample.sample_id));
          if (!world) throw new Error(`no world keeps ${sample.sample_id}`);
          return world.replay(sample, ...more);
        },
      });
    }
    return { worlds, close };
  } catch (error) {
    await close();
    if (signal.aborted) throw new UserError('INTERRUPTED', folder, 'making worlds was stopped');
    throw error;
  }
}

export interface RunToJudge extends Pick<JudgeWorldsInput, 'farm' | 'predictions' | 'universe' | 'replay'> {
  readonly folder: string;
  readonly report: Report;
  /** For all attempts, including those that the report excludes. */
  readonly rewards?: readonly Reward[];
  /** Already opened worlds in which rewards must be robust too. */
  readonly given?: readonly JudgingWorld[];
}

/** Makes worlds of the domains with passes and replays their calls there, for the report and rewards. */
export async function judgeInWorlds(
  { folder, farm, predictions, universe, replay, report, rewards = [], given = [] }: RunToJudge,
  options: WorldsToMake,
): Promise<{ readonly worlds: WorldsReport; readonly rewards: readonly Reward[] }> {
  const passes = report.samples.filter(
    // A composed task is not kept by a world as a whole.
    (sample) => sample.outcome === 'pass' && isTask(sample) && sample.parts === null,
  );
  const due = [...passes, ...rewards.filter(({ reward }) => reward === 1)];
  const samples = new Set(due.flatMap(({ sample_id }) => farm.byId.get(sample_id) ?? []));
  const made = await makeJudgingWorlds(folder, [...samples], options);
  try {
    const judged = await judgeWorlds({
      farm,
      predictions,
      universe,
      replay,
      worlds: made.worlds,
      options: report.options,
      passes,
      onProgress: (done, total) => options.progress.update('robust', done, total),
    });
    const worlds = [...given, ...made.worlds];
    const robust = await robustRewards(rewards, {
      farm,
      predictions,
      universe,
      replay,
      worlds,
      onlyPasses: true,
    });
    return { worlds: judged, rewards: robust };
  } finally {
    await made.close();
  }
}
