import type { Gazetteer } from './places.ts';
import { readScalarInputs } from './read-scalar-inputs.ts';
import { ChosenPlace, NoPlace, type ScalarApi } from './scalar-api.ts';

/** The value of an API as a function of SQL: NULL for NULL, for what is no number, and for an unknown place. */
export function scalarInSql(
  api: ScalarApi,
  given: readonly unknown[],
  places: Gazetteer,
): string | number | bigint | null {
  const read = readScalarInputs(api, given);
  if ('faults' in read || read.inputs === null) return null;
  const value = api.compute(read.inputs, places);
  if (value instanceof NoPlace) return null;
  return sqlValue(api, value instanceof ChosenPlace ? value.value : value);
}

/** Booleans as 1 and 0, counts as integers. */
export function sqlValue(api: ScalarApi, value: unknown): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number' && api.output.type === 'integer') return BigInt(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : null;
}
