import type { EndedBy, Prediction } from '../../contracts/prediction.ts';
import type { SampleScore } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type AgentCall, type CallElement, isCall, namesOf } from '../calls/agent-call.ts';
import { orderAsGold } from '../calls/nested-calls.ts';
import { replaceReferences } from '../calls/references.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { findArgumentFaults } from '../metrics/argument-faults.ts';
import { findConfusions } from '../metrics/confusions.ts';
import type { Counts } from '../metrics/counts.ts';
import { scoreCredit } from '../metrics/credit.ts';
import { countRedundant } from '../metrics/efficiency.ts';
import { classifyError } from '../metrics/error-class.ts';
import { scoreExactString } from '../metrics/exact-string.ts';
import { scoreIntent } from '../metrics/intent.ts';
import { scoreReact } from '../metrics/react.ts';
import { type SlotSequence, scoreSlots } from '../metrics/slot.ts';
import type { FinalRows } from './final-rows.ts';
import { startNames, withoutExtraRepeats } from './gold-sequence.ts';
import type { ParsedAttempt } from './read-attempt.ts';
import { scoreBfcl } from './score-bfcl.ts';
import type { ScoreContext } from './score-context.ts';
import { scoreExecuted } from './score-executed.ts';
import { scoreQueryTool } from './score-query-tool.ts';

export interface Judged {
  readonly attempt: ParsedAttempt;
  readonly gold: SlotSequence;
  readonly final: FinalRows;
  readonly failed: boolean;
  readonly ended_by: SampleScore['ended_by'];
}

/** All metrics of the calls; null where an answer was given without calls. */
export function scoreTrajectory(
  sample: Sample,
  prediction: Prediction,
  judged: Judged,
  context: ScoreContext,
): Partial<SampleScore> {
  const { attempt, gold, final, failed } = judged;
  const answered = attempt.answer !== undefined;
  const known = attempt.calls !== null || !answered;
  const cutOff = BUDGETS.has(judged.ended_by);
  const react = scoreReact(
    {
      failed,
      answered,
      loops: prediction.loops ?? null,
      cutOff,
      endedOtherwise: isCutOff(prediction) && !cutOff,
      calls: known ? (attempt.calls ?? []) : null,
    },
    context.options.budget,
  );
  // Who does not say how an attempt ended may say how many loops it took.
  const ended_by = react.out_of_budget === true && !cutOff ? 'loops' : judged.ended_by;
  if (!known) return { ...react, ended_by };
  const elements = attempt.nested ? orderAsGold(attempt.calls ?? [], gold.raw) : (attempt.calls ?? []);
  const names = { ...startNames(sample, context.universe), handles: attempt.nested ? [] : final.handles };
  const raw = elements.filter(isCall);
  const canonical = replaceReferences(raw, names);
  const tools = context.universe.toolsFor(sample);
  const offered = prediction.tools == null ? null : new Set(prediction.tools);
  const counted = {
    calls: elements.length,
    redundant_calls: countRedundant(withCanonical(elements, canonical) ?? []),
  };
  const intent = scoreIntent(namesOf(gold.raw), namesOf(elements));
  const slot = scoreSlots(gold, { raw, canonical }, tools);
  const shares = {
    intent: {
      prefix: triple(intent.prefix),
      position: triple(intent.position),
      multiset: triple(intent.multiset),
    },
    slot: { raw: triple(slot.raw), canonical: triple(slot.canonical), pairs: slot.pairs },
    credit: scoreCredit(gold.canonical, canonical, elements.length - raw.length, tools),
  };
  if (context.onlyRewards) return { ...shares, ...counted };
  const { kept } = withoutExtraRepeats(elements, gold, names);
  const keptCalls = replaceReferences(kept.filter(isCall), { ...names, handles: [] });
  return {
    ...react,
    ...shares,
    ended_by,
    error_class:
      failed && ended_by === 'answer'
        ? classifyError({
            gold: gold.canonical,
            predicted: attempt.calls && withCanonical(kept, keptCalls),
            tools,
            offered,
          })
        : null,
    ...(failed ? explain(gold, kept, keptCalls, tools) : {}),
    exact_string: scoreExactString(gold.raw, attempt.calls),
    bfcl: scoreBfcl(sample, attempt.calls, gold.raw, tools),
    executed: scoreExecuted(sample, elements, final, tools),
    query: scoreQueryTool(sample, elements, tools),
    ...counted,
  };
}

/** Whether the attempt ended before it gave an answer: what it did is not judged as one. */
export function isCutOff({ out_of_budget, ended_by }: Prediction): boolean {
  return out_of_budget === true || (ended_by != null && !JUDGED.has(ended_by));
}

const JUDGED: ReadonlySet<EndedBy> = new Set(['answer', 'empty', 'length']);
const BUDGETS: ReadonlySet<SampleScore['ended_by']> = new Set(['loops', 'out_of_budget']);

/** How an attempt ended: as the prediction says, else as its fields show. */
export function endingOf(prediction: Prediction, attempt: Pick<ParsedAttempt, 'calls' | 'answer'>): EndedBy {
  const { ended_by, out_of_budget, error, raw_output } = prediction;
  if (error?.trim()) return 'error';
  if (ended_by != null) return ended_by;
  if (out_of_budget === true) return 'out_of_budget';
  const { answer, calls } = attempt;
  const isSaid = (answer !== undefined && answer !== '') || !!raw_output?.trim();
  return isSaid || (calls !== null && calls.length > 0) ? 'answer' : 'empty';
}

/** How a failing sample's calls differ from its gold. */
function explain(
  gold: SlotSequence,
  elements: readonly CallElement[],
  canonical: readonly AgentCall[],
  tools: ReadonlyMap<string, ToolSchema>,
): Pick<SampleScore, 'confusions' | 'argument_faults'> {
  const confusions = findConfusions(namesOf(gold.raw), namesOf(elements));
  return {
    confusions: confusions.map(({ expected, called }) => ({
      expected,
      called,
      offered: called !== null && tools.has(called),
    })),
    argument_faults: findArgumentFaults(gold.canonical, canonical, tools),
  };
}

/** The elements with their well-formed calls, in order, replaced by the canonical ones. */
function withCanonical(
  elements: readonly CallElement[] | null,
  canonical: readonly CallElement[],
): CallElement[] | null {
  let next = 0;
  return elements?.map((element) => (isCall(element) ? (canonical[next++] as CallElement) : element)) ?? null;
}

function triple({ tp, fp, fn }: Counts): [number, number, number] {
  return [tp, fp, fn];
}
