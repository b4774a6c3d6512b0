import type { RunFolder } from '../files/run-folder.ts';
import type { RunHeader } from '../files/run-header.ts';
import type { SampleRecord } from '../files/sample-record.ts';
import { predictionHeaderOf, toPrediction } from '../files/to-prediction.ts';

/** Writes what `rookery score` reads, from the records of a run. */
export function writePredictions(
  folder: RunFolder,
  header: RunHeader,
  records: Iterable<SampleRecord>,
): void {
  const lines = [...records].map((record) => toPrediction(record, header.config.epochs));
  folder.writePredictions([predictionHeaderOf(header), ...lines]);
}
