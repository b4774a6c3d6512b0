import { z } from 'zod';
import { faultKind, faultProfile } from './fault.ts';
import { listOptions } from './list-options.ts';
import { yesOrNo } from './query-fields.ts';
import { servedTask } from './served-task.ts';
import { taskStartTable } from './task.ts';
import { taskSelection } from './task-selection.ts';

/** The budgets of a run; when one is used up, the run is over. */
export const runBudget = z.strictObject({
  calls: z.number().int().positive().optional(),
  /** From the first request under the run's address. */
  seconds: z.number().positive().optional(),
  /** Of all answers to calls. */
  bytes: z.number().int().positive().optional(),
});
export type RunBudget = z.infer<typeof runBudget>;

const settings = z.record(z.string(), z.unknown());

/** Where the record of a run is kept: in the server's file, or in its memory only, for as long as the process lives. */
export const runPlace = z.enum(['file', 'memory']);
export type RunPlace = z.infer<typeof runPlace>;

/** The body of `POST /runs`: one task, or all those of a selection. */
export const runRequest = listOptions.extend({
  sample_id: z.string().optional(),
  select: taskSelection.optional(),
  /** Who is being measured. */
  agent: z.string().min(1).max(200).default('anonymous'),
  model: z.string().max(200).optional(),
  /** Free-form; goes into results as it is. */
  settings: settings.default({}),
  budget: runBudget.default({}),
  /** The name of a profile, or an inline one. */
  faults: z.union([z.string(), faultProfile]).optional(),
  /** Whether the task that the agent reads has the question's evidence. */
  evidence: yesOrNo.default(true),
  /** MCP: a tool with which the agent submits its answer. */
  answer_tool: yesOrNo.default(false),
  /** `memory`: for training, where a run is over in minutes and nobody asks for it later. */
  record: runPlace.default('file'),
});
export type RunRequest = z.input<typeof runRequest>;

/** `answered`: the agent has given its answer. `out_of_budget`: it has used up its budget. */
export const runStatus = z.enum(['open', 'answered', 'out_of_budget']);
export type RunStatus = z.infer<typeof runStatus>;

/** The body of `POST /runs/<id>/answer`. */
export const runAnswer = z
  .strictObject({
    /** Rows, a list, a scalar or text; null: the agent has no answer. */
    answer: z.unknown().optional(),
    /** What the agent does not trust of the answers that it got, in its own words. */
    doubts: z.string().max(4000).nullish(),
    /** The model's output. Without an answer the calls of the run are judged; what is only written here is none. */
    raw_output: z.string().nullish(),
    /** Model turns used. */
    loops: z.number().int().nonnegative().nullish(),
    input_tokens: z.number().int().nonnegative().nullish(),
    output_tokens: z.number().int().nonnegative().nullish(),
    /** In the currency of whoever pays. */
    cost: z.number().nonnegative().nullish(),
    /** The run broke through no fault of the agent: for the harness to tell. */
    error: z.string().nullish(),
  })
  .refine((given) => 'answer' in given || given.raw_output != null || !!given.error, { path: ['answer'] });
export type RunAnswer = z.infer<typeof runAnswer>;

/** One call of a run, as the server saw it and under the names that the agent was given. */
export const trajectoryEntry = z.object({
  n: z.number().int(),
  /** ISO 8601, UTC. */
  at: z.string(),
  tool: z.string(),
  /** What the farm calls it, where the agent was given another name; with the harness key. */
  real_tool: z.string().optional(),
  arguments: z.unknown(),
  status: z.number().int(),
  /** Of a problem. */
  code: z.string().nullable(),
  /** In the answer; null when it has none. */
  rows: z.number().int().nullable(),
  /** Of the answer's body. */
  bytes: z.number().int(),
  latency_ms: z.number(),
  /** Injected on purpose. */
  fault: faultKind.nullable(),
});
export type TrajectoryEntry = z.infer<typeof trajectoryEntry>;

/** A run in brief. */
export const runSummary = z.object({
  run_id: z.string(),
  batch_id: z.string().nullable(),
  sample_id: z.string(),
  /** Everything the agent needs is below this path. */
  base: z.string(),
  agent: z.string(),
  status: runStatus,
  /** Why it is over, or null. */
  end_reason: z.string().nullable(),
  calls: z.number().int(),
  /** Of the list of tools; null until something of the run is first asked for. */
  checksum: z.string().nullable(),
});
export type RunSummary = z.infer<typeof runSummary>;

/** A run in brief, for its agent: nothing that tells how it is being examined. */
export const agentRunSummary = runSummary.pick({
  run_id: true,
  base: true,
  status: true,
  end_reason: true,
  calls: true,
});
export type AgentRunSummary = z.infer<typeof agentRunSummary>;

const runTime = {
  budget: runBudget,
  used: z.object({ calls: z.number().int(), seconds: z.number(), bytes: z.number().int() }),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  answer: runAnswer.nullable(),
};

/** `GET /runs/<id>` with the harness key. */
export const runView = runSummary.omit({ calls: true }).extend({
  model: z.string().nullable(),
  settings,
  options: listOptions,
  ...runTime,
  /** null: none on purpose. */
  faults: faultProfile.nullable(),
  created_at: z.string(),
  trajectory: z.array(trajectoryEntry),
});
export type RunView = z.infer<typeof runView>;

/** `GET /runs/<id>` without it: what the agent of the run may know. */
export const agentRunView = agentRunSummary.omit({ calls: true }).extend({
  ...runTime,
  question: z.string(),
  /** Only in runs that show it. */
  evidence: z.string().optional(),
  start_tables: z.array(taskStartTable),
  /** In an exam an agent has no other clock than its own. */
  trajectory: z.array(trajectoryEntry.omit({ fault: true, real_tool: true }).partial({ latency_ms: true })),
});
export type AgentRunView = z.infer<typeof agentRunView>;

/** What `POST /runs` answers for one task. */
export const createdRun = runSummary.omit({ calls: true }).extend({
  task: servedTask,
  /** Paths; in `call`, `{name}` stands for a tool. */
  links: z.object({
    self: z.string(),
    tools: z.string(),
    openapi: z.string(),
    call: z.string(),
    mcp: z.string(),
    answer: z.string(),
    score: z.string(),
  }),
});
export type CreatedRun = z.infer<typeof createdRun>;

/** What `POST /runs` answers for a selection. */
export const createdBatch = z.object({ batch_id: z.string(), base: z.string(), runs: z.array(createdRun) });
export type CreatedBatch = z.infer<typeof createdBatch>;

/** `GET /runs/<batch>` */
export const batchView = z.object({ batch_id: z.string(), runs: z.array(runSummary) });
export type BatchView = z.infer<typeof batchView>;
