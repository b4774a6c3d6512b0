import { createHash } from 'node:crypto';
import type { ServedTask } from '../../contracts/api.ts';
import { samplePath } from '../../contracts/paths.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Task, TaskStartTable } from '../../contracts/task.ts';
import {
  type InitializationArguments,
  initializationArguments,
  type StartTableDefinition,
} from '../../contracts/tools.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { namesOf } from '../../contracts/wording.ts';
import { startPlan } from '../domain/tools/table-tools.ts';
import type { ExamAliases } from './aliases.ts';

export interface TaskDescription {
  readonly evidence: boolean;
  /** The aliases that an exam's agent sees; null for real ids. */
  readonly names?: ExamAliases | null;
  /** Whether the rules of the domain are among documents to be searched, and so left out. */
  readonly documents?: boolean | undefined;
}

/** A task as served below `base`: no gold, and its evidence only on request. */
export function describeTask(
  task: Task,
  base: string,
  { evidence, names = null, documents = false }: TaskDescription,
): ServedTask {
  const { formulation, question, share } = task;
  const { sample_id, split, db, question_id, difficulty } = names ? aliasesOf(task, names) : task;
  return {
    sample_id,
    split,
    db,
    question_id,
    formulation,
    question,
    ...(evidence ? { evidence: task.evidence } : {}),
    ...(task.rules && !documents ? { rules: task.rules } : {}),
    difficulty,
    start_tables: task.start_tables,
    ...(share ? { share } : {}),
    toolset_size: task.toolset.size,
    links: taskLinks(base, names ? sample_id : samplePath(sample_id)),
  };
}

/** The task of a run, for the harness: its real ids, with the addresses that the agent has. */
export function describeForHarness(task: Task, base: string, description: TaskDescription): ServedTask {
  const { names } = description;
  const own = describeTask(task, base, { ...description, names: null });
  return names ? { ...own, links: taskLinks(base, names.sample(task.sample_id)) } : own;
}

/** The difficulty is dropped too, since its wording is the benchmark's. */
function aliasesOf(task: Task, names: ExamAliases) {
  return {
    sample_id: names.sample(task.sample_id),
    split: names.split(task.split),
    db: names.domain(task),
    question_id: names.question(task),
    difficulty: null,
  };
}

function taskLinks(base: string, path: string): ServedTask['links'] {
  return {
    self: `${base}/tasks/${path}`,
    tools: `${base}/tasks/${path}/tools`,
    mcp: `${base}/mcp/tasks/${path}`,
  };
}

/** Converts a sample to a task: everything an agent is given, and of its gold only the sorted tool names. */
export function emitTask(sample: Sample, service: Service): Task {
  const { sample_id, question_id, formulation, evidence, difficulty, flags, policies, pair } = sample;
  const rules = (service.catalog.policies ?? [])
    .filter(({ on }) => isOfChanges(formulation) || on.includes('read'))
    .map(({ rule }) => rule);
  const toolsOfTurns = sample.turns?.flatMap(({ tools = [] }) => tools) ?? [];
  return {
    sample_id,
    split: service.split,
    db: sample.dataset_name,
    question_id,
    formulation,
    question: sample.input,
    evidence,
    difficulty,
    flags: [...flags],
    start_tables: startTables(sample, service),
    toolset: { ...sample.toolset },
    gold_tools: [...new Set([...namesOf(sample.output), ...toolsOfTurns])].sort(),
    ...(sample.plan ? { share: { share: sample.plan.share, seed: sample.plan.seed } } : {}),
    ...(rules.length > 0 ? { rules } : {}),
    ...(policies ? { policies } : {}),
    ...(pair === undefined ? {} : { pair }),
    ...(sample.silent_faults ? { silent_faults: sample.silent_faults } : {}),
    ...(sample.unanswerable ? { unanswerable: true } : {}),
    ...(sample.turns && sample.user
      ? { turns: sample.turns.map(({ text, sample_id }) => ({ text, sample_id })), user: sample.user }
      : {}),
  };
}

function startTables({ initialization_step: step }: Sample, service: Service): TaskStartTable[] {
  if (step === null) return [];
  const { additional_tables = [], ...first }: InitializationArguments = initializationArguments.parse(
    step.arguments,
  );
  const all = [{ ...first, label: step.label ?? 'starting_table_var' }, ...additional_tables];
  return all.map(({ label, condition_sequence, alias_to_table_dict }) => {
    const definition: StartTableDefinition = { condition_sequence, alias_to_table_dict };
    return { handle: startPlan(definition, service).handle, label, ...definition };
  });
}

/**
 * A text in every row exported for training on a farm, and nowhere else: a model that knows it was trained on the
 * farm. Each farm and each world has its own.
 */
export function canaryOf(farmHash: string): string {
  const hash = createHash('sha256').update(`canary of ${farmHash}`).digest('hex');
  return `rookery-canary ${hash.slice(0, 32)}`;
}
