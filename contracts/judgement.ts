import { z } from 'zod';
import { row } from './catalog.ts';
import { formulation, sample } from './sample.ts';
import { FAILURE_CLASSES } from './vocabulary.ts';

/** The outcome of one sample. `not_run`: there is no prediction; `infra_error`: the run broke, not the agent. */
export const outcome = z.enum(['pass', 'fail', 'unparseable', 'infra_error', 'not_run']);
export type Outcome = z.infer<typeof outcome>;

/** Which parser read the calls; `calls`: they were given as structured calls. */
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

/** `GET /tasks/<sample_id>/gold`, for the harness: what the question asks for, and calls that are proven to get it. */
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
});
export type ServedGold = z.infer<typeof servedGold>;

/** The body of `POST /tasks/<sample_id>/judgement`, for the harness. */
export const judgedAnswer = z.strictObject({
  /** Rows, a list, a scalar or text. */
  answer: z.unknown(),
});

/** What it is worth by the contract of docs/scoring.md. */
export const answerVerdict = z.object({
  /** The rows in JSON, exactly as the contract asks for them. */
  strict: z.boolean(),
  /** The gold's information and nothing else, in any form that a person would accept. True wherever `strict` is. */
  fair: z.boolean(),
});
export type AnswerVerdict = z.infer<typeof answerVerdict>;

const share = z.number().min(0).max(1);

/**
 * What an episode is worth: a pure function of its record and the gold (of the worlds too, where it is judged in some), so that a stored one can be judged again. `reward` is
 * 1 for the right rows and 0 for all else; who wants to shape it weighs the components and the penalties.
 */
export const reward = z.object({
  /** Of the run; left out where a prediction file was judged. */
  run_id: z.string().optional(),
  sample_id: z.string(),
  /** Which attempt at the sample, from 1. */
  epoch: z.number().int().positive(),
  outcome,
  reward: z.union([z.literal(0), z.literal(1)]),
  /** Partial credit, each from 0 to 1; null where the episode lacks what it is about. */
  components: z.object({
    /** The answer has the gold rows. */
    completion: share,
    /**
     * Right in each world too: 1 where the calls give the gold rows there as well, 0 for all else. Left out where it was
     * judged in no world.
     */
    robust: z.union([z.literal(0), z.literal(1)]).optional(),
    /** Of the gold rows and those of the answer, how many are in both: twice these by the number of all. */
    rows: share.nullable(),
    /**
     * Of the gold calls, how many name a tool that was called as often with different arguments: twice these, by the
     * number of gold calls, of these, and of calls of other tools.
     */
    calls: share.nullable(),
    /** Of the arguments of the gold calls, how many were given as they are; null where no tool of the gold was called. */
    slots: share.nullable(),
  }),
  penalties: z.object({
    /** Calls that were refused. */
    errors: z.number().int().nonnegative(),
    /** Calls that had been made before, with the same arguments. */
    redundant_calls: z.number().int().nonnegative(),
    /** Calls more than the gold has. */
    extra_calls: z.number().int().nonnegative(),
  }),
  /** What `robust` was judged by; left out with it, and for failures where worlds were made for passes only. */
  worlds: z
    .object({
      /** Worlds that keep the sample. */
      kept: z.number().int().positive(),
      /** In how many of them the calls of a pass give the gold rows; 0 where there is no pass. */
      right: z.number().int().nonnegative(),
    })
    .optional(),
});
export type Reward = z.infer<typeof reward>;

/** `POST /runs/<id>/verify`: one reward for each run that is over. */
export const rewards = z.object({ rewards: z.array(reward), mean: z.number() });
export type Rewards = z.infer<typeof rewards>;

const count = z.number().int().nonnegative();

/** A call as people read it: its arguments as JSON text. */
export const reviewedCall = z.object({
  name: z.string(),
  label: z.string(),
  /** It has no counterpart on the other side. */
  alone: z.boolean(),
  arguments: z.array(z.object({ name: z.string(), value: z.string(), differs: z.boolean() })),
});
export type ReviewedCall = z.infer<typeof reviewedCall>;

/** What was called, as far as the run or its replay tells; null where nothing is known. */
const reviewedStep = z.object({
  call: z.string(),
  status: z.number().int().nullable(),
  code: z.string().nullable(),
  handle: z.string().nullable(),
  rows: z.number().int().nullable(),
  latency_ms: z.number().nullable(),
  /** Injected on purpose. */
  fault: z.string().nullable(),
  error: z.string().nullable(),
});

/** An attempt at a sample beside its gold: what was asked, what was called, where the two part and why it failed. */
export const sampleReview = z.object({
  sample_id: z.string(),
  epoch: z.number().int().positive(),
  db: z.string(),
  formulation,
  difficulty: z.string().nullable(),
  outcome,
  /** How the attempt ended, else the error of its agent; null where it did not fail, or it is not known. */
  failed_by: z.enum(FAILURE_CLASSES).nullable(),
  withheld: z.boolean(),
  question: z.string(),
  evidence: z.string(),
  constructs: z.array(z.string()),
  flags: z.array(z.string()),
  gold_calls: count,
  calls: count.nullable(),
  /** The calls that are predicted, beside the gold ones where these are told: line by line, null where a side has none. */
  lines: z.array(z.object({ gold: reviewedCall.nullable(), predicted: reviewedCall.nullable() })),
  /** The first line in which they differ, from 0; null where none does, or the gold is not told. */
  first_difference: count.nullable(),
  /** Why it failed, in sentences; empty for a pass. */
  why: z.array(z.string()),
  /** Whether any calls could be read. */
  parsed: z.boolean(),
  transcript: z.array(reviewedStep),
  raw_output: z.string().nullable(),
  sql: z.string().nullable(),
  rows: z.array(row).nullable(),
  row_count: count.nullable(),
  /** Where the rows come from. */
  source: z.enum(['answer', 'replay', 'gold_calls']).nullable(),
  note: z.string().nullable(),
  /** Its other scores, as texts. */
  scores: z.array(z.tuple([z.string(), z.string()])),
  /** null where it is not told. Long results are truncated. */
  gold: z
    .object({ query: z.string(), rows: z.array(row), row_count: count, ordered: z.boolean() })
    .nullable(),
});
export type SampleReview = z.infer<typeof sampleReview>;
