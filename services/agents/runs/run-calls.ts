import { type FaultKind, isSilent } from '../../../contracts/fault.ts';
import type { AnswerFacts } from '../../../contracts/formulations/answer-facts.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import { CALLER_HEADER, runCaller } from '../../base/access/asker.ts';
import { readJson, writeJson } from '../../base/http/json-text.ts';
import type { HttpProblem } from '../../base/http/problem.ts';
import { bareHandle } from '../../domain/tools/plan/make-plan.ts';
import type { Backend, BackendAnswer } from '../backend/backend.ts';
import { problemAnswer, problemCode } from '../backend/problem-answer.ts';
import { type AgentCall, callTool } from '../calls/call-tool.ts';
import { toolRequest } from '../calls/tool-request.ts';
import { dueFault } from '../faults/due-fault.ts';
import { applySilentFault } from '../faults/silent/silent-strike.ts';
import type { RealCall, ToolList } from '../tool-lists/tool-list.ts';
import type { ToolLists } from '../tool-lists/tool-lists.ts';
import { foreignHandle } from './foreign-handle.ts';
import type { RunMetrics } from './run-metrics.ts';
import type { CallRecord, RunRecord } from './run-records.ts';
import type { RunStores } from './run-stores.ts';
import type { LiveRun } from './session.ts';

export interface RunCallsOptions {
  readonly store: RunStores;
  readonly lists: ToolLists;
  readonly backend: Backend;
  readonly metrics: RunMetrics;
}

/** What became of a call. */
export interface CarriedOut {
  /** As the agent's list shows it. */
  readonly answer: BackendAnswer;
  /** null where the list has no such tool, and for a search of tools. */
  readonly real: RealCall | null;
  readonly facts: AnswerFacts;
  readonly fault: FaultKind | null;
}

const NO_FACTS: AnswerFacts = { rows: null, handle: null };

/** Carries out the calls of runs, under the names of their lists and with the faults that they are due. Records nothing. */
export class RunCalls {
  readonly #options: RunCallsOptions;

  constructor(options: RunCallsOptions) {
    this.#options = options;
  }

  /** The call of that number in its run. */
  async carryOut(session: LiveRun, n: number, call: AgentCall): Promise<CarriedOut> {
    const { lists, metrics } = this.#options;
    const onFault = (fault: FaultKind) => metrics.injected(fault);
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
    const foreign = real && (await this.#foreignHandle(session, list, real));
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
  async #foreignHandle(session: LiveRun, list: ToolList, real: RealCall): Promise<HttpProblem | null> {
    const { run } = session;
    const { store } = this.#options;
    if (run.exam_key === null || FORMULATIONS[list.source.formulation].calls !== 'chain') return null;
    const ownHandles = async () => {
      const own = [...list.source.startTables, ...(await store.handles(run.run_id))];
      return new Set(own.map(bareHandle));
    };
    session.handles ??= await ownHandles();
    const isOwn = (bare: string) => session.handles?.has(bare) ?? false;
    const foreign = foreignHandle(real.arguments, isOwn);
    if (foreign === null || !store.isShared(run.run_id)) return foreign;
    // Another process may have made the call that gave it.
    session.handles = await ownHandles();
    return foreignHandle(real.arguments, isOwn);
  }

  /** The services, which are told again what a run's handles name, with the silent faults that it has in their answers. */
  #spoiled(
    run: RunRecord,
    list: ToolList,
    real: RealCall | null,
    onSilent: (fault: FaultKind) => void,
  ): Backend {
    const { backend } = this.#options;
    if (!real) return backend;
    const { faults } = run;
    const hasSilent = faults?.rules.some(({ fault }) => isSilent(fault)) ?? false;
    return {
      request: async (request) => {
        let answer = await backend.request(request);
        if (answer.status === 404 && (await this.#tellHandles(run, list, real, answer))) {
          answer = await backend.request(request);
        }
        if (!faults || !hasSilent || answer.status !== 200) return answer;
        const before = await this.#options.store.calls(run.run_id);
        const strike = applySilentFault(faults, {
          sampleId: run.sample_id,
          proven: list.source.task?.silent_faults,
          tool: real.name,
          text: answer.body,
          offers: (tool) => list.realNames.includes(tool),
          struckBefore: () =>
            before.some(({ fault, real_tool }) => real_tool === real.name && isSilent(fault)),
        });
        if (!strike) return answer;
        onSilent(strike.fault);
        return { ...answer, body: strike.text };
      },
    };
  }

  /**
   * Makes the calls of a run again that gave it handles, where the service does not know one of them: it was started since, or
   * another one gave it. The same calls give the same handles. Answers whether that was so.
   */
  async #tellHandles(
    run: RunRecord,
    list: ToolList,
    real: RealCall,
    answer: BackendAnswer,
  ): Promise<boolean> {
    const { formulation } = list.source;
    if (FORMULATIONS[formulation].calls !== 'chain' || problemCode(answer) !== 'UNKNOWN_HANDLE') return false;
    const calls = await this.#options.store.calls(run.run_id);
    const given = calls.filter(gaveHandle);
    const own = new Set(given.map(({ handle }) => bareHandle(handle)));
    // One that the run was never given is the agent's mistake.
    if (foreignHandle(real.arguments, (bare) => !own.has(bare)) === null) return false;
    for (const { real_tool: name, real_arguments } of given) {
      const again = {
        service: real.service,
        name,
        tool: name,
        arguments: readJson(real_arguments) as typeof real.arguments,
      };
      await this.#options.backend.request({
        ...toolRequest(formulation, again, 'preview=0'),
        headers: { [CALLER_HEADER]: runCaller(run.run_id) },
      });
    }
    return true;
  }
}

function gaveHandle(
  call: CallRecord,
): call is CallRecord & { handle: string; real_tool: string; real_arguments: string } {
  return call.handle !== null && call.real_tool !== null && call.real_arguments !== null;
}
