import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import type { ClientTask } from '../../client/index.ts';
import { countEach } from '../../eval/metrics/figures.ts';
import { writeJson } from '../attempt/tool-session.ts';
import { CostLimitError, type Prices, Spending } from '../control/spending.ts';
import { attemptKey, type RunFolder } from '../files/run-folder.ts';
import { predictionHeaderOf, type RunHeader, type SampleRecord, toPrediction } from '../files/run-records.ts';
import { ModelError } from '../models/failures.ts';
import { type AttemptEnvironment, runAttempt } from './run-attempt.ts';

export interface CellOptions {
  readonly environment: AttemptEnvironment;
  readonly header: RunHeader;
  readonly tasks: readonly ClientTask[];
  readonly concurrency: number;
  /** Cost limit of the whole run, in the currency of the prices. */
  readonly costLimit: number | null;
  readonly prices: Prices | null;
  /** Aborted by Ctrl-C: nothing new begins, and pending attempts may finish. */
  readonly stop: AbortSignal;
  /** Milliseconds that pending attempts are given afterwards. */
  readonly graceMs: number;
  readonly onProgress?: (progress: CellProgress) => void;
  /** Called with each new record. */
  readonly onRecord?: ((record: SampleRecord) => void) | undefined;
}

export interface CellProgress {
  readonly done: number;
  readonly total: number;
  readonly errors: number;
  readonly underWay: number;
  readonly cost: number | null;
  /** Seconds; null until there is an estimate. */
  readonly remainingS: number | null;
}

export interface CellResult {
  readonly status: 'done' | 'stopped';
  readonly reason: string | null;
  readonly fatal: ModelError | null;
  readonly records: readonly SampleRecord[];
  readonly header: RunHeader;
}

/**
 * Attempts all tasks of a run that have no record yet, or only a broken one, and writes each record
 * immediately. Recorded attempts are never repeated when the run is resumed.
 */
export async function runCell(options: CellOptions): Promise<CellResult> {
  const { tasks, stop } = options;
  const { folder, config, model } = options.environment;
  const records = folder.readRecords();
  const log = await folder.openLog();
  const costs = await folder.openCosts();
  const record = (payment: object) => costs.append(JSON.stringify(payment));
  const known = folder.readPayments();
  // Older runs have no cost log: use their records.
  const before =
    known.length > 0 ? [] : [...records.values()].flatMap(({ cost }) => (cost ? [{ cost }] : []));
  for (const each of before) await record(each);
  const spending = new Spending({
    limit: options.costLimit,
    paid: [...known, ...before.map(({ cost }) => cost)],
    prices: options.prices,
    modelId: model?.id ?? '',
    record,
  });
  const { obtain, inner } = options.environment;
  const environment = {
    ...options.environment,
    obtain: spending.guard(obtain),
    inner: inner && { ...inner, obtain: spending.guard(inner.obtain) },
  };
  let header: RunHeader = { ...options.header, status: 'running', reason: null, ended_at: null };
  folder.writeHeader(header);

  const all = Array.from({ length: config.epochs }, (_, before) => before + 1).flatMap((epoch) =>
    tasks.map((task) => ({ task, epoch })),
  );
  const isDone = (key: string) => (records.get(key)?.outcome ?? 'error') !== 'error';
  const keyOf = ({ task, epoch }: { task: ClientTask; epoch: number }) =>
    attemptKey({ sample_id: task.sample_id, epoch });
  const due = all.filter((each) => !isDone(keyOf(each)));
  const ending = new Ending(stop, options.graceMs);
  const started = Date.now();
  let finished = 0;
  /** Number of broken attempts while none has succeeded. */
  let broken = 0;

  const chosen = () => all.map((each) => records.get(keyOf(each))).filter((record) => record !== undefined);
  // Incremental: recounting all records each time would take quadratic time.
  const tally = new Tally(chosen());
  const queue = new PQueue({ concurrency: options.concurrency });
  const report = () => {
    const perAttempt = finished === 0 ? null : (Date.now() - started) / finished;
    options.onProgress?.({
      done: tally.done,
      total: all.length,
      errors: tally.errors,
      underWay: queue.pending,
      cost: spending.total,
      remainingS: perAttempt === null ? null : (perAttempt * (due.length - finished)) / 1000,
    });
  };

  for (const { task, epoch } of due) {
    void queue.add(async () => {
      if (ending.begun) return;
      try {
        const record = await runAttempt(task, epoch, environment, ending.abort);
        await log.append(writeJson(record));
        options.onRecord?.(record);
        tally.replace(records.get(attemptKey(record)), record);
        records.set(attemptKey(record), record);
        finished++;
        if (record.outcome !== 'error') broken = Number.NEGATIVE_INFINITY;
        else if (++broken === HOPELESS)
          ending.begin(
            `the first ${HOPELESS} attempts all ended in errors, the last of them: ${record.reason}`,
          );
      } catch (error) {
        if (error instanceof CostLimitError) ending.begin(error.message);
        else if (error instanceof ModelError && error.fatal) ending.begin(error.message, error);
        else if (!ending.abort.aborted) ending.fail(error);
      }
      report();
    });
  }
  report();
  await queue.onIdle();
  await log.close();
  await costs.close();
  ending.done();
  if (ending.failure !== null) throw ending.failure;

  report();
  const final = chosen();
  const missing = all.length - final.filter(({ outcome }) => outcome !== 'error').length;
  const stopped = ending.begun && final.length < all.length;
  header = {
    ...header,
    ...summarize(final, all.length, missing),
    cost: spending.total,
    status: stopped ? 'stopped' : 'done',
    reason: stopped ? ending.reason : null,
    ended_at: new Date().toISOString(),
  };
  folder.writeHeader(header);
  writePredictions(folder, header, final);
  return {
    status: header.status === 'done' ? 'done' : 'stopped',
    reason: header.reason,
    fatal: ending.fatal,
    records: final,
    header,
  };
}

/** If this many attempts fail from the start, so would the rest. */
const HOPELESS = 10;

class Tally {
  done = 0;
  errors = 0;

  constructor(records: readonly SampleRecord[]) {
    for (const record of records) this.#add(record, 1);
  }

  /** An attempt that is recorded again after an error counts once. */
  replace(before: SampleRecord | undefined, now: SampleRecord): void {
    if (before !== undefined) this.#add(before, -1);
    this.#add(now, 1);
  }

  #add({ outcome }: SampleRecord, sign: 1 | -1): void {
    if (outcome === 'error') this.errors += sign;
    else this.done += sign;
  }
}

/** Decides when and why a run ends early. */
class Ending {
  begun = false;
  reason: string | null = null;
  fatal: ModelError | null = null;
  failure: unknown = null;
  readonly #controller = new AbortController();
  readonly #graceMs: number;
  readonly #stop: AbortSignal;
  readonly #onStop = () => this.begin('it was interrupted');
  #timer: NodeJS.Timeout | null = null;

  constructor(stop: AbortSignal, graceMs: number) {
    this.#graceMs = graceMs;
    // Every pending attempt listens, possibly hundreds.
    setMaxListeners(0, this.#controller.signal);
    this.#stop = stop;
    if (stop.aborted) this.begin('it was interrupted');
    else stop.addEventListener('abort', this.#onStop, { once: true });
  }

  /** Aborted when pending attempts have to end. */
  get abort(): AbortSignal {
    return this.#controller.signal;
  }

  begin(reason: string, fatal: ModelError | null = null): void {
    if (this.begun) return;
    this.begun = true;
    this.reason = reason;
    this.fatal = fatal;
    if (fatal !== null) this.#controller.abort();
    else this.#timer = setTimeout(() => this.#controller.abort(), this.#graceMs);
  }

  /** An internal error: stop everything. */
  fail(error: unknown): void {
    this.failure ??= error ?? new Error('an attempt failed without an error');
    this.begun = true;
    this.#controller.abort();
  }

  done(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stop.removeEventListener('abort', this.#onStop);
  }
}

function summarize(records: readonly SampleRecord[], planned: number, missing: number) {
  const turns = records.flatMap((record) => record.turns);
  const distinct = (values: readonly (string | null)[]) =>
    [...new Set(values.filter((value) => value !== null))].sort();
  return {
    tool_lists: Object.fromEntries(countEach(records.map((record) => record.tools_checksum))),
    models_reported: distinct(turns.map(({ model }) => model)),
    fingerprints: distinct(turns.map(({ fingerprint }) => fingerprint)),
    warnings: distinct(turns.flatMap(({ warnings }) => warnings)),
    attempts: {
      planned,
      done: planned - missing,
      errors: records.filter(({ outcome }) => outcome === 'error').length,
    },
  };
}

/** Writes the predictions file for `rookery score` from a run's records. */
export function writePredictions(
  folder: RunFolder,
  header: RunHeader,
  records: Iterable<SampleRecord>,
): void {
  const lines = [...records].map((record) => toPrediction(record, header.config.epochs));
  folder.writePredictions([predictionHeaderOf(header), ...lines]);
}
