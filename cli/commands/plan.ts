import type { Command } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import { isInDefaultSelection } from '../../contracts/task.ts';
import { counted } from '../../contracts/wording.ts';
import { onePerQuestion, readFarm } from '../../eval/farm/read-farm.ts';
import { readReport } from '../../eval/report/report-tables.ts';
import {
  assumedVariance,
  detectable,
  type PairedVariance,
  POWERS,
  type Power,
  pairedDifferences,
  sampleSize,
  varianceOf,
} from '../../eval/report/sample-size.ts';
import { choice, inPercent, points } from '../options.ts';
import { reportIn } from '../run/find-runs.ts';
import { textTable } from '../terminal.ts';

interface PlanFlags {
  readonly detect: number;
  readonly runs?: readonly string[];
  readonly power: string;
  readonly completion: number;
  readonly correlation: number;
  readonly betweenDomains: number;
  readonly json: boolean;
}

/** `rookery plan <farm> --detect 3pp`: how many questions it takes to tell two systems apart. */
export function register(program: Command): void {
  program
    .command('plan')
    .description('how many questions it takes to detect a difference between two systems')
    .argument('<farm>', 'folder made by `rookery generate`')
    .requiredOption('--detect <points>', 'the difference in completion to be detected: 3pp', points)
    .option('--runs <runs...>', 'two earlier runs or reports: how much they differ from question to question')
    .addOption(choice('--power <percent>', 'the chance of detecting it', POWERS.map(String), '80'))
    .option('--completion <percent>', 'without --runs: completion of the first system', inPercent, 0.6)
    .option(
      '--correlation <percent>',
      'without --runs: of the verdicts of both on one question',
      inPercent,
      0.5,
    )
    .option(
      '--between-domains <percent>',
      'without --runs: the share of the variance that lies between domains',
      inPercent,
      0.02,
    )
    .option('--json', 'print the figures as JSON', false)
    .action((folder: string, flags: PlanFlags) => {
      const plan = planOf(folder, flags);
      process.stdout.write(flags.json ? `${JSON.stringify(plan)}\n` : planText(plan));
    });
}

type PlanOfSize = ReturnType<typeof planOf>;

function planOf(folder: string, flags: PlanFlags) {
  const { samples } = readFarm(folder);
  const questions = onePerQuestion(samples.filter(isInDefaultSelection));
  const domains = new Set(questions.map(({ dataset_name: db }) => db)).size;
  const here = questions.length;
  const power = Number(flags.power) as Power;
  const { variance, source } = varianceFor(flags);
  return {
    effect: flags.detect,
    power,
    level: 5,
    variance,
    source,
    farm: { questions: here, domains },
    ...sampleSize(flags.detect, variance, power, domains),
    detectable: {
      of_these_domains: detectable(here, variance, power, null),
      of_others: detectable(here, variance, power, domains),
    },
  };
}

function varianceFor({ runs, detect, completion, correlation, betweenDomains }: PlanFlags): {
  readonly variance: PairedVariance;
  readonly source: string;
} {
  if (runs === undefined) {
    const assumed = { completion, correlation, ofDomains: betweenDomains };
    const inWords = `completion ${whole(completion)} against ${whole(completion + detect)}, verdicts correlated by ${correlation}, ${whole(betweenDomains)} of the variance between domains`;
    return { variance: assumedVariance(assumed, detect), source: `assumed: ${inWords}` };
  }
  const [first, second, ...more] = runs;
  if (first === undefined || second === undefined || more.length > 0) {
    throw new OptionError('--runs', `takes two runs or reports, not ${runs.length}`);
  }
  const [a, b] = [first, second].map((place) => readReport(reportIn(place)).samples);
  const differences = pairedDifferences(a ?? [], b ?? []);
  const common = [...differences.values()].flat().length;
  const source = `${counted(common, 'question')} of ${counted(differences.size, 'domain')} that ${first} and ${second} have in common`;
  return { variance: varianceOf(differences), source };
}

const whole = (share: number) => `${Math.round(share * 1000) / 10} %`;
const pp = (share: number) => `${(share * 100).toFixed(1)} points`;

function planText(plan: PlanOfSize): string {
  const { effect, power, source, farm, questions, clustered, domains, detectable: least } = plan;
  const enough = (n: number) =>
    n <= farm.questions ? `${whole(n / farm.questions)} of the farm` : 'more than the farm has';
  const rows = [
    ['in these domains', questions, enough(questions), pp(least.of_these_domains)],
    [
      'in domains like these',
      clustered ?? '–',
      clustered === null ? `takes ${domains} domains or more` : enough(clustered),
      pp(least.of_others),
    ],
  ];
  return [
    `To detect ${pp(effect)} of completion with a chance of ${power} % by a two-sided test at 5 %, both systems on the same questions,`,
    `as many from each of the ${counted(farm.domains, 'domain')}:`,
    '',
    textTable(['what is better', 'questions', '', `the farm's ${farm.questions} detect`], rows),
    `Variance: ${source}.`,
    '',
  ].join('\n');
}
