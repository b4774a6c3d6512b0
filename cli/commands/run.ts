import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { ROOKERY } from '../../contracts/package-root.ts';
import { counted } from '../../contracts/wording.ts';
import { groupBy } from '../../eval/metrics/figures.ts';
import { isFarm } from '../../generator/write/write-folder.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import type { SampleRecord } from '../../runner/files/run-records.ts';
import { writePredictions } from '../../runner/harness/run-cell.ts';
import { sortRows } from '../../runner/leaderboard/columns.ts';
import { leaderboardTables } from '../../runner/leaderboard/write-text.ts';
import { type RequestedModel, withAdvice } from '../../runner/models/advice.ts';
import { traceProgram } from '../../services/base/telemetry.ts';
import { wholeNumber } from '../options.ts';
import { executeCell, type Gates, requestedModel, type Until } from '../run/execute-cell.ts';
import { type OpenedFarm, openFarmAccess } from '../run/farm-access.ts';
import { findRuns, tablesLike } from '../run/find-runs.ts';
import { estimatePlan, type Plan, type PlanFlags, type PlannedRun, planRuns } from '../run/plan-runs.ts';
import {
  type ExecutionFlags,
  executionOf,
  keyIn,
  withExecutionFlags,
  withRunFlags,
} from '../run/run-flags.ts';
import { runHeadline, runLabel, scoreRun } from '../run/score-run.ts';
import { type OpenFarm, openFarm } from '../score/open-farm.ts';
import { supervise } from '../supervise.ts';
import { EXIT, titledTable } from '../terminal.ts';

interface Flags extends PlanFlags, ExecutionFlags {
  readonly estimate?: boolean;
  readonly replay?: boolean;
  readonly worlds?: number;
}

/** Options shown by `--help`; `--help=all` shows all. */
const EVERYDAY = new Set(
  (
    'suite estimate replay worlds agent mode model name base-url temperature formulation db sample seed epochs tools via faults ' +
    'evidence glossary shots max-loops max-calls out split gold api-key-from concurrency until cost-limit prices cache capabilities'
  ).split(' '),
);

/** `rookery run <farm>`: runs models, baselines and custom agents on a farm's tasks, and scores them. */
export function register(program: Command): void {
  const command = program
    .command('run')
    .description('run a model, or an agent of your own, on the tasks of a farm')
    .argument(
      '<farm>',
      'folder made by `rookery generate`, the address of a served farm, or an experiment.yaml',
    )
    .argument('[farm]', 'the farm of an experiment that names none')
    .option('--suite <name>', 'an experiment that comes with rookery: live-api-bench, bfcl, …')
    .option('--estimate', 'build the first requests and print their cost, without sending them')
    .option(
      '--worlds <n>',
      'replay the calls of passes in this many worlds (docs/worlds.md)',
      wholeNumber(1, 20),
    )
    .option('--replay', 'score the run in --out again, without a model');
  withExecutionFlags(withRunFlags(command)).action(run);
  for (const option of command.options) if (!EVERYDAY.has(option.name())) option.hideHelp();
  command.addHelpText('after', `\nAll options, with those that few runs need: ${ROOKERY} run --help=all`);
}

async function run(given: string, second: string | undefined, flags: Flags): Promise<void> {
  const plan = await planRuns(given, second, flags);
  for (const line of plan.leftOut) warn(`left out: ${line}`);
  preload(plan);
  const place = await farmOf(plan);
  if (place === null) return;
  const farm = await openFarmAccess(place, {
    gold: flags.gold,
    split: flags.split,
    apiKey: flags.farmKeyFrom && keyIn(flags.farmKeyFrom, '--farm-key-from'),
    harnessKey: flags.harnessKeyFrom && keyIn(flags.harnessKeyFrom, '--harness-key-from'),
  });
  const open = farm.folder === null ? null : await openFarm(farm.folder);
  try {
    if (flags.estimate) await estimatePlan(plan, farm, executionOf(flags));
    else if (flags.replay) await replayPlan(plan, farm, open, flags.worlds);
    else await carryOut(plan, farm, open, flags);
  } finally {
    await open?.close();
    await farm.close();
  }
}

/**
 * The farm's place; if that holds a split and the experiment says with which shares, a farm is made of it, once. null if
 * it could not be made, which has been said.
 */
async function farmOf({ farm, base, hidden }: Plan): Promise<string | null> {
  if (hidden === undefined || !existsSync(farm) || isFarm(farm)) return farm;
  const out = join(base, 'farm');
  if (isFarm(out)) return out;
  mkdirSync(base, { recursive: true });
  const code = await supervise(['generate', farm, '--out', out, '--hidden', hidden.join()]);
  if (code !== 0) process.exitCode = code;
  return isFarm(out) ? out : null;
}

/** Loads the providers' packages while the farm starts. Errors are reported when the run begins. */
function preload({ runs }: Plan): void {
  const models = new Set(runs.flatMap(({ config: { model } }) => model ?? []));
  for (const model of models) {
    if (model.startsWith('mock/')) continue;
    import('../../runner/models/open-model.ts').then(({ openModel }) => openModel({ model })).catch(() => {});
  }
}

async function carryOut(plan: Plan, farm: OpenedFarm, open: OpenFarm | null, flags: Flags): Promise<void> {
  const execution = executionOf(flags);
  const { metrics } = execution;
  const stopMetrics =
    metrics === null || flags.metricsPort === undefined ? null : await metrics.listen(flags.metricsPort);
  const endTraces = await traceProgram(process.env, 'run');
  const gates: Gates = new Map();
  try {
    for (const planned of plan.runs) {
      const { name, out, config } = planned;
      const until = untilOf(flags, planned, farm, open);
      const result = await executeCell(config, farm, out, name, execution, gates, until);
      const { status, reason, header, records } = result;
      const { attempts } = header;
      await printScore(out, farm, open, attempts, flags.worlds);
      const errors = counted(attempts.errors, 'attempt');
      if (attempts.errors > 0) warn(`${out}: ${errors} ended in errors; the same command tries them again`);
      for (const line of failureNotes(records, requestedModel(config, execution))) warn(`  ${line}`);
      if (status === 'stopped') warn(`${out}: stopped, because ${reason}; the same command goes on`);
      if (status === 'stopped' || attempts.errors > 0) process.exitCode = EXIT.stopped;
      if (status === 'stopped') return;
    }
    if (plan.runs.length > 1 && farm.scored !== null) printTables(plan);
  } finally {
    await Promise.all([stopMetrics?.(), endTraces()]);
  }
}

/** Throws OPTION_INVALID for `--until` on a farm without its gold here, or on tasks without completion. */
function untilOf(
  { until }: Flags,
  { out, config: { select, list } }: PlannedRun,
  { scored }: OpenedFarm,
  open: OpenFarm | null,
): Until | null {
  if (until === undefined) return null;
  if (select.unanswerable !== undefined || list.withhold === 'gold') {
    throw new OptionError('--until', 'is about completion, which these tasks do not count for');
  }
  if (scored === null || open === null) {
    throw new OptionError('--until', 'scores while it runs; give the folder of the farm, here or as --gold');
  }
  return { within: until, score: (header) => scoreRun(out, header, scored, open) };
}

function printTables({ base, tables: paper }: Plan): void {
  const tables =
    paper === undefined
      ? leaderboardTables(sortRows(findRuns([base])))
      : tablesLike([base], 'fitting', paper);
  process.stdout.write(`\n${tables.map(titledTable).join('\n\n')}\n`);
}

/** Regenerates predictions from the log, and scores them with this version. */
async function replayPlan(
  plan: Plan,
  farm: OpenedFarm,
  open: OpenFarm | null,
  worlds?: number,
): Promise<void> {
  for (const { out } of plan.runs) {
    const folder = new RunFolder(out);
    const header = folder.readHeader();
    if (header === null)
      throw new UserError('RUN_INVALID', out, 'contains no run; --replay scores an existing one');
    writePredictions(folder, header, folder.readRecords().values());
    await printScore(out, farm, open, header.attempts, worlds);
  }
}

async function printScore(
  out: string,
  farm: OpenedFarm,
  open: OpenFarm | null,
  attempts: { readonly done: number; readonly planned: number },
  worlds?: number,
): Promise<void> {
  const header = new RunFolder(out).readHeader();
  if (farm.scored === null || open === null || header === null) {
    const how = `${ROOKERY} score <farm> ${join(out, 'predictions.jsonl')}`;
    process.stdout.write(
      `${header === null ? out : runLabel(header)}: ${attempts.done} of ${attempts.planned} attempted; score them with ${how}\n`,
    );
    return;
  }
  const report = await scoreRun(out, header, farm.scored, open, worlds);
  process.stdout.write(`${runHeadline(header, report)}\n`);
}

function warn(text: string): void {
  process.stderr.write(`${text}\n`);
}

const MOST_LISTED = 3;

/** Why attempts broke or exceeded the context window: the most frequent reasons with advice, one per line. */
export function failureNotes(records: readonly SampleRecord[], requested: RequestedModel): string[] {
  const failures = records.flatMap(({ outcome, error, reason }) =>
    outcome === 'context_window' ? { kind: outcome, message: reason ?? '' } : (error ?? []),
  );
  // Messages that differ only in their numbers count as one.
  const alike = groupBy(failures, ({ kind, message }) => `${kind} ${message.replace(/\d+/g, '#')}`);
  const sorted = [...alike.values()].sort((a, b) => b.length - a.length);
  return sorted.slice(0, MOST_LISTED).map((some) => {
    const { message: text, ...failed } = some[0] as (typeof some)[number];
    const message = text.length > 300 ? `${text.slice(0, 300)}…` : text;
    return `${some.length} × ${failed.kind}: ${withAdvice({ ...failed, message }, requested)}`;
  });
}
