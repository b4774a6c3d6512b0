import { Counter, Gauge, Registry } from 'prom-client';
import { OptionError } from '../../contracts/errors.ts';
import { counted } from '../../contracts/wording.ts';
import { interval } from '../../eval/metrics/figures.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { attemptsOf, passRate } from '../../eval/report/compare.ts';
import { ConfidenceSequence } from '../../eval/report/sample-size.ts';
import type { Program } from '../../runner/agents/agent.ts';
import type { RunTask } from '../../runner/categories/composition.ts';
import { CompletionCache } from '../../runner/control/completions.ts';
import { RateGate } from '../../runner/control/rate-gate.ts';
import type { Prices } from '../../runner/control/spending.ts';
import type { RunConfig } from '../../runner/files/run-config.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import type { RunHeader, SampleRecord } from '../../runner/files/run-records.ts';
import { type CellControl, type FarmAccess, prepareCell } from '../../runner/harness/prepare-cell.ts';
import { type CellProgress, type CellResult, runCell } from '../../runner/harness/run-cell.ts';
import type { FindGold } from '../../runner/mock-model.ts';
import { type RequestedModel, withAdvice } from '../../runner/models/advice.ts';
import { unusableModel } from '../../runner/models/failures.ts';
import type { Model } from '../../runner/models/model.ts';
import { Seeded } from '../../runner/seeded.ts';
import { requirePythonImage } from '../../services/agents/code/python-sandbox.ts';
import { namedProfile } from '../../services/agents/faults.ts';
import { drawSilentFault } from '../../services/agents/silent-faults.ts';
import { createApp } from '../../services/base/http/create-app.ts';
import { accessEnvironment } from '../../services/base/http/environment.ts';
import { serveMetrics } from '../../services/base/http/guard.ts';
import { setMetricsKey } from '../../services/base/http/keys.ts';
import { listen } from '../../services/base/http/listen.ts';
import { DEFAULT_LIMITS } from '../../services/base/limits.ts';
import { printable, unfiltered } from '../terminal.ts';
import type { OpenedFarm } from './farm-access.ts';
import { runConfined } from './program.ts';
import type { ExecutionFlags } from './run-flags.ts';
import { ceilingText, runLabel } from './score-run.ts';

/** The model of a run, or null if it has none. A mock model gets the gold here. */
export async function openRunModel(
  { model, base_url, transport }: RunConfig,
  farm: FarmAccess,
  apiKeyFrom: string | undefined,
): Promise<Model | null> {
  if (model === null) return null;
  if (model.startsWith('mock/')) {
    const { mockModel } = await import('../../runner/mock-model.ts');
    return mockModel(model.slice('mock/'.length), transport ?? 'chat', await findGold(farm));
  }
  const { openModel } = await import('../../runner/models/open-model.ts');
  return openModel({ model, baseUrl: base_url ?? undefined, transport: transport ?? undefined, apiKeyFrom });
}

async function findGold({ samples, client }: FarmAccess): Promise<FindGold> {
  const tasks = new Map<string, ReadonlyMap<string, string>>();
  for await (const { sample_id, start_tables } of client.tasks({ all: true })) {
    tasks.set(sample_id, new Map(start_tables.map(({ label, handle }) => [label, handle])));
  }
  const byId = new Map((samples ?? []).map((sample) => [sample.sample_id, sample]));
  return (sampleId) => {
    const sample = byId.get(sampleId);
    if (sample === undefined) throw new OptionError('--model', 'a mock model needs the folder of the farm');
    return { sample, starts: tasks.get(sampleId) ?? new Map() };
  };
}

const LINE_EVERY_MS = 5_000;

/** The progress of a run in one line: updated in place on a terminal, printed occasionally elsewhere. */
export function runProgress(name: string, stream: NodeJS.WriteStream = process.stderr) {
  let last = 0;
  let shown = false;
  return {
    update(progress: CellProgress): void {
      const now = Date.now();
      const over = progress.done + progress.errors >= progress.total;
      if (!over && now - last < (stream.isTTY ? 200 : LINE_EVERY_MS)) return;
      last = now;
      shown = true;
      const text = progressText(name, progress);
      if (stream.isTTY) unfiltered(stream).write(`\r\u001b[K${printable(text)}`);
      else stream.write(`${text}\n`);
    },
    stop(): void {
      if (shown && stream.isTTY) stream.write('\n');
    },
  };
}

/** `mini 12/50, 1 error, cost 0.0123, 40 s left` */
export function progressText(name: string, { done, total, errors, cost, remainingS }: CellProgress): string {
  const parts = [`${name} ${done}/${total}`];
  if (errors > 0) parts.push(counted(errors, 'error'));
  if (cost !== null) parts.push(`cost ${cost.toFixed(4)}`);
  if (remainingS !== null && done + errors < total) parts.push(`${timeText(remainingS)} left`);
  return parts.join(', ');
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Prometheus metrics of model runs, by run name. Attempts from before a run was resumed only count in `…_attempts`. */
export class RunnerMetrics {
  readonly #registry = new Registry();
  readonly #attempts = this.#gauge(
    'rookery_run_attempts',
    'Attempts by state: planned, done, error or under_way',
    'state',
  );
  readonly #remaining = this.#gauge('rookery_run_remaining_seconds', 'Time that the run will take still');
  readonly #cost = this.#gauge('rookery_run_cost', 'What the run has cost, in the currency of its prices');
  readonly #ended = this.#counter(
    'rookery_run_attempts_ended_total',
    'Attempts that ended, by outcome',
    'outcome',
  );
  readonly #calls = this.#counter('rookery_run_calls_total', 'Calls of tools');
  readonly #errors = this.#counter(
    'rookery_run_call_errors_total',
    'Calls of tools that failed, by class: arguments (no JSON object), caller (status 4xx) or service (5xx)',
    'class',
  );
  readonly #turns = this.#counter(
    'rookery_run_completions_total',
    'Completions by what the model stopped for',
    'stop',
  );
  readonly #tokens = this.#counter('rookery_run_tokens_total', 'Tokens of completions', 'kind');

  address = '';

  /** Serves them on loopback (port 0: any) and resolves to a function that stops serving. Throws OPTION_INVALID. */
  async listen(port: number): Promise<() => Promise<void>> {
    const app = await createApp(DEFAULT_LIMITS, false);
    setMetricsKey(app, accessEnvironment(process.env).metricsKey);
    const { contentType } = this.#registry;
    serveMetrics(app, { contentType, text: () => this.#registry.metrics() });
    const { address, stop } = await listen(app, { port, option: '--metrics-port' });
    this.address = address;
    process.stderr.write(`figures of the run at ${address}/metrics\n`);
    return () => stop();
  }

  progress(run: string, { total, done, errors, underWay, cost, remainingS }: CellProgress): void {
    const states = { planned: total, done, error: errors, under_way: underWay };
    for (const [state, count] of Object.entries(states)) this.#attempts.set({ run, state }, count);
    if (cost !== null) this.#cost.set({ run }, cost);
    if (remainingS !== null) this.#remaining.set({ run }, remainingS);
  }

  record(run: string, { outcome, made, turns, input_tokens, output_tokens }: SampleRecord): void {
    this.#ended.inc({ run, outcome });
    this.#calls.inc({ run }, made.length);
    for (const { ok, status } of made) {
      if (!ok)
        this.#errors.inc({ run, class: status === null ? 'arguments' : status < 500 ? 'caller' : 'service' });
    }
    for (const { stop } of turns) this.#turns.inc({ run, stop });
    if (input_tokens !== null) this.#tokens.inc({ run, kind: 'input' }, input_tokens);
    if (output_tokens !== null) this.#tokens.inc({ run, kind: 'output' }, output_tokens);
  }

  #gauge<Label extends string = never>(name: string, help: string, ...labels: Label[]) {
    return new Gauge({ name, help, labelNames: ['run', ...labels], registers: [this.#registry] });
  }

  #counter<Label extends string = never>(name: string, help: string, ...labels: Label[]) {
    return new Counter({ name, help, labelNames: ['run', ...labels], registers: [this.#registry] });
  }
}

/** How a run is executed, without effect on its results. */
export interface Execution extends Omit<ExecutionFlags, 'costLimit' | 'prices' | 'cache'> {
  readonly costLimit: number | null;
  readonly prices: Prices | null;
  /** The cache file of completions, shared by runs; null: no cache. */
  readonly cache: string | null;
  readonly allowCode: boolean;
  readonly pythonImage: string;
  readonly stop: AbortSignal;
  readonly graceMs: number;
  /** Prometheus metrics; null: disabled. */
  readonly metrics: RunnerMetrics | null;
}

/** Rate gates by model, so that a model's later runs start at the rate it can take. */
export type Gates = Map<string, RateGate>;

/** When a run has attempted enough tasks. */
export interface Until {
  /** Half of the confidence interval of completion over all tasks, as a share. */
  readonly within: number;
  /** Scores what was attempted so far. */
  readonly score: (header: RunHeader) => Promise<Pick<Report, 'samples'>>;
}

/** Executes one run into its folder; with `until`, only as many tasks as that takes. Throws MODEL_REFUSED or MODEL_UNREACHABLE if the provider is unusable. */
export async function executeCell(
  config: RunConfig,
  farm: OpenedFarm,
  out: string,
  name: string,
  execution: Execution,
  gates: Gates,
  until: Until | null = null,
): Promise<CellResult> {
  const { agent, settings } = config;
  if (agent === 'imperative' && settings.language === 'python' && execution.allowCode)
    await requirePythonImage(execution.pythonImage);
  const model = await openRunModel(config, farm, execution.apiKeyFrom);
  const gate = gateOf(gates, `${config.model} ${config.base_url}`, execution);
  const inner = await openInner(config, farm, execution, gates);
  const cache = execution.cache === null ? null : new CompletionCache(execution.cache);
  const control = controlOf(execution, gate, cache);
  const label = runLabel({ name, config });
  const progress = runProgress(label);
  const folder = new RunFolder(out);
  const lock = folder.lock();
  try {
    const prepared = await prepareCell(config, farm, model, control, folder, name, inner);
    const ceiling = ceilingText(prepared.header);
    if (ceiling !== null) process.stderr.write(`${label}: ${ceiling}\n`);
    const silent = silentFaultsText(config, farm, prepared.tasks);
    if (silent !== null) process.stderr.write(`${label}: ${silent}\n`);
    const attempt = (tasks: readonly RunTask[]) =>
      runCell({
        ...prepared,
        tasks,
        concurrency: execution.concurrency,
        costLimit: execution.costLimit,
        prices: execution.prices,
        stop: execution.stop,
        graceMs: execution.graceMs,
        onProgress: (state) => {
          progress.update(state);
          execution.metrics?.progress(name, state);
        },
        onRecord: (record) => execution.metrics?.record(name, record),
      });
    const result =
      until === null
        ? await attempt(prepared.tasks)
        : await attemptUntil(new Seeded(config.seed, 'until').shuffle(prepared.tasks), attempt, until, label);
    if (result.fatal !== null && result.fatal.kind !== 'quota') {
      throw unusableModel(
        result.fatal,
        config.model ?? '--model',
        `${withAdvice(result.fatal, requestedModel(config, execution))} (the run in ${out} can be resumed)`,
      );
    }
    return result;
  } finally {
    progress.stop();
    cache?.close();
    lock.release();
  }
}

/** The model behind tools of the agent, at a rate of its own; the run's key is its key if the provider is the same. */
async function openInner(config: RunConfig, farm: FarmAccess, execution: Execution, gates: Gates) {
  const { inner_model: name, inner_base_url: base_url } = config;
  if (name === null) return null;
  const isSame = providerOf(name) === providerOf(config.model ?? '');
  const own = { ...config, model: name, base_url, transport: null };
  const model = await openRunModel(own, farm, isSame ? execution.apiKeyFrom : undefined);
  return model && { model, gate: gateOf(gates, `${name} ${base_url}`, execution) };
}

/** The gate that all runs of a model share. */
function gateOf(gates: Gates, key: string, execution: Execution): RateGate {
  const gate = gates.get(key) ?? newGate(execution);
  gates.set(key, gate);
  return gate;
}

function providerOf(model: string): string {
  return model.split('/')[0] ?? '';
}

/** Tasks before the first look at completion, and how much more each further look has seen. */
const FIRST_LOOK = 40;
const GROWTH = 1.25;

/** Attempts tasks in their order until completion over all of them is known closely enough, at the latest all. */
async function attemptUntil(
  tasks: readonly RunTask[],
  attempt: (tasks: readonly RunTask[]) => Promise<CellResult>,
  { within, score }: Until,
  label: string,
): Promise<CellResult> {
  const completion = new ConfidenceSequence(tasks.length, within);
  let known = 0;
  for (let n = FIRST_LOOK; ; n = Math.ceil(n * GROWTH)) {
    const seen = tasks.slice(0, n);
    const result = await attempt(seen);
    // What has no verdict yet must not decide.
    if (result.status === 'stopped' || result.header.attempts.errors > 0) return result;
    const { samples } = await score(result.header);
    const attempts = attemptsOf(samples);
    for (const { sample_id } of seen.slice(known)) {
      const own = attempts.get(sample_id);
      completion.add(own ? passRate(own) : 0);
    }
    known = seen.length;
    const [low, high] = completion.interval;
    const isEnough = high - low <= 2 * within || seen.length === tasks.length;
    process.stderr.write(
      `${label}: after ${seen.length} of ${counted(tasks.length, 'task')}, completion over all of them is ${interval([low, high])} %${isEnough ? '' : '; going on'}\n`,
    );
    if (isEnough) return result;
  }
}

/** How many tasks of a run get a silently wrong answer, in words; null if none. */
function silentFaultsText(
  { faults }: RunConfig,
  { samples }: OpenedFarm,
  tasks: readonly RunTask[],
): string | null {
  const profile = typeof faults === 'string' ? namedProfile(faults) : faults;
  if (profile === undefined || samples === null) return null;
  const known = new Map(samples.map((sample) => [sample.sample_id, sample.silent_faults]));
  const struck = tasks.flatMap(({ sample_id: sampleId }) => {
    const proven = known.get(sampleId);
    return drawSilentFault(profile, { sampleId, proven, tool: proven?.tool ?? '', offers: () => true }) ?? [];
  });
  if (struck.length === 0) return null;
  const lasting = struck.filter(({ lasts }) => lasts).length;
  const ceiling = Math.round((100 * (tasks.length - lasting)) / tasks.length);
  return `silent faults strike ${struck.length} of ${tasks.length} tasks: ${struck.length - lasting} until the same call is made again, ${lasting} for good (ceiling ${ceiling} %)`;
}

/** The requested model, for advice on failures. */
export function requestedModel(config: RunConfig, { apiKeyFrom }: Execution): RequestedModel {
  return { model: config.model, baseUrl: config.base_url, apiKeyFrom };
}

/** Rate, retry and cache settings of a run. */
export function controlOf(execution: Execution, gate: RateGate, cache: CompletionCache | null): CellControl {
  const { prices, maxRetries: retries, retryWait: retryBaseMs, allowCode, pythonImage } = execution;
  const requestTimeoutMs = execution.requestTimeout * 1000;
  const runProgram = allowCode ? (program: Program) => runConfined(program, pythonImage) : null;
  return { gate, cache, prices, retries, retryBaseMs, requestTimeoutMs, runProgram };
}

export function newGate({ concurrency, maxConnections, ...limits }: Execution): RateGate {
  const { rpm: requestsPerMinute, tpm: tokensPerMinute } = limits;
  const max = Math.max(concurrency, maxConnections);
  return new RateGate({ start: concurrency, max, requestsPerMinute, tokensPerMinute });
}
