import { z } from 'zod';
import { renamedMark } from './renames.ts';
import { type Formulation, flag, formulation } from './sample.ts';
import { vectorSearch } from './service.ts';
import { unanswerableKind } from './split.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const questionIds = z.array(z.union([z.number().int(), z.string()]));

/** Marks a farm as a world: as part of `farm.json`, it commits the farm's hash to the unrevealed seed. */
export const worldMark = z.object({
  /** sha256 of the seed as UTF-8: publish it before the exam, and the seed afterwards. */
  commitment: sha256,
  /** sha256 of the original farm's `farm.json`. */
  origin: sha256,
});
export type WorldMark = z.infer<typeof worldMark>;

/** How far a distribution differs from that of the original farm. */
export const distance = z.object({
  /** The two-sample Kolmogorov–Smirnov statistic, 0 to 1. */
  ks: z.number(),
  /** Sample size on either side. */
  n: z.number().int(),
});
export type Distance = z.infer<typeof distance>;

export const world = worldMark.extend({
  distances: z.object({
    /** Number of rows matching each literal of the questions, in the column it is compared with. */
    literals: distance,
    row_counts: distance,
    answer_sizes: distance,
  }),
  /** Kept samples, and how many of them have the same answer as in the original farm. */
  samples: z.number().int(),
  same_answer: z.number().int(),
  domains: z.array(
    z.object({
      db: z.string(),
      /** Questions with rows in the original farm but none here. */
      empty: questionIds,
      /** Questions rejected in some formulation because their answer is ambiguous here, or fails. */
      undefined: questionIds,
      /** Questions with the same answer as in the original farm, so it can be known in advance. */
      same: questionIds,
    }),
  ),
});
export type World = z.infer<typeof world>;

export const FARM_FORMAT_VERSION = 1;

/** The samples of a domain whose questions have no single answer; absent if there are none. */
export function unanswerableFile(db: string): string {
  return `eval/unanswerable/${db}.jsonl`;
}

const farmSha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A farm older than a formulation has no samples of it. */
const counts = Object.fromEntries(
  formulation.options.map((kind) => [kind, z.number().int().default(0)]),
) as Record<Formulation, z.ZodDefault<z.ZodInt>>;

export const gazetteerMark = z.object({ version: z.number().int().positive(), sha256: farmSha256 });
export type GazetteerMark = z.infer<typeof gazetteerMark>;

/** `farm.json`: the contents of a farm. There are no timestamps: the same split and version give the same bytes. */
export const farm = z.object({
  format_version: z.literal(FARM_FORMAT_VERSION),
  name: z.string(),
  split: z.object({ name: z.string(), format: z.string(), content_hash: farmSha256 }),
  generator_version: z.string(),
  /** The value of `now`, `YYYY-MM-DD HH:MM:SS` in UTC. */
  reference_time: z.string(),
  domains: z.array(
    z.object({
      db: z.string(),
      /** Only in a joined farm: the split that the domain is of. */
      split: z.string().optional(),
      title: z.string(),
      questions: z.number().int(),
      endpoints: z.number().int(),
      start_tables: z.number().int(),
      samples: z.object(counts),
    }),
  ),
  /** The gazetteer that resolves place names missing from its tables; absent in farms older than the gazetteer. */
  gazetteer: gazetteerMark.optional(),
  /** Only for a farm that is a world. */
  world: worldMark.optional(),
  /** Only for a farm of a split under new names. */
  renamed: renamedMark.optional(),
  /** Only for a farm that is searched by vectors. */
  vectors: vectorSearch.optional(),
  /** sha256 of every other file of the farm, by its relative path. */
  files: z.record(z.string(), farmSha256),
});
export type Farm = z.infer<typeof farm>;

export function splitOf({ split, domains }: Pick<Farm, 'split' | 'domains'>, db: string): string {
  return domains.find((domain) => domain.db === db)?.split ?? split.name;
}

/** The message for a file made by another version of rookery; null if the version matches. */
export function otherVersion(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('format_version' in value)) return null;
  const { format_version: version } = value;
  if (version === FARM_FORMAT_VERSION) return null;
  return `was made by another version of rookery: its format is ${JSON.stringify(version)}, this version reads ${FARM_FORMAT_VERSION}`;
}

/** Why a formulation rejected a question. */
export const rejection = z.object({
  /** From the catalogue in contracts/errors.ts, kind `query`. */
  code: z.string(),
  reason: z.string(),
  /** The SQL fragment at fault, or null for the whole query. */
  clause: z.string().nullable(),
});
export type Rejection = z.infer<typeof rejection>;

/** The verdict on one question in one formulation. */
export const verdict = z.object({
  question_id: z.union([z.number().int(), z.string()]),
  db: z.string(),
  formulation,
  kept: z.boolean(),
  rejection: rejection.nullable(),
  flags: z.array(flag),
  /** SQL constructs of the gold query: `group_by`, `left_join`, `cte`, … */
  constructs: z.array(z.string()),
  /** Audit rules that consider the gold SQL probably wrong; absent if there are none. */
  findings: z.array(z.string()).optional(),
  /** Number of gold calls; 0 when rejected. */
  calls: z.number().int(),
  /** Number of tools offered; 0 when rejected. */
  tools: z.number().int(),
});
export type Verdict = z.infer<typeof verdict>;

/** The verdict on a question without one answer. */
export const unanswerableVerdict = z.object({
  db: z.string(),
  question_id: z.union([z.number().int(), z.string()]),
  kind: unanswerableKind,
  /** The formulations that have it; none if it is rejected. */
  formulations: z.array(formulation),
  rejection: rejection.nullable(),
});
export type UnanswerableVerdict = z.infer<typeof unanswerableVerdict>;

export const coverage = z.object({
  split: z.string(),
  questions: z.number().int(),
  verdicts: z.array(verdict),
  /** Questions with a statement near its time limit, which a slower machine may decide otherwise; absent if none. */
  machine_dependent: z.array(verdict.pick({ db: true, question_id: true })).optional(),
  /** Absent if the split has no questions without one answer. */
  unanswerable: z.array(unanswerableVerdict).optional(),
});
export type Coverage = z.infer<typeof coverage>;
