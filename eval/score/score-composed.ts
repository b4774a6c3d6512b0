import { stringify } from 'lossless-json';
import type { TurnExpects } from '../../contracts/composed-task.ts';
import type { Prediction } from '../../contracts/prediction.ts';
import type { PartScore, SampleScore } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { CallElement } from '../calls/agent-call.ts';
import { type Json, plain } from '../json/lossless.ts';
import { scoreRelevance } from '../metrics/bfcl/relevance.ts';
import { composeSample } from './compose-sample.ts';
import { showSample } from './evidence.ts';
import type { FinalRows } from './final-rows.ts';
import { goldSequence } from './gold-sequence.ts';
import { type JudgedPart, type JudgedParts, judgePart, judgeTogether, matchParts } from './match-parts.ts';
import { readAttempt } from './read-attempt.ts';
import { scoreBfcl } from './score-bfcl.ts';
import type { ScoreContext } from './score-context.ts';
import { type ScoredSample, spentOn } from './score-sample.ts';
import { endingOf, isCutOff, scoreTrajectory } from './score-trajectory.ts';
import { unscored } from './unscored.ts';

/**
 * Scores an attempt at a task that is composed of several samples: each part, and the whole, which is right when every
 * part is. Parts asked for at once are given the calls that fit them best, in whatever order they were made; an answer
 * has a place for each part. In a conversation every turn is judged by itself.
 */
export async function scoreComposed(
  prediction: Prediction,
  samples: ReadonlyMap<string, Sample>,
  epoch: number,
  context: ScoreContext,
): Promise<ScoredSample> {
  const members = membersOf(prediction, samples);
  const sample = composeSample(prediction.sample_id, members);
  const facts = members.map((member) => context.goldFactsOf(member));
  const together = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].sort();
  const gold = {
    constructs: together(facts.map(({ constructs }) => constructs)),
    findings: together(facts.map(({ findings }) => findings)),
  };
  const said = prediction.turns?.at(-1) ?? prediction;
  const ended_by = endingOf(prediction, readAttempt({ ...prediction, ...said }, context.options.parse));
  const blank = { ...unscored(sample, gold, epoch), ...spentOn(prediction, context), ended_by };
  const broken = (note: string): ScoredSample => ({
    ...blank,
    outcome: 'infra_error',
    shown: showSample(sample, { prediction, note }),
  });
  if (ended_by === 'error') return broken(prediction.error?.trim() || 'The run broke.');
  try {
    return await judge(prediction, samples, blank, context);
  } catch (error) {
    return broken(`The replay broke: ${error instanceof Error ? error.message : error}`);
  }
}

async function judge(
  prediction: Prediction,
  samples: ReadonlyMap<string, Sample>,
  blank: SampleScore,
  context: ScoreContext,
): Promise<ScoredSample> {
  const due = await dueParts(prediction, samples, context);
  const asked = due.filter(({ expects }) => expects === 'answer').map(({ sample }) => sample);
  const sample = composeSample(prediction.sample_id, asked);
  const turns = prediction.turns ?? null;
  const attempt = readAttempt(prediction, context.options.parse, context.universe.toolsFor(sample));
  const judged =
    turns === null ? await matchParts(asked, attempt, context) : await judgeTurns(prediction, due, context);
  const isOver = !isCutOff(prediction);
  const passes = judged.verdict.fair && isOver;
  const gold = goldSequence(sample, context.universe);
  const trajectory = scoreTrajectory(
    sample,
    prediction,
    {
      attempt: { ...attempt, calls: judged.calls },
      gold,
      final: NO_ROWS,
      failed: !passes,
      ended_by: blank.ended_by,
    },
    context,
  );
  const answers = turns === null ? (prediction.answer ?? null) : turns.map(({ answer }) => answer ?? null);
  const note = passes ? null : `${tellParts(judged.parts)} The answer: ${shorten(answers)}`;
  return {
    ...blank,
    outcome: passes ? 'pass' : turns === null && attempt.unparseable ? 'unparseable' : 'fail',
    passes_strictly: judged.verdict.strict && isOver,
    rung: attempt.rung,
    strict: attempt.strict,
    ...trajectory,
    ended_by: blank.ended_by,
    // Several calls of one function are what such a task asks for.
    stuck_name: null,
    stuck_exact: null,
    unclassified: null,
    exact_string: null,
    executed: null,
    bfcl:
      turns === null && attempt.calls !== null
        ? scoreBfcl(sample, attempt.calls, gold.raw, context.universe.toolsFor(sample))
        : null,
    parts: [...judged.parts],
    shown: showSample(sample, { prediction, calls: judged.calls, note }),
  };
}

const NO_ROWS: FinalRows = {
  readings: [],
  source: 'answer',
  note: null,
  handles: [],
  refusals: [],
  broken: false,
};

interface DuePart {
  readonly sample: Sample;
  readonly expects: TurnExpects;
}

/** The samples that the task asks for, each once a part. */
function membersOf({ parts, turns }: Prediction, samples: ReadonlyMap<string, Sample>): readonly Sample[] {
  const due = turns?.filter(({ expects }) => expects === 'answer') ?? parts ?? [];
  return due.map(({ sample_id }) => find(sample_id, samples));
}

function find(id: string, samples: ReadonlyMap<string, Sample>): Sample {
  const sample = samples.get(id);
  if (sample === undefined) throw new RangeError(`there is no sample ${id}`);
  return sample;
}

/** The same with what is expected, and those that are asked for other values with the rows of these. */
async function dueParts(
  { parts, turns }: Prediction,
  samples: ReadonlyMap<string, Sample>,
  context: ScoreContext,
): Promise<DuePart[]> {
  if (turns != null) {
    return turns.map(({ sample_id, expects }) => ({ sample: find(sample_id, samples), expects }));
  }
  return Promise.all(
    (parts ?? []).map(async ({ sample_id, arguments: args }) => {
      const sample = find(sample_id, samples);
      const asked = args === undefined ? sample : await forOtherValues(sample, args, context);
      return { sample: asked, expects: 'answer' as const };
    }),
  );
}

async function forOtherValues(
  sample: Sample,
  args: Readonly<Record<string, unknown>>,
  { replay }: ScoreContext,
): Promise<Sample> {
  const given = plain({ ...args } as Json);
  const output = sample.output.map((call) => ({ ...call, arguments: { ...Object(given) } }));
  const result = await replay(sample, output);
  if ('error' in result) {
    throw new RangeError(`${sample.sample_id} cannot be asked for other values: ${result.error}`);
  }
  return { ...sample, output, gold_answer: [...result.rows] };
}

async function judgeTurns(
  prediction: Prediction,
  due: readonly DuePart[],
  context: ScoreContext,
): Promise<JudgedParts> {
  const calls: CallElement[] = [];
  const parts: JudgedPart[] = [];
  for (const [i, turn] of (prediction.turns ?? []).entries()) {
    const part = due[i];
    if (part === undefined) continue;
    const { sample_id, expects } = turn;
    const alone: Prediction = {
      sample_id,
      calls: turn.calls,
      answer: turn.answer,
      raw_output: turn.answer == null ? turn.raw_output : null,
    };
    const read = readAttempt(alone, context.options.parse, context.universe.toolsFor(part.sample));
    if (expects === 'no_call') {
      const reached = turn.calls != null || turn.raw_output != null;
      const passes = reached && scoreRelevance(read.calls);
      parts.push({ sample_id, expects, passes, strict: passes });
      continue;
    }
    calls.push(...(read.calls ?? []));
    parts.push(await judgePart(part.sample, alone, context));
  }
  return judgeTogether(parts, calls);
}

/** `Right: 1, 3 of 3.` */
function tellParts(parts: readonly PartScore[]): string {
  const right = parts.flatMap(({ passes }, i) => (passes ? [i + 1] : []));
  return `Right: ${right.join(', ') || 'none'} of ${parts.length}.`;
}

function shorten(answers: unknown): string {
  const text = stringify(answers) ?? '';
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}
