import { setTimeout } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RunAnswer } from '../../../contracts/api.ts';
import { ERRORS } from '../../../contracts/errors.ts';
import type { FaultKind } from '../../../contracts/faults.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { CallRecord, RunRecord, RunUsage } from './run-store.ts';
import type { RunStores } from './run-stores.ts';

/** The longest wait for the store during a scrape; the gateway waits two seconds for the scrape. */
const STORE_MS = 1500;

/** Metrics of a process's runs. Labels are bounded: none names a run, task or agent. */
export class RunMetrics {
  readonly #registry = new Registry();
  /** Injected faults, hidden from agents. */
  readonly #hidden = new Registry();
  readonly #begun: Counter;
  readonly #ended: Counter<'outcome'>;
  readonly #spent: Histogram<'part'>;
  readonly #calls: Counter;
  readonly #errors: Counter<'class' | 'code'>;
  readonly #tokens: Counter<'kind'>;
  readonly #cost: Counter;
  readonly #faults: Counter<'fault'>;
  readonly #readStore: (() => Promise<void>) | null;

  constructor(store: RunStores | null) {
    const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers: [this.#registry] });
    this.#begun = counter('rookery_runs_begun_total', 'Runs begun');
    this.#ended = counter(
      'rookery_runs_ended_total',
      'Runs ended, by outcome: answered, no_answer, error, or the part of the budget that was used up',
      'outcome',
    );
    this.#calls = counter('rookery_run_calls_total', 'Calls of runs that were recorded');
    this.#errors = counter(
      'rookery_run_call_errors_total',
      'Calls of runs that failed, by code; class caller (status 4xx) or service (5xx)',
      'class',
      'code',
    );
    this.#tokens = counter(
      'rookery_run_tokens_total',
      'Tokens that ended runs are said to have taken',
      'kind',
    );
    this.#cost = counter('rookery_run_cost_total', 'What ended runs are said to have cost');
    this.#spent = new Histogram({
      name: 'rookery_run_budget_spent_ratio',
      help: 'How much of its budget a run had used when it ended, by part',
      labelNames: ['part'],
      buckets: [0.1, 0.25, 0.5, 0.75, 0.9, 1],
      registers: [this.#registry],
    });
    this.#faults = new Counter({
      name: 'rookery_injected_faults_total',
      help: 'Faults on purpose that calls have met, by kind',
      labelNames: ['fault'],
      registers: [this.#hidden],
    });
    this.#readStore = store && watchStore(store, this.#registry);
  }

  begun(runs: number): void {
    this.#begun.inc(runs);
  }

  called({ status, code }: Pick<CallRecord, 'status' | 'code'>): void {
    this.#calls.inc();
    if (status < 400) return;
    const known = code !== null && code in ERRORS.http ? code : String(status);
    this.#errors.inc({ class: status < 500 ? 'caller' : 'service', code: known });
  }

  ended({ budget, started_at, ended_at, status, end_reason, answer }: RunRecord, used: RunUsage): void {
    this.#ended.inc({ outcome: status === 'out_of_budget' ? (end_reason ?? status) : outcomeOf(answer) });
    const seconds = started_at === null || ended_at === null ? 0 : (ended_at - started_at) / 1000;
    for (const [part, of] of Object.entries({ ...used, seconds })) {
      const limit = budget[part as keyof typeof budget];
      if (limit !== undefined) this.#spent.observe({ part }, of / limit);
    }
    this.#tokens.inc({ kind: 'input' }, answer?.input_tokens ?? 0);
    this.#tokens.inc({ kind: 'output' }, answer?.output_tokens ?? 0);
    this.#cost.inc(answer?.cost ?? 0);
  }

  injected(fault: FaultKind): void {
    this.#faults.inc({ fault });
  }

  /** In the Prometheus text format; metrics of injected faults are for operators. */
  async text(isOperator: boolean): Promise<string> {
    await this.#readStore?.();
    const texts = [this.#registry, ...(isOperator ? [this.#hidden] : [])].map((each) => each.metrics());
    return (await Promise.all(texts)).join('\n');
  }
}

function outcomeOf(answer: RunAnswer | null): string {
  if (answer?.error) return 'error';
  return answer?.answer == null && answer?.raw_output == null ? 'no_answer' : 'answered';
}

/** Gauges of open runs, and a function that refreshes them from the store. */
function watchStore(store: RunStores, registry: Registry): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const open = gauge('rookery_runs_open', 'Runs that are open');
  const stuck = gauge(
    'rookery_runs_stuck',
    'Open runs that began and of which nothing was heard for 15 minutes, and were heard of within a day',
  );
  const up = gauge(
    'rookery_runs_store_up',
    'Whether the file or database of runs answers; without it open runs are not known',
  );
  return async () => {
    const late = new AbortController();
    const found = await Promise.race([
      store.open(Date.now()).catch(() => null),
      setTimeout(STORE_MS, null, { signal: late.signal, ref: false }).catch(() => null),
    ]);
    late.abort();
    up.set(Number(found !== null));
    open.set(found?.open ?? Number.NaN);
    stuck.set(found?.stuck ?? Number.NaN);
  };
}

/** A database that is silent for this long counts as unavailable. */
const ANSWER_MS = 3000;

/** Throws NOT_READY where runs cannot be read, or calls not recorded. */
export async function requireStore({ kept }: RunStores): Promise<void> {
  const late = new AbortController();
  try {
    await Promise.race([
      kept.run(''),
      setTimeout(ANSWER_MS, undefined, { signal: late.signal, ref: false }).then(() => {
        throw new HttpProblem('NOT_READY', 'It says nothing');
      }),
    ]);
    kept.requireRoom();
  } catch (cause) {
    throw new HttpProblem('NOT_READY', reasonOf(cause), { headers: { 'retry-after': '5' }, cause });
  } finally {
    late.abort();
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof HttpProblem)) return 'The runs cannot be read';
  return cause.code === 'STORAGE_FULL'
    ? 'The disk on which runs are kept is full'
    : 'The database of runs cannot be reached';
}
