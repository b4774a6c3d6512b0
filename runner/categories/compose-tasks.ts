import type { ClientTask } from '../../client/index.ts';
import type { Category } from '../../contracts/category.ts';
import type { Sample } from '../../contracts/sample.ts';
import { composeParallel } from './compose-parallel.ts';
import { composeSeveral } from './compose-several.ts';
import { composeMissingTool, composeMissingValue, composeTurns } from './compose-turns.ts';
import type { Candidate, Composer, ComposerFarm } from './composer.ts';
import type { RunTask } from './composition.ts';

/** How tasks of a category are composed; null for categories whose tasks are the farm's own. */
export function composerOf(category: Category | null): Composer | null {
  return category === null ? null : COMPOSERS[category];
}

const COMPOSERS: Readonly<Record<Category, Composer | null>> = {
  simple: null,
  multiple: null,
  parallel: composeParallel,
  parallel_multiple: composeSeveral,
  relevance: null,
  irrelevance: null,
  chatting: null,
  multi_turn: composeTurns,
  miss_func: composeMissingTool,
  miss_param: composeMissingValue,
};

/** Whether tasks of a category are conversations of several turns. */
export function isConversation(category: Category | null): boolean {
  return category === 'multi_turn' || category === 'miss_func' || category === 'miss_param';
}

export interface ComposeOptions {
  readonly seed: number;
  /** As many as can be composed unless given. */
  readonly count?: number;
}

/**
 * Composes tasks of the farm's own ones. The same farm, tasks, seed and count always give the same. Tasks whose rows
 * many wrong calls give as well are no part of any.
 */
export async function composeTasks(
  composer: Composer,
  tasks: readonly ClientTask[],
  goldOf: (sampleId: string) => Sample,
  farm: ComposerFarm,
  { seed, count = Number.POSITIVE_INFINITY }: ComposeOptions,
): Promise<RunTask[]> {
  const candidates = tasks.flatMap((task) => toCandidate(task, goldOf(task.sample_id)));
  const composed: RunTask[] = [];
  if (count <= 0) return composed;
  for await (const task of composer(candidates, farm, seed)) {
    composed.push(task);
    if (composed.length >= count) break;
  }
  return composed;
}

function toCandidate(task: ClientTask, sample: Sample): Candidate[] {
  const [call, ...others] = sample.output;
  const tells = !sample.flags.some((flag) => flag.endsWith('_gold'));
  if (call === undefined || others.length > 0 || !tells) return [];
  return [{ task, sample, tool: call.name, args: call.arguments }];
}
