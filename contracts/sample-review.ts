import { z } from 'zod';
import { FAILURE_CLASSES } from './error-classes.ts';
import { outcome } from './report.ts';
import { formulation } from './sample.ts';
import { row } from './value.ts';

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
