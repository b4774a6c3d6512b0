import type { Sample } from '../../contracts/sample.ts';

/** Whether all calls of a task are requests of endpoints, each at an address of its own. */
export function asksEndpoints({ output }: Pick<Sample, 'output'>): boolean {
  return output.every(({ path }) => path !== undefined);
}
