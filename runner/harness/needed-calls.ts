import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { ListOptions } from '../../contracts/list-options.ts';
import type { Sample } from '../../contracts/sample.ts';
import { isAttainable, limitsFor, type NeededCalls } from '../attempt/budget.ts';
import type { RunTask } from '../categories/composition.ts';
import type { AttemptEnvironment } from './run-attempt.ts';

/** Gold calls of a long sequence, where the gold of a task is not known. */
const LONG_CHAIN = 30;

/** How many calls a task takes that is done without a detour. Without `gold` it is taken for one of the long ones. */
export function neededCalls(
  { sample_id, formulation, composition }: RunTask,
  { via }: Pick<ListOptions, 'via'>,
  gold: ((sampleId: string) => Sample) | null,
): NeededCalls {
  const unknown = FORMULATIONS[formulation].calls === 'single' ? 1 : LONG_CHAIN;
  // A tool that has to be found first takes another call.
  const each = via === 'search' ? 2 : 1;
  const callsOf = (id: string) => each * (gold?.(id).output.length ?? unknown);
  const parts = (composition?.parts ?? [{ sample_id }]).map((part) => callsOf(part.sample_id));
  const all = parts.reduce((sum, calls) => sum + calls, 0);
  return { turn: composition?.turns == null ? all : Math.max(...parts), all };
}

/** The share of the tasks that a model without fault can complete; null where no fixed budget is in its way. */
export function ceilingOf(
  tasks: readonly RunTask[],
  { agent, config: { budget, list }, gold, knowsGold }: AttemptEnvironment,
): number | null {
  const isFixed = budget.loops !== 'task' || budget.calls !== 'task';
  if (!isFixed || !knowsGold || agent.callsByTurn !== true) return null;
  const needs = tasks.map((task) => neededCalls(task, list, gold));
  return needs.filter((need) => isAttainable(limitsFor(budget, need), need)).length / needs.length;
}
