import { type Command, InvalidArgumentError } from 'commander';
import pMap from 'p-map';
import { OptionError } from '../../contracts/errors.ts';
import { readFarm, readPredictions, type ScoredFarm } from '../../eval/farm/read-farm.ts';
import {
  meanCorrelation,
  type RankedTask,
  rankingTable,
  rankTasks,
  standingsTable,
} from '../../eval/report/rank.ts';
import { scoreFarm } from '../../eval/score/score-farm.ts';
import { completionClient } from '../../runner/control/completions.ts';
import { RateGate } from '../../runner/control/rate-gate.ts';
import { type JudgedRanks, judgeTask } from '../../runner/judge-task.ts';
import { ModelError, unusableModel } from '../../runner/models/failures.ts';
import { writeOutput } from '../files.ts';
import { wholeNumber } from '../options.ts';
import { type OpenFarm, openFarm } from '../score/open-farm.ts';
import { createProgress, interruptSignal, titledTable } from '../terminal.ts';

interface RankFlags {
  readonly judge: string;
  readonly baseUrl?: string;
  readonly apiKeyFrom?: string;
  readonly seed: number;
  readonly sample?: number;
  readonly concurrency: number;
  readonly out?: string;
}

/** `rookery rank <farm> <predictions…>`: ranks models task by task, by execution or by a judge. */
export function register(program: Command): void {
  program
    .command('rank')
    .description('rank models by their predictions, task by task: by execution, and by a model that judges')
    .argument('<farm>', 'folder made by `rookery generate`')
    .argument('<predictions...>', 'two or more prediction files')
    .option(
      '--judge <by>',
      'execution, which asks no model, or a model: openai/gpt-4o',
      judgeName,
      'execution',
    )
    .option('--base-url <address>', 'where the judge is: http://127.0.0.1:8000/v1')
    .option('--api-key-from <name>', 'the variable that holds its key')
    .option('--seed <n>', 'of the orders in which a judge is shown predictions', wholeNumber(0), 0)
    .option('--sample <n>', 'a judge is asked about the first so many tasks only', wholeNumber(1))
    .option('--concurrency <n>', 'tasks judged at once', wholeNumber(1, 64), 4)
    .option('-o, --out <file>', 'a line a task: predictions, ranks by execution, ranks by the judge')
    .action(rank);
}

async function rank(folder: string, files: string[], flags: RankFlags): Promise<void> {
  if (files.length < 2) {
    throw new OptionError('rank', 'one file of predictions is nothing to rank; give two or more');
  }
  const farm = readFarm(folder);
  const open = await openFarm(folder);
  try {
    const { names, tasks } = await scoreAll(files, farm, open);
    const executed = rankingTable(names, tasks);
    if (executed === null) throw new OptionError('rank', 'the files have no task in common');
    process.stdout.write(`${titledTable(executed)}\n${executed.note}\n`);
    const judged = flags.judge === 'execution' ? [] : await judgeAll(tasks, farm, open, flags);
    if (judged.length > 0) process.stdout.write(judgedText(names, tasks, judged));
    if (flags.out !== undefined) writeOutput(flags.out, linesOf(names, tasks, judged));
  } finally {
    await open.close();
  }
}

async function scoreAll(
  files: readonly string[],
  farm: ScoredFarm,
  { universe, replay }: OpenFarm,
): Promise<{ names: string[]; tasks: RankedTask[] }> {
  const progress = createProgress();
  const names: string[] = [];
  const reports = [];
  try {
    for (const file of files) {
      const predictions = readPredictions(file, farm);
      names.push(predictions.header.model ?? file);
      const onProgress = (done: number, total: number) => progress.update('score', done, total);
      const options = { selection: 'all', resamples: 0 } as const;
      reports.push(await scoreFarm({ farm, predictions, universe, replay, options, onProgress }));
    }
  } finally {
    progress.stop();
  }
  const unique = new Set(names).size === names.length ? names : names.map((name, i) => `${i + 1} ${name}`);
  return { names: unique, tasks: rankTasks(reports) };
}

async function judgeAll(
  tasks: readonly RankedTask[],
  farm: ScoredFarm,
  { universe }: OpenFarm,
  { judge, baseUrl, apiKeyFrom, seed, sample, concurrency }: RankFlags,
): Promise<(JudgedRanks | null)[]> {
  const { openModel } = await import('../../runner/models/open-model.ts');
  const model = await openModel({
    model: judge,
    baseUrl,
    apiKeyFrom,
  });
  const obtain = completionClient({
    model,
    target: `${judge} ${baseUrl ?? ''}`,
    gate: new RateGate({ start: concurrency, max: concurrency }),
    cache: null,
    prices: null,
    retries: 4,
    retryBaseMs: 1000,
    requestTimeoutMs: 120_000,
  });
  const progress = createProgress();
  const signal = interruptSignal();
  const chosen = tasks.slice(0, sample);
  let done = 0;
  try {
    return await pMap(
      chosen,
      async ({ sampleId, question, candidates }) => {
        const gold = farm.byId.get(sampleId);
        const tools = gold === undefined ? [] : [...universe.toolsFor(gold)];
        const calls = candidates.map((candidate) => candidate.calls);
        const text = tools.length > MOST_TOOLS ? '(many)' : JSON.stringify(Object.fromEntries(tools));
        const judgement = await judgeTask(
          { sampleId, question, tools: text, calls },
          { obtain, seed, signal },
        );
        progress.update('judge', ++done, chosen.length);
        return judgement;
      },
      { concurrency },
    );
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw unusableModel(error, judge, error.message, { cause: error });
  } finally {
    progress.stop();
  }
}

/** More tools would fill the judge's context with irrelevant text. */
const MOST_TOOLS = 20;

function judgedText(
  names: readonly string[],
  tasks: readonly RankedTask[],
  judged: readonly (JudgedRanks | null)[],
): string {
  const both = judged.flatMap((judgement, i) => {
    const task = tasks[i];
    return judgement && task ? [{ judgement, executed: task.ranks }] : [];
  });
  const unread = judged.length - both.length;
  const note = unread === 0 ? '' : `; ${unread} replies could not be read and are left out`;
  if (both.length === 0) return `\nThe judge gave no ranks${note}\n`;
  const ranks = both.map(({ judgement }) => judgement.ranks);
  const { value, n } = meanCorrelation(
    ranks,
    both.map(({ executed }) => executed),
  );
  const gains = both.reduce((sum, { judgement }) => sum + judgement.firstGains, 0) / both.length;
  return (
    `\n${titledTable(standingsTable('By the judge', names, ranks))}\n` +
    `Rank correlation with execution (Spearman): ${value?.toFixed(2) ?? 'unknown'} over ${n} tasks where both tell predictions apart${note}\n` +
    `Who is shown first is ranked ${Math.abs(gains).toFixed(2)} places ${gains <= 0 ? 'better' : 'worse'} than the mean\n`
  );
}

function linesOf(
  models: readonly string[],
  tasks: readonly RankedTask[],
  judged: readonly (JudgedRanks | null)[],
): string {
  return tasks
    .map(({ sampleId, candidates, ranks }, i) =>
      JSON.stringify({
        sample_id: sampleId,
        models,
        calls: candidates.map(({ calls }) => calls),
        passes: candidates.map(({ passes }) => passes),
        ranks_by_execution: ranks,
        ranks_by_judge: judged[i]?.ranks ?? null,
      }),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function judgeName(text: string): string {
  if (text === 'execution' || text.includes('/')) return text;
  throw new InvalidArgumentError('execution, or <provider>/<model>');
}
