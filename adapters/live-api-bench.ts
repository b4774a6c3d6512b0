import { printExactJson } from '../contracts/exact-json.ts';
import type { Prediction } from '../contracts/prediction.ts';
import type { Formulation, Sample } from '../contracts/sample.ts';
import { startCalls } from '../contracts/tool-chain.ts';
import { toNativeCall } from '../eval/calls/calls.ts';
import { isObject, type Json } from '../eval/json/lossless.ts';
import { groupBy } from '../eval/metrics/figures.ts';
import {
  databasePath,
  type ExportedFile,
  exportCommand,
  type FarmTasks,
  nativeAnswer,
  questionText,
} from './exports.ts';
import {
  ASKED_FORMULATION,
  type Imported,
  importCommand,
  importInvalid,
  nativeCalls,
  readRecords,
  SampleFinder,
} from './imports.ts';

/**
 * Samples as Live API-Bench records, `output/<formulation>/<db>.json`: one list per domain, each record starting with
 * the call that makes its start table. `rookery_sample_id` keeps our id, by which `rookery import live-api-bench` finds
 * the sample. Operations that its tools lack keep our names.
 */
export function exportLiveApiBench(
  samples: readonly Sample[],
  { evidence, keysOf }: { readonly evidence: boolean } & Pick<FarmTasks, 'keysOf'>,
): ExportedFile[] {
  const recordOf = (sample: Sample, sample_id: number) => ({
    query: sample.query,
    input: questionText(sample, evidence),
    dataset_name: sample.dataset_name,
    sample_id,
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
  const files = groupBy(samples, (each) => `output/${each.formulation}/${each.dataset_name}.json`);
  return [...files].map(([path, own]) => ({ path, content: `${printExactJson(own.map(recordOf), 1)}\n` }));
}

/**
 * Reads Live API-Bench records with calls in `output`, skipping those that make the start table. A record belongs to
 * the sample in `rookery_sample_id`, or else to that of its domain with the same question. Throws IMPORT_INVALID.
 */
export function importLiveApiBench(
  file: string,
  samples: readonly Sample[],
  formulation: Formulation,
): Imported {
  const finder = new SampleFinder(samples, formulation);
  const predictions: Prediction[] = [];
  const unmatched: string[] = [];
  for (const [i, record] of readRecords(file).entries()) {
    const place = `${file}: record ${i + 1}`;
    if (!isObject(record) || typeof record.dataset_name !== 'string' || typeof record.input !== 'string')
      throw importInvalid(place, 'has no dataset_name, or no input');
    const { rookery_sample_id: id, dataset_name: domain, input, output } = record;
    const name = typeof id === 'string' ? id : `${domain} ${String(record.sample_id ?? i)}`;
    const sample = finder.find(name, domain, input);
    if (sample === undefined) unmatched.push(name);
    else predictions.push({ sample_id: sample.sample_id, calls: callsIn(place, output ?? [], formulation) });
  }
  return { predictions, unmatched };
}

function callsIn(place: string, output: Json, kind: Formulation): Json[] {
  if (!Array.isArray(output)) throw importInvalid(place, 'has an output that is not a list of calls');
  return nativeCalls(
    output.filter((call) => !isObject(call) || call.name !== 'initialize_active_data'),
    kind,
  );
}

export const commands = [
  exportCommand({
    name: 'live-api-bench',
    description: "records of Live API-Bench's own runner",
    formulation: 'slot',
    emit: ({ samples, keysOf }, { evidence }) => exportLiveApiBench(samples, { evidence, keysOf }),
  }),
  importCommand({
    name: 'live-api-bench',
    description: "records of Live API-Bench's own runner",
    results: 'one JSON file per domain',
    options: [ASKED_FORMULATION],
    read: (file, { samples }, { formulation }: { formulation: Formulation }) =>
      importLiveApiBench(file, samples, formulation),
  }),
];
