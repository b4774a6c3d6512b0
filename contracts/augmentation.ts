import { z } from 'zod';
import { API_CLASSES } from './hybrid-kinds.ts';

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
