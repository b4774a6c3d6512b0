import { z } from 'zod';
import type { Catalog } from './catalog.ts';
import { API_CLASSES } from './vocabulary.ts';

/** Where the value of the APIs stands in the query. */
export const AUGMENTERS = ['filter', 'projection', 'aggregation', 'order'] as const;

/** How an augmented question was made of another one. Its gold SQL calls scalar APIs as functions. */
export const augmentation = z.object({
  /** The question that it was made of. */
  original: z.object({
    question_id: z.union([z.number().int(), z.string()]),
    question: z.string(),
    sql: z.string(),
  }),
  augmenter: z.enum(AUGMENTERS),
  /** Of the first API: what it is asked about is a column's value. */
  class: z.enum(API_CLASSES),
  /** How many APIs are applied one after the other. */
  depth: z.number().int().min(1).max(3),
  /** In the order in which they are applied. */
  apis: z.array(z.string()).min(1),
  /** The column that the first of them is asked about. */
  column: z.object({ table: z.string(), name: z.string() }),
  /** The same query with each API as a virtual table of its inputs and its value. */
  virtual_sql: z.string(),
});
export type Augmentation = z.infer<typeof augmentation>;
export type Augmenter = Augmentation['augmenter'];
export type ApiClass = Augmentation['class'];

/** A line of `corrections.jsonl`: what a question of a split should say instead. Fields left out stay as they are. */
export const correction = z.strictObject({
  /** Of this format. */
  version: z.literal(1),
  db_id: z.string().min(1),
  question_id: z.union([z.number().int(), z.string().min(1)]),
  sql: z.string().min(1).optional(),
  question: z.string().min(1).optional(),
  evidence: z.string().optional(),
  /** What was wrong. */
  reason: z.string().min(1),
  /** Who says so. */
  author: z.string().optional(),
  /** Rules of the audit that it answers. */
  rules: z.array(z.string()).optional(),
});
export type Correction = z.infer<typeof correction>;

/** Where a sample's question was corrected: why, and what it was before. */
export const appliedCorrection = correction.pick({ reason: true, author: true }).extend({
  original: z.object({
    sql: z.string().optional(),
    question: z.string().optional(),
    evidence: z.string().optional(),
  }),
});
export type AppliedCorrection = z.infer<typeof appliedCorrection>;

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
  /** How it came to be, where that is told: `synthesized` for those of `rookery synthesize`. */
  origin: z.string().optional(),
  /** A string by which people who train models can find and leave out what was made from this question. */
  canary: z.string().optional(),
  /**
   * The arguments of the call of `query_database` that answers it, where the split tells. Such a question is one of the
   * formulation `query` alone.
   */
  query_arguments: z.record(z.string(), z.unknown()).optional(),
  /** How it was made of another question, where `rookery augment` made it. */
  augmentation: augmentation.optional(),
  /** Where a file of corrections has changed it. */
  correction: appliedCorrection.optional(),
});
export type Question = z.infer<typeof question>;

/** One database of a split: its file and its catalog. */
export interface Domain {
  readonly db: string;
  /**
   * Absolute path of the original SQLite file; or, when a writer left that in WAL mode or with a journal, of a
   * repaired private copy that lasts as long as the process that read the split. Open it read-only.
   */
  readonly file: string;
  readonly catalog: Catalog;
  /** Views that are not in the catalog, since they fail or do not come to an end. */
  readonly unread_views?: readonly string[];
}

/** A split: questions in file order, domains by name. */
export interface Split {
  /** As in URLs and sample ids: lower case, `[a-z0-9-]`. */
  readonly name: string;
  readonly format: SplitFormat;
  /** Of the data, as the split's folder or the caller tells; `unknown` otherwise. */
  readonly data_licence: string;
  /** sha256 over the questions file and every database, in a fixed order. */
  readonly content_hash: string;
  readonly questions: readonly Question[];
  /** The questions file that was read, and the names of other questions files beside it. */
  readonly questions_file: string;
  readonly unread_files: readonly string[];
  readonly domains: readonly Domain[];
}
