import { z } from 'zod';
import { catalogTable, domainDocument, servedPolicy } from './catalog.ts';
import { worldMark } from './farm.ts';
import { faultKind, faultProfile } from './faults.ts';
import { recordDiff } from './records.ts';
import { formulation } from './sample.ts';
import { endpoint, service } from './service.ts';
import { task, taskSelection, taskStartTable } from './task.ts';
import { listOptions, wholeNumber, yesOrNo } from './toolset-options.ts';

/** `application/problem+json` (RFC 9457) with rookery's `code` and, for bad input, one entry per field. */
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
        /** For an unknown name: the nearest existing ones. */
        suggestions: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});
export type Problem = z.infer<typeof problem>;
export type FieldError = NonNullable<Problem['errors']>[number];

const addresses = z.record(z.string(), z.string());

export const domainIndex = z.object({
  split: z.string(),
  db: z.string(),
  title: z.string(),
  /** Whose data these are, and what they are about, in a sentence. */
  about: z.string().optional(),
  endpoints: z.number().int(),
  start_tables: z.number().int(),
  /** Absent when the service did not respond. */
  tables: z.number().int().optional(),
  /** Only present for a domain whose service does not respond. */
  status: z.literal('unavailable').optional(),
  base: z.string(),
  openapi: addresses,
  docs: addresses,
});
export type DomainIndex = z.infer<typeof domainIndex>;

/** What a server still waits for while its farm is generated. */
export const growth = z.object({
  coming: z.array(z.string()),
  /** Verdicts, one per question and formulation, that generation has come to, of how many; 0 of 0 before it proves any. */
  done: z.number().int(),
  total: z.number().int(),
  step: z.string(),
});
export type Growth = z.infer<typeof growth>;

/** `GET /` for API clients. */
export const servedIndex = z.object({
  name: z.literal('rookery'),
  domains: z.array(domainIndex),
  totals: z.object({
    domains: z.number().int(),
    endpoints: z.number().int(),
    tables: z.number().int(),
    start_tables: z.number().int(),
  }),
  /** Only while the farm is being generated. */
  growth: growth.optional(),
  links: addresses,
});
export type ServedIndex = z.infer<typeof servedIndex>;

const count = z.number().int().nonnegative();

/** `GET /farm`: the farm that is served, and how much of its split it kept. */
export const servedFarm = z.object({
  name: z.string(),
  split: z.string(),
  /** sha256 of farm.json, which contains the hashes of all other files. */
  hash: z.string(),
  generator_version: z.string(),
  reference_time: z.string(),
  /** For a world: the farm it was made from; else null. */
  world: worldMark.nullable(),
  samples: z.partialRecord(formulation, count),
  /** null if the farm has no coverage.json. */
  coverage: z
    .object({
      questions: count,
      /** Per construct of the gold SQL: the questions that use it, and how many each formulation kept. */
      constructs: z.array(
        z.object({ construct: z.string(), questions: count, kept: z.partialRecord(formulation, count) }),
      ),
    })
    .nullable(),
});
export type ServedFarm = z.infer<typeof servedFarm>;

export const servedEndpoint = endpoint.omit({ sql: true });
export type ServedEndpoint = z.infer<typeof servedEndpoint>;

/** `GET /catalog/<db>`: the tables of a domain. */
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
    /** What the domain's people mean by their words, as Markdown; absent if the split has none. */
    glossary: z.string().optional(),
    /** What may not be changed, in words. */
    policies: z.array(servedPolicy).optional(),
    /** Other texts about the domain, as Markdown. */
    documents: z.array(domainDocument).optional(),
    /** With columns, keys and value statistics. */
    tables: z.array(catalogTable),
    endpoints: z.array(servedEndpoint),
  });
export type ServedCatalog = z.infer<typeof servedCatalog>;

const MOST_RESULTS = 100;
const USUAL_RESULTS = 20;

/** The query string of `GET /tools`. */
export const endpointSearch = z.strictObject({
  query: z.string().min(1).max(2000),
  limit: wholeNumber(1, MOST_RESULTS).default(USUAL_RESULTS),
});

/** `GET /tools`: the endpoints that match a search, best first. */
export const foundEndpoints = z.object({
  endpoints: z.array(
    z.object({
      split: z.string(),
      db: z.string(),
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
    rules: true,
  })
  .extend({
    /** Only if requested. */
    evidence: z.string().optional(),
    /** Absent in a run. */
    toolset_size: z.number().int().optional(),
    links: z.object({ self: z.string(), tools: z.string(), mcp: z.string() }),
  });
export type ServedTask = z.infer<typeof servedTask>;

export const taskPage = z.object({
  tasks: z.array(servedTask),
  /** The size of the selection, across all pages. */
  total: z.number().int(),
  offset: z.number().int(),
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

/** Schema of a tool in each format. */
export const toolFormats = {
  plain: z.object({ name: z.string(), description: z.string(), parameters: jsonSchema }),
  openai: z.object({ type: z.literal('function'), function: functionSchema }),
  'openai-responses': responsesTool,
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

export const servedTools = z.object({
  /** Only for the tools of a task. */
  sample_id: z.string().optional(),
  split: z.string(),
  db: z.string(),
  formulation,
  size: z.number().int(),
  /** With `search_tools`: number of tools that it searches. */
  searchable: z.number().int().optional(),
  /** Tokens that the list takes up in a prompt, estimated as four characters of JSON each. */
  tokens: z.number().int(),
  /** Absent in a run: it would reveal that tools are missing. */
  toolset_size: z.number().int().optional(),
  /** For the tools of a task: the required format of an answer. */
  answer_format: z.string().optional(),
  /** sha256 of the list; the same in every format. */
  checksum: z.string(),
  /** Absent in a run. */
  options: listOptions.optional(),
  /** With the harness key, if tools were renamed: real names in list order, other domains' with prefix `<db>/`. */
  real_names: z.array(z.string()).optional(),
  call: z.string(),
  mcp: z.string(),
  tools: z.array(
    z.union([
      toolFormats.plain,
      toolFormats.openai,
      toolFormats['openai-responses'],
      toolFormats['openai-responses-search'],
      // Before the plain formats, which would strip unknown fields.
      toolFormats['anthropic-search'],
      toolFormats['anthropic-strict'],
      toolFormats.gemini,
      toolFormats.anthropic,
      toolFormats.mcp,
    ]),
  ),
});
export type ServedTools = z.infer<typeof servedTools>;

export const openapiDocument = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

export const listFormat = z.enum([
  ...(Object.keys(toolFormats) as readonly (keyof typeof toolFormats)[]),
  'openapi',
]);
export type ListFormat = z.infer<typeof listFormat>;

/** The budgets of a run; the run ends when one is used up. */
export const runBudget = z.strictObject({
  calls: z.number().int().positive().optional(),
  /** From the first request to the run. */
  seconds: z.number().positive().optional(),
  /** Total of all responses to calls. */
  bytes: z.number().int().positive().optional(),
});
export type RunBudget = z.infer<typeof runBudget>;

const settings = z.record(z.string(), z.unknown());

/** Where a run is recorded: in the server's file, or only in memory while the process lives. */
export const runPlace = z.enum(['file', 'memory']);
export type RunPlace = z.infer<typeof runPlace>;

/** The body of `POST /runs`: one task, or a selection. */
export const runRequest = listOptions.extend({
  sample_id: z.string().optional(),
  select: taskSelection.optional(),
  agent: z.string().min(1).max(200).default('anonymous'),
  model: z.string().max(200).optional(),
  /** Free-form; copied into results. */
  settings: settings.default({}),
  budget: runBudget.default({}),
  /** The name of a profile, or an inline profile. */
  faults: z.union([z.string(), faultProfile]).optional(),
  evidence: yesOrNo.default(true),
  /** MCP: whether to offer a tool for submitting the answer. */
  answer_tool: yesOrNo.default(false),
  /** Whether the run may change records, which every task of the formulation `records` may. */
  writes: yesOrNo.default(false),
  /** `memory` suits training, where runs last minutes and are not looked up later. */
  record: runPlace.default('file'),
});
export type RunRequest = z.input<typeof runRequest>;

/** `answered`: the agent submitted its answer. `out_of_budget`: it used up its budget. */
export const runStatus = z.enum(['open', 'answered', 'out_of_budget']);
export type RunStatus = z.infer<typeof runStatus>;

/** The body of `POST /runs/<id>/answer`. */
export const runAnswer = z
  .strictObject({
    /** Rows, a list, a scalar or text; null if the agent has no answer. */
    answer: z.unknown().optional(),
    /** Results that the agent distrusts, in its own words. */
    doubts: z.string().max(4000).nullish(),
    /** The model's output. Without an answer, the recorded calls are judged; calls only written here do not count. */
    raw_output: z.string().nullish(),
    loops: z.number().int().nonnegative().nullish(),
    input_tokens: z.number().int().nonnegative().nullish(),
    output_tokens: z.number().int().nonnegative().nullish(),
    /** In the currency of the price table. */
    cost: z.number().nonnegative().nullish(),
    /** Set by the harness when the run failed through no fault of the agent. */
    error: z.string().nullish(),
  })
  .refine((given) => 'answer' in given || given.raw_output != null || !!given.error, { path: ['answer'] });
export type RunAnswer = z.infer<typeof runAnswer>;

/** One call of a run as the server recorded it, under the names that the agent was given. */
export const trajectoryEntry = z.object({
  n: z.number().int(),
  at: z.string(),
  tool: z.string(),
  /** The tool's real name, if the agent was given another one; only with the harness key. */
  real_tool: z.string().optional(),
  arguments: z.unknown(),
  status: z.number().int(),
  /** Problem code of a failed call. */
  code: z.string().nullable(),
  rows: z.number().int().nullable(),
  bytes: z.number().int(),
  latency_ms: z.number(),
  fault: faultKind.nullable(),
  /** For messages to the user of a dialogue: the reply, or the turn that follows; null once the dialogue is over. */
  reply: z.string().nullable().optional(),
});
export type TrajectoryEntry = z.infer<typeof trajectoryEntry>;

export const runSummary = z.object({
  run_id: z.string(),
  batch_id: z.string().nullable(),
  sample_id: z.string(),
  /** Root path of everything that the agent needs. */
  base: z.string(),
  agent: z.string(),
  status: runStatus,
  end_reason: z.string().nullable(),
  calls: z.number().int(),
  /** Checksum of the tool list; null until the run is first accessed. */
  checksum: z.string().nullable(),
});
export type RunSummary = z.infer<typeof runSummary>;

/** Summary of a run for its agent, without anything that reveals how it is examined. */
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
  /** null if faults were disabled explicitly. */
  faults: faultProfile.nullable(),
  created_at: z.string(),
  /** What a run that may change records has changed on the whole. */
  diff: recordDiff.optional(),
  /** Ids of the rules that it broke, where they are recorded. */
  broken_rules: z.array(z.string()).optional(),
  trajectory: z.array(trajectoryEntry),
});
export type RunView = z.infer<typeof runView>;

/** `GET /runs/<id>` without it: what the agent may see. */
export const agentRunView = agentRunSummary.omit({ calls: true }).extend({
  ...runTime,
  question: z.string(),
  /** Only in runs that include it. */
  evidence: z.string().optional(),
  start_tables: z.array(taskStartTable),
  /** As far as it has read since; all of it once it is over. Absent where tools are obfuscated. */
  diff: recordDiff.optional(),
  /** Without latencies: in an exam, an agent has no clock but its own. */
  trajectory: z.array(trajectoryEntry.omit({ fault: true, real_tool: true }).partial({ latency_ms: true })),
});
export type AgentRunView = z.infer<typeof agentRunView>;

/** Response of `POST /runs` for one task. */
export const createdRun = runSummary.omit({ calls: true }).extend({
  task: servedTask,
  /** Paths; in `call`, `{name}` is the tool's name. */
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

/** Response of `POST /runs` for a selection. */
export const createdBatch = z.object({ batch_id: z.string(), base: z.string(), runs: z.array(createdRun) });
export type CreatedBatch = z.infer<typeof createdBatch>;

/** `GET /runs/<batch>` */
export const batchView = z.object({ batch_id: z.string(), runs: z.array(runSummary) });
export type BatchView = z.infer<typeof batchView>;

/** The named schemas in the OpenAPI document of rookery's own API. */
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
