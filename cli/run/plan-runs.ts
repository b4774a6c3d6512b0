import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { type ExperimentFile, expandExperiment, readExperiment, readSuite } from '../../runner/experiment.ts';
import type { RunConfig } from '../../runner/files/run-config.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import { estimateCell } from '../../runner/harness/estimate-cell.ts';
import { prepareCell } from '../../runner/harness/prepare-cell.ts';
import type { Paper } from '../../runner/leaderboard/paper-tables.ts';
import { runName } from '../../runner/leaderboard/run-row.ts';
import { textTable } from '../terminal.ts';
import { controlOf, type Execution, newGate, openRunModel, runLabel } from './execute-cell.ts';
import type { OpenedFarm } from './farm-access.ts';
import { configsOf, fieldsOf, type RunFlags } from './run-flags.ts';

/** The runs to make, and the folder of each. */
export interface Plan {
  /** The folder or address of the farm. */
  readonly farm: string;
  /** The folder of all runs. */
  readonly base: string;
  /** The paper in whose tables the runs are shown. */
  readonly tables?: Paper;
  readonly runs: readonly PlannedRun[];
}

export interface PlannedRun {
  /** What tables call it: runs that differ in their formulation alone have the same name. */
  readonly name: string;
  readonly out: string;
  readonly config: RunConfig;
}

export interface PlanFlags extends RunFlags {
  readonly out?: string;
  readonly suite?: string;
  readonly allowCode?: boolean;
}

/**
 * From the command line: `<farm>` with options, `<farm> --suite <name>`, or `<experiment.yaml> [<farm>]`. Options are
 * laid over an experiment. Throws OPTION_INVALID or EXPERIMENT_INVALID.
 */
export async function planRuns(place: string, second: string | undefined, flags: PlanFlags): Promise<Plan> {
  if (/\.ya?ml$/.test(place)) {
    const experiment = readExperiment(place);
    const farm = second ?? experiment.farm;
    if (farm === undefined)
      throw new UserError('EXPERIMENT_INVALID', place, 'names no farm; give one behind it');
    return planExperiment(place, experiment, farm, flags);
  }
  if (second !== undefined) throw new UserError('OPTION_INVALID', second, 'two farms; a run is made on one');
  if (flags.suite !== undefined)
    return planExperiment(`--suite ${flags.suite}`, readSuite(flags.suite), place, flags);
  const configs = configsOf(flags);
  const [only] = configs;
  const base = flags.out ?? join('runs', slug(flags.name ?? (only === undefined ? 'run' : folderOf(only))));
  const runs = configs.map((config) => ({
    out:
      configs.length > 1 ? join(base, slug(`${config.model ?? config.agent} ${config.formulation}`)) : base,
    config,
  }));
  return { farm: place, base, runs: named(runs, flags.name) };
}

async function planExperiment(
  file: string,
  given: ExperimentFile,
  farm: string,
  flags: PlanFlags,
): Promise<Plan> {
  const models = flags.model?.map((model) => ({
    model,
    base_url: flags.baseUrl,
    transport: flags.transport,
  }));
  const experiment = { ...given, models: models ?? given.models };
  const { base_url, transport, ...over } = fieldsOf(flags);
  const allowCode = flags.allowCode === true;
  const all = await expandExperiment(file, experiment, over, { allowCode });
  const wanted = flags.formulation;
  const runs = all.filter(({ config }) => wanted === undefined || wanted.includes(config.formulation));
  const base = flags.out ?? join('runs', given.name);
  return {
    farm,
    base,
    tables: given.tables,
    runs: named(
      runs.map(({ name, config }) => ({ out: join(base, name), config })),
      flags.name,
    ),
  };
}

/** The runs by the name that was given; where it is to stand for runs that differ, what they differ in is added. */
function named(runs: readonly Omit<PlannedRun, 'name'>[], given: string | undefined): PlannedRun[] {
  const names = runs.map(({ config }) => runName(config));
  const areAlike = new Set(names).size === 1;
  return runs.map((run, i) => {
    const usual = names[i] ?? '';
    return { ...run, name: given === undefined ? usual : areAlike ? given : `${given}: ${usual}` };
  });
}

function folderOf({ model, agent }: RunConfig): string {
  return model === null ? agent : `${model} ${agent}`;
}

function slug(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100);
}

/** Prints an estimate of the first requests of all runs. */
export async function estimatePlan({ runs }: Plan, farm: OpenedFarm, execution: Execution): Promise<void> {
  const rows: (readonly (string | number)[])[] = [];
  let total: number | null = 0;
  for (const { name, out, config } of runs) {
    const model = await openRunModel(config, farm, execution.apiKeyFrom);
    const control = controlOf(execution, newGate(execution), null);
    const { environment, tasks } = await prepareCell(config, farm, model, control, new RunFolder(out), name);
    if (!environment.agent.needsModel) {
      rows.push([runLabel({ name, config }), tasks.length * config.epochs, 0, 0, '0']);
      continue;
    }
    const { attempts, inputTokens, outputTokens, cost } = await estimateCell(
      environment,
      tasks,
      execution.prices,
    );
    total = total === null || cost === null ? null : total + cost;
    rows.push([
      runLabel({ name, config }),
      attempts,
      inputTokens,
      outputTokens ?? 'unknown',
      cost?.toFixed(4) ?? 'unknown',
    ]);
  }
  const table = textTable(['run', 'attempts', 'tokens in', 'tokens out at most', 'cost'], rows);
  const sum = total === null ? 'The cost is not known: give --prices.' : `In all: ${total.toFixed(4)}.`;
  process.stdout.write(
    `${table}\n${sum} Tokens are reckoned by four characters each, and of loops the first turn alone is counted.\n`,
  );
}
