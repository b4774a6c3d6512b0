import { z } from 'zod';
import { row } from './catalog.ts';
import { recordChange, recordDiff } from './records.ts';
import { formulation, sample } from './sample.ts';
import { FAILURE_CLASSES } from './vocabulary.ts';

/** The outcome of one sample. `not_run`: no prediction; `infra_error`: the run broke, through no fault of the agent. */
export const outcome = z.enum(['pass', 'fail', 'unparseable', 'infra_error', 'not_run']);
export type Outcome = z.infer<typeof outcome>;

/** The parser that read the calls; `calls` means they were given as structured calls. */
export const rung = z.enum([
  'calls',
  'json',
  'native',
  'jsonl',
  'harmony',
  'deepseek',
  'dsml',
  'kimi',
  'mistral',
  'glm',
  'gemma',
  'function_gemma',
  'functionary',
  'qwen2',
  'claude_xml',
  'bfcl_xml',
  'react',
  'name_and_json',
  'fenced',
  'xml',
  'json_in_text',
  'python_literal',
  'call_syntax',
]);
export type Rung = z.infer<typeof rung>;

/** `GET /tasks/<sample_id>/gold`, for the harness: the gold of a question and its proven calls. */
export const servedGold = sample.pick({
  sample_id: true,
  query: true,
  gold_columns: true,
  gold_answer: true,
  ordered: true,
  order_groups: true,
  initialization_step: true,
  output: true,
  flags: true,
  turns: true,
  user: true,
});
export type ServedGold = z.infer<typeof servedGold>;

/** The body of `POST /tasks/<sample_id>/judgement`, for the harness. */
export const judgedAnswer = z.strictObject({
  answer: z.unknown(),
});

/** The verdict by the contract in docs/scoring.md. */
export const answerVerdict = z.object({
  /** The rows as JSON, exactly in the form that the contract requires. */
  strict: z.boolean(),
  /** Exactly the gold's information, in any form that a person would accept. True whenever `strict` is. */
  fair: z.boolean(),
});
export type AnswerVerdict = z.infer<typeof answerVerdict>;

const share = z.number().min(0).max(1);

/**
 * The reward of an episode: a pure function of its record and the gold (and the worlds, if judged in some),
 * so it can be recomputed. `reward` is 1 for the right rows and 0 otherwise; to shape it, weigh the
 * components and penalties.
 */
export const reward = z.object({
  /** The run; absent if a prediction file was judged. */
  run_id: z.string().optional(),
  sample_id: z.string(),
  /** The number of the attempt at the sample, from 1. */
  epoch: z.number().int().positive(),
  outcome,
  reward: z.union([z.literal(0), z.literal(1)]),
  /** Partial credit from 0 to 1; null if it does not apply to the episode. */
  components: z.object({
    /** Whether the answer has the gold rows. */
    completion: share,
    /** 1 if the calls of the pass give the gold rows in every world too, else 0. Absent if judged in no world. */
    robust: z.union([z.literal(0), z.literal(1)]).optional(),
    /** F1 of the answer's rows against the gold rows. */
    rows: share.nullable(),
    /** For tasks that change records: the share of its changes that are right, and of the gold's that were made. */
    changes_precision: share.optional(),
    changes_recall: share.optional(),
    /** F1 of distinct calls by tool name; surplus calls of a gold tool are not counted. See `scoreCredit`. */
    calls: share.nullable(),
    /** The share of gold arguments that were given unchanged; null if no gold tool was called. */
    slots: share.nullable(),
  }),
  penalties: z.object({
    errors: z.number().int().nonnegative(),
    /** Calls that repeat an earlier one with the same arguments. */
    redundant_calls: z.number().int().nonnegative(),
    /** Number of calls beyond the gold's. */
    extra_calls: z.number().int().nonnegative(),
  }),
  /** The basis of `robust`; absent without it, and for failures if worlds were made for passes only. */
  worlds: z
    .object({
      /** Worlds that keep the sample. */
      kept: z.number().int().positive(),
      /** Number of them in which the calls of a pass give the gold rows; 0 if there is no pass. */
      right: z.number().int().nonnegative(),
    })
    .optional(),
});
export type Reward = z.infer<typeof reward>;

/** `POST /runs/<id>/verify`: one reward per finished run. */
export const rewards = z.object({ rewards: z.array(reward), mean: z.number() });
export type Rewards = z.infer<typeof rewards>;

const count = z.number().int().nonnegative();

/** A call for display: its arguments as JSON text. */
const reviewedCall = z.object({
  name: z.string(),
  label: z.string(),
  /** Whether the other side has no counterpart. */
  alone: z.boolean(),
  arguments: z.array(z.object({ name: z.string(), value: z.string(), differs: z.boolean() })),
});
export type ReviewedCall = z.infer<typeof reviewedCall>;

/** An executed call, as far as the run or its replay shows; null for what is unknown. */
const reviewedStep = z.object({
  call: z.string(),
  status: z.number().int().nullable(),
  code: z.string().nullable(),
  handle: z.string().nullable(),
  rows: z.number().int().nullable(),
  latency_ms: z.number().nullable(),
  fault: z.string().nullable(),
  error: z.string().nullable(),
});

/** A call as the agent made it, and the beginning of its answer. */
const turnCall = z.object({
  name: z.string(),
  arguments: z.string(),
  status: z.number().int().nullable(),
  latency_ms: z.number(),
  fault: z.string().nullable(),
  answer: z.string(),
});

/** A turn of an attempt as its runner recorded it: what the model wrote, and its calls. */
const reviewedTurn = z.object({
  text: z.string(),
  reasoning: z.string(),
  /** Why the model stopped; null for an agent without one. */
  stop: z.string().nullable(),
  latency_ms: z.number(),
  /** For the rate limit, for failed requests and between them. */
  waited_ms: z.number(),
  /** Requests made, including failed ones. */
  requests: z.number().int(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  cost: z.number().nullable(),
  calls: z.array(turnCall),
});

/** An attempt at a sample beside its gold: the question, the calls, where they first differ and why it failed. */
export const sampleReview = z.object({
  sample_id: z.string(),
  epoch: z.number().int().positive(),
  db: z.string(),
  formulation,
  difficulty: z.string().nullable(),
  outcome,
  /** How the attempt ended, else the error class of the answer; null if it passed or is unknown. */
  failed_by: z.enum(FAILURE_CLASSES).nullable(),
  withheld: z.boolean(),
  question: z.string(),
  evidence: z.string(),
  constructs: z.array(z.string()),
  flags: z.array(z.string()),
  gold_calls: count,
  calls: count.nullable(),
  /** Predicted calls beside the gold ones, if these are shown, line by line; null where a side has none. */
  lines: z.array(z.object({ gold: reviewedCall.nullable(), predicted: reviewedCall.nullable() })),
  /** Index of the first line that differs; null if none does, or the gold is hidden. */
  first_difference: count.nullable(),
  /** Why it failed, in sentences; empty for a pass. */
  why: z.array(z.string()),
  parsed: z.boolean(),
  transcript: z.array(reviewedStep),
  /** The turns of a dialogue, or the parts of another composed task; empty for one question, or if the gold is hidden. */
  parts: z.array(z.object({ question: z.string(), passes: z.boolean(), facts: z.array(z.string()) })),
  /** The turns that the runner recorded; empty without its record. */
  turns: z.array(reviewedTurn),
  raw_output: z.string().nullable(),
  sql: z.string().nullable(),
  rows: z.array(row).nullable(),
  row_count: count.nullable(),
  source: z.enum(['answer', 'replay', 'gold_calls']).nullable(),
  note: z.string().nullable(),
  scores: z.array(z.tuple([z.string(), z.string()])),
  /** For tasks that change records: what the run changed, and the gold beside it unless that is hidden. */
  changes: z
    .object({
      made: recordDiff,
      gold: recordDiff.nullable(),
      faults: z.array(z.object({ kind: z.string(), ...recordChange.pick({ table: true, key: true }).shape })),
    })
    .nullable(),
  /** null if the gold is hidden. Long results are truncated. */
  gold: z
    .object({ query: z.string(), rows: z.array(row), row_count: count, ordered: z.boolean() })
    .nullable(),
});
export type SampleReview = z.infer<typeof sampleReview>;
