import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'lossless-json';
import { OptionError, UserError } from '../../contracts/errors.ts';
import type { Reward } from '../../contracts/judgement.ts';
import { ROOKERY } from '../../contracts/package-root.ts';
import { formulation } from '../../contracts/sample.ts';
import { attemptedIn, readFarm, readPredictions } from '../../eval/farm/read-farm.ts';
import type { Report, ScoreOptions } from '../../eval/metrics/report.ts';
import { priceTable } from '../../eval/metrics/trajectory.ts';
import {
  findMissed,
  parseThresholds,
  reportHeadline,
  reportTables,
  type Threshold,
} from '../../eval/report/report-tables.ts';
import { rewardPredictions, robustRewards } from '../../eval/score/rewards.ts';
import { DEFAULT_OPTIONS, scoreFarm } from '../../eval/score/score-farm.ts';
import type { RunFolder } from '../../runner/files/run-folder.ts';
import type { RunHeader } from '../../runner/files/run-records.ts';
import { chooseDomains } from '../../services/base/farm.ts';
import { readPrices, writeOutput } from '../files.ts';
import { registerFormats } from '../format-commands.ts';
import { choice, DEFAULT_WORLD_SEED, list, ROBUST_HELP, wholeNumber } from '../options.ts';
import { openFarm } from '../score/open-farm.ts';
import { createProgress, EXIT, titledTable } from '../terminal.ts';

interface ScoreFlags extends Omit<ScoreOptions, 'replay' | 'selection' | 'budget'> {
  readonly budget?: number;
  readonly all: boolean;
  readonly out?: string;
  readonly html?: string;
  readonly rewards?: string;
  readonly replayAll: boolean;
  readonly formulation?: string;
  readonly only?: readonly string[];
  readonly prices?: string;
  readonly failUnder?: readonly Threshold[];
  readonly worlds?: number;
  readonly worldSeed: string;
  readonly robustIn?: readonly string[];
}

/** `rookery score <farm> <predictions>`: computes every metric for a prediction file. */
export async function register(program: Command, args: readonly string[]): Promise<void> {
  const command = program
    .command('score')
    .description('score the predictions of an agent against a farm')
    .argument('<farm>', 'folder made by `rookery generate`')
    .argument(
      '<predictions>',
      'JSONL file with one prediction per line, or a folder of `rookery run`, scored with the run’s own options',
    )
    .option('-o, --out <file>', 'write the scores as JSON')
    .option('--html <file>', 'write the report as one page of the console, to open in a browser')
    .option(
      '--rewards <file>',
      'write the reward of each attempt, with its components, one JSON object per line',
    )
    .option(
      '--fail-under <figures>',
      'exit with 1 if a figure is lower: completion=0.4,intent=0.6',
      parseThresholds,
    )
    .addOption(
      choice('--parse <parser>', 'how raw_output is read', ['lenient', 'strict'], DEFAULT_OPTIONS.parse),
    )
    .addOption(
      choice(
        '--judge <by>',
        'what completion judges: the answer if there is one, or always the calls',
        ['answer', 'calls'],
        DEFAULT_OPTIONS.judge,
      ),
    )
    .addOption(
      choice(
        '--columns <rule>',
        'whether execution accuracy forgives extra columns',
        ['exact', 'superset'],
        DEFAULT_OPTIONS.columns,
      ),
    )
    .option('--legacy', "compare results as the paper's authors do", false)
    .option('--replay-all', 'replay calls that equal the gold too', false)
    .option(
      '--budget <loops>',
      `budget of loops (default: ${DEFAULT_OPTIONS.budget}, for a run, its own)`,
      wholeNumber(1),
    )
    .addOption(choice('--formulation <name>', 'score this formulation only', formulation.options))
    .option('--all', 'also score guessable samples (docs/audit.md)', false)
    .option('--only <db>', 'score this domain only (may be repeated)', list)
    .option('--prices <file>', 'JSON: {"<model>": {"input_per_million": 1, "output_per_million": 2}}')
    .option('--seed <n>', 'seed of the bootstrap', wholeNumber(0), DEFAULT_OPTIONS.seed)
    .option(
      '--resamples <n>',
      'redraws of the bootstrap; 0: no intervals',
      wholeNumber(0, 100_000),
      DEFAULT_OPTIONS.resamples,
    )
    .option(
      '--worlds <n>',
      'replay the calls of passes in this many worlds; passes that hold there are robust, in the report and in rewards (docs/worlds.md)',
      wholeNumber(1, 64),
    )
    .option('--robust-in <world>', ROBUST_HELP, list)
    .option('--world-seed <seed>', 'seed of these worlds', DEFAULT_WORLD_SEED)
    .action(score);
  // Options after the name of a format belong to it, also those that both commands have.
  command.enablePositionalOptions();
  await registerFormats(command, args);
}

async function score(folder: string, place: string, flags: ScoreFlags): Promise<void> {
  const run = await openRun(place);
  const file = run === null ? place : join(run.path, 'predictions.jsonl');
  const header = run?.readHeader() ?? null;
  if (run !== null && header?.status === 'running') noteUnended(run, header, existsSync(file));
  const prices = flags.prices === undefined ? undefined : readPrices(flags.prices, priceTable);
  // Check before anything slow.
  const board = flags.html === undefined ? null : await import('../board.ts');
  board?.requireConsole();
  if (flags.robustIn && flags.rewards === undefined) {
    throw new OptionError('--robust-in', 'applies to rewards: also give --rewards <file>');
  }
  const judged = flags.worlds !== undefined || flags.robustIn ? await import('../score/worlds.ts') : null;
  judged?.requireWorlds(folder, flags.robustIn ?? []);
  const farm = readFarm(folder);
  chooseDomains(farm.farm, flags.only);
  const predictions = readPredictions(file, farm);
  const runs = header === null ? null : await import('../run/score-run.ts');
  const ofRun = header && runs?.scoringOf(header, predictions);
  const attempted = [...attemptedIn(predictions)].flatMap((id) => farm.byId.get(id)?.formulation ?? []);
  const open = await openFarm(folder, attempted);
  const progress = createProgress();
  let report: Report;
  let rewards: readonly Reward[] = [];
  try {
    report = await scoreFarm({
      farm,
      predictions,
      universe: open.universe,
      replay: open.replay,
      options: toOptions(flags, ofRun?.options),
      choose: (sample) =>
        (flags.formulation === undefined || sample.formulation === flags.formulation) &&
        (flags.only?.includes(sample.dataset_name) ?? true) &&
        (ofRun?.choose(sample) ?? true),
      onProgress: (done, total) => progress.update('score', done, total),
      prices,
    });
    if (flags.rewards !== undefined) {
      rewards = await rewardPredictions(predictions, { farm, ...open }, report);
    }
    const judging = await judged?.openJudgingWorlds(folder, flags.robustIn ?? []);
    try {
      const { universe, replay } = open;
      const { worlds } = judging ?? {};
      if (flags.worlds === undefined && worlds) {
        rewards = await robustRewards(rewards, { farm, predictions, universe, replay, worlds });
      } else if (flags.worlds !== undefined && judged) {
        const inWorlds = await judged.judgeInWorlds(
          { folder, farm, predictions, universe, replay, report, rewards, given: worlds },
          { count: flags.worlds, seed: flags.worldSeed, progress },
        );
        report = { ...report, worlds: inWorlds.worlds };
        rewards = inWorlds.rewards;
      }
    } finally {
      await judging?.close();
    }
  } finally {
    progress.stop();
    await open.close();
  }
  const headline = (header && runs?.runHeadline(header, report)) ?? reportHeadline(report);
  process.stdout.write(`${[...reportTables(report).map(titledTable), headline].join('\n\n')}\n`);
  if (flags.out !== undefined) writeOutput(flags.out, `${stringify(report)}\n`);
  if (flags.html !== undefined && board) writeOutput(flags.html, board.reportPage(report));
  if (flags.rewards !== undefined) {
    writeOutput(flags.rewards, rewards.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  const missed = flags.failUnder ? findMissed(flags.failUnder, report.metrics) : [];
  for (const line of missed) process.stderr.write(`${line}\n`);
  if (missed.length > 0) process.exitCode = EXIT.missed;
}

/** The run at a path: its folder, or the predictions in it. null if there is none. */
async function openRun(place: string): Promise<RunFolder | null> {
  const folder = basename(place) === 'predictions.jsonl' ? dirname(place) : place;
  // The predictions may be beside an unrelated run.json.
  const isRun = ['run.json', 'samples.jsonl'].every((file) => existsSync(join(folder, file)));
  if (!isRun) return null;
  const { RunFolder } = await import('../../runner/files/run-folder.ts');
  return new RunFolder(folder);
}

/** Explains how to continue an unfinished run. Throws RUN_INVALID if nothing can be scored yet. */
function noteUnended(run: RunFolder, { attempts }: RunHeader, canBeScored: boolean): void {
  const same = `the same \`${ROOKERY} run … --out\` as before`;
  const text = `the run has not ended, with ${run.readRecords().size} of ${attempts.planned} attempts recorded: ${same} goes on, and with --replay it scores these`;
  if (!canBeScored) throw new UserError('RUN_INVALID', run.path, text);
  process.stderr.write(`${run.path}: ${text}\n`);
}

/** Options that are not given default to those of the run. */
function toOptions(
  { parse, judge, columns, legacy, replayAll, all, budget, seed, resamples }: ScoreFlags,
  ofRun: Pick<ScoreOptions, 'budget' | 'selection'> = DEFAULT_OPTIONS,
): ScoreOptions {
  return {
    parse,
    judge,
    columns,
    legacy,
    replay: replayAll ? 'all' : 'needed',
    selection: all ? 'all' : ofRun.selection,
    budget: budget ?? ofRun.budget,
    seed,
    resamples,
  };
}
