import type { SqlValue } from '../sqlite/driver.ts';

/** What tells one call of a scalar API from another. */
export function callKey(api: string, inputs: readonly SqlValue[]): string {
  return JSON.stringify([api, ...inputs.map((value) => [typeof value, String(value)])]);
}
