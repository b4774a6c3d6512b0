import { existsSync, readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { OF_EVERY_QUESTION } from '../../contracts/formulations/registry.ts';
import { category } from '../../contracts/prediction.ts';
import { formulation } from '../../contracts/sample.ts';
import { type Prices, prices as priceTable } from '../../runner/control/spending.ts';
import { type RunConfig, runConfig } from '../../runner/files/run-config.ts';
import { FAULT_PROFILES } from '../../services/agents/faults/fault-profiles.ts';
import { interruptSignal } from '../exit.ts';
import { list, wholeNumber } from '../options.ts';
import { type Execution, RunnerMetrics } from './execute-cell.ts';

/** Options of `rookery run` that choose the runs. */
export interface RunFlags {
  readonly name?: string;
  readonly agent?: string;
  readonly model?: readonly string[];
  readonly baseUrl?: string;
  readonly transport?: 'chat' | 'completions';
  readonly formulation?: readonly string[];
  readonly db?: readonly string[];
  readonly difficulty?: readonly string[];
  readonly share?: readonly string[];
  readonly flags?: readonly string[];
  readonly all?: boolean;
  readonly sample?: number;
  readonly seed?: number;
  readonly epochs?: number;
  readonly tools?: string;
  readonly withhold?: string;
  readonly scope?: string;
  readonly distractors?: string;
  readonly via?: string;
  readonly obfuscate?: boolean;
  readonly descriptions?: string;
  readonly variant?: string;
  readonly faults?: string;
  readonly evidence?: boolean;
  readonly shots?: number;
  readonly shotsFile?: string;
  readonly prompts?: string;
  readonly category?: string;
  readonly toolStyle?: string;
  readonly toolsIn?: string;
  readonly reply?: string;
  readonly schema?: string;
  readonly sampleRows?: number;
  readonly preview?: number;
  readonly maxToolOutput?: number;
  readonly onBadArguments?: string;
  readonly system?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: string;
  readonly parallelToolCalls?: boolean;
  readonly responseFormat?: string;
  readonly maxLoops?: number;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly sampleTimeout?: number;
  readonly sampleCost?: number;
}

/** Adds the options that choose the runs. */
export function withRunFlags(command: Command): Command {
  return command
    .optionsGroup('Model and agent:')
    .option(
      '--agent <name>',
      'direct, structured, tools, react, mcp, nl2sql, sql-react, exec:<command>, oracle, random, lexical',
    )
    .option('--model <provider/name>', 'the model; several with commas', list)
    .option(
      '--name <name>',
      'what tables call the run (default: its model, agent and options that are not the usual ones)',
      nameOfRun,
    )
    .option('--base-url <address>', 'where the provider is: http://127.0.0.1:8000/v1')
    .addOption(
      new Option(
        '--transport <what>',
        'completions: raw text, as the prompts of model families need',
      ).choices(['chat', 'completions']),
    )
    .option('--system <text>', 'the system message of tools and mcp')
    .option('--temperature <t>', 'decoding', decimal(0, 2))
    .option('--top-p <p>', 'decoding', decimal(0, 1))
    .option('--max-output-tokens <n>', 'of one completion', wholeNumber(1))
    .option('--reasoning-effort <how>', 'none, minimal, low, medium, high, xhigh')
    .option('--no-parallel-tool-calls', 'one call a turn')
    .option('--response-format <format>', 'text, json')
    .optionsGroup('Tasks:')
    .option(
      '--formulation <names>',
      `${formulation.options.join(', ')}; several with commas (default: ${OF_EVERY_QUESTION.join(', ')})`,
      list,
    )
    .option('--db <names>', 'tasks of these domains only', list)
    .option('--sample <n>', 'that many tasks, drawn by the seed', wholeNumber(1))
    .option('--seed <n>', 'of all that is drawn', wholeNumber(0))
    .option('--epochs <n>', 'attempts at each task', wholeNumber(1, 100))
    .option('--difficulty <names>', 'tasks of this difficulty only', list)
    .option(
      '--share <shares>',
      'hybrid: tasks with these shares of the tables behind APIs: 40, or 0,40',
      list,
    )
    .option('--flags <tests>', 'tasks with these flags; none, -limit_tie', list)
    .option('--all', 'also tasks that agents pass without a thought, which have the flag guessable')
    .option('--category <name>', `of BFCL: ${category.options.join(', ')}`)
    .option('--evidence', "tell the model the question's evidence")
    .optionsGroup('Tools offered:')
    .option(
      '--tools <share>',
      'offer a share of the tools, so many, or as many as a provider takes: 25%, 10, fit:openai',
    )
    .option('--withhold <what>', 'gold: the tools that the task needs are not offered')
    .option('--scope <what>', 'farm: REST tools of every domain')
    .option('--distractors <what>', 'farm: draw the other tools of a shortlist from every domain')
    .option('--via <what>', 'search: offer two tools that find and call all others')
    .option('--obfuscate', 'call tools FUNC_n and their arguments ARG_n')
    .option('--descriptions <what>', 'of tools and arguments: keep, concise, full, drop')
    .option('--variant <how>', 'the query tool: base, rationale, per-collection, dsl')
    .option(
      '--faults <profile>',
      'faults on purpose: flaky, slow, rate_limited, broken_json, drift, chaos',
      faultProfileName,
    )
    .option('--preview <n>', 'SLOT and SEL: rows that an answer previews', wholeNumber(0, 100))
    .option('--max-tool-output <characters>', 'of an answer that a model is shown', wholeNumber(200))
    .option('--on-bad-arguments <what>', 'observe: the model is told; fail: the attempt ends')
    .optionsGroup('Prompts:')
    .option(
      '--prompts <pack>',
      'prompts of direct: a pack, a folder, or the authors’ prompts.json; <pack>:<family>',
    )
    .option('--shots <n>', 'worked examples in the prompt of direct', wholeNumber(0, 10))
    .option('--shots-file <file>', 'worked examples from a file, as the authors of Live API-Bench have them')
    .option('--tool-style <style>', 'tools in a prompt as authors, openai, openapi')
    .option('--tools-in <where>', 'direct: tools in the prompt, or in the request’s own field')
    .option('--reply <how>', 'direct: calls, or one nested expression')
    .option('--schema <what>', 'SQL agents: ddl, ddl+descriptions')
    .option('--sample-rows <n>', 'SQL agents: rows of each table to show', wholeNumber(0, 20))
    .optionsGroup('Budget of an attempt:')
    .option('--max-loops <n>', 'completions of an attempt (default: gold calls and a margin)', wholeNumber(1))
    .option('--max-calls <n>', 'calls of an attempt (default: twice as many, 50 at least)', wholeNumber(1))
    .option('--max-tokens <n>', 'input and output tokens of an attempt', wholeNumber(1))
    .option('--sample-timeout <seconds>', 'of an attempt (default: 600)', wholeNumber(1))
    .option('--sample-cost <amount>', 'of an attempt, in the currency of the prices', decimal(0));
}

/** One configuration for each model and formulation. Throws OPTION_INVALID. */
export function configsOf(flags: RunFlags): RunConfig[] {
  const models = flags.model ?? [null];
  // Most categories are of REST tasks only.
  const formulations = flags.formulation ?? (flags.category === undefined ? OF_EVERY_QUESTION : ['rest']);
  const fields = fieldsOf(flags);
  const agent = flags.agent ?? 'tools';
  return models.flatMap((model) =>
    formulations.map((kind) => parseConfig({ ...fields, agent, model, formulation: kind }, flagOf)),
  );
}

/** The fields of a configuration that the command line sets. */
export function fieldsOf(flags: RunFlags) {
  const { seed } = flags;
  return given({
    base_url: flags.baseUrl,
    transport: flags.transport,
    prompts: flags.prompts,
    category: flags.category,
    shots_file: flags.shotsFile,
    faults: flags.faults,
    epochs: flags.epochs,
    seed,
    select: given({
      seed,
      db: flags.db,
      difficulty: flags.difficulty,
      share: flags.share,
      flags: flags.flags,
      all: flags.all,
      sample: flags.sample,
    }),
    list: given({
      seed,
      tools: flags.tools,
      withhold: flags.withhold,
      scope: flags.scope,
      distractors: flags.distractors,
      via: flags.via,
      obfuscate: flags.obfuscate,
      descriptions: flags.descriptions,
      variant: flags.variant,
    }),
    settings: given({
      evidence: flags.evidence,
      shots: flags.shots,
      tool_style: flags.toolStyle,
      tools_in: flags.toolsIn,
      reply: flags.reply,
      schema: flags.schema,
      sample_rows: flags.sampleRows,
      preview: flags.preview,
      max_tool_output: flags.maxToolOutput,
      on_bad_arguments: flags.onBadArguments,
      system: flags.system,
    }),
    decoding: given({
      temperature: flags.temperature,
      top_p: flags.topP,
      max_tokens: flags.maxOutputTokens,
      reasoning_effort: flags.reasoningEffort,
      parallel_tool_calls: flags.parallelToolCalls === false ? false : undefined,
      response_format: flags.responseFormat,
    }),
    budget: given({
      loops: flags.maxLoops,
      calls: flags.maxCalls,
      tokens: flags.maxTokens,
      seconds: flags.sampleTimeout,
      cost: flags.sampleCost,
    }),
  });
}

/** Checks a configuration. Throws OPTION_INVALID, naming the option at fault by `nameOf` of its path. */
function parseConfig(input: unknown, nameOf: (path: string) => string): RunConfig {
  const read = runConfig.safeParse(input);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UserError('OPTION_INVALID', nameOf(issue?.path.join('.') ?? ''), faultOf(issue));
}

/** What is wrong with an option, in other words than zod's. */
function faultOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return issue?.message ?? 'cannot be used';
}

function flagOf(path: string): string {
  return `--${FLAG_NAMES[path] ?? path.split('.').at(-1)?.replaceAll('_', '-')}`;
}

/** Fields whose option has another name. */
const FLAG_NAMES: Readonly<Record<string, string>> = {
  'decoding.max_tokens': 'max-output-tokens',
  'budget.loops': 'max-loops',
  'budget.calls': 'max-calls',
  'budget.tokens': 'max-tokens',
  'budget.seconds': 'sample-timeout',
  'budget.cost': 'sample-cost',
};

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function faultProfileName(text: string): string {
  const names = ['none', ...Object.keys(FAULT_PROFILES)];
  if (names.includes(text)) return text;
  throw new InvalidArgumentError(`Give one of ${names.join(', ')}.`);
}

function nameOfRun(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 80 && !/\p{C}/u.test(name)) return name;
  throw new UserError('OPTION_INVALID', '--name', 'must be 1 to 80 characters on one line');
}

function decimal(min: number, max = Number.MAX_VALUE): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(
        `Give a number from ${min}${max < Number.MAX_VALUE ? ` to ${max}` : ''}.`,
      );
    }
    return value;
  };
}

/** Options of `rookery run` for executing runs. */
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
  readonly prices?: string;
  readonly cache?: string;
  readonly allowCode?: boolean;
  readonly metricsPort?: number;
}

/** Adds them. */
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
    .option('--cost-limit <amount>', 'the run stops before a request that would make it cost more')
    .option(
      '--prices <file>',
      'JSON: {"<model>": {"input_per_million": 1, "output_per_million": 2}}, or machine_per_hour',
    )
    .option('--cache <file>', 'keep completions there, and do not ask twice')
    .option('--metrics-port <port>', 'serve the progress to Prometheus on loopback', wholeNumber(0, 65535))
    .option('--allow-code', 'imperative: run the programs that a model writes, locked down (docs/hybrid.md)');
}

/** Milliseconds that attempts under way are given after Ctrl-C. */
const GRACE_MS = 30_000;

/** Throws OPTION_INVALID. */
export function executionOf(flags: ExecutionFlags): Execution {
  return {
    concurrency: flags.concurrency,
    maxConnections: flags.maxConnections,
    ...(flags.rpm === undefined ? {} : { requestsPerMinute: flags.rpm }),
    ...(flags.tpm === undefined ? {} : { tokensPerMinute: flags.tpm }),
    retries: flags.maxRetries,
    requestTimeoutS: flags.requestTimeout,
    retryBaseMs: flags.retryWait,
    costLimit: flags.costLimit === undefined ? null : amount(flags.costLimit),
    prices: flags.prices === undefined ? null : readPrices(flags.prices),
    cache: flags.cache ?? null,
    allowCode: flags.allowCode === true,
    ...(flags.apiKeyFrom === undefined ? {} : { apiKeyFrom: flags.apiKeyFrom }),
    stop: interruptSignal(),
    graceMs: GRACE_MS,
    metrics: flags.metricsPort === undefined ? null : new RunnerMetrics(),
  };
}

/** A key from the environment. Throws OPTION_INVALID. */
export function keyIn(variable: string, option: string): string {
  const key = process.env[variable];
  if (key !== undefined && key !== '') return key;
  throw new UserError('OPTION_INVALID', option, `the environment has no ${variable}`);
}

function amount(text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new UserError('OPTION_INVALID', '--cost-limit', `must be a number above 0, not ${text}`);
}

function readPrices(file: string): Prices {
  const fix = 'give {"<model>": {"input_per_million": 1, "output_per_million": 2}}';
  if (!existsSync(file)) throw new UserError('OPTION_INVALID', file, `is not there; ${fix}`);
  try {
    return priceTable.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new UserError('OPTION_INVALID', file, `holds no prices; ${fix}`, { cause });
  }
}
