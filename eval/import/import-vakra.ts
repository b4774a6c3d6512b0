import { existsSync, readFileSync } from 'node:fs';
import type { Prediction } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { isObject, type Json, type JsonObject, parseJson, plain } from '../json/lossless.ts';
import { type Imported, importInvalid } from './imported.ts';

/**
 * Reads a VAKRA submission: a list of `{uuid, domain, status, error, duration_s, output: [{turn_id, query, answer,
 * sequence: {tool_call: […]}}]}`, where `sequence` may also be the list itself, as its samples have it. The last turn
 * is what is judged. A record belongs to the sample whose id is its uuid, or else to the sample of its domain with the
 * same question; of several with the same question each gets one record, in order. Throws IMPORT_INVALID.
 */
export function importVakra(file: string, samples: readonly Sample[], formulation: Formulation): Imported {
  const candidates = samples.filter((sample) => sample.formulation === formulation);
  const byId = new Map(candidates.map((sample) => [sample.sample_id, sample]));
  const byQuestion = new Map<string, Sample[]>();
  for (const sample of candidates) {
    const key = questionKey(sample.dataset_name, sample.input);
    byQuestion.set(key, [...(byQuestion.get(key) ?? []), sample]);
  }
  const predictions: Prediction[] = [];
  const unmatched: string[] = [];
  for (const [i, record] of readRecords(file).entries()) {
    const place = `${file}: record ${i + 1}`;
    if (!isObject(record) || typeof record.uuid !== 'string' || typeof record.domain !== 'string') {
      throw importInvalid(place, 'has no uuid, or no domain');
    }
    const turn = lastTurn(place, record);
    const question = typeof turn?.query === 'string' ? turn.query : '';
    const sample = byId.get(record.uuid) ?? byQuestion.get(questionKey(record.domain, question))?.shift();
    if (sample === undefined) unmatched.push(record.uuid);
    else predictions.push(toPrediction(sample, record, turn));
  }
  return { predictions, unmatched };
}

function toPrediction({ sample_id }: Sample, record: JsonObject, turn: JsonObject | null): Prediction {
  const seconds = plain(record.duration_s ?? null);
  const latency_s = typeof seconds === 'number' && seconds >= 0 ? seconds : null;
  if (record.status === 'error') {
    return {
      sample_id,
      latency_s,
      error: typeof record.error === 'string' && record.error !== '' ? record.error : 'error',
    };
  }
  const { answer } = turn ?? {};
  return {
    sample_id,
    latency_s,
    calls: turn === null ? [] : callsOf(turn),
    ...(answer === undefined || answer === null || answer === '' ? {} : { answer }),
  };
}

function callsOf({ sequence }: JsonObject): Json[] {
  const calls = isObject(sequence ?? null) ? (sequence as JsonObject).tool_call : sequence;
  return Array.isArray(calls) ? calls : [];
}

function lastTurn(place: string, { output }: JsonObject): JsonObject | null {
  if (output === undefined || output === null) return null;
  if (!Array.isArray(output) || !output.every(isObject))
    throw importInvalid(place, 'has an output that is not a list of turns');
  return output.at(-1) ?? null;
}

function readRecords(file: string): Json[] {
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

/** Questions are the same whatever blanks they are written with. */
function questionKey(domain: string, question: string): string {
  return `${domain}\n${question.trim().replace(/\s+/g, ' ')}`;
}
