import { createHash } from 'node:crypto';
import { type ClientTask, type Rookery, RookeryError } from '../../client/index.ts';
import type { TaskPage } from '../../contracts/api.ts';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { addressOf } from '../../contracts/formulation.ts';
import { FORMULATIONS, rest } from '../../contracts/formulations.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import type { Category } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { insteadOf } from '../../contracts/wording.ts';
import type { Agent, FarmData, RunProgram } from '../agents/agent.ts';
import { directPrompt } from '../agents/direct.ts';
import { findAgent } from '../agents/find-agent.ts';
import { restRows } from '../attempt/read-json.ts';
import {
  type ComposeOptions,
  composerOf,
  composeTasks,
  isCategoryOf,
  isConversation,
} from '../categories/compose-tasks.ts';
import type { Candidate, Composer, ComposerFarm, RunTask } from '../categories/composition.ts';
import {
  type CompletionClientOptions,
  type CompletionControl,
  completionClient,
} from '../control/completions.ts';
import type { RunConfig } from '../files/run-config.ts';
import type { RunFolder } from '../files/run-folder.ts';
import { RUN_FORMAT, type RunHeader } from '../files/run-records.ts';
import { constraintOf, type Model, type ModelTool } from '../models/model.ts';
import { drawExamples, type Example, exampleText, readShotsFile } from '../prompts/examples.ts';
import { openPrompts } from '../prompts/open-prompts.ts';
import { ceilingOf } from './estimate-cell.ts';
import { OfferedLists } from './offered-tools.ts';
import type { AttemptEnvironment } from './run-attempt.ts';

/** Access to the farm of a run. Fields that require its folder are null for a remote farm. */
export interface FarmAccess {
  readonly client: Rookery;
  /** Whether the farm's run records outlive this run; a farm served just for the run discards them. */
  readonly keepsRecords: boolean;
  readonly name: string;
  readonly split: string | null;
  readonly hash: string | null;
  readonly samples: readonly Sample[] | null;
  readonly data: FarmData | null;
}

export interface CellControl extends CompletionControl {
  /** null unless model-written programs are allowed. */
  readonly runProgram: RunProgram | null;
}

/** The bundled agents without a model. */
const WITHOUT_MODEL = 'lexical, random, nothing or oracle';

export interface PreparedCell {
  readonly environment: AttemptEnvironment;
  readonly header: RunHeader;
  readonly tasks: readonly RunTask[];
}

/** Validates everything before the first request: agent, prompts and tasks, and writes the header. */
export async function prepareCell(
  config: RunConfig,
  farm: FarmAccess,
  model: Model | null,
  control: CellControl,
  folder: RunFolder,
  name: string,
  inner: Pick<CompletionClientOptions, 'model' | 'gate'> | null = null,
): Promise<PreparedCell> {
  const agent = await findAgent(config.agent);
  if (agent.needsModel && model === null) {
    throw new OptionError(
      '--model',
      `the agent ${agent.name} needs a model; give --model <provider>/<name>, or an agent without one: --agent ${WITHOUT_MODEL}`,
    );
  }
  const { runProgram } = control;
  const runsPrograms = agent.needsPrograms === true || (agent.needsModel && config.list.via === 'code');
  if (runsPrograms && runProgram === null) {
    throw new OptionError(
      agent.needsPrograms === true ? '--agent' : '--via',
      `${agent.needsPrograms === true ? agent.name : 'code'} runs programs that a model writes; give --allow-code to let it`,
    );
  }
  if (agent.needsFolder && farm.samples === null) throw needsFolder(agent.name);
  if (config.settings.pad_answers !== undefined) {
    if (agent.begin === undefined)
      throw new OptionError(
        '--pad-answers',
        `${agent.name} gets no padded answers; give --agent tools or react`,
      );
    if (farm.data === null) throw needsFolder('--pad-answers');
  }
  if (model?.transport === 'completions' && ['tools', 'code', 'mcp', 'structured'].includes(agent.name)) {
    throw new OptionError('--transport', `the agent ${agent.name} needs a chat; completions continue a text`);
  }
  refuseConstraint(config, agent, model);
  const { formulation } = config;
  if (agent.formulations !== undefined && !agent.formulations.includes(formulation)) {
    const taken = agent.formulations.join(', ');
    throw new OptionError('--agent', `${agent.name} only supports --formulation ${taken}`);
  }
  const tasks = await chooseTasks(config, farm, agent);
  if (tasks.length === 0) throw await noTasks(config, farm);

  const prompts = openPrompts(config.settings.reply === 'nested' ? 'nfcl' : config.prompts);
  const examples = chooseExamples(
    config,
    farm,
    tasks,
    agent.name === 'direct' ? prompts.shots(formulation) : 0,
  );
  const texts = new Map([...examples].map(([db, chosen]) => [db, exampleText(chosen)]));
  const samples = new Map((farm.samples ?? []).map((sample) => [sample.sample_id, sample]));
  const target = `${model?.id} ${config.base_url} ${config.transport} ${packageVersion}`;
  const environment: AttemptEnvironment = {
    farm: farm.client,
    keepsRecords: farm.keepsRecords,
    config,
    agent,
    model,
    obtain:
      model === null
        ? () => Promise.reject(new Error('an agent without a model called one'))
        : completionClient({ ...control, model, target }),
    inner: inner && {
      model: inner.model,
      obtain: completionClient({
        ...control,
        ...inner,
        target: `${inner.model.id} ${config.inner_base_url} null ${packageVersion}`,
      }),
    },
    lists: new OfferedLists(farm.client, config.list, {
      category: config.category,
      outputs: config.settings.tool_style === 'openapi',
    }),
    prompts,
    examplesFor: ({ db }) => texts.get(db) ?? '',
    gold: (sampleId) => {
      const sample = samples.get(sampleId);
      if (sample === undefined) throw needsFolder('gold');
      return sample;
    },
    knowsGold: samples.size > 0,
    data: () => {
      if (farm.data === null) throw needsFolder(agent.name);
      return farm.data;
    },
    runProgram: runProgram ?? (() => Promise.reject(new Error('an agent that runs no programs ran one'))),
    folder,
  };
  const [first] = tasks;
  if (first !== undefined) await asOption('the tools offered', environment.lists.of(first));
  const isDirect = agent.name === 'direct' && model !== null && first !== undefined;
  const template = isDirect ? prompts.template(formulation, model.id) : null;
  const header: RunHeader = {
    format: RUN_FORMAT,
    name,
    status: 'running',
    reason: null,
    config,
    config_hash: hashOf([config, farm.hash, prompts.hash, Object.fromEntries(examples)]),
    farm: { name: farm.name, split: farm.split, hash: farm.hash },
    prompts: {
      pack: isDirect ? prompts.name : agent.name,
      family: template?.family ?? null,
      hash: prompts.hash,
      transport: model?.transport ?? null,
      first: isDirect
        ? JSON.stringify(
            directPrompt({
              task: first,
              tools: (await environment.lists.of(first)).tools,
              settings: config.settings,
              prompts,
              examples: environment.examplesFor(first),
              model,
            }).prompt,
          )
        : null,
    },
    shots: Object.fromEntries([...examples].map(([db, chosen]) => [db, chosen.map(({ id }) => id)])),
    tool_lists: {},
    models_reported: [],
    fingerprints: [],
    warnings: [],
    versions: { rookery: packageVersion, node: process.version, commit: process.env.ROOKERY_COMMIT ?? null },
    tasks: tasks.length,
    attempts: { planned: tasks.length * config.epochs, done: 0, errors: 0 },
    ceiling: ceilingOf(tasks, environment),
    cost: null,
    started_at: new Date().toISOString(),
    ended_at: null,
  };
  return { environment, header: resumed(folder, header), tasks };
}

/** Throws OPTION_INVALID if replies are to be held to calls that the agent does not ask for, or the provider cannot. */
function refuseConstraint({ decoding, settings }: RunConfig, agent: Agent, model: Model | null): void {
  const constraint = constraintOf(decoding);
  if (constraint === undefined || model === null) return;
  const refused = (fault: string) => new OptionError('--response-format', fault);
  if (!['direct', 'structured'].includes(agent.name) || settings.tools_in === 'field')
    throw refused(`${constraint} is for the agents structured and direct, with tools in its prompt`);
  if (settings.reply === 'nested')
    throw refused(`${constraint} is for lists of calls; leave out --reply nested`);
  if (!model.constraints.includes(constraint)) {
    const raw = model.transport === 'completions' ? ' where it continues a text' : '';
    throw refused(`${model.id} takes no ${constraint}${raw}; vllm/<name> and llamacpp/<name> do`);
  }
}

/** The error for an empty selection: unknown domain, formulation without tasks, or too narrow filters. */
async function noTasks(
  { select, formulation, category }: RunConfig,
  { client, name }: FarmAccess,
): Promise<UserError> {
  const known = (await client.index()).domains.map(({ db }) => db);
  const unknown = select.db?.find((db) => !known.includes(db));
  if (unknown !== undefined) {
    const detail = `the farm ${name} has no domain ${unknown}${insteadOf(unknown, known)}`;
    return new OptionError('--db', detail);
  }
  if (isConversation(category)) {
    const made = 'rookery synthesize --dialogues makes a split of dialogues';
    return new OptionError('--category', `the farm ${name} has none for ${category}; ${made}`);
  }
  const { total } = await client.get<TaskPage>(`/tasks?formulation=${formulation}&limit=1&all=true`);
  if (total > 0) return new OptionError(name, 'has no tasks that match the selection');
  const made = formulation === 'hybrid' ? '; generate it with --hidden 40 to have some' : '';
  return new OptionError('--formulation', `the farm ${name} has no ${formulation} tasks${made}`);
}

/** Turns a farm's rejection of options into OPTION_INVALID. */
async function asOption<T>(what: string, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof RookeryError) || error.problem?.code !== 'INVALID_PARAMETERS') throw error;
    throw new OptionError(what, error.problem.detail, { cause: error });
  }
}

/** The selected tasks of the farm, or those composed of them. */
async function chooseTasks(config: RunConfig, farm: FarmAccess, agent: Agent): Promise<RunTask[]> {
  const { category, formulation, select, settings } = config;
  const composer = composerOf(category);
  if (category !== null && !isCategoryOf(category, formulation)) {
    throw new OptionError(
      '--category',
      `${category} applies to REST only, where questions have tools of their own; give --formulation rest`,
    );
  }
  if (composer !== null && (config.list.via !== 'list' || config.list.scope === 'farm')) {
    throw new OptionError('--category', `${category} offers tools of its own; leave out --via and --scope`);
  }
  const { sample: count, ...selection } = select;
  const isDrawn = composer === null && count !== undefined;
  const query = {
    ...selection,
    ...(isDrawn ? { sample: count } : {}),
    ...(isConversation(category) ? { flags: [...(select.flags ?? []), 'dialogue' as const] } : {}),
    formulation: [formulation],
  };
  const tasks: RunTask[] = [];
  const selected = farm.client.tasks({ ...query, evidence: settings.evidence });
  await asOption(
    'the selection of tasks',
    (async () => {
      for await (const task of selected) tasks.push(task);
    })(),
  );
  if (settings.glossary) await addGlossaries(tasks, farm.client);
  if (config.list.documents) {
    await requireDocuments(tasks, farm.client, agent);
    // They are among the documents.
    for (const [at, { rules: _, ...task }] of tasks.entries()) tasks[at] = task;
  }
  if (composer === null) return tasks;
  requireTaker(agent, category, formulation);
  return composeAt(farm, composer, tasks, {
    seed: select.seed ?? 0,
    ...(count === undefined ? {} : { count }),
  });
}

/** Composes tasks of a farm whose folder is here. Throws OPTION_INVALID for another. */
export async function composeAt(
  farm: FarmAccess,
  composer: Composer,
  tasks: readonly ClientTask[],
  options: ComposeOptions,
): Promise<RunTask[]> {
  const samples = new Map((farm.samples ?? []).map((sample) => [sample.sample_id, sample]));
  if (farm.data === null || samples.size === 0) throw needsFolder('--category');
  const goldOf = (id: string) => {
    const sample = samples.get(id);
    if (sample === undefined)
      throw new UserError('FARM_INVALID', id, 'is served but not in the folder of the farm');
    return sample;
  };
  return composeTasks(composer, tasks, composerFarm(farm.client, farm.data, goldOf), options);
}

/** Puts the glossary of its domain before the evidence of each task. Throws OPTION_INVALID if no domain has one. */
async function addGlossaries(tasks: RunTask[], client: Rookery): Promise<void> {
  const glossaries = new Map<string, string>();
  for (const { db } of tasks) {
    if (!glossaries.has(db)) glossaries.set(db, (await client.catalog(db)).glossary ?? '');
  }
  if ([...glossaries.values()].every((text) => text === '')) {
    throw new OptionError('--glossary', 'no domain of these tasks has a glossary; leave it out');
  }
  for (const [at, task] of tasks.entries()) {
    const texts = [glossaries.get(task.db), task.evidence].filter((text) => text);
    tasks[at] = { ...task, evidence: texts.join('\n\n') };
  }
}

/** Throws OPTION_INVALID if the agent reads no answers, or no domain has a text to search. */
async function requireDocuments(tasks: readonly RunTask[], client: Rookery, agent: Agent): Promise<void> {
  if (agent.answersByCalls === true)
    throw new OptionError('--documents', `${agent.name} reads no answers; give --agent tools, react or mcp`);
  for (const db of new Set(tasks.map((task) => task.db))) {
    const { glossary, policies, documents } = await client.catalog(db);
    if (glossary ?? policies ?? documents) return;
  }
  throw new OptionError('--documents', 'no domain of these tasks has any; leave it out');
}

/** Throws OPTION_INVALID if the agent does not support composed tasks of the category. */
function requireTaker(agent: Agent, category: Category | null, formulation: Formulation): void {
  const cannot = (why: string, instead: string) =>
    new OptionError('--agent', `${agent.name} ${why}; for ${category} give ${instead}`);
  if (agent.takesComposed !== true) {
    throw cannot('does not support composed tasks', 'tools, react, mcp, or a baseline');
  }
  if (isConversation(category)) {
    if (agent.begin === undefined) {
      throw cannot('does not support conversations of several turns', 'tools, react, or a baseline');
    }
  } else if (agent.answersByCalls === true && FORMULATIONS[formulation].calls === 'chain') {
    throw cannot(
      `answers by calls alone, which do not show the request of each sequence in ${formulation.toUpperCase()}`,
      'tools, react, mcp, oracle, or lexical',
    );
  }
}

/** The header of a resumed run keeps its start time. Throws RUN_INVALID for the folder of another run. */
function resumed(folder: RunFolder, header: RunHeader): RunHeader {
  const found = folder.readHeader();
  if (found === null) return header;
  if (found.config_hash === header.config_hash) return { ...header, started_at: found.started_at };
  throw new UserError(
    'RUN_INVALID',
    folder.path,
    'holds a run of another configuration, farm or prompts; give another --out, or remove it',
  );
}

function chooseExamples(
  { settings, shots_file, seed, formulation }: RunConfig,
  { samples }: FarmAccess,
  tasks: readonly ClientTask[],
  usual: number,
): Map<string, Example[]> {
  const count = settings.shots ?? usual;
  const domains = [...new Set(tasks.map(({ db }) => db))];
  if (count === 0) return new Map();
  if (shots_file !== null) {
    const read = readShotsFile(shots_file).slice(0, count);
    return new Map(domains.map((db) => [db, read]));
  }
  const drawn = domains.map(
    (db) => [db, drawExamples(samples ?? [], { db, formulation, count, seed })] as const,
  );
  return new Map(drawn.filter(([, examples]) => examples.length > 0));
}

function needsFolder(what: string): UserError {
  return new OptionError(what, 'needs the folder of the farm, not its address; or give --gold <folder>');
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

const MOST_VALUES = 500;

/** A farm as used for composing; tools are fetched once per domain. */
export function composerFarm(client: Rookery, data: FarmData, goldOf: ComposerFarm['goldOf']): ComposerFarm {
  const tools = new Map<string, Promise<ReadonlyMap<string, ModelTool>>>();
  const toolsOf = async (sampleId: string) => {
    const list = await client.tools(sampleId, 'plain');
    return new Map(list.tools.map((tool) => [tool.name, tool]));
  };
  return {
    goldOf,
    async toolOf({ task, tool }) {
      const known = tools.get(task.db) ?? toolsOf(task.sample_id);
      tools.set(task.db, known);
      return (await known).get(tool) ?? null;
    },
    values: (db, table, column) => data.values(db, table, column, MOST_VALUES),
    async rows(candidate, args) {
      const response = await client.send(requestOf(candidate, args));
      return response.ok ? restRows(await response.text()) : null;
    },
  };
}

function requestOf({ task, tool, sample }: Candidate, args: Readonly<Record<string, unknown>>): string {
  const service = { split: task.split, db: task.db, endpoints: [] };
  return addressOf(rest.requestOf(service, { name: tool, arguments: args, path: sample.output[0]?.path }));
}
