import { printExactJson } from '../contracts/exact-json.ts';
import type { Prediction } from '../contracts/prediction.ts';
import type { Formulation, Sample } from '../contracts/sample.ts';
import { startCalls } from '../contracts/tool-chain.ts';
import { toNativeCall } from '../eval/calls/calls.ts';
import { isObject, type Json, type JsonObject, plain } from '../eval/json/lossless.ts';
import { groupBy } from '../eval/metrics/figures.ts';
import { databasePath, type ExportedFile, exportCommand, nativeAnswer, questionText } from './exports.ts';
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
 * Samples of one formulation in VAKRA's formats: the input of agents (`input/<db>.json`), the ground truth
 * (`output/<db>.json`), and for SLOT and SEL the universes (`mapping.yaml`). A uuid is a sample id, by which `rookery
 * import vakra` finds the sample.
 */
export function exportVakra(
  samples: readonly Sample[],
  { evidence }: { readonly evidence: boolean },
): ExportedFile[] {
  const byDomain = groupBy(samples, ({ dataset_name }) => dataset_name);
  const mapping = samples.flatMap((sample) => universe(sample) ?? []);
  return [
    ...[...byDomain].flatMap(([db, own]) => [
      { path: `input/${db}.json`, content: json(own.map((sample) => inputRecord(sample, evidence))) },
      { path: `output/${db}.json`, content: json(own.map((sample) => goldRecord(sample, evidence))) },
    ]),
    // JSON is valid YAML.
    ...(mapping.length > 0 ? [{ path: 'mapping.yaml', content: json(Object.fromEntries(mapping)) }] : []),
  ];
}

function inputRecord(sample: Sample, evidence: boolean) {
  return {
    uuid: sample.sample_id,
    domain: sample.dataset_name,
    num_turns: 1,
    dialogue: { turns: [{ turn_id: 1, query: questionText(sample, evidence) }] },
    additional_instructions: '',
  };
}

function goldRecord(sample: Sample, evidence: boolean) {
  const sequence = {
    tool_call: sample.output.map(({ path: _path, ...call }) => toNativeCall(call, sample.formulation)),
    tool_response: [sample.output_after_executing_api],
  };
  return {
    uuid: sample.sample_id,
    domain: sample.dataset_name,
    output: [{ turn_id: 0, query: questionText(sample, evidence), answer: nativeAnswer(sample), sequence }],
  };
}

/** The start tables of a sample; none for REST. */
function universe(sample: Sample): [string, object][] | null {
  const [main] = startCalls(sample.initialization_step);
  if (main === undefined) return null;
  return [
    [
      sample.sample_id,
      {
        domain: sample.dataset_name,
        server_type: sample.formulation === 'slot' ? 'slot_filling' : 'selection',
        init_args: { ...main.arguments, database_path: databasePath(sample) },
        query: sample.input,
      },
    ],
  ];
}

function json(value: unknown): string {
  return `${printExactJson(value, 1)}\n`;
}

/**
 * Reads a VAKRA submission: a list of `{uuid, domain, status, error, duration_s, output: [{turn_id, query, answer,
 * sequence: {tool_call: […]}}]}`, where `sequence` may also be the list itself, as in VAKRA's samples. The last turn is
 * judged. A record belongs to the sample with its uuid as id, or else to that of its domain with the same question;
 * several with the same question get one record each, in order. Throws IMPORT_INVALID.
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

export const commands = [
  exportCommand({
    name: 'vakra',
    description: 'input, ground truth and universes in the formats of VAKRA',
    formulation: 'slot',
    emit: ({ samples }, { evidence }) => exportVakra(samples, { evidence }),
  }),
  importCommand({
    name: 'vakra',
    description: 'submissions in the format of VAKRA',
    results: 'one JSON file per domain',
    options: [ASKED_FORMULATION],
    read: (file, { samples }, { formulation }: { formulation: Formulation }) =>
      importVakra(file, samples, formulation),
  }),
];
