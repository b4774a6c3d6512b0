import type { Sql } from 'postgres';
import { UserError } from '../../../contracts/errors.ts';
import { writeJson } from '../../base/http/json-text.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { storageFull } from '../runs/as-storage-problem.ts';
import { overdue } from '../runs/overdue.ts';
import { type CallRecord, callRecord, type RunRecord, runRecord } from '../runs/run-records.ts';
import {
  type OpenRuns,
  type PruneBounds,
  type RunEnd,
  type RunFilter,
  type RunStart,
  type RunStore,
  type RunUsage,
  STUCK_AFTER_MS,
  STUCK_UNTIL_MS,
} from '../runs/run-store.ts';
import { GroupWriter } from './group-writer.ts';
import { CONNECTION, Presence, type RunsUse, type StoreLog } from './postgres-presence.ts';
import { PRUNE, READS, WRITES, type Write } from './postgres-schema.ts';
import { shownPlace } from './runs-place.ts';

const AT_A_TIME = 200;
const CONNECTIONS = 8;
/** What PostgreSQL says when its disk is full. */
const DISK_FULL = '53100';
/** The largest number that a run can have in the order in which they were begun. */
const LAST = '9223372036854775807';

/**
 * Runs and their calls in a PostgreSQL database, which any number of processes on any number of machines may share. What was
 * written is committed. Of two processes that number a call of the same run alike, the second is told so.
 */
export class PostgresRuns implements RunStore {
  readonly isShared = true;
  readonly #sql: Sql;
  readonly #presence: Presence;
  readonly #writer: GroupWriter;

  /** Connects to the database, as one of those that use it. Rejects with OPTION_INVALID. */
  static async open(address: string, use: RunsUse = 'serve', log?: StoreLog): Promise<PostgresRuns> {
    const { default: postgres } = await import('postgres');
    try {
      const presence = await Presence.take(address, use, log);
      return new PostgresRuns(postgres(address, { ...CONNECTION, max: CONNECTIONS }), presence);
    } catch (error) {
      if (error instanceof UserError) throw error;
      const fix = `runs cannot be kept there (${describe(error)}); choose another place`;
      throw new UserError('OPTION_INVALID', shownPlace(address), fix, { cause: error });
    }
  }

  private constructor(sql: Sql, presence: Presence) {
    this.#sql = sql;
    this.#presence = presence;
    this.#writer = new GroupWriter((write, rows) => this.#write(write, rows));
  }

  async addRuns(runs: readonly RunRecord[]): Promise<void> {
    // Many at once are all or none, so they are a group of their own.
    if (runs.length > 1) return void (await this.#write('addRuns', runs.map(runRow)));
    for (const run of runs) await this.#writer.add('addRuns', run.run_id, runRow(run));
  }

  start(runId: string, { at, checksum, tools }: RunStart): Promise<boolean> {
    const names = tools === null ? null : JSON.stringify(tools);
    return this.#writer.add('start', runId, { key: runId, at, checksum, tools: names });
  }

  end(runId: string, { at, status, reason, answer }: RunEnd): Promise<boolean> {
    const text = answer === null ? null : writeJson(answer);
    return this.#writer.add('end', runId, { key: runId, at, status, reason, answer: text });
  }

  addCall(call: CallRecord): Promise<boolean> {
    return this.#writer.add('addCall', `${call.run_id} ${call.n}`, call);
  }

  async run(runId: string): Promise<RunRecord | undefined> {
    const [row] = await this.#read('run', [runId]);
    return row && readRun(row);
  }

  async *runs({ run, batch, agent }: RunFilter = {}): AsyncIterableIterator<RunRecord> {
    let after = '0';
    for (;;) {
      const filter = [run ?? null, batch ?? null, agent ?? null];
      const rows = await this.#read('runs', [...filter, after, String(AT_A_TIME)]);
      yield* rows.map(readRun);
      const last = rows.at(-1);
      if (!last || rows.length < AT_A_TIME) return;
      after = String(last.seq);
    }
  }

  async calls(runId: string): Promise<CallRecord[]> {
    return (await this.#read('calls', [runId])).map((row) => callRecord.parse(row));
  }

  async handles(runId: string): Promise<string[]> {
    return (await this.#read('handles', [runId])).map(({ handle }) => String(handle));
  }

  async usage(runId: string): Promise<RunUsage> {
    const [row] = await this.#read('usage', [runId]);
    return { calls: Number(row?.calls), bytes: Number(row?.bytes) };
  }

  async open(now: number): Promise<OpenRuns> {
    const times = [now, now - STUCK_AFTER_MS, now - STUCK_UNTIL_MS].map(String);
    const [row] = await this.#read('open', times);
    return { open: Number(row?.open), stuck: Number(row?.stuck) };
  }

  async bytes(): Promise<number> {
    const [row] = await this.#read('bytes', []);
    return Number(row?.bytes);
  }

  async prune({ before, maxBytes, idleSince }: PruneBounds): Promise<number> {
    const dropped = await this.#drop(null, before);
    // To add up what is kept takes a look at every call, so it is done only where there may be too much.
    const [onDisk] = await this.#read('size', []);
    if (Number(onDisk?.bytes) <= maxBytes) return dropped;
    const [last] = await this.#read('lastTooMany', [String(idleSince), String(maxBytes)]);
    return typeof last?.seq === 'string' ? dropped + (await this.#drop(last.seq, idleSince)) : dropped;
  }

  /** Drops runs that were last heard of before a time, up to one in the order in which they were begun, or all. Answers how many. */
  async #drop(upTo: string | null, before: number): Promise<number> {
    let dropped = 0;
    for (;;) {
      const values = [upTo ?? LAST, String(before), String(AT_A_TIME)];
      const { count } = await this.#sql
        .unsafe(PRUNE, values)
        .catch((error) => Promise.reject(asProblem(error)));
      dropped += count;
      if (count < AT_A_TIME) return dropped;
    }
  }

  requireRoom(): void {}

  async close(): Promise<void> {
    await this.#writer.flush();
    await this.#sql.end({ timeout: 5 });
    await this.#presence.close();
  }

  async #write(write: Write, rows: readonly object[]): Promise<string[]> {
    try {
      const written = await this.#sql.unsafe(WRITES[write], [JSON.stringify(rows, withoutNul)], PREPARED);
      return written.map(({ key }) => String(key));
    } catch (error) {
      throw asProblem(error);
    }
  }

  async #read(read: keyof typeof READS, values: (string | null)[]): Promise<Record<string, unknown>[]> {
    try {
      return [...(await this.#sql.unsafe(READS[read], values, PREPARED))];
    } catch (error) {
      throw asProblem(error);
    }
  }
}

const PREPARED = { prepare: true };

function runRow(run: RunRecord): object {
  return {
    ...run,
    settings: JSON.stringify(run.settings),
    list_options: JSON.stringify(run.list_options),
    tools: run.tools === null ? null : JSON.stringify(run.tools),
    budget: JSON.stringify(run.budget),
    faults: run.faults === null ? null : JSON.stringify(run.faults),
    answer: run.answer === null ? null : writeJson(run.answer),
    evidence: Number(run.evidence),
    answer_tool: Number(run.answer_tool),
  };
}

function readRun(row: unknown): RunRecord {
  return overdue(runRecord.parse(row), Date.now());
}

/** No text of PostgreSQL has a NUL. Those in JSON are written as escapes, so only names can have one. */
function withoutNul(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

/** A statement that PostgreSQL refused is our own mistake, unless it is for want of room; all else is that it cannot be reached. */
function asProblem(error: unknown): unknown {
  const { code = '', severity } = error as { readonly code?: string; readonly severity?: string };
  if (code === DISK_FULL) return storageFull(error);
  if (severity === 'ERROR') return error;
  const detail =
    'The database of runs cannot be reached. Whether this was recorded, GET /runs/<id> tells when it is back.';
  return new HttpProblem('NOT_READY', detail, { headers: { 'retry-after': '5' }, cause: error });
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return describe(error.errors[0]);
  return error instanceof Error && error.message !== ''
    ? error.message
    : String((error as { code?: string }).code);
}
