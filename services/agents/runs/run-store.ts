import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { type RunAnswer, type RunStatus, runAnswer, runBudget, runStatus } from '../../../contracts/api.ts';
import { UserError } from '../../../contracts/errors.ts';
import { faultKind, faultProfile } from '../../../contracts/faults.ts';
import type { AnswerVerdict, Reward, SampleReview, ServedGold } from '../../../contracts/judgement.ts';
import { listOptions } from '../../../contracts/toolset-options.ts';
import { readOwnJson } from '../../base/http/json.ts';
import { HttpProblem } from '../../base/http/problem.ts';

const json = <T extends z.ZodType>(schema: T, read: (text: string) => unknown = (text) => JSON.parse(text)) =>
  z.string().transform(read).pipe(schema);
const flag = z.number().transform((value) => value === 1);

/** A run as the store keeps it. */
export const runRecord = z.object({
  run_id: z.string(),
  batch_id: z.string().nullable(),
  sample_id: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  settings: json(z.record(z.string(), z.unknown())),
  list_options: json(listOptions),
  /** Of the list of tools, which is made when the run starts; null until then. */
  checksum: z.string().nullable(),
  tools: json(z.array(z.string())).nullable(),
  budget: json(runBudget),
  faults: json(faultProfile).nullable(),
  evidence: flag,
  answer_tool: flag,
  farm_hash: z.string(),
  /** null: the run has the farm's own names. It is kept, so that a run that is open outlives its server's key. */
  exam_key: z.string().nullable(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  status: runStatus,
  end_reason: z.string().nullable(),
  answer: json(runAnswer, readAnswerFields).nullable(),
});
export type RunRecord = z.output<typeof runRecord>;

/** A call as the store keeps it; arguments are JSON texts, so that numbers keep their digits. */
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
});
export type CallRecord = z.output<typeof callRecord>;

/** The answer's numbers keep their text, the other fields are plain. */
function readAnswerFields(text: string): unknown {
  const fields = JSON.parse(text) as object;
  const exact = readOwnJson(text) as { readonly answer: unknown };
  return { ...fields, answer: exact.answer };
}

/** Which runs are meant; all of them when nothing is given. */
export interface RunFilter {
  readonly run?: string;
  readonly batch?: string;
  readonly agent?: string;
}

/** When a run started, and with which tools. */
export interface RunStart extends Pick<RunRecord, 'tools'> {
  readonly at: number;
  readonly checksum: string;
}

/** How a run ended. */
export interface RunEnd {
  readonly at: number;
  readonly status: Exclude<RunStatus, 'open'>;
  readonly reason: string | null;
  readonly answer: RunAnswer | null;
}

/** What a run has used so far: the number of its last call, and the bytes of all answers. */
export interface RunUsage {
  readonly calls: number;
  readonly bytes: number;
}

/** How many runs are open. */
export interface OpenRuns {
  readonly open: number;
  /** Of them those that began and were last heard of between `STUCK_AFTER_MS` and `STUCK_UNTIL_MS` ago. */
  readonly stuck: number;
}

/** Nothing is heard of an agent that goes on for so long. */
export const STUCK_AFTER_MS = 15 * 60_000;
/** From then on a run has been given up. */
export const STUCK_UNTIL_MS = 24 * 3_600_000;

/** Which runs may go. */
export interface PruneBounds {
  /** Runs that were last heard of before. */
  readonly before: number;
  /** When more is kept, the oldest go first, and at most some hundreds more than need be. */
  readonly maxBytes: number;
  /** For want of room, only such as were last heard of before. */
  readonly idleSince: number;
}

/** At once where the store is in this process, later where it is elsewhere. */
type Awaitable<T> = T | Promise<T>;

/** Runs and their calls, for reading. A run whose seconds are over is read as over, whether or not anybody has noticed since. */
export interface RunReader {
  run(runId: string): Awaitable<RunRecord | undefined>;
  /** In the order in which they were begun. */
  runs(filter?: RunFilter): Iterable<RunRecord> | AsyncIterable<RunRecord>;
  /** In the order in which they came. */
  calls(runId: string): Awaitable<readonly CallRecord[]>;
  usage(runId: string): Awaitable<RunUsage>;
  close(): Awaitable<void>;
}

/**
 * Where a server keeps its runs. What is written resolves when it is written for good, together with all that waits at that
 * moment; it rejects with STORAGE_FULL where there is no room.
 */
export interface RunStore extends RunReader {
  /**
   * Whether other processes may write the same runs at the same time. Then what is known of a run may be out of date, and a
   * write that comes too late is refused, not carried out.
   */
  readonly isShared: boolean;
  /** All of them or none. */
  addRuns(runs: readonly RunRecord[]): Promise<void>;
  /** Answers whether the run had not started until now. */
  start(runId: string, start: RunStart): Promise<boolean>;
  /** Answers whether the run was open until now. */
  end(runId: string, end: RunEnd): Promise<boolean>;
  /**
   * Answers whether the call is recorded. It is not where another process has given its number to a call, or has ended the
   * run.
   */
  addCall(call: CallRecord): Promise<boolean>;
  /** The handles that a run's calls were answered with. */
  handles(runId: string): Awaitable<readonly string[]>;
  /** How many are open at a time, in milliseconds since 1970. */
  open(now: number): Awaitable<OpenRuns>;
  /** How much is kept, without space that is free again. */
  bytes(): Awaitable<number>;
  /** Drops runs that are too old, then as many of the oldest as there are too many bytes. Answers how many runs. */
  prune(bounds: PruneBounds): Awaitable<number>;
  /** Throws STORAGE_FULL from when something was refused for want of room until there is some. */
  requireRoom(): void;
}

/**
 * A run as it is at a time (milliseconds since 1970): an open one whose seconds were over before then is out of
 * budget, since the moment they were over.
 */
export function overdue(run: RunRecord, now: number): RunRecord {
  const { status, started_at, budget } = run;
  if (status !== 'open' || started_at === null || budget.seconds === undefined) return run;
  const over = started_at + budget.seconds * 1000;
  if (now < over) return run;
  return { ...run, status: 'out_of_budget', end_reason: 'seconds', ended_at: Math.round(over) };
}

/** `r`: a run; `b`: a batch of runs. */
export type IdKind = 'r' | 'b';

const ID = /^([rb])([0-9a-f]{2})[0-9a-f]{24}$/;

/** How many processes can share the runs of a farm: their numbers are two hexadecimal digits of an id. */
export const MOST_PROCESSES = 256;

/**
 * An id that nobody can guess, since whoever has it may make calls. It names the process that has the run, by its
 * number among those that share the farm's runs.
 */
export function newId(kind: IdKind, process = 0): string {
  return kind + process.toString(16).padStart(2, '0') + randomBytes(12).toString('hex');
}

/** The number of the process that has a run or batch; null for what is no id. */
export function processOf(id: string): number | null {
  const digits = ID.exec(id)?.[2];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

/** Whether a text has the form of a run's id. */
export function isRunId(text: string): boolean {
  return ID.exec(text)?.[1] === 'r';
}

/**
 * Scores a prediction file, given as its text, against the gold of the farm that is served. What it answers is sent
 * as it is, so it holds nothing of the gold. Injected by the command that starts the server: services never import `eval/`.
 */
export type Scorer = (predictions: string) => Promise<object>;

/** Judges each run of a prediction file's text by itself, in its order; injected likewise. */
export type Verifier = (predictions: string) => Promise<readonly Reward[]>;

/** Each run of a prediction file's text beside its gold; injected likewise, and for the harness alone. */
export type Reviewer = (predictions: string) => Promise<readonly SampleReview[]>;

/** The gold of a sample, undefined where there is no such sample; injected likewise, and for the harness alone. */
export type GoldReader = (sampleId: string) => Promise<ServedGold | undefined>;

/** An answer, as JSON text, beside the gold of a sample, undefined where there is no such sample; injected likewise. */
export type AnswerJudge = (sampleId: string, answer: string) => Promise<AnswerVerdict | undefined>;

/** What runs are opened for: by a server, which others may join; to drop runs, alone; or only to be read. */
export type RunsUse = 'serve' | 'prune' | 'read';
/** Told when a database goes, and when it is back. */
export type StoreLog = Pick<FastifyBaseLogger, 'error' | 'warn'>;

/** A kind of database to keep runs in; given by the command that starts a server, since services know files only. */
export interface RunDatabase {
  /** Of its addresses: `postgres` for `postgres://…`. */
  readonly schemes: readonly string[];
  /** Loaded when such an address is given. */
  readonly load: () => Promise<(address: string, use: RunsUse, log?: StoreLog) => Promise<RunStore>>;
}

const ADDRESS = /^([a-z][a-z\d+.-]*):\/\//i;

/** Whether a place of runs is the address of a database, such as `postgres://…`; else it is a file. */
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

/** STORAGE_FULL, for whatever was to be recorded. */
export function storageFull(cause: unknown): HttpProblem {
  const detail = 'Where runs are kept there is no more room. Nothing was recorded, and this did not count.';
  return new HttpProblem('STORAGE_FULL', detail, { headers: { 'retry-after': '10' }, cause });
}

/** A place of runs as it may be shown: without a password. */
export function shownPlace(place: string): string {
  if (!isDatabaseAddress(place) || !URL.canParse(place))
    return isDatabaseAddress(place) ? 'a database' : place;
  const { protocol, host, pathname } = new URL(place);
  return `${protocol}//${host}${pathname}`;
}
