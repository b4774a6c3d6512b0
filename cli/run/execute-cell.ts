import { UserError } from '../../contracts/errors.ts';
import { CompletionCache } from '../../runner/control/completion-cache.ts';
import type { Prices } from '../../runner/control/prices.ts';
import { RateGate } from '../../runner/control/rate-gate.ts';
import type { RunConfig } from '../../runner/files/run-config.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import type { RunHeader } from '../../runner/files/run-header.ts';
import { type CompletionControl, prepareCell } from '../../runner/harness/prepare-cell.ts';
import { type CellResult, runCell } from '../../runner/harness/run-cell.ts';
import { type RequestedModel, withAdvice } from '../../runner/providers/advice.ts';
import type { OpenedFarm } from './open-farm-access.ts';
import { openRunModel } from './open-run-model.ts';
import { runInChild } from './program/run-in-child.ts';
import { runProgress } from './run-progress.ts';
import type { RunnerMetrics } from './runner-metrics.ts';

/** How a run is executed; none of these options affects its results. */
export interface Execution {
  readonly concurrency: number;
  readonly maxConnections: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly retries: number;
  readonly requestTimeoutS: number;
  readonly retryBaseMs: number;
  readonly costLimit: number | null;
  readonly prices: Prices | null;
  /** A file of cached completions, shared by runs; null: no cache. */
  readonly cache: string | null;
  /** Whether programs that a model writes may be run. */
  readonly allowCode: boolean;
  readonly apiKeyFrom?: string;
  readonly stop: AbortSignal;
  readonly graceMs: number;
  /** Figures of the run for Prometheus; null: nobody asks. */
  readonly metrics: RunnerMetrics | null;
}

/** Gates by model, so that later runs of a model start at the rate it can take. */
export type Gates = Map<string, RateGate>;

/** Carries out one run into its folder. Throws MODEL_REFUSED when the provider takes nothing at all, MODEL_UNREACHABLE where none answers. */
export async function executeCell(
  config: RunConfig,
  farm: OpenedFarm,
  out: string,
  name: string,
  execution: Execution,
  gates: Gates,
): Promise<CellResult> {
  const model = await openRunModel(config, farm, execution.apiKeyFrom);
  const key = `${config.model} ${config.base_url}`;
  const gate = gates.get(key) ?? newGate(execution);
  gates.set(key, gate);
  const cache = execution.cache === null ? null : new CompletionCache(execution.cache);
  const control = controlOf(execution, gate, cache);
  const label = runLabel({ name, config });
  const progress = runProgress(label);
  const folder = new RunFolder(out);
  const lock = folder.lock();
  try {
    const prepared = await prepareCell(config, farm, model, control, folder, name);
    const ceiling = ceilingText(prepared.header);
    if (ceiling !== null) process.stderr.write(`${label}: ${ceiling}\n`);
    const result = await runCell({
      ...prepared,
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
    if (result.fatal !== null && result.fatal.kind !== 'quota') {
      throw new UserError(
        result.fatal.kind === 'unreachable' ? 'MODEL_UNREACHABLE' : 'MODEL_REFUSED',
        config.model ?? '--model',
        `${withAdvice(result.fatal, askedOf(config, execution))} (the run in ${out} can be resumed)`,
      );
    }
    return result;
  } finally {
    progress.stop();
    cache?.close();
    lock.release();
  }
}

/** What a run is called beside those of other formulations. */
export function runLabel({ name, config }: Pick<RunHeader, 'name' | 'config'>): string {
  return `${name}, ${config.formulation}`;
}

/** What a fixed budget leaves to be reached, in words; null where it is all. */
export function ceilingText({ ceiling, config: { budget }, tasks }: RunHeader): string | null {
  if (ceiling === null) return null;
  const fixed = [
    ...(budget.loops === 'task' ? [] : [`--max-loops ${budget.loops}`]),
    ...(budget.calls === 'task' ? [] : [`--max-calls ${budget.calls}`]),
  ].join(' and ');
  const within = `the gold calls of ${Math.round(ceiling * tasks)} of ${tasks} tasks fit within ${fixed}`;
  return `ceiling ${Math.round(ceiling * 100)} %: ${within}`;
}

/** Whom a run asks, for advice on what fails. */
export function askedOf(
  { model, base_url }: RunConfig,
  { apiKeyFrom }: Pick<Execution, 'apiKeyFrom'>,
): RequestedModel {
  return { model, baseUrl: base_url, apiKeyFrom };
}

/** How requests are made. */
export function controlOf(execution: Execution, gate: RateGate, cache: CompletionCache | null): CompletionControl {
  const { prices, retries, retryBaseMs, requestTimeoutS, allowCode } = execution;
  const requestTimeoutMs = requestTimeoutS * 1000;
  const runProgram = allowCode ? runInChild : null;
  return { gate, cache, prices, retries, retryBaseMs, requestTimeoutMs, runProgram };
}

export function newGate({
  concurrency,
  maxConnections,
  requestsPerMinute,
  tokensPerMinute,
}: Execution): RateGate {
  return new RateGate({
    start: concurrency,
    max: Math.max(concurrency, maxConnections),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
  });
}
