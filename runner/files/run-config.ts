import { z } from 'zod';
import { faultProfile } from '../../contracts/faults.ts';
import { type Category, category } from '../../contracts/prediction.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import { taskSelection } from '../../contracts/task.ts';
import { listOptions } from '../../contracts/toolset-options.ts';
import { budget } from '../attempt/budget.ts';
import { decoding } from '../models/model.ts';
import { agentSettings } from '../prompts/prompt-pack.ts';

/**
 * What a category says of the list of tools, where the experiment does not. Of a composed task the tools of all its
 * parts are always offered.
 */
export function categoryList(category: Category, formulation: Formulation): Readonly<Record<string, string>> {
  // The tools of SLOT and SEL belong together: a question has those of its start table.
  return formulation === 'rest' || category === 'chatting' ? OF_REST[category] : {};
}

const OF_REST: Readonly<Record<Category, Readonly<Record<string, string>>>> = {
  simple: { tools: '1' },
  multiple: { tools: '4' },
  parallel: { tools: '1' },
  parallel_multiple: { tools: '4' },
  relevance: { tools: '4' },
  irrelevance: { tools: '4', withhold: 'gold' },
  // No list is that short; the runner offers none of it.
  chatting: { tools: '1', withhold: 'gold' },
  multi_turn: { tools: '20' },
  miss_func: { tools: '20' },
  miss_param: { tools: '20' },
};

/** All that the figures of one run depend on, besides the farm: one model, one agent, one formulation, one set of options. */
const fields = z.strictObject({
  agent: z.string().min(1),
  /** `<provider>/<name>`; null for agents without a model. */
  model: z.string().nullable().default(null),
  base_url: z.string().nullable().default(null),
  transport: z.enum(['chat', 'completions']).nullable().default(null),
  formulation,
  select: taskSelection.omit({ formulation: true }).prefault({}),
  /** Which tools are offered, and how they are called. */
  list: listOptions.prefault({}),
  settings: agentSettings.prefault({}),
  decoding: decoding.prefault({}),
  budget: budget.prefault({}),
  /** A pack, or a folder or file with prompts; `<pack>:<family>` chooses the family for every model. */
  prompts: z.string().default('live-api-bench'),
  /** A file of worked examples in place of drawn ones. */
  shots_file: z.string().nullable().default(null),
  /** Chooses the list of tools, but for what `list` says itself. */
  category: category.nullable().default(null),
  /** Of worked examples and of agents that draw. */
  seed: z.number().int().min(0).default(0),
  /** Attempts at each task. */
  epochs: z.number().int().min(1).max(100).default(1),
  /** Faults on purpose: the name of a profile, or one of its own. */
  faults: z.union([z.string(), faultProfile]).default('none'),
});

export const runConfig = z.preprocess((given) => withAgent(withCategory(given)), fields);
/** The fields of it by name. */
export const runConfigFields = fields.shape;
export type RunConfig = z.output<typeof fields>;
export type RunConfigInput = z.input<typeof fields>;

/** Agents that put together themselves what a hybrid task has in two parts are not offered the tool that reads both. */
function withAgent(given: unknown): unknown {
  const read = z
    .looseObject({ agent: z.enum(APART_AGENTS), list: z.looseObject({}).optional() })
    .safeParse(given);
  if (!read.success) return given;
  return { ...read.data, list: { variant: 'apart', ...read.data.list } };
}

const APART_AGENTS = ['agentic', 'agentic-react', 'imperative'] as const;

/** A category is a way to say which tools are offered; what is said of them beside it holds. */
function withCategory(given: unknown): unknown {
  const read = z.looseObject({ category, formulation, list: z.looseObject({}).optional() }).safeParse(given);
  if (!read.success) return given;
  const said = categoryList(read.data.category, read.data.formulation);
  return { ...read.data, list: { ...said, ...read.data.list } };
}
