import { z } from 'zod';
import { faultProfile } from '../../contracts/faults.ts';
import { type Category, category } from '../../contracts/prediction.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import { taskSelection } from '../../contracts/task.ts';
import { listOptions } from '../../contracts/toolset-options.ts';
import { budget } from '../attempt/budget.ts';
import { decoding } from '../models/model.ts';
import { agentSettings } from '../prompts/prompt-pack.ts';

/** A category's defaults for the tool list. For a composed task the tools of all parts are always offered. */
export function categoryList(category: Category, formulation: Formulation): Readonly<Record<string, string>> {
  // The tools of SLOT and SEL belong together: a task has those of its start table.
  return formulation === 'rest' || category === 'chatting' ? OF_REST[category] : {};
}

const OF_REST: Readonly<Record<Category, Readonly<Record<string, string>>>> = {
  simple: { tools: '1' },
  multiple: { tools: '4' },
  parallel: { tools: '1' },
  parallel_multiple: { tools: '4' },
  relevance: { tools: '4' },
  irrelevance: { tools: '4', withhold: 'gold' },
  // A list cannot be empty; the runner removes this tool.
  chatting: { tools: '1', withhold: 'gold' },
  multi_turn: { tools: '20' },
  dialogue: { tools: '100%' },
  miss_func: { tools: '20' },
  miss_param: { tools: '20' },
};

/** Everything that determines the figures of a run, besides the farm: model, agent, formulation and options. */
const fields = z.strictObject({
  agent: z.string().min(1),
  /** `<provider>/<name>`; null for agents without a model. */
  model: z.string().nullable().default(null),
  base_url: z.string().nullable().default(null),
  transport: z.enum(['chat', 'completions']).nullable().default(null),
  /** `agentic`, `agentic-react`: a model that writes SQL and proposes calls, as tools of the agent. */
  inner_model: z.string().nullable().default(null),
  inner_base_url: z.string().nullable().default(null),
  formulation,
  select: taskSelection.omit({ formulation: true }).prefault({}),
  /** The tools offered, and their names. */
  list: listOptions.prefault({}),
  settings: agentSettings.prefault({}),
  decoding: decoding.prefault({}),
  budget: budget.prefault({}),
  /** A pack, or a folder or file of prompts; `<pack>:<family>` fixes the model family. */
  prompts: z.string().default('live-api-bench'),
  /** A file of worked examples, instead of drawn ones. */
  shots_file: z.string().nullable().default(null),
  /** Determines the tool list, apart from fields given in `list`. */
  category: category.nullable().default(null),
  /** Seed of worked examples and of random agents. */
  seed: z.number().int().min(0).default(0),
  epochs: z.number().int().min(1).max(100).default(1),
  /** Injected faults: the name of a profile, or an inline one. */
  faults: z.union([z.string(), faultProfile]).default('none'),
});

export const runConfig = z.preprocess((given) => withAgent(withCategory(given)), fields);
export const runConfigFields = fields.shape;
export type RunConfig = z.output<typeof fields>;
export type RunConfigInput = z.input<typeof fields>;

/** Some agents are offered tools in a way of their own; explicit fields take precedence. */
function withAgent(given: unknown): unknown {
  const read = z.looseObject({ agent: z.string(), list: z.looseObject({}).optional() }).safeParse(given);
  if (!read.success) return given;
  const { agent } = read.data;
  const own = Object.hasOwn(LISTS, agent) ? LISTS[agent] : {};
  // In an experiment, only agents that can use an inner model get it.
  const inner = INNER_AGENTS.includes(agent) ? {} : { inner_model: undefined, inner_base_url: undefined };
  return { ...read.data, list: { ...own, ...read.data.list }, ...inner };
}

/** Agents with tools that a model of their own can stand behind. */
export const INNER_AGENTS: readonly string[] = ['agentic', 'agentic-react'];

/** Agents that combine the parts of a hybrid task themselves are not offered `run_sql`. */
const APART = { variant: 'apart' };
const LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  agentic: APART,
  'agentic-react': APART,
  imperative: APART,
  code: { via: 'code' },
};

/** A category sets defaults for the tools offered; explicit fields take precedence. */
function withCategory(given: unknown): unknown {
  const read = z.looseObject({ category, formulation, list: z.looseObject({}).optional() }).safeParse(given);
  if (!read.success) return given;
  const defaults = categoryList(read.data.category, read.data.formulation);
  return { ...read.data, list: { ...defaults, ...read.data.list } };
}
