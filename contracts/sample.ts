import { z } from 'zod';
import { row } from './catalog.ts';
import { provenFaults } from './faults.ts';
import { goldPlan } from './hybrid.ts';
import { appliedCorrection, augmentation } from './split.ts';
import { FORMULATION_NAMES } from './vocabulary.ts';

export const formulation = z.enum(FORMULATION_NAMES);
export type Formulation = z.infer<typeof formulation>;

/** The default when none is given. */
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

/** A question in one formulation with its proven gold: one line of `eval/<db>.jsonl`. */
export const sample = z.object({
  /** `<split>/<db>/<question_id>/<formulation>`; of `hybrid`, `@` and the share follow: `hybrid@40`. */
  sample_id: z.string(),
  /** The domain (the paper's field name). */
  dataset_name: z.string(),
  question_id: z.union([z.number().int(), z.string()]),
  formulation,
  /** The question. */
  input: z.string(),
  evidence: z.string(),
  difficulty: z.string().nullable(),
  /** Gold SQL as given. */
  query: z.string(),
  /** Rows of the gold SQL on the original database. */
  gold_answer: z.array(row),
  gold_columns: z.array(z.string()),
  /** True when the gold SQL has a top-level ORDER BY. */
  ordered: z.boolean(),
  /**
   * When ordered: for each gold row the number of its run of equal sort keys (0, 0, 1, …); rows of one run
   * may swap. null when unordered.
   */
  order_groups: z.array(z.number().int()).nullable(),
  /** Where LIMIT cuts through tied rows: by the number of their group in `order_groups`, all rows tied there. */
  tied_rows: z.array(z.object({ group: z.number().int(), rows: z.array(row) })).optional(),
  /** The rows of other choices, where LIMIT cuts through tied rows inside of the query. */
  other_answers: z.array(z.array(row)).optional(),
  /** SLOT and SEL: the joins of the start table. */
  initialization_step: call.nullable(),
  /** The gold calls, in order. */
  output: z.array(call),
  /** The body of the last answer, as the service gave it. */
  output_after_executing_api: z.unknown(),
  /** The tools offered for this task: REST, all endpoints of the domain; SLOT and SEL, the start table's toolset. */
  toolset: z.object({
    /** The path of the tool definitions on a running farm. */
    path: z.string(),
    /** How many tools it holds. */
    size: z.number().int(),
  }),
  flags: z.array(flag),
  /** How the question came to be, and a string to leave it out of training data by, where the split tells. */
  origin: z.string().optional(),
  canary: z.string().optional(),
  /** Where a file of corrections has changed the question or its SQL. */
  correction: appliedCorrection.optional(),
  /** `hybrid` only: how the question was made of another one, where its SQL calls scalar APIs. */
  augmentation: augmentation.optional(),
  /** `hybrid` only: what its gold call takes. */
  plan: goldPlan.optional(),
  /** Faults that an answer on the way can have without telling; never served. Left out where none can be told. */
  silent_faults: provenFaults.optional(),
});
export type Sample = z.infer<typeof sample>;
