import { printExactJson } from '../../contracts/exact-json.ts';
import { startCalls } from '../../contracts/formulations/start-calls.ts';
import type { Sample } from '../../contracts/sample.ts';
import { toNativeCall } from '../calls/native-call.ts';
import type { ExportedFile } from './exported-file.ts';
import { questionText } from './question-text.ts';

/** A column of a sample's start tables, as records of Live API-Bench describe it. */
export interface NativeKey {
  readonly key_name: string;
  readonly description: string;
  readonly dtype: 'string' | 'integer' | 'number' | 'object';
}

export interface NativeExportOptions {
  readonly evidence: boolean;
  /** The columns of a sample's start tables. */
  readonly keysOf: (sample: Sample) => readonly NativeKey[];
}

/**
 * Samples as Live API-Bench's own records, `output/<formulation>/<db>.json`: a list a domain, each with the call that
 * makes its start table first. Our ids are kept in `rookery_sample_id`, by which `rookery import live-api-bench` finds the
 * sample again. Operations that its tools do not have keep our names.
 */
export function exportLiveApiBench(
  samples: readonly Sample[],
  { evidence, keysOf }: NativeExportOptions,
): ExportedFile[] {
  const files = new Map<string, object[]>();
  for (const sample of samples) {
    const path = `output/${sample.formulation}/${sample.dataset_name}.json`;
    const records = files.get(path) ?? [];
    files.set(path, records);
    records.push({
      query: sample.query,
      input: questionText(sample, evidence),
      dataset_name: sample.dataset_name,
      sample_id: records.length,
      gold_answer: nativeAnswer(sample),
      output: [
        ...startCalls(sample.initialization_step).map(({ name, arguments: args, label }) => ({
          name,
          arguments: { ...args, database_path: databasePath(sample) },
          label,
        })),
        ...sample.output.map((call) => toNativeCall(call, sample.formulation)),
      ],
      ...(sample.initialization_step === null ? {} : { key_values_and_descriptions: keysOf(sample) }),
      rookery_sample_id: sample.sample_id,
    });
  }
  return [...files].map(([path, records]) => ({ path, content: `${printExactJson(records, 1)}\n` }));
}

/** Where the database is in the farm's folder. */
export function databasePath({ dataset_name }: Pick<Sample, 'dataset_name'>): string {
  return `databases/${dataset_name}.sqlite`;
}

/** Rows; a single column is a plain list. */
export function nativeAnswer({ gold_answer, gold_columns }: Sample): unknown[] {
  return gold_columns.length === 1 ? gold_answer.map(([cell]) => cell) : [...gold_answer];
}
