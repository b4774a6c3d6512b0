import type { Sample } from '../../contracts/sample.ts';
import { initializationArguments, type StartTableDefinition } from '../../contracts/start-table.ts';

/** A start table of a task, with the label by which its calls refer to it. */
export interface LabelledStart {
  readonly label: string;
  readonly definition: StartTableDefinition;
}

/** The start tables that a sample begins from, the main one first; none for REST. */
export function startTablesOf({ initialization_step }: Pick<Sample, 'initialization_step'>): LabelledStart[] {
  const read = initializationArguments.safeParse(initialization_step?.arguments);
  const label = initialization_step?.label;
  if (!read.success || label === undefined) return [];
  const { additional_tables = [], ...main } = read.data;
  const others = additional_tables.map(({ label: own, ...definition }) => ({ label: own, definition }));
  return [{ label, definition: main }, ...others];
}

/** Their labels alone. */
export function startLabels(sample: Pick<Sample, 'initialization_step'>): string[] {
  return startTablesOf(sample).map(({ label }) => label);
}
