import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { Sample } from '../../contracts/sample.ts';
import { asksEndpoints } from '../calls/asks-endpoints.ts';

/** The samples that other harnesses can be given: those that one call answers, of an endpoint that HTTP alone reaches. */
export function exportedTasks<T extends Pick<Sample, 'formulation' | 'output'>>(samples: readonly T[]): T[] {
  return samples.filter(
    (sample) =>
      FORMULATIONS[sample.formulation].calls === 'single' &&
      sample.output.length === 1 &&
      asksEndpoints(sample),
  );
}
