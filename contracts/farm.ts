import { z } from 'zod';
import { type Formulation, formulation } from './sample.ts';
import { worldMark } from './world.ts';

export const FARM_FORMAT_VERSION = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A farm that was made before a formulation was has none of it. */
const counts = Object.fromEntries(
  formulation.options.map((kind) => [kind, z.number().int().default(0)]),
) as Record<Formulation, z.ZodDefault<z.ZodInt>>;

/** Which places of the world the scalar APIs of a farm know. */
export const gazetteerMark = z.object({ version: z.number().int().positive(), sha256 });
export type GazetteerMark = z.infer<typeof gazetteerMark>;

/** `farm.json`: the contents of a farm. It has no timestamps: the same split and version give the same bytes. */
export const farm = z.object({
  format_version: z.literal(FARM_FORMAT_VERSION),
  name: z.string(),
  split: z.object({ name: z.string(), format: z.string(), content_hash: sha256 }),
  generator_version: z.string(),
  /** What `now` means, `YYYY-MM-DD HH:MM:SS` in UTC. */
  reference_time: z.string(),
  domains: z.array(
    z.object({
      db: z.string(),
      title: z.string(),
      questions: z.number().int(),
      endpoints: z.number().int(),
      start_tables: z.number().int(),
      /** Kept samples by formulation. */
      samples: z.object(counts),
    }),
  ),
  /** What names of places mean where its tables do not say; absent in farms that were made before they knew the world. */
  gazetteer: gazetteerMark.optional(),
  /** Only of a farm that is a world of another. */
  world: worldMark.optional(),
  /** sha256 of every other file of the farm, by its path in the folder. */
  files: z.record(z.string(), sha256),
});
export type Farm = z.infer<typeof farm>;
