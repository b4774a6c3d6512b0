import { printExactJson } from '../../contracts/exact-json.ts';
import { startCalls } from '../../contracts/formulations/start-calls.ts';
import type { Sample } from '../../contracts/sample.ts';
import { toNativeCall } from '../calls/native-call.ts';
import { databasePath, nativeAnswer } from './export-live-api-bench.ts';
import type { ExportedFile } from './exported-file.ts';
import { questionText } from './question-text.ts';

/**
 * Samples of one formulation in the formats of VAKRA: what agents get (`input/<db>.json`), the ground truth
 * (`output/<db>.json`), and for SLOT and SEL what each universe is made of (`mapping.yaml`). A uuid is the sample id, by
 * which `rookery import vakra` finds the sample again.
 */
export function exportVakra(
  samples: readonly Sample[],
  { evidence }: { readonly evidence: boolean },
): ExportedFile[] {
  const byDomain = new Map<string, Sample[]>();
  for (const sample of samples) {
    byDomain.set(sample.dataset_name, [...(byDomain.get(sample.dataset_name) ?? []), sample]);
  }
  const mapping = samples.flatMap((sample) => universe(sample) ?? []);
  return [
    ...[...byDomain].flatMap(([db, own]) => [
      { path: `input/${db}.json`, content: json(own.map((sample) => inputRecord(sample, evidence))) },
      { path: `output/${db}.json`, content: json(own.map((sample) => goldRecord(sample, evidence))) },
    ]),
    // JSON is YAML.
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
