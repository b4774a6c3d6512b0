import { z } from 'zod';
import { catalogTable } from './catalog.ts';
import { worldMark } from './farm.ts';
import { faultKind, faultProfile } from './faults.ts';
import { formulation } from './sample.ts';
import { endpoint, service } from './service.ts';
import { task, taskSelection, taskStartTable } from './task.ts';
import { listOptions, wholeNumber, yesOrNo } from './toolset-options.ts';

/** `application/problem+json` (RFC 9457) with rookery's `code` and, for bad input, one entry a field. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  /** From the catalogue in contracts/errors.ts, kind `http`. */
  code: z.string(),
  errors: z
    .array(
      z.object({
        field: z.string(),
        code: z.string(),
        message: z.string(),
        /** The nearest names that exist, for an unknown one. */
        suggestions: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});
export type Problem = z.infer<typeof problem>;
export type FieldError = NonNullable<Problem['errors']>[number];

const addresses = z.record(z.string(), z.string());

/** A domain in the index of what is served. */
export const domainIndex = z.object({
  split: z.string(),
  db: z.string(),
  title: z.string(),
  endpoints: z.number().int(),
  start_tables: z.number().int(),
  /** Left out when no service answered. */
  tables: z.number().int().optional(),
  /** Only present for a domain whose service does not answer. */
  status: z.literal('unavailable').optional(),
  base: z.string(),
  /** Paths by formulation. */
  openapi: addresses,
  docs: addresses,
});
export type DomainIndex = z.infer<typeof domainIndex>;

/** `GET /`, for programs. */
export const servedIndex = z.object({
  name: z.literal('rookery'),
  domains: z.array(domainIndex),
  totals: z.object({
    domains: z.number().int(),
    endpoints: z.number().int(),
    tables: z.number().int(),
    start_tables: z.number().int(),
  }),
  links: addresses,
});
export type ServedIndex = z.infer<typeof servedIndex>;

const count = z.number().int().nonnegative();

/** `GET /farm`: which farm is served, and how much of its split it kept. */
export const servedFarm = z.object({
  name: z.string(),
  split: z.string(),
  /** sha256 of farm.json, which has those of all other files. */
  hash: z.string(),
  generator_version: z.string(),
  reference_time: z.string(),
  /** Of a farm that is a world of another: which one. */
  world: worldMark.nullable(),
  /** Kept samples by formulation. */
  samples: z.partialRecord(formulation, count),
  /** null where coverage.json is not here. */
  coverage: z
    .object({
      questions: count,
      /** By construct of the gold SQL: how many questions have it, and how many of them are kept in each formulation. */
      constructs: z.array(
        z.object({ construct: z.string(), questions: count, kept: z.partialRecord(formulation, count) }),
      ),
    })
    .nullable(),
});
export type ServedFarm = z.infer<typeof servedFarm>;

/** An endpoint as a farm describes it: all but its SQL. */
export const servedEndpoint = endpoint.omit({ sql: true });
export type ServedEndpoint = z.infer<typeof servedEndpoint>;

/** `GET /catalog/<db>`: what a domain holds. */
export const servedCatalog = service
  .pick({
    split: true,
    db: true,
    title: true,
    data_licence: true,
    reference_time: true,
    start_tables: true,
  })
  .extend({
    /** With their columns, keys, and what their values look like. */
    tables: z.array(catalogTable),
    endpoints: z.array(servedEndpoint),
  });
export type ServedCatalog = z.infer<typeof servedCatalog>;

const MOST_RESULTS = 100;
const USUAL_RESULTS = 20;

/** The query of `GET /tools`. */
export const endpointSearch = z.strictObject({
  /** In plain words. */
  query: z.string().min(1).max(2000),
  limit: wholeNumber(1, MOST_RESULTS).default(USUAL_RESULTS),
});

/** `GET /tools`: the endpoints of the farm that fit some words, the best match first. */
export const foundEndpoints = z.object({
  endpoints: z.array(
    z.object({
      split: z.string(),
      db: z.string(),
      /** The endpoint's, in its domain. */
      name: z.string(),
      summary: z.string(),
      path: z.string(),
    }),
  ),
});
export type FoundEndpoints = z.infer<typeof foundEndpoints>;

/** A task as a farm serves it, without its gold. */
export const servedTask = task
  .pick({
    sample_id: true,
    split: true,
    db: true,
    question_id: true,
    formulation: true,
    question: true,
    difficulty: true,
    start_tables: true,
    share: true,
  })
  .extend({
    /** Only when requested. */
    evidence: z.string().optional(),
    /** Not in a run. */
    toolset_size: z.number().int().optional(),
    links: z.object({ self: z.string(), tools: z.string(), mcp: z.string() }),
  });
export type ServedTask = z.infer<typeof servedTask>;

/** `GET /tasks` */
export const taskPage = z.object({
  tasks: z.array(servedTask),
  /** The number of tasks in the selection, over all pages. */
  total: z.number().int(),
  offset: z.number().int(),
  /** The path of the next page, or null. */
  next: z.string().nullable(),
});
export type TaskPage = z.infer<typeof taskPage>;

const jsonSchema = z.record(z.string(), z.unknown());
const functionSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: jsonSchema,
  strict: z.boolean(),
});

const anthropicTool = z.object({ name: z.string(), description: z.string(), input_schema: jsonSchema });
const responsesTool = functionSchema.extend({ type: z.literal('function') });

/** A tool in each format. */
export const toolFormats = {
  plain: z.object({ name: z.string(), description: z.string(), parameters: jsonSchema }),
  openai: z.object({ type: z.literal('function'), function: functionSchema }),
  'openai-responses': responsesTool,
  /** With OpenAI's own search of tools. */
  'openai-responses-search': z.union([
    z.object({ type: z.literal('tool_search') }),
    z.object({
      type: z.literal('namespace'),
      name: z.string(),
      description: z.string(),
      tools: z.array(responsesTool.extend({ defer_loading: z.literal(true) })),
    }),
  ]),
  anthropic: anthropicTool,
  'anthropic-strict': anthropicTool.extend({ strict: z.boolean() }),
  /** With Anthropic's own search of tools. */
  'anthropic-search': z.union([
    z.object({ type: z.literal('tool_search_tool_bm25_20251119'), name: z.literal('tool_search_tool_bm25') }),
    anthropicTool.extend({ defer_loading: z.literal(true) }),
  ]),
  gemini: z.object({ name: z.string(), description: z.string(), parameters: jsonSchema.optional() }),
  mcp: z.object({
    name: z.string(),
    description: z.string(),
    inputSchema: jsonSchema,
    outputSchema: jsonSchema,
  }),
};
export type ToolFormats = {
  readonly [Format in keyof typeof toolFormats]: z.infer<(typeof toolFormats)[Format]>;
};

/** A list of tools in one of the formats. */
export const servedTools = z.object({
  /** Only of the tools of a task. */
  sample_id: z.string().optional(),
  split: z.string(),
  db: z.string(),
  formulation,
  /** How many tools are shown. */
  size: z.number().int(),
  /** How many `search_tools` looks through, where it stands for them. */
  searchable: z.number().int().optional(),
  /** What a model reads of the list at first, in tokens, about: four characters of JSON each. */
  tokens: z.number().int(),
  /** Not in a run: it would tell that tools are missing. */
  toolset_size: z.number().int().optional(),
  /** Of the tools of a task: how its answer is to be written. */
  answer_format: z.string().optional(),
  /** sha256 of the list, the same in every format. */
  checksum: z.string(),
  /** Not in a run. */
  options: listOptions.optional(),
  /**
   * With the harness key, where some are shown under other names: what the tools that may be called are called in truth,
   * in the list's order; `<db>/` stands before those of other domains.
   */
  real_names: z.array(z.string()).optional(),
  /** Where a tool is called by its name, a path. */
  call: z.string(),
  /** Where an MCP client connects, a path. */
  mcp: z.string(),
  tools: z.array(
    z.union([
      toolFormats.plain,
      toolFormats.openai,
      toolFormats['openai-responses'],
      toolFormats['openai-responses-search'],
      // Before the plain ones, which would drop what they do not know.
      toolFormats['anthropic-search'],
      toolFormats['anthropic-strict'],
      toolFormats.gemini,
      toolFormats.anthropic,
      toolFormats.mcp,
    ]),
  ),
});
export type ServedTools = z.infer<typeof servedTools>;

/** An OpenAPI document. */
export const openapiDocument = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

/** The formats of a list of tools. */
export const listFormat = z.enum([
  'plain',
  'openai',
  'openai-responses',
  'openai-responses-search',
  'anthropic',
  'anthropic-strict',
  'anthropic-search',
  'gemini',
  'mcp',
  'openapi',
]);
export type ListFormat = z.infer<typeof listFormat>;

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

/** The schemas that have a name in the description of rookery's own API. */
export const apiSchemas = z
  .registry<{ id: string }>()
  .add(problem, { id: 'Problem' })
  .add(servedIndex, { id: 'Index' })
  .add(servedFarm, { id: 'Farm' })
  .add(servedCatalog, { id: 'Catalog' })
  .add(foundEndpoints, { id: 'FoundEndpoints' })
  .add(servedTask, { id: 'Task' })
  .add(taskPage, { id: 'TaskPage' })
  .add(servedTools, { id: 'ToolList' })
  .add(openapiDocument, { id: 'OpenapiDocument' })
  .add(runRequest, { id: 'RunRequest' })
  .add(runAnswer, { id: 'RunAnswer' })
  .add(runSummary, { id: 'RunSummary' })
  .add(runView, { id: 'Run' })
  .add(batchView, { id: 'Batch' })
  .add(createdRun, { id: 'CreatedRun' })
  .add(createdBatch, { id: 'CreatedBatch' });
