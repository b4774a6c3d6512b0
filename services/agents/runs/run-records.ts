import { z } from 'zod';
import { faultKind, faultProfile } from '../../../contracts/fault.ts';
import { listOptions } from '../../../contracts/list-options.ts';
import { runAnswer, runBudget, runStatus } from '../../../contracts/run.ts';
import { readOwnJson } from '../../base/http/json-text.ts';

const json = <T extends z.ZodType>(schema: T, read: (text: string) => unknown = (text) => JSON.parse(text)) =>
  z.string().transform(read).pipe(schema);
const flag = z.number().transform((value) => value === 1);

/** A run as the store keeps it. */
export const runRecord = z.object({
  run_id: z.string(),
  batch_id: z.string().nullable(),
  sample_id: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  settings: json(z.record(z.string(), z.unknown())),
  list_options: json(listOptions),
  /** Of the list of tools, which is made when the run starts; null until then. */
  checksum: z.string().nullable(),
  tools: json(z.array(z.string())).nullable(),
  budget: json(runBudget),
  faults: json(faultProfile).nullable(),
  evidence: flag,
  answer_tool: flag,
  farm_hash: z.string(),
  /** null: the run has the farm's own names. It is kept, so that a run that is open outlives its server's key. */
  exam_key: z.string().nullable(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  status: runStatus,
  end_reason: z.string().nullable(),
  answer: json(runAnswer, readAnswerFields).nullable(),
});
export type RunRecord = z.output<typeof runRecord>;

/** A call as the store keeps it; arguments are JSON texts, so that numbers keep their digits. */
export const callRecord = z.object({
  run_id: z.string(),
  n: z.number(),
  at: z.number(),
  tool: z.string(),
  arguments: z.string(),
  real_tool: z.string().nullable(),
  real_arguments: z.string().nullable(),
  status: z.number(),
  code: z.string().nullable(),
  row_count: z.number().nullable(),
  bytes: z.number(),
  latency_ms: z.number(),
  fault: faultKind.nullable(),
  handle: z.string().nullable(),
});
export type CallRecord = z.output<typeof callRecord>;

/** The answer's numbers keep their text, the other fields are plain. */
function readAnswerFields(text: string): unknown {
  const fields = JSON.parse(text) as object;
  const exact = readOwnJson(text) as { readonly answer: unknown };
  return { ...fields, answer: exact.answer };
}
