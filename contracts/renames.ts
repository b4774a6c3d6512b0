import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'must be letters, digits and _, and begin with no digit');

/** New names: by database and table, that of the table and those of its columns. What is not here keeps its name. */
export const renames = z.record(
  z.string(),
  z.record(
    z.string(),
    z.strictObject({ name: name.optional(), columns: z.record(z.string(), name).default({}) }),
  ),
);
export type Renames = z.infer<typeof renames>;
export type TableRenames = Renames[string];

/** As part of `farm.json`: the split is another one under new names. */
export const renamedMark = z.object({
  /** The `content_hash` of the split under its own names. */
  origin: sha256,
});

/** `renames.json` of a farm: its new names, and the questions whose SQL could not be written with them. */
export const renamed = renamedMark.extend({
  names: renames,
  left_out: z.array(
    z.object({
      db: z.string(),
      question_id: z.union([z.number().int(), z.string()]),
      reason: z.string(),
    }),
  ),
});
export type Renamed = z.infer<typeof renamed>;
