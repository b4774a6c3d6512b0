import { type Group, goldKind, type Report, type SampleScore } from '../../contracts/report.ts';
import { formulation } from '../../contracts/sample.ts';
import { computeFigures, type Resampling } from './figures.ts';
import { countOutcomes } from './ledger.ts';
import { completionOf } from './summarize-metrics.ts';

/** The main figures by formulation, domain, difficulty, SQL construct, number of gold calls and kind of gold answer. */
export function summarizeGroups(all: readonly SampleScore[], resampling: Resampling): Report['groups'] {
  const samples = all.filter(({ withheld }) => !withheld);
  const by = (keysOf: (sample: SampleScore) => readonly string[], order: (a: string, b: string) => number) =>
    groupBy(samples, keysOf)
      .sort(([a], [b]) => order(a, b))
      .map(([key, members]) => toGroup(key, members, resampling));
  return {
    formulation: by((sample) => [sample.formulation], inOrder(formulation.options)),
    domain: by(({ db }) => [db], alphabetical),
    difficulty: by(({ difficulty }) => [difficulty ?? 'unknown'], inOrder(DIFFICULTIES)),
    construct: by(({ constructs }) => constructs, alphabetical),
    gold_calls: by(
      ({ gold_calls }) => [lengthClass(gold_calls)],
      (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
    ),
    gold_kind: by(({ gold_kind }) => [gold_kind], inOrder(goldKind.options)),
    gold_sql: by(
      ({ findings }) => (findings.length === 0 ? ['clean'] : ['doubtful', ...findings]),
      inOrder(['clean', 'doubtful']),
    ),
  };
}

/** As the public splits name them. */
const DIFFICULTIES = ['easy', 'simple', 'medium', 'moderate', 'complex', 'hard', 'challenging', 'extra'];

/** Long sequences are rare, so they share a group. */
function lengthClass(calls: number): string {
  if (calls <= 10) return String(calls);
  return calls <= 15 ? '11–15' : calls <= 20 ? '16–20' : '21+';
}

function toGroup(key: string, members: readonly SampleScore[], resampling: Resampling): Group {
  const { shares } = computeFigures(members, { completion: completionOf(members) }, {}, resampling);
  // Intervals of the F1 scores of every group would cost more than all other scoring, for figures that are hardly used.
  const { f1Scores } = computeFigures(members, {}, GROUP_F1_SCORES, { ...resampling, resamples: 0 });
  const { completion } = shares;
  const few = members.length < FEW;
  return {
    key,
    ledger: countOutcomes(members),
    few,
    completion,
    intent: f1Scores.intent,
    slot: f1Scores.slot,
  };
}

/** Below this, a share moves by more than ten points with each sample. */
const FEW = 10;

const GROUP_F1_SCORES = {
  intent: ({ intent }: SampleScore) => intent?.prefix ?? null,
  slot: ({ slot }: SampleScore) => slot?.canonical ?? null,
};

function groupBy(
  samples: readonly SampleScore[],
  keysOf: (sample: SampleScore) => readonly string[],
): [string, SampleScore[]][] {
  const groups = new Map<string, SampleScore[]>();
  for (const sample of samples) {
    for (const key of keysOf(sample)) {
      const members = groups.get(key);
      if (members === undefined) groups.set(key, [sample]);
      else members.push(sample);
    }
  }
  return [...groups];
}

function alphabetical(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The known ones first, in order. */
function inOrder(known: readonly string[]): (a: string, b: string) => number {
  const rank = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length);
  return (a, b) => rank(a) - rank(b) || alphabetical(a, b);
}
