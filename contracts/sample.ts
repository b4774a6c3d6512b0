import { z } from 'zod';
import { row } from './catalog.ts';
import { sampleTurn, userScript } from './dialogue.ts';
import { provenFaults } from './faults.ts';
import { goldPlan } from './hybrid.ts';
import { recordDiff, writeFacts } from './records.ts';
import { appliedCorrection, augmentation, unanswerable } from './split.ts';
import { FORMULATION_NAMES } from './vocabulary.ts';

export const formulation = z.enum(FORMULATION_NAMES);
export type Formulation = z.infer<typeof formulation>;

export const DEFAULT_FORMULATION: Formulation = 'rest';

/** Flags of a kept sample; see docs/coverage.md. */
export const flag = z.enum([
  'empty_gold',
  'null_gold',
  'zero_gold',
  'limit_tie',
  'pinned_time',
  'unordered_limit',
  'ambiguous_place',
  'slow',
  'guessable',
  'dialogue',
  'turn',
]);
export type Flag = z.infer<typeof flag>;

/** One call as an agent would send it. */
export const call = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** The label that later calls refer to as `$label$`; SLOT and SEL only. */
  label: z.string().optional(),
  /** The URL path; REST only. */
  path: z.string().optional(),
});
export type Call = z.infer<typeof call>;

/** A statement about one table as the arguments of BFCL's function `sql.execute`. */
export interface SqlCall {
  readonly keyword: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
  readonly table: string;
  readonly columns: readonly string[];
  /** Whether these are all columns of the table, in order: `*`. */
  readonly allColumns: boolean;
  /** INSERT and UPDATE: of the columns, as text. */
  readonly values: readonly string[];
  /** All of them hold. */
  readonly conditions: readonly string[];
}

/** By argument: other values that it may have. */
const acceptedValues = z.record(z.string(), z.array(z.unknown()));
export type AcceptedValues = z.infer<typeof acceptedValues>;

/** A question in one formulation with its proven gold: one line of `eval/<db>.jsonl` or `eval/unanswerable/<db>.jsonl`. */
export const sample = z.object({
  /** `<split>/<db>/<question_id>/<formulation>`; for `hybrid`, followed by `@` and the share: `hybrid@40`. */
  sample_id: z.string(),
  /** The domain (the paper's field name). */
  dataset_name: z.string(),
  question_id: z.union([z.number().int(), z.string()]),
  formulation,
  input: z.string(),
  evidence: z.string(),
  difficulty: z.string().nullable(),
  /** Gold SQL as given. */
  query: z.string(),
  /** Rows of the gold SQL on the original database. */
  gold_answer: z.array(row),
  gold_columns: z.array(z.string()),
  /** True if the gold SQL has a top-level ORDER BY. */
  ordered: z.boolean(),
  /** If ordered: each gold row's run of equal sort keys (0, 0, 1, …), within which rows may swap. Else null. */
  order_groups: z.array(z.number().int()).nullable(),
  /** If LIMIT cuts through tied rows: all tied rows, by their group number in `order_groups`. */
  tied_rows: z.array(z.object({ group: z.number().int(), rows: z.array(row) })).optional(),
  /** If a LIMIT inside the query cuts through tied rows: the rows for other choices. */
  other_answers: z.array(z.array(row)).optional(),
  /** SLOT and SEL: the joins of the start table. */
  initialization_step: call.nullable(),
  output: z.array(call),
  /** REST only: other ways to write arguments of the call, with which it gives the gold rows on every test database. */
  accepted_values: acceptedValues.optional(),
  /** `records` only: what the gold SQL changes, and nothing else may be changed. */
  gold_diff: recordDiff.optional(),
  ...writeFacts.shape,
  output_after_executing_api: z.unknown(),
  /** The tools offered for this task. REST: all endpoints of the domain; SLOT and SEL: the start table's toolset. */
  toolset: z.object({
    /** The path of the tool definitions on a running farm. */
    path: z.string(),
    size: z.number().int(),
  }),
  flags: z.array(flag),
  /** The origin of the question, and a string to filter it from training data, if the split has them. */
  origin: z.string().optional(),
  canary: z.string().optional(),
  /** Present if a corrections file changed the question or its SQL. */
  correction: appliedCorrection.optional(),
  /** A dialogue: its turns, whose gold is that of the samples that they name, and the script of its user. */
  turns: z.array(sampleTurn).optional(),
  user: userScript.optional(),
  /** `hybrid` only: how the question was derived, if its SQL calls scalar APIs. */
  augmentation: augmentation.optional(),
  /** `hybrid` only: the API use of its gold call. */
  plan: goldPlan.optional(),
  /** Silent faults that the answer of an intermediate call can have; never served. Absent if none is recognizable. */
  silent_faults: provenFaults.optional(),
  /** In `eval/unanswerable/<db>.jsonl` only: why the question has no single answer. There is no gold then. */
  unanswerable: unanswerable.optional(),
});
export type Sample = z.infer<typeof sample>;
