import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { OptionError, UserError } from '../../contracts/errors.ts';
import type { Agent, CallMode } from '../../runner/agents/agent.ts';
import {
  beyondModel,
  type CapabilityTable,
  capabilityTable,
  modeOf,
} from '../../runner/agents/capabilities.ts';
import { findAgent } from '../../runner/agents/find-agent.ts';
import { type ExperimentFile, expandExperiment, readExperiment, readSuite } from '../../runner/experiment.ts';
import type { RunConfig } from '../../runner/files/run-config.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import { estimateCell } from '../../runner/harness/estimate-cell.ts';
import { prepareCell } from '../../runner/harness/prepare-cell.ts';
import type { Layout } from '../../runner/leaderboard/paper-tables.ts';
import { runName } from '../../runner/leaderboard/run-row.ts';
import { textTable } from '../terminal.ts';
import { controlOf, type Execution, newGate, openRunModel } from './execute-cell.ts';
import type { OpenedFarm } from './farm-access.ts';
import { configsOf, fieldsOf, type RunFlags } from './run-flags.ts';
import { runLabel } from './score-run.ts';

export interface Plan {
  /** The farm's folder or address. */
  readonly farm: string;
  /** The parent folder of all runs. */
  readonly base: string;
  /** The tables that are printed at the end; default: a leaderboard. */
  readonly tables?: Layout;
  /** The shares of a farm that is made first, if a split is given in its place. */
  readonly hidden?: readonly string[];
  readonly runs: readonly PlannedRun[];
  /** Runs of an experiment that its models cannot make, and why. */
  readonly leftOut: readonly string[];
}

export interface PlannedRun {
  /** Name in tables; runs that differ only in formulation share it. */
  readonly name: string;
  readonly out: string;
  readonly config: RunConfig;
}

export interface PlanFlags extends RunFlags {
  readonly out?: string;
  readonly suite?: string;
  readonly allowCode?: boolean;
  readonly capabilities?: string;
}

/**
 * Plans runs from the command line: `<farm>` with options, `<farm> --suite <name>`, or `<experiment.yaml>
 * [<farm>]`. Options override an experiment. Throws OPTION_INVALID or EXPERIMENT_INVALID.
 */
export async function planRuns(place: string, second: string | undefined, flags: PlanFlags): Promise<Plan> {
  if (/\.ya?ml$/.test(place)) {
    const experiment = readExperiment(place);
    const farm = second ?? experiment.farm;
    if (farm === undefined)
      throw new UserError('EXPERIMENT_INVALID', place, 'names no farm; give one as the second argument');
    return planExperiment(place, experiment, farm, flags);
  }
  if (second !== undefined) throw new OptionError(second, 'is a second farm; a run takes one');
  if (flags.suite !== undefined)
    return planExperiment(`--suite ${flags.suite}`, readSuite(flags.suite), place, flags);
  const configs = configsOf(flags);
  const own = capabilitiesIn(flags);
  for (const config of configs) {
    const agent = await findAgent(config.agent);
    if (flags.mode !== undefined && modeOf(config, agent) !== flags.mode)
      throw new OptionError('--mode', modeFault(config, agent, flags.mode));
    const reason = beyondModel(config, agent, own);
    if (reason !== undefined) throw new OptionError('--model', `${reason}; ${OVERRIDE}`);
  }
  const [only] = configs;
  const base =
    flags.out ??
    join('runs', slug(flags.name ?? [only?.model, only?.agent ?? 'run'].filter(Boolean).join(' ')));
  const runs = configs.map((config) => ({
    out:
      configs.length > 1 ? join(base, slug(`${config.model ?? config.agent} ${config.formulation}`)) : base,
    config,
  }));
  return { farm: place, base, runs: named(runs, flags.name), leftOut: [] };
}

async function planExperiment(
  file: string,
  given: ExperimentFile,
  farm: string,
  flags: PlanFlags,
): Promise<Plan> {
  const { baseUrl: base_url, transport } = flags;
  const models = flags.model?.map((model) => ({ model, base_url, transport }));
  const experiment = { ...given, models: models ?? given.models };
  const { base_url: _, transport: __, ...over } = fieldsOf(flags);
  const allowCode = flags.allowCode === true;
  const all = await expandExperiment(file, experiment, over, { allowCode });
  const wanted = flags.formulation;
  const own = capabilitiesIn(flags);
  const runs: (typeof all)[number][] = [];
  const leftOut: string[] = [];
  for (const run of all) {
    const agent = await findAgent(run.config.agent);
    if (wanted !== undefined && !wanted.includes(run.config.formulation)) continue;
    if (flags.mode !== undefined && modeOf(run.config, agent) !== flags.mode) continue;
    const reason = beyondModel(run.config, agent, own);
    if (reason === undefined) runs.push(run);
    else leftOut.push(`${run.name}: ${reason}`);
  }
  if (runs.length === 0 && leftOut.length > 0)
    throw new OptionError('--model', `no run of ${file} is left: ${leftOut[0]}; ${OVERRIDE}`);
  if (runs.length === 0 && flags.mode !== undefined)
    throw new OptionError('--mode', `${file} has no run whose functions are called ${HOW[flags.mode]}`);
  const base = flags.out ?? join('runs', given.name);
  return {
    farm,
    base,
    tables: given.tables,
    hidden: given.hidden,
    runs: named(
      runs.map(({ name, config }) => ({ out: join(base, name), config })),
      flags.name,
    ),
    leftOut,
  };
}

const HOW = { native: 'natively', prompt: 'by prompt' } as const;
const OVERRIDE = 'if it can, say so in a file and give it with --capabilities';

function modeFault({ settings }: RunConfig, agent: Agent, mode: CallMode): string {
  if (agent.mode === undefined) return `${agent.name} has no model call functions; leave it out`;
  if (agent.mode === 'either') return `is ${mode}, but --tools-in is ${settings.tools_in}; give one of them`;
  const others = mode === 'native' ? 'tools, mcp or direct' : 'react or direct';
  return `${agent.name} has functions called ${HOW[agent.mode]}; give --agent ${others} for ${mode}`;
}

/** The table of `--capabilities`. Throws OPTION_INVALID. */
function capabilitiesIn({ capabilities: file }: PlanFlags): CapabilityTable {
  if (file === undefined) return {};
  try {
    return capabilityTable.parse(parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const fix =
      'give {"<provider>/<name, with * for any text>": {"native": false}}; also "prompt", "parallel"';
    throw new OptionError(file, `is not a table of capabilities; ${fix}`, { cause });
  }
}

/** Applies `--name` to the runs; if it would be ambiguous, their differences are appended. */
function named(runs: readonly Omit<PlannedRun, 'name'>[], given: string | undefined): PlannedRun[] {
  const names = runs.map(({ config }) => runName(config));
  const areAlike = new Set(names).size === 1;
  return runs.map((run, i) => {
    const usual = names[i] ?? '';
    return { ...run, name: given === undefined ? usual : areAlike ? given : `${given}: ${usual}` };
  });
}

function slug(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100);
}

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
    `${table}\n${sum} Tokens are estimated at four characters each; of loops, only the first turn is counted.\n`,
  );
}
