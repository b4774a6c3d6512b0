import { stringify } from 'lossless-json';
import { UserError } from '../../contracts/errors.ts';
import type { Prediction, PredictionHeader } from '../../contracts/prediction.ts';

/** Imported results as predictions, and the ids of records without a sample. */
export interface Imported {
  readonly predictions: readonly Prediction[];
  /** Ids of records that belong to no sample of the farm. */
  readonly unmatched: readonly string[];
}

/** A prediction file's text. */
export function emitPredictions(header: PredictionHeader, predictions: readonly Prediction[]): string {
  return [{ format: 'rookery-predictions/1', ...header }, ...predictions]
    .map((line) => `${stringify(line)}\n`)
    .join('');
}

/** IMPORT_INVALID, with the place and what is wrong there. */
export function importInvalid(place: string, fault: string, cause?: unknown): UserError {
  return new UserError('IMPORT_INVALID', place, fault, { cause });
}
