import { type CallElement, isMalformed } from '../calls/agent-call.ts';
import { sameValue } from '../calls/tool-universe.ts';

export interface ReactInput {
  readonly failed: boolean;
  readonly answered: boolean;
  /** Model turns; null if the prediction lacks them. */
  readonly loops: number | null;
  /** Whether the run ended because a budget of any kind was spent. */
  readonly cutOff?: boolean;
  /** Whether it ended without an answer in another way. */
  readonly endedOtherwise?: boolean;
  readonly calls: readonly CallElement[] | null;
}

/** One sample's verdicts; null if the prediction lacks the data. */
export interface ReactVerdict {
  readonly loops: number | null;
  readonly out_of_budget: boolean | null;
  /** Failed with two or more consecutive calls of one function. */
  readonly stuck_name: boolean | null;
  /** The same, with equal arguments too: paging through results is not being stuck. */
  readonly stuck_exact: boolean | null;
  /** Failed, but neither out of budget nor `stuck_name`. */
  readonly unclassified: boolean | null;
}

/**
 * How an agent loop failed.
 *
 * Source: Live API-Bench (arXiv 2506.11266), its ReACT agents with a budget of 10 think–act–observe loops:
 * the average number of loops over all samples; out of budget = failed with the budget used up and no answer;
 * stuck = failed with at least two consecutive calls of the same function; unclassified = failed otherwise.
 * Shares are of all samples, and out of budget and stuck may overlap. A loop is one model turn, however many
 * parallel calls it makes.
 */
export function scoreReact(
  { failed, answered, loops, cutOff = false, endedOtherwise = false, calls }: ReactInput,
  budget: number,
): ReactVerdict {
  const spent = loops === null ? null : failed && !answered && loops >= budget;
  const outOfBudget = endedOtherwise ? false : cutOff || spent;
  const stuckName = calls === null ? null : failed && calls.some((call, i) => sameName(calls[i - 1], call));
  const stuckExact = calls === null ? null : failed && calls.some((call, i) => sameCall(calls[i - 1], call));
  return {
    loops,
    out_of_budget: outOfBudget,
    stuck_name: stuckName,
    stuck_exact: stuckExact,
    unclassified: outOfBudget === null || stuckName === null ? null : failed && !outOfBudget && !stuckName,
  };
}

function sameName(a: CallElement | undefined, b: CallElement): boolean {
  return a !== undefined && !isMalformed(a) && !isMalformed(b) && a.name === b.name;
}

function sameCall(a: CallElement | undefined, b: CallElement): boolean {
  return (
    a !== undefined &&
    !isMalformed(a) &&
    !isMalformed(b) &&
    a.name === b.name &&
    sameValue(a.arguments, b.arguments)
  );
}
