import { setImmediate, setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { RunAnswer, RunBudget, RunPlace, RunStatus, runRequest } from '../../../contracts/api.ts';
import type { FaultProfile } from '../../../contracts/faults.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import { SAY } from '../../../contracts/scripted-user.ts';
import { isFarmWide, listOptions } from '../../../contracts/toolset-options.ts';
import { isOfChanges } from '../../../contracts/vocabulary.ts';
import { chunkedMap, getOrInsert } from '../../base/concurrency.ts';
import { writeJson } from '../../base/http/json.ts';
import { HttpProblem, invalidField } from '../../base/http/problem.ts';
import { bareHandle } from '../../domain/tools/plan.ts';
import { type BackendAnswer, problemCode } from '../backend/backend.ts';
import { callThrough } from '../code/interfaces.ts';
import { corruptsAnswers, FAULT_PROFILES, namedProfile } from '../faults.ts';
import type { TaskBook } from '../task-book.ts';
import type { AgentCall, AgentSession } from '../toolsets/call-tool.ts';
import type { ToolList } from '../toolsets/tool-list.ts';
import type { ToolLists } from '../toolsets/tool-lists.ts';
import { requireEndpoints } from '../toolsets/toolset.ts';
import { type LiveRun, RunCalls, type RunCallsOptions } from './run-calls.ts';
import type { RunMetrics } from './run-metrics.ts';
import { type CallRecord, newId, overdue, type RunRecord } from './run-store.ts';
import type { RunStores } from './run-stores.ts';
import { RunState } from './state-faults.ts';
import { userMessage } from './user-calls.ts';

const MAX_IDLE_SESSIONS = 5000;
/**
 * In an exam answers leave at whole multiples of this after their call arrived, so that a second caller cannot detect
 * from faster answers (a prepared statement, cached pages) that another was there before.
 */
const BEAT_MS = 100;
const NOTHING = Promise.resolve();
const ANSWERED: BackendAnswer = {
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: '{"status":"answered"}',
};
const COUNTED: readonly CountedPart[] = ['calls', 'bytes'];

/** The server's runs: counts and records each agent's calls, and refuses them once the budget is spent. */
export class LiveRuns {
  readonly store: RunStores;
  readonly #lists: ToolLists;
  readonly #calls: RunCalls;
  readonly #metrics: RunMetrics;
  readonly #idle = new LRUCache<string, LiveRun>({ max: MAX_IDLE_SESSIONS });
  /** Runs with a call under way: their count is in memory only. */
  readonly #busy = new Map<string, LiveRun>();
  readonly #loading = new Map<string, Promise<LiveRun>>();

  constructor(options: RunCallsOptions) {
    this.store = options.store;
    this.#lists = options.lists;
    this.#calls = new RunCalls(options);
    this.#metrics = options.metrics;
  }

  /** Stores new runs: all or none. Rejects with STORAGE_FULL. */
  async add(runs: readonly RunRecord[], place: RunPlace): Promise<void> {
    await this.store.addRuns(runs, place);
    this.#metrics.begun(runs.length);
  }

  /** Rejects with UNKNOWN_RUN. */
  async run(runId: string): Promise<RunRecord> {
    const session = await this.#session(runId);
    if (this.store.of(runId).isShared) await this.#refresh(session);
    return this.#settled(session);
  }

  /** The session of a run's agent. Starts the run's clock. Rejects with UNKNOWN_RUN. */
  async surface(runId: string): Promise<AgentSession> {
    const session = await this.#session(runId);
    const { run } = session;
    await this.#begin(session);
    const list = () => this.#lists.ofTask(run.sample_id, run.list_options, run.exam_key);
    const base = `/runs/${runId}`;
    const beyond = () => (run.writes ? beyondTheList(list()) : []);
    return {
      base,
      get list() {
        return list();
      },
      evidence: run.evidence,
      // In an exam the schemas must not reveal whether the agent meets faults.
      get corruptsAnswers() {
        return run.exam_key !== null || corruptsAnswers(run.faults);
      },
      get beyond() {
        return beyond();
      },
      call: async (asked) => {
        const live = await this.#session(runId);
        const surface = { list: list(), base, beyond: beyond() };
        // A program that makes no call is refused too once the run is over.
        if (surface.list.options.via !== 'list' && !this.#isOpen(live, COUNTED))
          await this.#refuse(live, COUNTED);
        return callThrough(surface, asked, async (call) => this.#inTurn(await this.#session(runId), call));
      },
      ...(run.answer_tool
        ? {
            answerTool: {
              isOver: () => overdue(session.run, Date.now()).status !== 'open',
              onOver: (listener) => {
                session.listeners.add(listener);
                return () => session.listeners.delete(listener);
              },
              submit: (answer) => this.submit(runId, answer),
            },
          }
        : {}),
    };
  }

  /** Says something to the user of a dialogue. The last turn's answer ends the run. Rejects with UNKNOWN_RUN, RUN_OVER, NO_USER. */
  async say(runId: string, message: unknown): Promise<BackendAnswer> {
    const session = await this.surface(runId);
    if (!session.list.source.task?.user)
      throw new HttpProblem(
        'NO_USER',
        'This run is at a single question; hand in its answer with POST …/answer.',
      );
    const answer = await session.call({ name: SAY, arguments: message, view: '' });
    const isOver = answer.status === 200 && userMessage.parse(JSON.parse(answer.body)).over;
    if (isOver) await this.answer(runId, { answer: null });
    return answer;
  }

  /** Takes the answer of the tool `submit_answer`: of the turn in a dialogue, else of the run. Rejects as `say` and `answer`. */
  async submit(runId: string, answer: RunAnswer): Promise<BackendAnswer> {
    if ((await this.surface(runId)).list.source.task?.user)
      return this.say(runId, { answer: answer.answer ?? null });
    await this.answer(runId, answer);
    return ANSWERED;
  }

  /** Ends a run with the agent's answer. Rejects with UNKNOWN_RUN, RUN_OVER. */
  async answer(runId: string, answer: RunAnswer): Promise<RunRecord> {
    const session = await this.#session(runId);
    await this.#begin(session);
    if (!this.#isOpen(session, [])) await this.#refuse(session, []);
    const isFirst = await this.#end(session, 'answered', null, answer);
    if (!isFirst) throw new HttpProblem('RUN_OVER', endMessage(session.run));
    return session.run;
  }

  /**
   * The size of an answer is known only afterwards. So under a limit of bytes, one call may use all that are left, and
   * others wait until its size is known. Calls of a run that may change records see what those before them changed.
   */
  #inTurn(session: LiveRun, call: AgentCall): Promise<BackendAnswer> {
    const { budget, writes } = session.run;
    if (budget.bytes === undefined && !writes) return this.#call(session, call);
    const answer = session.last.then(() => this.#call(session, call));
    session.last = answer.catch(() => {});
    return answer;
  }

  async #call(session: LiveRun, call: AgentCall): Promise<BackendAnswer> {
    for (;;) {
      const answer = await this.#tryCall(session, call);
      if (answer) return answer;
      // Another process has recorded calls of this run. Nothing has changed yet, so the call is repeated with a later number.
      await this.#refresh(session);
    }
  }

  /** null: the call cannot be recorded, since another process has changed the run. */
  async #tryCall(session: LiveRun, call: AgentCall): Promise<BackendAnswer | null> {
    await this.#begin(session);
    if (session.run.writes) session.state ??= await this.#stateOf(session.run.run_id);
    if (!this.#isOpen(session, COUNTED)) await this.#refuse(session, COUNTED);
    // No await may come between the budget check and this line.
    const n = session.unused.pop() ?? ++session.calls;
    const { run } = session;
    let isRecorded = false;
    let isTaken = false;
    session.inFlight++;
    this.#busy.set(run.run_id, session);
    try {
      const at = Date.now();
      const began = performance.now();
      const done = await this.#calls.carryOut(session, n, call);
      const bytes = Buffer.byteLength(done.answer.body);
      const result = {
        status: done.answer.status,
        code: done.answer.status < 400 ? null : problemCode(done.answer),
      };
      const args = writeJson(call.arguments);
      const record: CallRecord = {
        run_id: run.run_id,
        n,
        at,
        tool: call.name.slice(0, 200),
        arguments: args,
        real_tool: done.real?.name ?? null,
        real_arguments:
          done.real && (done.real.arguments === call.arguments ? args : writeJson(done.real.arguments)),
        ...result,
        row_count: done.facts.rows,
        bytes,
        latency_ms: Math.round((performance.now() - began) * 1000) / 1000,
        fault: done.fault,
        handle: done.facts.handle,
        changes: done.step?.text ?? null,
        idempotency: done.reply ? JSON.stringify(done.reply) : null,
      };
      isRecorded = await this.store.of(run.run_id).addCall(record);
      if (!isRecorded) {
        isTaken = true;
        return null;
      }
      this.#metrics.called(result);
      session.state?.add(record, done.step);
      if (done.facts.handle !== null) session.handles?.add(bareHandle(done.facts.handle));
      session.bytes += bytes;
      if (run.exam_key !== null) await untilNextBeat(began);
      return done.answer;
    } finally {
      if (!isRecorded && !isTaken) session.unused.push(n);
      this.#letGo(session);
    }
  }

  async #session(runId: string): Promise<LiveRun> {
    const known = this.#busy.get(runId) ?? this.#idle.get(runId);
    if (known) return known;
    try {
      return await getOrInsert(this.#loading, runId, () => this.#load(runId));
    } finally {
      this.#loading.delete(runId);
    }
  }

  async #load(runId: string): Promise<LiveRun> {
    const run = await this.store.run(runId);
    if (!run) throw unknownRun(runId);
    const session: LiveRun = {
      run,
      ...(await this.store.usage(runId)),
      inFlight: 0,
      unused: [],
      last: NOTHING,
      beginning: null,
      listeners: new Set(),
      handles: null,
      state: null,
    };
    this.#idle.set(runId, session);
    return session;
  }

  async #stateOf(runId: string): Promise<RunState> {
    const state = new RunState();
    for (const call of await this.store.calls(runId)) state.add(call);
    return state;
  }

  /** Reads again what another process may have changed. Rejects with UNKNOWN_RUN. */
  async #refresh(session: LiveRun): Promise<void> {
    const { run_id } = session.run;
    const run = await this.store.run(run_id);
    if (!run) throw unknownRun(run_id);
    const { calls, bytes } = await this.store.usage(run_id);
    session.run = run;
    session.state = null;
    session.bytes = bytes;
    session.calls = Math.max(session.calls, calls);
    // Later calls must have higher numbers.
    session.unused = session.unused.filter((n) => n > calls);
  }

  #letGo(session: LiveRun): void {
    if (--session.inFlight > 0) return;
    this.#busy.delete(session.run.run_id);
    this.#idle.set(session.run.run_id, session);
  }

  /** Starts the clock of a run at its first request, and makes its tool list. */
  async #begin(session: LiveRun): Promise<void> {
    if (session.run.started_at !== null) return;
    session.beginning ??= this.#start(session).finally(() => {
      session.beginning = null;
    });
    await session.beginning;
  }

  async #start(session: LiveRun): Promise<void> {
    const { run } = session;
    const at = Date.now();
    const list = this.#lists.ofTask(run.sample_id, run.list_options, run.exam_key);
    const { checksum } = list;
    const tools = list.isWhole ? null : [...list.realNames];
    const isFirst = await this.store.of(run.run_id).start(run.run_id, { at, checksum, tools });
    if (isFirst) session.run = { ...session.run, started_at: at, checksum, tools };
    else await this.#refresh(session);
  }

  /** The spent part of the budget; null where the run is over already, or has budget left. */
  #spentPart({ run, calls, unused, bytes }: LiveRun, parts: readonly CountedPart[]): CountedPart | null {
    return exhaustedPart(run.budget, { calls: calls - unused.length, bytes }, parts);
  }

  #isOpen(session: LiveRun, parts: readonly CountedPart[]): boolean {
    return overdue(session.run, Date.now()).status === 'open' && this.#spentPart(session, parts) === null;
  }

  /** Ends a run whose budget is spent, unless that is recorded already. Always rejects with RUN_OVER. */
  async #refuse(session: LiveRun, parts: readonly CountedPart[]): Promise<never> {
    const { status } = await this.#settled(session);
    const part = status === 'open' ? this.#spentPart(session, parts) : null;
    if (part) await this.#end(session, 'out_of_budget', part, null);
    throw new HttpProblem('RUN_OVER', endMessage(session.run));
  }

  /** The current record, ended if its seconds are over. */
  async #settled(session: LiveRun): Promise<RunRecord> {
    const { status, ended_at, end_reason } = overdue(session.run, Date.now());
    if (session.run.status === 'open' && status !== 'open') {
      await this.#end(session, status, end_reason, null, ended_at ?? Date.now());
    }
    return session.run;
  }

  /** Resolves to whether the run was open until now. */
  async #end(
    session: LiveRun,
    status: Exclude<RunStatus, 'open'>,
    reason: string | null,
    answer: RunAnswer | null,
    at = Date.now(),
  ): Promise<boolean> {
    const isFirst = await this.store
      .of(session.run.run_id)
      .end(session.run.run_id, { at, status, reason, answer });
    if (isFirst) {
      session.run = { ...session.run, status, end_reason: reason, answer, ended_at: at };
      const calls = session.calls - session.unused.length;
      this.#metrics.ended(session.run, { calls, bytes: session.bytes });
    } else await this.#refresh(session);
    for (const listener of session.listeners) listener();
    session.listeners.clear();
    return isFirst;
  }
}

/**
 * The formulations that a run with changes may use beside the one of its list, at their own addresses: the others where
 * that is `records`, else `records`. None where names are hidden.
 */
function beyondTheList({ isRenamed, source }: ToolList): readonly Formulation[] {
  if (isRenamed) return [];
  return source.formulation === 'records' ? ['slot', 'sel', 'query', 'rest'] : ['records'];
}

/**
 * Waits for the next whole beat. Timers are accurate to a millisecond, which would reveal the call's fraction of one,
 * so the last millisecond is waited for in short turns.
 */
async function untilNextBeat(began: number): Promise<void> {
  const due = began + Math.ceil((performance.now() - began) / BEAT_MS) * BEAT_MS;
  await setTimeout(Math.max(0, Math.floor(due - performance.now()) - 1));
  while (performance.now() < due) await setImmediate();
}

function unknownRun(id: string): HttpProblem {
  const hint = id.startsWith('b') ? '; a batch is no run: use the address of one of its runs' : '';
  return new HttpProblem('UNKNOWN_RUN', `There is no run ${id.slice(0, 80)}${hint}`);
}

/** The parts of a budget that calls use up; seconds pass without them. */
export type CountedPart = Exclude<keyof RunBudget, 'seconds'>;

export function exhaustedPart(
  budget: RunBudget,
  used: Readonly<Record<CountedPart, number>>,
  parts: readonly CountedPart[],
): CountedPart | null {
  return parts.find((part) => used[part] >= (budget[part] ?? Number.POSITIVE_INFINITY)) ?? null;
}

export function endMessage({ status, end_reason, budget }: RunRecord): string {
  if (status === 'answered') return 'The run is over: its answer has been given.';
  const part = end_reason as keyof RunBudget;
  return `The run is over: its budget of ${budget[part]} ${part} is spent.`;
}

export interface CreateContext {
  readonly tasks: TaskBook;
  readonly lists: ToolLists;
  /** Default for runs that choose no faults; null: none. */
  readonly faults: FaultProfile | null;
  readonly farmHash: string;
  /** False while the farm is being generated. */
  readonly isComplete: boolean;
  /** In an exam: the key that draws names and orders of lists. */
  readonly examKey: string | null;
  /** The number of this process among those that share the farm's runs, from 0. */
  readonly process: number;
  /** In a request for one task: the id of its run. */
  readonly runId?: string;
  readonly now: number;
}

const MAX_RUNS = 20_000;

/**
 * The runs of a request, one per task. Their ids cannot be guessed: an id entitles its holder to make calls. Throws
 * UNKNOWN_TASK, and INVALID_PARAMETERS for a request that names no task, too many, or an unknown profile, or for tools
 * of the whole farm where there are none.
 */
export async function createRuns(
  request: z.output<typeof runRequest>,
  { tasks, lists, faults, farmHash, isComplete, examKey, process, runId, now }: CreateContext,
): Promise<RunRecord[]> {
  const { sample_id, select, writes, faults: wanted, record: _, ...rest } = request;
  const { agent, model, settings, budget, evidence, answer_tool, ...options } = rest;
  if ((sample_id === undefined) === (select === undefined)) {
    throw invalidField('sample_id', 'missing', 'give either sample_id or select');
  }
  if (select) await tasks.read(select);
  const chosen = select ? tasks.select(select) : [tasks.get(sample_id ?? '')];
  if (chosen.length === 0) throw invalidField('select', 'empty', 'no task is selected');
  const tooMany = `${chosen.length} tasks are selected; ${MAX_RUNS} are possible`;
  if (chosen.length > MAX_RUNS) throw invalidField('select', 'out_of_range', tooMany);
  const list_options = listOptions.parse(options);
  const profile = chooseFaults(wanted, faults, list_options.seed);
  const batch_id = sample_id === undefined ? newId('b', process) : null;
  return chunkedMap(chosen, (task) => {
    // The list itself is made when the run starts.
    lists.servicesOf(task);
    if (isFarmWide(list_options)) requireEndpoints(task.formulation);
    if (writes && task.formulation === 'hybrid') {
      const message = 'a run of hybrid cannot change records: its SQL would not see them';
      throw invalidField('writes', 'not_one_of', message);
    }
    return {
      run_id: runId ?? newId('r', process),
      batch_id,
      sample_id: task.sample_id,
      agent,
      model: model ?? null,
      settings,
      list_options,
      checksum: null,
      tools: null,
      budget,
      faults: profile,
      evidence,
      answer_tool,
      writes: writes || isOfChanges(task.formulation),
      // The complete farm will have another hash.
      farm_hash: isComplete ? farmHash : '',
      exam_key: examKey,
      created_at: now,
      started_at: null,
      ended_at: null,
      status: 'open',
      end_reason: null,
      answer: null,
    };
  });
}

function chooseFaults(wanted: string | FaultProfile | undefined, usual: FaultProfile | null, seed: number) {
  if (wanted === undefined) return usual;
  if (typeof wanted !== 'string') return wanted;
  if (wanted === 'none') return null;
  const profile = namedProfile(wanted, seed);
  if (profile) return profile;
  const names = ['none', ...Object.keys(FAULT_PROFILES)].join(', ');
  throw invalidField('faults', 'not_one_of', `faults must be one of ${names}, or a profile`);
}
