import { z } from 'zod';
import { apiUse } from '../../contracts/hybrid.ts';
import {
  type EndedBy,
  type Prediction,
  type PredictionHeader,
  predictedTurn,
  taskPart,
} from '../../contracts/prediction.ts';
import { formulation } from '../../contracts/sample.ts';
import { ENDINGS } from '../../contracts/vocabulary.ts';
import { turn } from '../attempt/model-session.ts';
import { runConfig } from './run-config.ts';

export const RUN_FORMAT = 'rookery-run/1';

/** `run.json`: everything needed to verify and repeat a run. Never contains a key. */
export const runHeader = z.object({
  format: z.literal(RUN_FORMAT),
  name: z.string(),
  /** `running` also remains after a crash; the run can be resumed. */
  status: z.enum(['running', 'done', 'stopped']),
  reason: z.string().nullable(),
  config: runConfig,
  /** sha256 of the configuration, farm, prompts and examples, which must match when a run is resumed. */
  config_hash: z.string(),
  farm: z.object({ name: z.string(), split: z.string().nullable(), hash: z.string().nullable() }),
  prompts: z.object({
    pack: z.string(),
    family: z.string().nullable(),
    hash: z.string(),
    transport: z.enum(['chat', 'completions']).nullable(),
    /** The prompt sent for the first task. */
    first: z.string().nullable(),
  }),
  /** Sample ids of the worked examples, by domain of the task. */
  shots: z.record(z.string(), z.array(z.string())),
  /** Checksums of the tool lists offered, with the number of attempts for each. */
  tool_lists: z.record(z.string(), z.number().int()),
  /** Model names in the provider's responses. */
  models_reported: z.array(z.string()),
  fingerprints: z.array(z.string()),
  warnings: z.array(z.string()),
  versions: z.object({ rookery: z.string(), node: z.string(), commit: z.string().nullable() }),
  tasks: z.number().int(),
  attempts: z.object({ planned: z.number().int(), done: z.number().int(), errors: z.number().int() }),
  /** With a fixed budget: the share of tasks whose gold calls fit. null: all, or unknown. */
  ceiling: z.number().nullable().default(null),
  cost: z.number().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
});
export type RunHeader = z.infer<typeof runHeader>;

/** A call as the model made it, under the names it was offered, and its outcome. */
export const recordedCall = z.object({
  name: z.string(),
  /** The arguments text, unparsed. */
  arguments: z.string(),
  status: z.number().int().nullable(),
  ok: z.boolean(),
  handle: z.string().nullable(),
  latency_ms: z.number(),
  fault: z.string().nullable(),
  /** The first 2,000 characters of the response. */
  answer: z.string(),
  /** sha256 of the whole response, stored as `blobs/<sha256>` if longer. */
  answer_hash: z.string(),
});

/** How an attempt ended. `error`: through no fault of the agent; it is retried when the run is resumed. */
export const attemptOutcome = z.enum(['answered', ...ENDINGS, 'error']).exclude(['empty', 'length']);
export type AttemptOutcome = z.infer<typeof attemptOutcome>;

/** One attempt: a line of `samples.jsonl`. Of several with the same sample and epoch, the last one counts. */
export const sampleRecord = z.object({
  sample_id: z.string(),
  epoch: z.number().int(),
  db: z.string(),
  formulation,
  outcome: attemptOutcome,
  /** Why it ended early; null if it was answered. */
  reason: z.string().nullable(),
  error: z.object({ kind: z.string(), message: z.string() }).nullable(),
  answer: z.unknown(),
  sql: z.string().nullable(),
  raw_output: z.string().nullable(),
  /** As in the prediction, under real names; null if the output is to be parsed. */
  calls: z.array(z.unknown()).nullable(),
  /** Composed tasks: the parts, and the record of each turn. */
  composed: z
    .object({ parts: z.array(taskPart), turns: z.array(predictedTurn).nullable() })
    .nullable()
    .default(null),
  made: z.array(recordedCall),
  /** Whether the farm recorded the calls. */
  recorded: z.boolean().default(false),
  /** `records`: what the run changed, by the farm's record; null elsewhere. */
  diff: z.array(z.unknown()).nullable().default(null),
  broken_rules: z.array(z.string()).nullable().default(null),
  turns: z.array(turn),
  loops: z.number().int(),
  input_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  cached_tokens: z.number().int().nullable(),
  reasoning_tokens: z.number().int().nullable(),
  cost: z.number().nullable(),
  /** Of completions and calls, excluding waits for rate limits. */
  latency_s: z.number(),
  /** Its two parts, completions and calls; null in older logs. */
  model_s: z.number().nullable().default(null),
  execution_s: z.number().nullable().default(null),
  api_use: apiUse.nullable().default(null),
  tools: z.array(z.string()).nullable(),
  tools_checksum: z.string(),
  withheld: z.boolean(),
  at: z.string(),
});
export type SampleRecord = z.infer<typeof sampleRecord>;

/** The header line of a run's predictions. */
export function predictionHeaderOf({ config, farm, prompts }: RunHeader): PredictionHeader {
  const { agent, model, category, list, settings, decoding, budget, epochs, faults, seed } = config;
  return {
    format: 'rookery-predictions/1',
    model: model ?? agent,
    ...(category === null ? {} : { category }),
    settings: { agent, ...list, ...settings, decoding, budget, epochs, faults, seed, prompts: prompts.pack },
    ...(farm.hash === null ? {} : { farm_hash: farm.hash }),
  };
}

/** An attempt as `rookery score` reads it. One that ended early has no answer; a broken one is a run error. */
export function toPrediction(record: SampleRecord, epochs: number): Prediction & Record<string, unknown> {
  const { outcome, error, reason, answer, composed } = record;
  // In a conversation, calls and answers are those of the turns.
  const whole = composed?.turns == null;
  const all = {
    sample_id: record.sample_id,
    epoch: epochs > 1 ? record.epoch : null,
    parts: whole ? (composed?.parts ?? null) : null,
    turns: composed?.turns ?? null,
    calls: whole ? record.calls : null,
    recorded: whole && record.recorded ? true : null,
    diff: record.diff,
    broken_rules: record.broken_rules,
    answer: whole && outcome === 'answered' ? answer : null,
    sql: record.sql,
    raw_output: whole ? record.raw_output : null,
    loops: record.turns.length > 0 ? record.loops : null,
    latency_s: record.latency_s,
    model_s: record.api_use === null ? null : record.model_s,
    execution_s: record.api_use === null ? null : record.execution_s,
    api_use: record.api_use,
    input_tokens: record.input_tokens,
    output_tokens: record.output_tokens,
    cached_tokens: record.cached_tokens,
    reasoning_tokens: record.reasoning_tokens,
    cost: record.cost,
    error: outcome === 'error' ? `${error?.kind}: ${error?.message}` : null,
    out_of_budget: outcome === 'out_of_budget' || outcome === 'loops' ? true : null,
    ended_by: outcome === 'answered' ? endingOf(record) : outcome,
    end_reason: outcome === 'answered' ? null : `${outcome}${reason === null ? '' : `: ${reason}`}`,
    withheld: record.withheld ? true : null,
    tools: record.tools,
    tools_checksum: record.tools_checksum,
  };
  const given = Object.entries(all).filter(([, value]) => value !== null && value !== undefined);
  return { sample_id: record.sample_id, ...Object.fromEntries(given) };
}

/** How an attempt that finished by itself ended, judged by its last reply. */
function endingOf({ turns, answer, calls, raw_output }: SampleRecord): EndedBy {
  const last = turns.at(-1);
  if (last?.stop === 'length') return 'length';
  const hasText =
    last === undefined
      ? answer != null || raw_output !== null || (calls ?? []).length > 0
      : last.parts.some((part) => part.kind === 'call' || (part.kind === 'text' && part.text.trim() !== ''));
  return hasText ? 'answer' : 'empty';
}
