import type { ClientTask } from '../../client/index.ts';
import type { Category } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { composeDialogues } from './compose-dialogues.ts';
import { composeParallel, composeSeveral } from './compose-parallel.ts';
import type { Candidate, Composer, ComposerFarm, RunTask } from './composition.ts';

/** The composer of a category; null for categories that use the farm's own tasks. */
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
  multi_turn: composeDialogues('multi_turn'),
  miss_func: composeDialogues('miss_func'),
  miss_param: composeDialogues('miss_param'),
  dialogue: composeDialogues('dialogue'),
};

/**
 * Whether a category makes sense in a formulation. SLOT and SEL offer the same few tools for every question:
 * there is no single right tool to choose, and others can often replace a withheld one, so withholding it
 * does not make the question unanswerable.
 */
export function isCategoryOf(category: Category, formulation: Formulation): boolean {
  return formulation === 'rest' || OF_SEQUENCES.has(category);
}

const OF_SEQUENCES: ReadonlySet<Category> = new Set([
  'parallel_multiple',
  'relevance',
  'chatting',
  'multi_turn',
  'miss_param',
  'dialogue',
]);

/** Whether tasks of a category are dialogues. */
export function isConversation(category: Category | null): boolean {
  return (
    category === 'dialogue' ||
    category === 'multi_turn' ||
    category === 'miss_func' ||
    category === 'miss_param'
  );
}

export interface ComposeOptions {
  readonly seed: number;
  /** Default: as many as possible. */
  readonly count?: number;
}

/** Composes tasks from the farm's own, deterministically; not from those whose rows wrong calls also return. */
export async function composeTasks(
  composer: Composer,
  tasks: readonly ClientTask[],
  farm: ComposerFarm,
  { seed, count = Number.POSITIVE_INFINITY }: ComposeOptions,
): Promise<RunTask[]> {
  const candidates = tasks.flatMap((task) => toCandidate(task, farm.goldOf(task.sample_id)));
  const composed: RunTask[] = [];
  if (count <= 0) return composed;
  for await (const task of composer(candidates, farm, seed)) {
    composed.push(task);
    if (composed.length >= count) break;
  }
  return composed;
}

function toCandidate(task: ClientTask, sample: Sample): Candidate[] {
  const [first, ...others] = sample.output;
  const last = sample.output.at(-1);
  const isInformative = sample.turns !== undefined || !sample.flags.some((flag) => flag.endsWith('_gold'));
  if (first === undefined || last === undefined || !isInformative) return [];
  const isRest = task.formulation === 'rest';
  if (isRest && others.length > 0) return [];
  const tools = [...new Set(sample.output.map(({ name }) => name))];
  return [{ task, sample, tools, tool: last.name, args: isRest ? first.arguments : comparedWith(sample) }];
}

/** The values that the calls of a sequence compare with, by the index of the call. */
function comparedWith({ output }: Sample): Record<string, unknown> {
  const values = output.flatMap(({ arguments: { value } }, i): [string, unknown][] =>
    typeof value === 'number' || (typeof value === 'string' && !value.startsWith('$'))
      ? [[`${i}`, value]]
      : [],
  );
  return Object.fromEntries(values);
}
