import type { Call, Sample } from '../sample.ts';
import { initializationArguments } from '../start-table.ts';

/** The calls that make the start tables of a sample, each with its label: an initialization may hold several. */
export function startCalls(initialization: Sample['initialization_step']): Call[] {
  if (initialization === null) return [];
  const { additional_tables = [], ...main } = initializationArguments.parse(initialization.arguments);
  const { name, label } = initialization;
  return [
    { name, arguments: main, ...(label === undefined ? {} : { label }) },
    ...additional_tables.map(({ label: own, ...definition }) => ({
      name,
      arguments: definition,
      label: own,
    })),
  ];
}
