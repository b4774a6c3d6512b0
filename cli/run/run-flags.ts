import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { OptionError } from '../../contracts/errors.ts';
import { OF_EVERY_QUESTION } from '../../contracts/formulations.ts';
import { category } from '../../contracts/prediction.ts';
import { formulation } from '../../contracts/sample.ts';
import { wordIssue } from '../../contracts/wording.ts';
import { CALL_MODES, type CallMode } from '../../runner/agents/agent.ts';
import { prices } from '../../runner/control/spending.ts';
import { INNER_AGENTS, type RunConfig, runConfig, runConfigFields } from '../../runner/files/run-config.ts';
import { PYTHON_IMAGE } from '../../services/agents/code/python-sandbox.ts';
import { FAULT_PROFILES } from '../../services/agents/faults.ts';
import { readPrices } from '../files.ts';
import { decimal, list, points, VIA_HELP, wholeNumber } from '../options.ts';
import { interruptSignal } from '../terminal.ts';
import { type Execution, RunnerMetrics } from './execute-cell.ts';

/** Options of `rookery run` that choose runs; others only set fields of the configuration. */
export interface RunFlags {
  readonly name?: string;
  readonly agent?: string;
  readonly mode?: CallMode;
  readonly model?: readonly string[];
  readonly formulation?: readonly string[];
  readonly category?: string;
  readonly baseUrl?: string;
  readonly transport?: 'chat' | 'completions';
  readonly [flag: string]: unknown;
}

/** An option, its help, the field it sets, and its parser if the field does not imply one. */
type RunOption = readonly [
  flags: string,
  help: string,
  path?: string | readonly string[],
  read?: (text: string, previous?: readonly string[]) => unknown,
];

const RUN_OPTIONS: Readonly<Record<string, readonly RunOption[]>> = {
  'Model and agent:': [
    [
      '--agent <name>',
      'direct, structured, tools, react, mcp, nl2sql, sql-react, exec:<command>, oracle, random, lexical',
    ],
    [
      '--mode <how>',
      'have functions called natively, in a field of the request, or by prompt; of an experiment, only these runs',
      [],
      oneOf(CALL_MODES),
    ],
    ['--model <provider/name>', 'the model; several with commas', [], list],
    [
      '--name <name>',
      'name of the run in tables (default: its model, agent and non-default options)',
      [],
      nameOfRun,
    ],
    ['--base-url <address>', 'where the provider is: http://127.0.0.1:8000/v1', 'base_url'],
    [
      '--inner-model <provider/name>',
      'agentic: a model of its own that writes SQL and proposes calls of APIs',
      'inner_model',
    ],
    ['--inner-base-url <address>', 'where its provider is', 'inner_base_url'],
    ['--transport <what>', 'completions: raw text, as the prompts of model families need', 'transport'],
    ['--system <text>', 'the system message of tools and mcp', 'settings.system'],
    ['--temperature <t>', 'decoding', 'decoding.temperature'],
    ['--top-p <p>', 'decoding', 'decoding.top_p'],
    ['--max-output-tokens <n>', 'of one completion', 'decoding.max_tokens'],
    ['--reasoning-effort <how>', 'none, minimal, low, medium, high, xhigh', 'decoding.reasoning_effort'],
    ['--no-parallel-tool-calls', 'one call a turn', 'decoding.parallel_tool_calls'],
    [
      '--response-format <format>',
      'text, json; schema, grammar: a reply of direct that can only be calls of the tools',
      'decoding.response_format',
    ],
  ],
  'Tasks:': [
    [
      '--formulation <names>',
      `${formulation.options.join(', ')}; several with commas (default: ${OF_EVERY_QUESTION.join(', ')})`,
      [],
      list,
    ],
    ['--db <names>', 'tasks of these domains only', 'select.db', list],
    ['--sample <n>', 'that many tasks, drawn by the seed', 'select.sample', wholeNumber(1)],
    ['--seed <n>', 'of all that is drawn', ['seed', 'select.seed', 'list.seed']],
    ['--epochs <n>', 'attempts at each task', 'epochs'],
    ['--difficulty <names>', 'tasks of this difficulty only', 'select.difficulty', list],
    [
      '--share <shares>',
      'hybrid: tasks with these shares of the tables behind APIs: 40, or 0,40',
      'select.share',
      list,
    ],
    ['--flags <tests>', 'tasks with these flags; none, -limit_tie', 'select.flags', list],
    ['--all', 'also tasks that agents pass without a thought, which have the flag guessable', 'select.all'],
    [
      '--also-in <formulations>',
      'only questions that have a task in each of these too, so that runs in different ones pair up',
      'select.also_in',
    ],
    [
      '--unanswerable <which>',
      'questions without one answer: only these, or mixed with as many others',
      'select.unanswerable',
    ],
    ['--pairs', 'records: only tasks with a twin that must not be done', 'select.pairs'],
    ['--category <name>', `of BFCL: ${category.options.join(', ')}`, 'category'],
    ['--evidence', "tell the model the question's evidence", 'settings.evidence'],
    ['--glossary', "give the model the glossary of the task's domain", 'settings.glossary'],
    [
      '--documents',
      "offer a tool that searches the domain's glossary, rules and other documents",
      'list.documents',
    ],
  ],
  'Tools offered:': [
    [
      '--tools <share>',
      'offer a share of the tools, a number, or as many as a provider takes: 25%, 10, fit:openai',
      'list.tools',
    ],
    ['--withhold <what>', 'gold: the tools that the task needs are not offered', 'list.withhold'],
    ['--scope <what>', 'farm: REST tools of every domain', 'list.scope'],
    [
      '--distractors <what>',
      'farm: draw the other tools of a shortlist from every domain',
      'list.distractors',
    ],
    ['--via <what>', VIA_HELP, 'list.via'],
    ['--obfuscate', 'call tools FUNC_n and their arguments ARG_n', 'list.obfuscate'],
    ['--descriptions <what>', 'of tools and arguments: keep, concise, full, drop', 'list.descriptions'],
    ['--variant <how>', 'the query tool: base, rationale, per-collection, dsl', 'list.variant'],
    [
      '--faults <profile>',
      'injected faults: flaky, slow, rate_limited, broken_json, drift, chaos',
      'faults',
      oneOf(['none', ...Object.keys(FAULT_PROFILES)]),
    ],
    ['--preview <n>', 'SLOT and SEL: rows that an answer previews', 'settings.preview'],
    [
      '--pad-answers <characters>',
      'tools, react: of other records in each answer, as in the long context of BFCL',
      'settings.pad_answers',
    ],
    ['--max-tool-output <characters>', 'of an answer that a model is shown', 'settings.max_tool_output'],
    [
      '--on-bad-arguments <what>',
      'observe: the model sees the error; fail: the attempt ends',
      'settings.on_bad_arguments',
    ],
  ],
  'Prompts:': [
    [
      '--prompts <pack>',
      'prompts of direct: a pack, a folder, or the authors’ prompts.json; <pack>:<family>',
      'prompts',
    ],
    ['--shots <n>', 'worked examples in the prompt of direct', 'settings.shots'],
    [
      '--shots-file <file>',
      'worked examples from a file, as the authors of Live API-Bench have them',
      'shots_file',
    ],
    ['--tool-style <style>', 'tools in a prompt as authors, openai, openapi', 'settings.tool_style'],
    ['--tools-in <where>', 'direct: tools in the prompt, or in the request’s own field', 'settings.tools_in'],
    ['--reply <how>', 'direct: calls, or one nested expression', 'settings.reply'],
    ['--schema <what>', 'SQL agents: ddl, ddl+descriptions', 'settings.schema'],
    ['--language <name>', 'imperative: javascript, or python in a container', 'settings.language'],
    ['--sample-rows <n>', 'SQL agents: rows of each table to show', 'settings.sample_rows'],
  ],
  'Budget of an attempt:': [
    ['--max-loops <n>', 'completions of an attempt (default: gold calls and a margin)', 'budget.loops'],
    ['--max-calls <n>', 'calls of an attempt (default: twice as many, 50 at least)', 'budget.calls'],
    ['--max-tokens <n>', 'input and output tokens of an attempt', 'budget.tokens'],
    ['--sample-timeout <seconds>', 'of an attempt (default: 600)', 'budget.seconds', wholeNumber(1)],
    ['--sample-cost <amount>', 'of an attempt, in the currency of the prices', 'budget.cost'],
  ],
};

export function withRunFlags(command: Command): Command {
  for (const [group, options] of Object.entries(RUN_OPTIONS)) {
    command.optionsGroup(group);
    for (const [flags, help, path = [], read] of options) {
      const option = new Option(flags, help);
      const parser = read ?? numberReader([path].flat()[0]);
      if (parser) option.argParser<unknown>(parser as (text: string, previous: unknown) => unknown);
      if (path === 'transport') option.choices(['chat', 'completions']);
      command.addOption(option);
    }
  }
  return command;
}

/** A parser for a number within the bounds of a configuration field; undefined for other fields. */
function numberReader(path: string | undefined) {
  if (path === undefined) return undefined;
  const { anyOf = [], ...own } = fieldSchema(path);
  const number = [own, ...anyOf].find(({ type }) => type === 'integer' || type === 'number');
  if (!number) return undefined;
  const { type, minimum, exclusiveMinimum = 0, maximum } = number;
  return type === 'integer'
    ? wholeNumber(minimum ?? exclusiveMinimum + 1, maximum)
    : decimal(minimum ?? exclusiveMinimum, maximum);
}

interface FieldSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

let configSchema: FieldSchema | undefined;

function fieldSchema(path: string): FieldSchema {
  configSchema ??= z.toJSONSchema(z.object(runConfigFields), { unrepresentable: 'any' }) as FieldSchema;
  return path.split('.').reduce((schema, key) => schema.properties?.[key] ?? {}, configSchema);
}

/** One configuration per model and formulation. Throws OPTION_INVALID. */
export function configsOf(flags: RunFlags): RunConfig[] {
  const models = flags.model ?? [null];
  // Most categories exist for REST only.
  const formulations = flags.formulation ?? (flags.category === undefined ? OF_EVERY_QUESTION : ['rest']);
  const fields = fieldsOf(flags);
  const agent = flags.agent ?? (flags.mode === 'prompt' ? 'react' : 'tools');
  if (fields.inner_model !== undefined && !INNER_AGENTS.includes(agent))
    throw new OptionError('--inner-model', `is for the agents ${INNER_AGENTS.join(' and ')}`);
  const asked = agent === 'direct' ? withMode(fields, flags.mode) : fields;
  return models.flatMap((model) =>
    formulations.map((kind) => parseConfig({ ...asked, agent, model, formulation: kind }, flagOf)),
  );
}

/** The fields of `direct`, which has both modes; only some prompts leave the tools to the request. */
function withMode(fields: Record<string, unknown>, mode: CallMode | undefined): Record<string, unknown> {
  if (mode === undefined) return fields;
  const tools_in = mode === 'native' ? 'field' : 'prompt';
  const prompts = mode === 'native' ? { prompts: 'live-api-bench:gpt' } : {};
  return { ...prompts, ...fields, settings: { tools_in, ...Object(fields.settings) } };
}

export function fieldsOf(flags: RunFlags): Record<string, unknown> {
  const groups = ['select', 'list', 'settings', 'decoding', 'budget'];
  const fields: Record<string, Record<string, unknown>> = Object.fromEntries(
    groups.map((name) => [name, {}]),
  );
  const whole: Record<string, unknown> = fields;
  for (const [text, , path = []] of Object.values(RUN_OPTIONS).flat()) {
    const option = new Option(text);
    const value = flags[option.attributeName()];
    // Commander sets the positive form of a `--no-` option to true by default.
    if (value === undefined || (option.negate && value === true)) continue;
    for (const each of [path].flat()) {
      const [name = '', inner] = each.split('.');
      if (inner === undefined) whole[name] = value;
      else (fields[name] as Record<string, unknown>)[inner] = value;
    }
  }
  return whole;
}

/** Validates a configuration. Throws OPTION_INVALID, naming the option by `nameOf` of its path. */
function parseConfig(input: unknown, nameOf: (path: string) => string): RunConfig {
  const read = runConfig.safeParse(input);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new OptionError(nameOf(issue?.path.join('.') ?? ''), wordIssue(issue));
}

/** The option that sets a field, or part of it. */
function flagOf(path: string): string {
  const [flags] =
    Object.values(RUN_OPTIONS)
      .flat()
      .find(([, , set = []]) => [set].flat().some((field) => `${path}.`.startsWith(`${field}.`))) ?? [];
  return flags === undefined ? `--${path.replaceAll('_', '-')}` : (flags.split(' ')[0] as string);
}

function oneOf(names: readonly string[]): (text: string) => string {
  return (text) => {
    if (names.includes(text)) return text;
    throw new InvalidArgumentError(`Give one of ${names.join(', ')}.`);
  };
}

function nameOfRun(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 80 && !/\p{C}/u.test(name)) return name;
  throw new OptionError('--name', 'must be 1 to 80 characters on one line');
}

export interface ExecutionFlags {
  readonly out?: string;
  readonly gold?: string;
  readonly split?: string;
  readonly apiKeyFrom?: string;
  readonly farmKeyFrom?: string;
  readonly harnessKeyFrom?: string;
  readonly concurrency: number;
  readonly maxConnections: number;
  readonly rpm?: number;
  readonly tpm?: number;
  readonly maxRetries: number;
  readonly retryWait: number;
  readonly requestTimeout: number;
  readonly costLimit?: string;
  readonly until?: number;
  readonly prices?: string;
  readonly cache?: string;
  readonly allowCode?: boolean;
  readonly pythonImage?: string;
  readonly metricsPort?: number;
}

export function withExecutionFlags(command: Command): Command {
  return command
    .optionsGroup('Carrying it out:')
    .option(
      '-o, --out <folder>',
      'where the run is kept; begun again, it is resumed (default: runs/<model>-<agent>)',
    )
    .option('--gold <folder>', 'the folder of a farm that is served elsewhere, to score and to draw examples')
    .option('--split <folder>', 'SQL agents: the split of the farm, whose own databases are asked')
    .option('--api-key-from <variable>', 'the environment variable that holds the provider’s key')
    .option('--farm-key-from <variable>', 'the environment variable that holds the farm’s key')
    .option('--harness-key-from <variable>', 'the environment variable that holds the farm’s harness key')
    .option('--concurrency <n>', 'attempts, and requests in the beginning, at once', wholeNumber(1, 1000), 20)
    .option('--max-connections <n>', 'requests to a model at once, at most', wholeNumber(1, 1000), 100)
    .option('--rpm <n>', 'requests a minute', wholeNumber(1))
    .option('--tpm <n>', 'tokens a minute', wholeNumber(1))
    .option('--max-retries <n>', 'of a request whose failure may pass', wholeNumber(0, 100), 8)
    .option(
      '--retry-wait <ms>',
      'before the first repetition; twice as long before each further one',
      wholeNumber(1),
      1000,
    )
    .option('--request-timeout <seconds>', 'of one request', wholeNumber(1), 600)
    .option(
      '--until <points>',
      'take tasks in random order, and stop when completion over all of them is known to ± these points: 2pp',
      points,
    )
    .option('--cost-limit <amount>', 'the run stops before a request that would make it cost more')
    .option(
      '--prices <file>',
      'JSON: {"<model>": {"input_per_million": 1, "output_per_million": 2}}, or machine_per_hour',
    )
    .option(
      '--capabilities <file>',
      'what models can do, JSON or YAML: {"vllm/my-*": {"native": false, "parallel": false}}',
    )
    .option('--cache <file>', 'keep completions there, and do not ask twice')
    .option('--metrics-port <port>', 'serve the progress to Prometheus on loopback', wholeNumber(0, 65535))
    .option('--allow-code', 'imperative: run the programs that a model writes, locked down (docs/hybrid.md)')
    .option(
      '--python-image <image>',
      'imperative: the image of the containers of Python programs',
      PYTHON_IMAGE,
    );
}

/** Milliseconds that pending attempts are given after Ctrl-C. */
const GRACE_MS = 30_000;

export function executionOf(flags: ExecutionFlags): Execution {
  return {
    ...flags,
    costLimit: flags.costLimit === undefined ? null : amount(flags.costLimit),
    prices: flags.prices === undefined ? null : readPrices(flags.prices, prices),
    cache: flags.cache ?? null,
    allowCode: flags.allowCode === true,
    pythonImage: flags.pythonImage ?? PYTHON_IMAGE,
    stop: interruptSignal(),
    graceMs: GRACE_MS,
    metrics: flags.metricsPort === undefined ? null : new RunnerMetrics(),
  };
}

/** Reads a key from the environment. Throws OPTION_INVALID. */
export function keyIn(variable: string, option: string): string {
  const key = process.env[variable];
  if (key !== undefined && key !== '') return key;
  throw new OptionError(option, `the environment variable ${variable} is not set`);
}

function amount(text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new OptionError('--cost-limit', `must be a number above 0, not ${text}`);
}
