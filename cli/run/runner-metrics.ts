import { Counter, Gauge, Registry } from 'prom-client';
import type { SampleRecord } from '../../runner/files/sample-record.ts';
import type { CellProgress } from '../../runner/harness/run-cell.ts';
import { accessEnvironment } from '../../services/base/access/access-environment.ts';
import { setMetricsKey } from '../../services/base/access/metrics-key.ts';
import { serveMetrics } from '../../services/base/access/serve-metrics.ts';
import { createApp } from '../../services/base/http/create-app.ts';
import { listen } from '../../services/base/http/listen.ts';
import { DEFAULT_LIMITS } from '../../services/base/limits.ts';

/** What a run of models counts of itself, by the name of the run. Attempts of before it was begun again are in `…_attempts` only. */
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

  /** Where they are served, once they are. */
  address = '';

  /** Serves them on loopback; 0 takes any free port. Resolves to what stops it. Throws OPTION_INVALID. */
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
