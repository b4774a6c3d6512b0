import type { Prediction } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { isObject, type Json, type JsonObject, plain } from '../json/lossless.ts';
import { type Imported, importInvalid } from './imported.ts';
import { nativeCalls } from './native-calls.ts';
import { readRecords, SampleFinder } from './sample-finder.ts';

/**
 * Reads a VAKRA submission: a list of `{uuid, domain, status, error, duration_s, output: [{turn_id, query, answer,
 * sequence: {tool_call: […]}}]}`, where `sequence` may also be the list itself, as its samples have it. The last turn
 * is what is judged. A record belongs to the sample whose id is its uuid, or else to the sample of its domain with the
 * same question; of several with the same question each gets one record, in order. Throws IMPORT_INVALID.
 */
export function importVakra(file: string, samples: readonly Sample[], formulation: Formulation): Imported {
  const finder = new SampleFinder(samples, formulation);
  const predictions: Prediction[] = [];
  const unmatched: string[] = [];
  for (const [i, record] of readRecords(file).entries()) {
    const place = `${file}: record ${i + 1}`;
    if (!isObject(record) || typeof record.uuid !== 'string' || typeof record.domain !== 'string') {
      throw importInvalid(place, 'has no uuid, or no domain');
    }
    const turn = lastTurn(place, record);
    const question = typeof turn?.query === 'string' ? turn.query : '';
    const sample = finder.find(record.uuid, record.domain, question);
    if (sample === undefined) unmatched.push(record.uuid);
    else predictions.push(toPrediction(sample, record, turn));
  }
  return { predictions, unmatched };
}

function toPrediction(
  { sample_id, formulation }: Sample,
  record: JsonObject,
  turn: JsonObject | null,
): Prediction {
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
    calls: turn === null ? [] : callsOf(turn, formulation),
    ...(answer === undefined || answer === null || answer === '' ? {} : { answer }),
  };
}

function callsOf({ sequence }: JsonObject, kind: Formulation): Json[] {
  const calls = isObject(sequence ?? null) ? (sequence as JsonObject).tool_call : sequence;
  return Array.isArray(calls) ? nativeCalls(calls, kind) : [];
}

function lastTurn(place: string, { output }: JsonObject): JsonObject | null {
  if (output === undefined || output === null) return null;
  if (!Array.isArray(output) || !output.every(isObject))
    throw importInvalid(place, 'has an output that is not a list of turns');
  return output.at(-1) ?? null;
}
