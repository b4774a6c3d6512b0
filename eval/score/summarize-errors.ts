import { ERROR_CLASSES } from '../../contracts/error-classes.ts';
import type { Report, SampleScore } from '../../contracts/report.ts';

/** How many of the samples that failed did so for which reason. */
export function summarizeErrors(samples: readonly SampleScore[]): Report['error_classes'] {
  const counts = Object.fromEntries(
    ERROR_CLASSES.map((name) => [name, 0]),
  ) as Report['error_classes']['counts'];
  const failed = samples.filter(({ outcome }) => outcome === 'fail' || outcome === 'unparseable');
  for (const { error_class } of failed) if (error_class !== null) counts[error_class]++;
  const without = failed.filter(({ error_class }) => error_class === null).length;
  return { n: failed.length - without, counts, without_trajectory: without };
}
