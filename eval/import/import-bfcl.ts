import { z } from 'zod';
import type { Prediction } from '../../contracts/prediction.ts';
import type { BfclSampleLine } from '../export/export-bfcl.ts';
import { pythonUnsafe } from '../export/python-names.ts';
import { readLines } from '../farm/json-lines.ts';
import { isObject, type Json, parseJson, plain } from '../json/lossless.ts';
import { type Imported, importInvalid } from './imported.ts';

const sampleLine = z.object({ id: z.string(), sample_id: z.string(), withheld: z.boolean() });

/**
 * Reads a BFCL result file (`BFCL_v4_<category>_result.json`, one JSON object a line) of the categories that
 * `rookery export bfcl` made. Function-calling models have `[{name: "<arguments as JSON>"}]`, prompted ones the text
 * they wrote. Throws IMPORT_INVALID.
 *
 * @param samplesFile the `farm_samples.jsonl` of the export.
 */
export function importBfcl(resultFile: string, samplesFile: string): Imported {
  const samples = new Map<string, BfclSampleLine>();
  for (const { number, text } of readLines(samplesFile)) {
    const line = sampleLine.safeParse(parseAt(`${samplesFile}:${number}`, text));
    if (!line.success) throw importInvalid(`${samplesFile}:${number}`, 'is not a line of farm_samples.jsonl');
    samples.set(line.data.id, line.data);
  }
  const predictions: Prediction[] = [];
  const unmatched: string[] = [];
  for (const { number, text } of readLines(resultFile)) {
    const place = `${resultFile}:${number}`;
    const record = parseAt(place, text);
    if (!isObject(record) || typeof record.id !== 'string' || record.result === undefined) {
      throw importInvalid(place, 'is not a BFCL result: it has no id, or no result');
    }
    const sample = samples.get(record.id);
    if (sample === undefined) unmatched.push(record.id);
    else predictions.push(toPrediction(place, sample, record));
  }
  return { predictions, unmatched };
}

function toPrediction(
  place: string,
  { sample_id, withheld }: BfclSampleLine,
  record: { [key: string]: Json },
): Prediction {
  return {
    sample_id,
    ...(withheld ? { withheld } : {}),
    ...readResult(place, record.result as Json),
    latency_s: amount(record.latency),
    input_tokens: amount(record.input_token_count),
    output_tokens: amount(record.output_token_count),
  };
}

function readResult(place: string, result: Json): Pick<Prediction, 'calls' | 'raw_output' | 'error'> {
  if (typeof result === 'string')
    return result.startsWith(INFERENCE_ERROR) ? { error: result } : { raw_output: result };
  if (!Array.isArray(result) || result.some(Array.isArray)) {
    throw importInvalid(place, 'has a result of several turns; only single-turn categories can be imported');
  }
  return { calls: result.map(readCall) };
}

/** BFCL writes this instead of a result when a request failed. */
const INFERENCE_ERROR = 'Error during inference:';

/** `{name: "{…}"}`; anything else stays as it is, and is scored as malformed. */
function readCall(item: Json): Json {
  const [entry, ...others] = isObject(item) ? Object.entries(item) : [];
  if (entry === undefined || others.length > 0) return item;
  const args = decode(entry[1]);
  if (!isObject(args)) return item;
  const renamed = Object.entries(args).map(([key, value]): [string, Json] => [pythonUnsafe(key), value]);
  return { name: entry[0], arguments: Object.fromEntries(renamed) };
}

function decode(args: Json): Json {
  if (typeof args !== 'string') return args;
  try {
    return parseJson(args);
  } catch {
    return args;
  }
}

function amount(value: Json | undefined): number | null {
  const number = value === undefined ? null : plain(value);
  return typeof number === 'number' && number >= 0 ? number : null;
}

function parseAt(place: string, text: string): Json {
  try {
    return parseJson(text);
  } catch (cause) {
    throw importInvalid(
      place,
      `is not JSON (${(cause as Error).message}); the file has one object a line`,
      cause,
    );
  }
}
