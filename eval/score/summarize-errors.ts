import { ENDINGS, ERROR_CLASSES } from '../../contracts/error-classes.ts';
import type { Report, SampleScore } from '../../contracts/report.ts';

/** How many of the samples that failed did so for which reason. */
export function summarizeErrors(samples: readonly SampleScore[]): Report['error_classes'] {
  const counts = Object.fromEntries(
    ERROR_CLASSES.map((name) => [name, 0]),
  ) as Report['error_classes']['counts'];
  const endings: Report['error_classes']['endings'] = {};
  const failed = samples.filter(({ outcome }) => outcome === 'fail' || outcome === 'unparseable');
  let n = 0;
  let without = 0;
  for (const { error_class, ended_by } of failed) {
    const end = ENDINGS.find((each) => each === ended_by);
    if (end !== undefined) endings[end] = (endings[end] ?? 0) + 1;
    else if (error_class === null) without++;
    else {
      counts[error_class]++;
      n++;
    }
  }
  return { n, counts, endings, without_trajectory: without };
}
