import { z } from 'zod';
import { runConfig } from './run-config.ts';

export const RUN_FORMAT = 'rookery-run/1';

/** `run.json`: everything that a run needs to be believed and repeated. Never a key. */
export const runHeader = z.object({
  format: z.literal(RUN_FORMAT),
  /** What tables call it. */
  name: z.string(),
  /** `running` is also what a killed run says; it can be resumed. */
  status: z.enum(['running', 'done', 'stopped']),
  /** Why it stopped early. */
  reason: z.string().nullable(),
  config: runConfig,
  /** sha256 of the configuration, the farm, the prompts and the examples: what a resumed run must agree in. */
  config_hash: z.string(),
  farm: z.object({ name: z.string(), split: z.string().nullable(), hash: z.string().nullable() }),
  prompts: z.object({
    pack: z.string(),
    family: z.string().nullable(),
    hash: z.string(),
    transport: z.enum(['chat', 'completions']).nullable(),
    /** As it was sent for the first task. */
    first: z.string().nullable(),
  }),
  /** Sample ids of the worked examples, by domain of the task. */
  shots: z.record(z.string(), z.array(z.string())),
  /** Checksums of the lists of tools that were offered, with how many attempts had each. */
  tool_lists: z.record(z.string(), z.number().int()),
  /** What the provider said answered. */
  models_reported: z.array(z.string()),
  fingerprints: z.array(z.string()),
  warnings: z.array(z.string()),
  versions: z.object({ rookery: z.string(), node: z.string(), commit: z.string().nullable() }),
  tasks: z.number().int(),
  attempts: z.object({ planned: z.number().int(), done: z.number().int(), errors: z.number().int() }),
  /** Where the budget is fixed: the share of the tasks whose gold calls fit within it. null: of all, or not known. */
  ceiling: z.number().nullable().default(null),
  cost: z.number().nullable(),
  /** ISO 8601, UTC. */
  started_at: z.string(),
  ended_at: z.string().nullable(),
});
export type RunHeader = z.infer<typeof runHeader>;
