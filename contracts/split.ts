import { z } from 'zod';
import { type Catalog, row } from './catalog.ts';
import { dialogue } from './dialogue.ts';
import { writeFacts } from './records.ts';
import type { Renamed } from './renames.ts';
import { API_CLASSES } from './vocabulary.ts';
import { endpointWords } from './words.ts';

/** Seconds of processor time for one statement. */
export const DEFAULT_TIMEOUT = 60;
/** The default `now` of a farm; fixed, so that generation is reproducible. */
export const DEFAULT_REFERENCE_TIME = '2025-01-01 00:00:00';

/** Where the query uses the API's value. */
export const AUGMENTERS = ['filter', 'projection', 'aggregation', 'order'] as const;

/** How a question was augmented from another one. Its gold SQL calls scalar APIs as functions. */
export const augmentation = z.object({
  original: z.object({
    question_id: z.union([z.number().int(), z.string()]),
    question: z.string(),
    sql: z.string(),
  }),
  augmenter: z.enum(AUGMENTERS),
  /** Class of the first API, whose input is a column's value. */
  class: z.enum(API_CLASSES),
  depth: z.number().int().min(1).max(3),
  /** In order of application. */
  apis: z.array(z.string()).min(1),
  /** The input column of the first API. */
  column: z.object({ table: z.string(), name: z.string() }),
  /** The same query with each API as a virtual table of its inputs and value. */
  virtual_sql: z.string(),
});
export type Augmentation = z.infer<typeof augmentation>;
export type Augmenter = Augmentation['augmenter'];
export type ApiClass = Augmentation['class'];

/** A line of `corrections.jsonl`: replacements for fields of a question. Absent fields stay unchanged. */
export const correction = z.strictObject({
  /** Version of this format. */
  version: z.literal(1),
  db_id: z.string().min(1),
  question_id: z.union([z.number().int(), z.string().min(1)]),
  sql: z.string().min(1).optional(),
  question: z.string().min(1).optional(),
  evidence: z.string().optional(),
  reason: z.string().min(1),
  author: z.string().optional(),
  /** Audit rules that it resolves. */
  rules: z.array(z.string()).optional(),
});
export type Correction = z.infer<typeof correction>;

/** On a corrected sample: the reason, and the original text. */
export const appliedCorrection = correction.pick({ reason: true, author: true }).extend({
  original: z.object({
    sql: z.string().optional(),
    question: z.string().optional(),
    evidence: z.string().optional(),
  }),
});
export type AppliedCorrection = z.infer<typeof appliedCorrection>;

/** A question that has no single answer, to be found in `unanswerable/<db>.jsonl`. */
const unanswered = z.strictObject({
  question_id: z.union([z.number().int(), z.string().min(1)]),
  db_id: z.string().min(1),
  question: z.string().min(1),
  evidence: z.string().default(''),
  canary: z.string().optional(),
});
const reading = z.strictObject({ meaning: z.string().min(1), sql: z.string().min(1) });

/** Why a question has no single answer. */
export const unanswerableKind = z.enum(['ambiguous', 'false_premise', 'not_in_data', 'forbidden']);

const ambiguous = {
  kind: z.literal('ambiguous'),
  /** The question to be asked in return. */
  clarification: z.string().min(1),
};
const falsePremise = {
  kind: z.literal('false_premise'),
  premise: z.string().min(1),
  refutation: z.string().min(1),
  /** Finds no row, since the premise is false. */
  check_sql: z.string().min(1),
};
const notInData = {
  kind: z.literal('not_in_data'),
  missing: z.string().min(1),
  /** What the data have instead. */
  nearest: z.string().min(1),
};

const forbidden = {
  kind: z.literal('forbidden'),
  /** The id of the rule that forbids the answer. */
  policy: z.string().min(1),
  /** Finds what must not be disclosed. */
  sql: z.string().min(1),
};

/** A line of `unanswerable/<db>.jsonl`. */
export const unanswerableQuestion = z.discriminatedUnion('kind', [
  unanswered.extend({ ...ambiguous, readings: z.array(reading).min(2) }),
  unanswered.extend(falsePremise),
  unanswered.extend(notInData),
  unanswered.extend(forbidden),
]);
export type UnanswerableQuestion = z.infer<typeof unanswerableQuestion>;

/** The part of a sample that says why its question has no single answer. */
export const unanswerable = z.discriminatedUnion('kind', [
  z.object({
    ...ambiguous,
    /** Each with its rows, any of which is an accepted answer. */
    readings: z.array(
      reading.extend({
        gold_answer: z.array(row),
        gold_columns: z.array(z.string()),
        order_groups: z.array(z.number().int()).nullable(),
        tied_rows: z.array(z.object({ group: z.number().int(), rows: z.array(row) })).optional(),
      }),
    ),
  }),
  z.object(falsePremise),
  z.object(notInData),
  z.object({ ...forbidden, rule: z.string() }),
]);
export type Unanswerable = z.infer<typeof unanswerable>;

/** What is to be answered to a question without one answer. */
export function dueClaim(
  question: Unanswerable | UnanswerableQuestion,
): { readonly clarify: string } | { readonly unanswerable: string } {
  if (question.kind === 'ambiguous') return { clarify: question.clarification };
  if (question.kind === 'forbidden')
    return { unanswerable: 'rule' in question ? question.rule : question.policy };
  return { unanswerable: question.kind === 'false_premise' ? question.refutation : question.missing };
}

export const splitFormat = z.enum(['bird', 'spider', 'rookery']);
export type SplitFormat = z.infer<typeof splitFormat>;

/** One question of a split, whatever the layout. */
export const question = z.object({
  /** As given, or the 0-based position in the file. Unique in the split. */
  question_id: z.union([z.number().int(), z.string()]),
  db_id: z.string(),
  question: z.string(),
  evidence: z.string(),
  difficulty: z.string().nullable(),
  /** Gold SQL exactly as given. */
  sql: z.string(),
  /** Its origin, if known: `synthesized` for those of `rookery synthesize`. */
  origin: z.string().optional(),
  /** A canary string, for filtering data derived from this question out of training sets. */
  canary: z.string().optional(),
  /** Arguments of the `query_database` call that answers it, if known; it then only has the formulation `query`. */
  query_arguments: z.record(z.string(), z.unknown()).optional(),
  /** How `rookery augment` derived it from another question. */
  augmentation: augmentation.optional(),
  /** The turns of a dialogue that this question begins, itself the first. */
  dialogue: dialogue.optional(),
  /** The id of the dialogue that it is a turn of. */
  turn_of: z.union([z.number().int(), z.string()]).optional(),
  /** A turn of a dialogue that changes records: the statements that hold after it, in whose state `sql` asks. */
  holding: z.array(z.string()).optional(),
  /** Present if a corrections file changed it. */
  correction: appliedCorrection.optional(),
  /** What a person wrote about the endpoint that answers it. */
  endpoint_words: endpointWords.optional(),
  ...writeFacts.shape,
});
export type Question = z.infer<typeof question>;

/** One database of a split: its file and its catalog. */
export interface Domain {
  readonly db: string;
  /**
   * Absolute path of the original SQLite file; if that was left in WAL mode or with a journal, of a repaired
   * private copy that lasts as long as the process that read the split. Open it read-only.
   */
  readonly file: string;
  readonly catalog: Catalog;
  /** Views missing from the catalog because they fail or do not terminate. */
  readonly unread_views?: readonly string[];
  /** Questions without one answer; absent if there are none. */
  readonly unanswerable?: readonly UnanswerableQuestion[];
}

/** A split: questions in file order, domains by name. */
export interface Split {
  /** As in URLs and sample ids: lower case, `[a-z0-9-]`. */
  readonly name: string;
  readonly format: SplitFormat;
  /** Licence of the data, from the split's folder or the caller; else `unknown`. */
  readonly data_licence: string;
  /** sha256 over the questions file and every database, in a fixed order. */
  readonly content_hash: string;
  readonly questions: readonly Question[];
  /** The questions file that was read, and the names of other questions files beside it. */
  readonly questions_file: string;
  readonly unread_files: readonly string[];
  readonly domains: readonly Domain[];
  /** Only for a split under new names. */
  readonly renamed?: Renamed;
}
