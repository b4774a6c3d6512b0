import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { type RunAnswer, type RunStatus, runAnswer, runBudget, runStatus } from '../../../contracts/api.ts';
import { UserError } from '../../../contracts/errors.ts';
import { faultKind, faultProfile } from '../../../contracts/faults.ts';
import type { AnswerVerdict, Reward, SampleReview, ServedGold } from '../../../contracts/judgement.ts';
import { listOptions } from '../../../contracts/toolset-options.ts';
import { readOwnJson, writeJson } from '../../base/http/json.ts';
import { HttpProblem } from '../../base/http/problem.ts';

const json = <T extends z.ZodType>(schema: T, read: (text: string) => unknown = (text) => JSON.parse(text)) =>
  z.string().transform(read).pipe(schema);
const flag = z.number().transform((value) => value === 1);

export const runRecord = z.object({
  run_id: z.string(),
  batch_id: z.string().nullable(),
  sample_id: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  settings: json(z.record(z.string(), z.unknown())),
  list_options: json(listOptions),
  /** Checksum of the tool list, which is made when the run starts; null until then. */
  checksum: z.string().nullable(),
  tools: json(z.array(z.string())).nullable(),
  budget: json(runBudget),
  faults: json(faultProfile).nullable(),
  evidence: flag,
  answer_tool: flag,
  writes: flag.default(false),
  farm_hash: z.string(),
  /** null: the run has the farm's own names. Stored, so that an open run survives a change of its server's key. */
  exam_key: z.string().nullable(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  status: runStatus,
  end_reason: z.string().nullable(),
  answer: json(runAnswer, readAnswerFields).nullable(),
});
export type RunRecord = z.output<typeof runRecord>;

/** A call in the store; arguments are JSON text, so that numbers keep their digits. */
export const callRecord = z.object({
  run_id: z.string(),
  n: z.number(),
  at: z.number(),
  tool: z.string(),
  arguments: z.string(),
  real_tool: z.string().nullable(),
  real_arguments: z.string().nullable(),
  status: z.number(),
  code: z.string().nullable(),
  row_count: z.number().nullable(),
  bytes: z.number(),
  latency_ms: z.number(),
  fault: faultKind.nullable(),
  handle: z.string().nullable(),
  /** The rows that it changed, as text of a journal; null for none. */
  changes: z.string().nullable().default(null),
  /** The answer to be repeated to the same Idempotency-Key, as JSON; null for none. */
  idempotency: z.string().nullable().default(null),
});
export type CallRecord = z.output<typeof callRecord>;

/** Numbers in the answer itself keep their text; other fields are plain. */
function readAnswerFields(text: string): unknown {
  const fields = JSON.parse(text) as object;
  const exact = readOwnJson(text) as { readonly answer: unknown };
  return { ...fields, answer: exact.answer };
}

export interface RunFilter {
  readonly run?: string;
  readonly batch?: string;
  readonly agent?: string;
}

export interface RunStart extends Pick<RunRecord, 'tools'> {
  readonly at: number;
  readonly checksum: string;
}

export interface RunEnd {
  readonly at: number;
  readonly status: Exclude<RunStatus, 'open'>;
  readonly reason: string | null;
  readonly answer: RunAnswer | null;
}

/** Usage so far: the number of the last call, and the bytes of all answers. */
export interface RunUsage {
  readonly calls: number;
  readonly bytes: number;
}

export interface OpenRuns {
  readonly open: number;
  /** Open runs that began, and were last active between `STUCK_AFTER_MS` and `STUCK_UNTIL_MS` ago. */
  readonly stuck: number;
}

/** A working agent is never silent this long. */
export const STUCK_AFTER_MS = 15 * 60_000;
/** A run that is silent longer counts as abandoned. */
export const STUCK_UNTIL_MS = 24 * 3_600_000;

export interface PruneBounds {
  /** Drops runs whose last activity was before this. */
  readonly before: number;
  /** Beyond this, the oldest are dropped, overshooting by at most a few hundred. */
  readonly maxBytes: number;
  /** When making room, spares runs that were active since. */
  readonly idleSince: number;
}

/** Synchronous where the store is in this process. */
type Awaitable<T> = T | Promise<T>;

/** Reads runs and their calls. A run whose seconds are over reads as over, even if that is not recorded yet. */
export interface RunReader {
  run(runId: string): Awaitable<RunRecord | undefined>;
  /** In the order in which they began. */
  runs(filter?: RunFilter): Iterable<RunRecord> | AsyncIterable<RunRecord>;
  /** In the order of the calls. */
  calls(runId: string): Awaitable<readonly CallRecord[]>;
  usage(runId: string): Awaitable<RunUsage>;
  close(): Awaitable<void>;
}

/**
 * A server's store of runs. Writes resolve once durable, batched with others pending at the same time; they reject
 * with STORAGE_FULL where there is no room.
 */
export interface RunStore extends RunReader {
  /** Whether other processes may write the same runs, so that a known run may be outdated and a late write dropped. */
  readonly isShared: boolean;
  addRuns(runs: readonly RunRecord[]): Promise<void>;
  /** Resolves to whether this call started the run. */
  start(runId: string, start: RunStart): Promise<boolean>;
  /** Resolves to whether this call ended the run. */
  end(runId: string, end: RunEnd): Promise<boolean>;
  /** Resolves to whether the call is recorded: another process may have used its number, or ended the run. */
  addCall(call: CallRecord): Promise<boolean>;
  handles(runId: string): Awaitable<readonly string[]>;
  /** Number of runs open at a time, in milliseconds since 1970. */
  open(now: number): Awaitable<OpenRuns>;
  bytes(): Awaitable<number>;
  /** Drops runs that are too old, then the oldest until `maxBytes` holds. Returns the number of dropped runs. */
  prune(bounds: PruneBounds): Awaitable<number>;
  /** Throws STORAGE_FULL after a write was rejected for lack of room, until there is room again. */
  requireRoom(): void;
}

/** A run as of a time (milliseconds since 1970): an open one is out of budget once its seconds are over. */
export function overdue(run: RunRecord, now: number): RunRecord {
  const { status, started_at, budget } = run;
  if (status !== 'open' || started_at === null || budget.seconds === undefined) return run;
  const over = started_at + budget.seconds * 1000;
  if (now < over) return run;
  return { ...run, status: 'out_of_budget', end_reason: 'seconds', ended_at: Math.round(over) };
}

/** A run as its row in a store, but for `seq`. */
export function runRow(run: RunRecord) {
  const orNull = (value: unknown) => (value === null ? null : JSON.stringify(value));
  return {
    ...run,
    settings: JSON.stringify(run.settings),
    list_options: JSON.stringify(run.list_options),
    tools: orNull(run.tools),
    budget: JSON.stringify(run.budget),
    faults: orNull(run.faults),
    answer: run.answer === null ? null : writeJson(run.answer),
    evidence: Number(run.evidence),
    answer_tool: Number(run.answer_tool),
    writes: Number(run.writes),
  };
}

/** A run as stored, as of now. */
export function readRun(row: unknown): RunRecord {
  return overdue(runRecord.parse(row), Date.now());
}

/** `r`: a run; `b`: a batch of runs. */
export type IdKind = 'r' | 'b';

const ID = /^([rb])([0-9a-f]{2})[0-9a-f]{24}$/;

/** Limit for processes sharing a farm's runs: an id has two hexadecimal digits for their numbers. */
export const MOST_PROCESSES = 256;

/** An unguessable id, since its holder may make calls. It contains the number of the process that has the run. */
export function newId(kind: IdKind, process = 0): string {
  return kind + process.toString(16).padStart(2, '0') + randomBytes(12).toString('hex');
}

/** The number of the process that has a run or batch; null for an invalid id. */
export function processOf(id: string): number | null {
  const digits = ID.exec(id)?.[2];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

export function isRunId(text: string): boolean {
  return ID.exec(text)?.[1] === 'r';
}

/**
 * Scores the text of a prediction file against the gold of the served farm. The result is sent to clients, so it
 * contains no gold. Injected by the command that starts the server: services never import `eval/`.
 */
export type Scorer = (predictions: string) => Promise<object>;

/** Judges each run in a prediction file's text separately, in order. Also injected. */
export type Verifier = (predictions: string) => Promise<readonly Reward[]>;

/** Compares each run in a prediction file's text with its gold, for the harness only. Also injected. */
export type Reviewer = (predictions: string) => Promise<readonly SampleReview[]>;

/** The gold of a sample, for the harness only; undefined for an unknown sample. Also injected. */
export type GoldReader = (sampleId: string) => Promise<ServedGold | undefined>;

/** Compares an answer, given as JSON text, with a sample's gold; undefined for an unknown sample. Also injected. */
export type AnswerJudge = (sampleId: string, answer: string) => Promise<AnswerVerdict | undefined>;

/** Why runs are opened: `serve`, which other processes may join; `prune`, exclusively; or `read`. */
export type RunsUse = 'serve' | 'prune' | 'read';
/** Logs when a database goes away and comes back. */
export type StoreLog = Pick<FastifyBaseLogger, 'error' | 'warn'>;

/** A kind of database for runs; injected by the command that starts a server, since services know files only. */
export interface RunDatabase {
  /** URL schemes: `postgres` for `postgres://…`. */
  readonly schemes: readonly string[];
  /** Called when a matching address is given. */
  readonly load: () => Promise<(address: string, use: RunsUse, log?: StoreLog) => Promise<RunStore>>;
}

const ADDRESS = /^([a-z][a-z\d+.-]*):\/\//i;

/** Whether a place of runs is a database address, such as `postgres://…`, rather than a file. */
export function isDatabaseAddress(place: string): boolean {
  return ADDRESS.test(place);
}

/** Opens the database at an address. Rejects with OPTION_INVALID. */
export async function openDatabase(
  address: string,
  databases: readonly RunDatabase[],
  use: RunsUse,
  log?: StoreLog,
): Promise<RunStore> {
  const scheme = ADDRESS.exec(address)?.[1]?.toLowerCase() ?? '';
  const database = databases.find(({ schemes }) => schemes.includes(scheme));
  if (database) return (await database.load())(address, use, log);
  const known = databases.flatMap(({ schemes }) => schemes).map((each) => `, or an address ${each}://…`);
  const fix = `runs cannot be kept there; give a file${known.join('')}`;
  throw new UserError('OPTION_INVALID', shownPlace(address), fix);
}

export function storageFull(cause: unknown): HttpProblem {
  const detail = 'Where runs are kept there is no more room. Nothing was recorded, and this did not count.';
  return new HttpProblem('STORAGE_FULL', detail, { headers: { 'retry-after': '10' }, cause });
}

/** A place of runs without its password, for display. */
export function shownPlace(place: string): string {
  if (!isDatabaseAddress(place) || !URL.canParse(place))
    return isDatabaseAddress(place) ? 'a database' : place;
  const { protocol, host, pathname } = new URL(place);
  return `${protocol}//${host}${pathname}`;
}
