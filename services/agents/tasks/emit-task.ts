import type { Sample } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import {
  type InitializationArguments,
  initializationArguments,
  type StartTableDefinition,
} from '../../../contracts/start-table.ts';
import type { Task, TaskStartTable } from '../../../contracts/task.ts';
import { startPlan } from '../../domain/tools/tools/initialize-active-data.ts';

/** A sample as a task: all that an agent is given, and of its gold nothing but the names of the tools, sorted. */
export function emitTask(sample: Sample, service: Service): Task {
  const { sample_id, question_id, formulation, evidence, difficulty, flags } = sample;
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
    gold_tools: [...new Set(sample.output.map((call) => call.name))].sort(),
    ...(sample.plan ? { share: { share: sample.plan.share, seed: sample.plan.seed } } : {}),
    ...(sample.silent_faults ? { silent_faults: sample.silent_faults } : {}),
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
