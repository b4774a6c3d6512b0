import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { expandExperiment } from '../../runner/experiment/expand-experiment.ts';
import type { ExperimentFile } from '../../runner/experiment/experiment-file.ts';
import { readExperiment, readSuite } from '../../runner/experiment/read-experiment.ts';
import type { RunConfig } from '../../runner/files/run-config.ts';
import type { Paper } from '../../runner/table/paper-tables.ts';
import { configsOf, fieldsOf, type RunFlags } from './run-flags.ts';

/** The runs to make, and the folder of each. */
export interface Plan {
  /** The folder or address of the farm. */
  readonly farm: string;
  /** The folder of all runs. */
  readonly base: string;
  /** The paper in whose tables the runs are shown. */
  readonly tables?: Paper;
  readonly runs: readonly { readonly name: string; readonly out: string; readonly config: RunConfig }[];
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
  const base = flags.out ?? join('runs', slug(only === undefined ? 'run' : nameOf(only)));
  return {
    farm: place,
    base,
    runs: configs.map((config) => ({
      name: `${nameOf(config)}, ${config.formulation}`,
      out:
        configs.length > 1 ? join(base, slug(`${config.model ?? config.agent} ${config.formulation}`)) : base,
      config,
    })),
  };
}

async function planExperiment(
  file: string,
  given: ExperimentFile,
  farm: string,
  flags: PlanFlags,
): Promise<Plan> {
  const models = flags.model?.map((model) => ({
    model,
    ...(flags.baseUrl === undefined ? {} : { base_url: flags.baseUrl }),
    ...(flags.transport === undefined ? {} : { transport: flags.transport }),
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
    ...(given.tables === undefined ? {} : { tables: given.tables }),
    runs: runs.map(({ name, config }) => ({ name, out: join(base, name), config })),
  };
}

function nameOf({ model, agent }: RunConfig): string {
  return model === null ? agent : `${model} ${agent}`;
}

function slug(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100);
}
