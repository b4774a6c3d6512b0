import { existsSync, readFileSync } from 'node:fs';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { type Json, parseJson } from '../json/lossless.ts';
import { importInvalid } from './imported.ts';

/**
 * Finds the sample that a foreign record is of: by its id, or else the sample of its domain with the same question. Of
 * several with the same question each is found once, in order.
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

/** Questions are the same whatever blanks they are written with. */
function questionKey(domain: string, question: string): string {
  return `${domain}\n${question.trim().replace(/\s+/g, ' ')}`;
}

/** The list of records in a JSON file. Throws IMPORT_INVALID. */
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
