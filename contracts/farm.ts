import { z } from 'zod';
import { type Formulation, flag, formulation } from './sample.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const questionIds = z.array(z.union([z.number().int(), z.string()]));

/** What makes a farm a world: `farm.json` has it, so that the seed is part of the farm's hash without being told. */
export const worldMark = z.object({
  /** sha256 of the seed as UTF-8: publish it first, and the seed when the exam is over. */
  commitment: sha256,
  /** sha256 of the `farm.json` of the farm that the world was made from. */
  origin: sha256,
});
export type WorldMark = z.infer<typeof worldMark>;

/** How far a distribution has moved from the farm's. */
export const distance = z.object({
  /** The two-sample Kolmogorov–Smirnov statistic, 0 to 1. */
  ks: z.number(),
  /** Numbers on either side. */
  n: z.number().int(),
});
export type Distance = z.infer<typeof distance>;

/** `world.json` */
export const world = worldMark.extend({
  distances: z.object({
    /** Rows that hold a literal of the questions, in the column that it is compared with. */
    literals: distance,
    /** Rows of a table. */
    row_counts: distance,
    /** Rows of a gold answer. */
    answer_sizes: distance,
  }),
  /** Kept samples, and how many of them have the answer that they have in the farm. */
  samples: z.number().int(),
  same_answer: z.number().int(),
  domains: z.array(
    z.object({
      db: z.string(),
      /** Questions with an answer in the farm, and none here. */
      empty: questionIds,
      /** Questions not kept in some formulation, because their answer is open here, or fails. */
      undefined: questionIds,
      /** Questions whose answer is the farm's; anyone who knows that is right. */
      same: questionIds,
    }),
  ),
});
export type World = z.infer<typeof world>;

export const FARM_FORMAT_VERSION = 1;

const farmSha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A farm that was made before a formulation was has none of it. */
const counts = Object.fromEntries(
  formulation.options.map((kind) => [kind, z.number().int().default(0)]),
) as Record<Formulation, z.ZodDefault<z.ZodInt>>;

/** Which places of the world the scalar APIs of a farm know. */
export const gazetteerMark = z.object({ version: z.number().int().positive(), sha256: farmSha256 });
export type GazetteerMark = z.infer<typeof gazetteerMark>;

/** `farm.json`: the contents of a farm. It has no timestamps: the same split and version give the same bytes. */
export const farm = z.object({
  format_version: z.literal(FARM_FORMAT_VERSION),
  name: z.string(),
  split: z.object({ name: z.string(), format: z.string(), content_hash: farmSha256 }),
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
  files: z.record(z.string(), farmSha256),
});
export type Farm = z.infer<typeof farm>;

/**
 * What to say of a file of a farm that was made by another version of rookery; null for one of this version, which has
 * some other fault.
 */
export function otherVersion(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('format_version' in value)) return null;
  const { format_version: version } = value;
  if (version === FARM_FORMAT_VERSION) return null;
  return `was made by another version of rookery: its format is ${JSON.stringify(version)}, this version reads ${FARM_FORMAT_VERSION}`;
}

/** Why a question is not in the farm in one formulation. */
export const rejection = z.object({
  /** From the catalogue in contracts/errors.ts, kind `query`. */
  code: z.string(),
  reason: z.string(),
  /** The piece of SQL that caused it, or null when it is the whole query. */
  clause: z.string().nullable(),
});
export type Rejection = z.infer<typeof rejection>;

/** One question in one formulation. */
export const verdict = z.object({
  question_id: z.union([z.number().int(), z.string()]),
  db: z.string(),
  formulation,
  kept: z.boolean(),
  rejection: rejection.nullable(),
  flags: z.array(flag),
  /** Names of the SQL constructs in the gold query: `group_by`, `left_join`, `cte`, … */
  constructs: z.array(z.string()),
  /** Rules of the audit by which the gold SQL is probably wrong; left out where there are none. */
  findings: z.array(z.string()).optional(),
  /** Number of gold calls; 0 when rejected. */
  calls: z.number().int(),
  /** Number of tools offered; 0 when rejected. */
  tools: z.number().int(),
});
export type Verdict = z.infer<typeof verdict>;

/** `coverage.json` */
export const coverage = z.object({
  split: z.string(),
  questions: z.number().int(),
  verdicts: z.array(verdict),
  /**
   * Questions of which a statement took a third of its limit of processor time or more, so that a slower machine may decide
   * otherwise; left out where there are none.
   */
  machine_dependent: z.array(verdict.pick({ db: true, question_id: true })).optional(),
});
export type Coverage = z.infer<typeof coverage>;
