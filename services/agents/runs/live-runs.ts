import { setImmediate, setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type FaultKind, isSilent } from '../../../contracts/fault.ts';
import type { AnswerFacts } from '../../../contracts/formulations/answer-facts.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import type { RunAnswer, RunStatus } from '../../../contracts/run.ts';
import { CALLER_HEADER, runCaller } from '../../base/access/asker.ts';
import { writeJson } from '../../base/http/json-text.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { bareHandle } from '../../domain/tools/plan/make-plan.ts';
import type { Backend, BackendAnswer } from '../backend/backend.ts';
import { problemAnswer, problemCode } from '../backend/problem-answer.ts';
import { type AgentCall, callTool } from '../calls/call-tool.ts';
import { dueFault } from '../faults/due-fault.ts';
import { corruptsAnswers } from '../faults/inject-fault.ts';
import { silentStrike } from '../faults/silent/silent-strike.ts';
import type { Surface } from '../surface/surface.ts';
import type { RealCall, ToolList } from '../tool-lists/tool-list.ts';
import type { ToolLists } from '../tool-lists/tool-lists.ts';
import { type CountedPart, endMessage, exhaustedPart } from './exhausted-part.ts';
import { foreignHandle } from './foreign-handle.ts';
import { overdue } from './overdue.ts';
import type { RunRecord } from './run-records.ts';
import type { RunStores } from './run-stores.ts';

export interface LiveRunsOptions {
  readonly store: RunStores;
  readonly lists: ToolLists;
  readonly backend: Backend;
  /** Told of each fault that a call has met. */
  readonly onFault: (fault: FaultKind) => void;
}

/** What is kept in memory of a run in use; all of it can be read from the store again. */
interface Session {
  run: RunRecord;
  calls: number;
  bytes: number;
  inFlight: number;
  /** Numbers of calls that could not be recorded, to be given again. */
  readonly unused: number[];
  /** The last call of a run whose answers have a limit of bytes: the next one waits for it. */
  last: Promise<unknown>;
  readonly listeners: Set<() => void>;
  /** In an exam: bare handles of its start tables, and those that its calls were answered with. */
  handles: Set<string> | null;
}

const MAX_IDLE_SESSIONS = 5000;
/**
 * In an exam answers leave at whole multiples of this after their call came: what a service does sooner for the second
 * who asks (a statement that is prepared, pages in memory) is no sign that somebody asked before.
 */
const BEAT_MS = 100;
const NOTHING = Promise.resolve();
const NO_FACTS: AnswerFacts = { rows: null, handle: null };

/** The runs of a server, live: each agent's calls counted, recorded and, when its budget is spent, refused. */
export class LiveRuns {
  readonly store: RunStores;
  readonly #options: LiveRunsOptions;
  readonly #idle = new LRUCache<string, Session>({ max: MAX_IDLE_SESSIONS });
  /** Those with a call under way: their count is in memory only. */
  readonly #busy = new Map<string, Session>();

  constructor(options: LiveRunsOptions) {
    this.store = options.store;
    this.#options = options;
  }

  /** Throws UNKNOWN_RUN. */
  run(runId: string): RunRecord {
    return this.#settled(this.#session(runId));
  }

  /** What the agent of a run stands before. Its time begins. Throws UNKNOWN_RUN. */
  surface(runId: string): Surface {
    const session = this.#session(runId);
    const { run } = session;
    this.#begin(session);
    const { lists } = this.#options;
    return {
      base: `/runs/${runId}`,
      get list() {
        return lists.ofTask(run.sample_id, run.list_options, run.exam_key);
      },
      evidence: run.evidence,
      // In an exam no agent may tell by what is promised whether it meets faults.
      corruptsAnswers: run.exam_key !== null || corruptsAnswers(run.faults),
      call: (call) => this.#inTurn(session, call),
      ...(run.answer_tool
        ? {
            answerTool: {
              isOver: () => this.#settled(session).status !== 'open',
              onOver: (listener) => {
                session.listeners.add(listener);
                return () => session.listeners.delete(listener);
              },
              submit: (answer) => this.answer(runId, answer),
            },
          }
        : {}),
    };
  }

  /** Ends a run with the agent's answer. Throws UNKNOWN_RUN, RUN_OVER. */
  answer(runId: string, answer: RunAnswer): RunRecord {
    const session = this.#session(runId);
    this.#begin(session);
    this.#requireOpen(session, []);
    this.#end(session, 'answered', null, answer);
    return session.run;
  }

  /**
   * How many bytes an answer has is known afterwards only. So where they are limited, one call has all that are left,
   * and others wait until it is known what it took.
   */
  #inTurn(session: Session, call: AgentCall): Promise<BackendAnswer> {
    if (session.run.budget.bytes === undefined) return this.#call(session, call);
    const answer = session.last.then(() => this.#call(session, call));
    session.last = answer.catch(() => {});
    return answer;
  }

  async #call(session: Session, call: AgentCall): Promise<BackendAnswer> {
    this.#begin(session);
    this.#requireOpen(session, ['calls', 'bytes']);
    const { run } = session;
    const n = session.unused.pop() ?? ++session.calls;
    let isRecorded = false;
    this.#hold(session);
    try {
      const at = Date.now();
      const began = performance.now();
      const done = await this.#carryOut(session, n, call);
      const bytes = Buffer.byteLength(done.answer.body);
      await this.store.addCall({
        run_id: run.run_id,
        n,
        at,
        tool: call.name.slice(0, 200),
        arguments: writeJson(call.arguments),
        real_tool: done.real?.name ?? null,
        real_arguments: done.real ? writeJson(done.real.arguments) : null,
        status: done.answer.status,
        code: done.answer.status < 400 ? null : problemCode(done.answer),
        row_count: done.facts.rows,
        bytes,
        latency_ms: Math.round((performance.now() - began) * 1000) / 1000,
        fault: done.fault,
        handle: done.facts.handle,
      });
      isRecorded = true;
      if (done.facts.handle !== null) session.handles?.add(bareHandle(done.facts.handle));
      session.bytes += bytes;
      if (run.exam_key !== null) await untilNextBeat(began);
      return done.answer;
    } finally {
      if (!isRecorded) session.unused.push(n);
      this.#letGo(session);
    }
  }

  async #carryOut(session: Session, n: number, call: AgentCall) {
    const { lists, onFault } = this.#options;
    const { run } = session;
    const list = lists.ofTask(run.sample_id, run.list_options, run.exam_key);
    if (list.isSearch(call.name)) {
      // Nothing of the farm is asked, so nothing of it fails.
      const { answer } = await callTool(this.#options.backend, list, call);
      return { answer, real: null, facts: NO_FACTS, fault: null };
    }
    const real = list.tryRealCall(call.name, call.arguments);
    let facts = NO_FACTS;
    // In the record only: an answer that says so would be no silent fault.
    let silent: FaultKind | null = null;
    const backend = this.#spoiled(run, list, real, (fault) => {
      silent = fault;
      onFault(fault);
    });
    const foreign = real && this.#foreignHandle(session, list, real);
    const carryOut = async () => {
      if (real && foreign) return problemAnswer(list.shownProblem(real, foreign.toProblem()));
      const headers = {
        ...call.headers,
        ...(run.exam_key === null ? {} : { 'cache-control': 'no-store' }),
        [CALLER_HEADER]: runCaller(run.run_id),
      };
      const { answer, raw } = await callTool(backend, list, { ...call, headers });
      if (raw.status < 400) facts = FORMULATIONS[list.source.formulation].factsOf(raw.body);
      return answer;
    };
    const key = real ? `${real.name} ${writeJson(real.arguments)}` : call.name;
    const where = { scope: run.sample_id, n, tool: real?.name ?? null, key };
    const fault = run.faults && dueFault(run.faults, where, onFault);
    const answer = await (fault ? fault(carryOut, call.headers) : carryOut());
    return { answer, real, facts, fault: answer.fault ?? (silent as FaultKind | null) };
  }

  /** In an exam a run has its start tables and what its own calls were answered with, and nothing of another's. */
  #foreignHandle(session: Session, list: ToolList, real: RealCall): HttpProblem | null {
    const { run } = session;
    if (run.exam_key === null || FORMULATIONS[list.source.formulation].calls !== 'chain') return null;
    session.handles ??= new Set(
      [...list.source.startTables, ...this.store.handles(run.run_id)].map(bareHandle),
    );
    const own = session.handles;
    return foreignHandle(real.arguments, (bare) => own.has(bare));
  }

  /** The services, with the silent faults that a run has in their answers. */
  #spoiled(
    run: RunRecord,
    list: ToolList,
    real: RealCall | null,
    onSilent: (fault: FaultKind) => void,
  ): Backend {
    const { backend } = this.#options;
    const { faults } = run;
    if (!faults || !real) return backend;
    return {
      request: async (request) => {
        const answer = await backend.request(request);
        if (answer.status !== 200) return answer;
        const strike = silentStrike(faults, {
          sampleId: run.sample_id,
          proven: list.source.task?.silent_faults,
          tool: real.name,
          text: answer.body,
          offers: (tool) => list.realNames.includes(tool),
          struckBefore: () =>
            this.store
              .calls(run.run_id)
              .some(({ fault, real_tool }) => real_tool === real.name && isSilent(fault)),
        });
        if (!strike) return answer;
        onSilent(strike.fault);
        return { ...answer, body: strike.text };
      },
    };
  }

  #session(runId: string): Session {
    const known = this.#busy.get(runId) ?? this.#idle.get(runId);
    if (known) return known;
    const run = this.store.run(runId);
    if (!run) throw unknownRun(runId);
    const session: Session = {
      run,
      ...this.store.usage(runId),
      inFlight: 0,
      unused: [],
      last: NOTHING,
      listeners: new Set(),
      handles: null,
    };
    this.#idle.set(runId, session);
    return session;
  }

  #hold(session: Session): void {
    session.inFlight++;
    this.#busy.set(session.run.run_id, session);
  }

  #letGo(session: Session): void {
    if (--session.inFlight > 0) return;
    this.#busy.delete(session.run.run_id);
    this.#idle.set(session.run.run_id, session);
  }

  /** The clock of a run's seconds starts with its first request. That is when its list of tools is made, too. */
  #begin(session: Session): void {
    const { run } = session;
    if (run.started_at !== null) return;
    const at = Date.now();
    const list = this.#options.lists.ofTask(run.sample_id, run.list_options, run.exam_key);
    const { checksum } = list;
    const tools = list.isWhole ? null : [...list.realNames];
    this.store.start(run.run_id, { at, checksum, tools });
    session.run = { ...run, started_at: at, checksum, tools };
  }

  #requireOpen(session: Session, parts: readonly CountedPart[]): void {
    const { status, budget } = this.#settled(session);
    const part =
      status === 'open'
        ? exhaustedPart(budget, { calls: session.calls - session.unused.length, bytes: session.bytes }, parts)
        : null;
    if (part) this.#end(session, 'out_of_budget', part, null);
    if (session.run.status !== 'open') throw new HttpProblem('RUN_OVER', endMessage(session.run));
  }

  /** The run as it is now, ended when its seconds are over. */
  #settled(session: Session): RunRecord {
    const { status, ended_at, end_reason } = overdue(session.run, Date.now());
    if (session.run.status === 'open' && status !== 'open') {
      this.#end(session, status, end_reason, null, ended_at ?? Date.now());
    }
    return session.run;
  }

  #end(
    session: Session,
    status: Exclude<RunStatus, 'open'>,
    reason: string | null,
    answer: RunAnswer | null,
    at = Date.now(),
  ): void {
    this.store.end(session.run.run_id, { at, status, reason, answer });
    session.run = { ...session.run, status, end_reason: reason, answer, ended_at: at };
    for (const listener of session.listeners) listener();
    session.listeners.clear();
  }
}

/**
 * Waits until as many whole beats have passed as have begun. Timers are right to a millisecond, which would tell the
 * fraction of one that a call took; so the last one is waited for in short turns.
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
