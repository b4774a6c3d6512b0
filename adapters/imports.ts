import { existsSync, readFileSync } from 'node:fs';
import { stringify } from 'lossless-json';
import { UserError } from '../contracts/errors.ts';
import type { Prediction, PredictionHeader } from '../contracts/prediction.ts';
import type { Formulation, Sample } from '../contracts/sample.ts';
import { fromNativeCall } from '../eval/calls/agent-call.ts';
import { isObject, type Json, parseJson } from '../eval/json/lossless.ts';

/** Imported results as predictions, and the records without a sample. */
export interface Imported {
  readonly predictions: readonly Prediction[];
  /** Ids of records that match no sample of the farm. */
  readonly unmatched: readonly string[];
}

export function emitPredictions(header: PredictionHeader, predictions: readonly Prediction[]): string {
  return [{ format: 'rookery-predictions/1', ...header }, ...predictions]
    .map((line) => `${stringify(line)}\n`)
    .join('');
}

export function importInvalid(place: string, fault: string, cause?: unknown): UserError {
  return new UserError('IMPORT_INVALID', place, fault, { cause });
}

/** Renames the arguments of calls to ours. Anything that is not a call is unchanged, to be judged as it is. */
export function nativeCalls(calls: readonly Json[], kind: Formulation): Json[] {
  return calls.map((call) => {
    if (!isObject(call)) return call;
    const { arguments: args } = call;
    return args !== undefined && isObject(args)
      ? { ...call, ...fromNativeCall({ arguments: args }, kind) }
      : call;
  });
}

/**
 * Finds the sample of a foreign record: by its id, or by domain and question. If several have the same question, each
 * is found once, in order.
 */
export class SampleFinder {
  readonly #byId: ReadonlyMap<string, Sample>;
  readonly #byQuestion = new Map<string, Sample[]>();

  constructor(samples: readonly Sample[], formulation: Formulation) {
    const candidates = samples.filter((sample) => sample.formulation === formulation);
    this.#byId = new Map(candidates.map((sample) => [sample.sample_id, sample]));
    for (const sample of candidates) {
      const key = questionKey(sample.dataset_name, sample.input);
      this.#byQuestion.set(key, [...(this.#byQuestion.get(key) ?? []), sample]);
    }
  }

  find(id: string, domain: string, question: string): Sample | undefined {
    return this.#byId.get(id) ?? this.#byQuestion.get(questionKey(domain, question))?.shift();
  }
}

/** Questions match regardless of whitespace. */
function questionKey(domain: string, question: string): string {
  return `${domain}\n${question.trim().replace(/\s+/g, ' ')}`;
}

/** Reads the list of records in a JSON file. Throws IMPORT_INVALID. */
export function readRecords(file: string): Json[] {
  if (!existsSync(file)) throw importInvalid(file, 'is not there');
  let value: Json;
  try {
    value = parseJson(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw importInvalid(file, `is not JSON (${(cause as Error).message})`, cause);
  }
  if (!Array.isArray(value)) throw importInvalid(file, 'is not a list of records');
  return value;
}
