import { hash } from 'node:crypto';
import { type FaultKind, isSilent } from '../../../contracts/faults.ts';
import type { AnswerFacts } from '../../../contracts/formulation.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import { isWriteTool, LONGEST_IDEMPOTENCY_KEY } from '../../../contracts/records.ts';
import { isOfChanges } from '../../../contracts/vocabulary.ts';
import { CALLER_HEADER, runCaller } from '../../base/http/caller.ts';
import { readJson, writeJson } from '../../base/http/json.ts';
import { HttpProblem, invalidField, problemOfArguments } from '../../base/http/problem.ts';
import type { JournalStep } from '../../base/sqlite/private-copy.ts';
import { problemAnswer } from '../../domain/domain-calls.ts';
import { referenceIn, unknownHandle } from '../../domain/tools/arguments.ts';
import { bareHandle, HANDLE_PATTERN } from '../../domain/tools/plan.ts';
import { type Backend, type BackendAnswer, problemCode } from '../backend/backend.ts';
import { answerSearch } from '../code/interfaces.ts';
import { dueFault } from '../faults.ts';
import { applySilentFault } from '../silent-faults.ts';
import { type AgentCall, callTool, directCall, serviceCall } from '../toolsets/call-tool.ts';
import type { RealCall, ToolList } from '../toolsets/tool-list.ts';
import type { ToolLists } from '../toolsets/tool-lists.ts';
import type { RunMetrics } from './run-metrics.ts';
import type { CallRecord, RunRecord } from './run-store.ts';
import type { RunStores } from './run-stores.ts';
import { dueStateFault, type RunState } from './state-faults.ts';
import { callUser, isToUser } from './user-calls.ts';

export interface RunCallsOptions {
  readonly store: RunStores;
  readonly lists: ToolLists;
  readonly backend: Backend;
  readonly metrics: RunMetrics;
}

export interface CarriedOut {
  readonly answer: BackendAnswer;
  /** null where the list has no such tool, and for a search of tools. */
  readonly real: RealCall | null;
  readonly facts: AnswerFacts;
  readonly fault: FaultKind | null;
  readonly step: JournalStep | undefined;
  /** The answer to repeat for the call's Idempotency-Key. */
  readonly reply: SavedReply | undefined;
}

export interface SavedReply {
  readonly key: string;
  /** Hash of what was asked. */
  readonly request: string;
  readonly answer: Pick<BackendAnswer, 'status' | 'contentType' | 'headers' | 'body'>;
}

const NO_FACTS: AnswerFacts = { rows: null, handle: null };

/** Carries out the calls of runs, under the names of their lists and with the faults due. Records nothing. */
export class RunCalls {
  readonly #options: RunCallsOptions;

  constructor(options: RunCallsOptions) {
    this.#options = options;
  }

  async carryOut(session: LiveRun, n: number, call: AgentCall): Promise<CarriedOut> {
    const { lists, metrics } = this.#options;
    const onFault = (fault: FaultKind) => metrics.injected(fault);
    const { run } = session;
    const list = lists.ofTask(run.sample_id, run.list_options, run.exam_key);
    if (list.isSearch(call.name)) {
      // A search calls no service, so no fault applies.
      const answer = answerSearch(list, call);
      return { answer, real: null, facts: NO_FACTS, fault: null, step: undefined, reply: undefined };
    }
    const { task } = list.source;
    if (task?.user && isToUser(call.name)) {
      const before = await this.#options.store.calls(run.run_id);
      const answer = callUser(task, call, before);
      return { answer, real: null, facts: NO_FACTS, fault: null, step: undefined, reply: undefined };
    }
    const formulation = call.beyond ?? list.source.formulation;
    const real = call.beyond ? directCall(list, call) : list.tryRealCall(call.name, call.arguments);
    let facts = NO_FACTS;
    // An answer may get lost, but what was changed is changed.
    let step: JournalStep | undefined;
    let reply: SavedReply | undefined;
    // For the record only: a silent fault must not show in its answer.
    let silent: FaultKind | null = null;
    const noteSilent = (fault: FaultKind) => {
      silent = fault;
      onFault(fault);
    };
    const backend = this.#spoiled(run, list, real, noteSilent);
    const foreign = real && (await this.#foreignHandle(session, list, real));
    const carryOut = async (): Promise<BackendAnswer> => {
      if (real && foreign) return problemAnswer(list.shownProblem(real, foreign.toProblem()));
      const headers = {
        ...call.headers,
        ...(run.exam_key === null ? {} : { 'cache-control': 'no-store' }),
        [CALLER_HEADER]: runCaller(run.run_id),
      };
      const wanted = isOfChanges(formulation) ? wantedReply(call, real) : undefined;
      if (wanted && wanted.key.length > LONGEST_IDEMPOTENCY_KEY)
        return problemAnswer(keyTooLong().toProblem());
      const saved = wanted && session.state?.replies.get(wanted.key);
      if (saved) return repeated(saved, wanted);
      const { state } = session;
      const nth = isOfChanges(formulation) && real && state ? { run, state, n, real } : null;
      const struck = nth && dueStateFault(run.faults, nth, backend, noteSilent);
      const { answer: called, raw } = await callTool(struck?.backend ?? backend, list, {
        ...call,
        headers,
        journal: state?.journal,
        policies: list.source.task?.policies,
      });
      if (raw.status < 400) facts = FORMULATIONS[formulation].factsOf(raw.body);
      ({ step } = raw);
      const answer = real ? located(called, list, { run, real }) : called;
      if (wanted && raw.status < 400) {
        const { status, contentType, headers, body } = answer;
        reply = { ...wanted, answer: { status, contentType, headers, body } };
      }
      return struck ? struck.shown(answer) : answer;
    };
    const key = () => (real ? `${real.name} ${writeJson(real.arguments)}` : call.name);
    const fault =
      run.faults &&
      dueFault(run.faults, { scope: run.sample_id, n, tool: real?.name ?? null, key: key() }, onFault);
    const answer = await (fault ? fault(carryOut, call.headers) : carryOut());
    return { answer, real, facts, fault: answer.fault ?? (silent as FaultKind | null), step, reply };
  }

  /** In an exam a run knows only its start tables and the handles in its own answers. */
  async #foreignHandle(session: LiveRun, list: ToolList, real: RealCall): Promise<HttpProblem | null> {
    const { run } = session;
    const store = this.#options.store.of(run.run_id);
    if (run.exam_key === null || FORMULATIONS[list.source.formulation].calls !== 'chain') return null;
    const ownHandles = async () => {
      const own = [...list.source.startTables, ...(await store.handles(run.run_id))];
      return new Set(own.map(bareHandle));
    };
    session.handles ??= await ownHandles();
    const isOwn = (bare: string) => session.handles?.has(bare) ?? false;
    const foreign = foreignHandle(real.arguments, isOwn);
    if (foreign === null || !store.isShared) return foreign;
    // Another process may have made the call that returned it.
    session.handles = await ownHandles();
    return foreignHandle(real.arguments, isOwn);
  }

  /** The run's services, which rebuild lost handles, with the due silent fault injected into their answers. */
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
      call: async (call) => {
        let answer = await backend.call(call);
        if (answer.status === 404 && (await this.#tellHandles(run, list, real, answer))) {
          answer = await backend.call(call);
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
   * Repeats the calls that returned a run's handles, where the service lacks one of them: it has restarted since, or
   * another replica returned it. The same calls return the same handles. Resolves to whether any were repeated.
   */
  async #tellHandles(run: RunRecord, list: ToolList, real: RealCall, answer: BackendAnswer) {
    const { formulation } = list.source;
    if (FORMULATIONS[formulation].calls !== 'chain' || problemCode(answer) !== 'UNKNOWN_HANDLE') return false;
    const calls = await this.#options.store.calls(run.run_id);
    const given = calls.filter(gaveHandle);
    const own = new Set(given.map(({ handle }) => bareHandle(handle)));
    // A handle that the run never received is the agent's mistake.
    if (foreignHandle(real.arguments, (bare) => !own.has(bare)) === null) return false;
    for (const { real_tool: name, real_arguments } of given) {
      const again = {
        service: real.service,
        name,
        tool: name,
        arguments: readJson(real_arguments) as typeof real.arguments,
      };
      const headers = { [CALLER_HEADER]: runCaller(run.run_id) };
      await this.#options.backend.call(serviceCall(formulation, again, { view: 'preview=0', headers }));
    }
    return true;
  }
}

function gaveHandle(
  call: CallRecord,
): call is CallRecord & { handle: string; real_tool: string; real_arguments: string } {
  return call.handle !== null && call.real_tool !== null && call.real_arguments !== null;
}

/** The in-memory state of a run in use; all of it can be read from the store again. */
export interface LiveRun {
  run: RunRecord;
  calls: number;
  bytes: number;
  inFlight: number;
  /** Numbers of calls that could not be recorded, for reuse. */
  unused: number[];
  /** The last call of a run with a limit of bytes: the next one waits for it. */
  last: Promise<unknown>;
  /** Set while the start is being written. */
  beginning: Promise<void> | null;
  readonly listeners: Set<() => void>;
  /** In an exam: bare handles of the run's start tables and of its answers. */
  handles: Set<string> | null;
  /** Of a run that may change records; null until needed. */
  state: RunState | null;
}

/** The answer with the location of a created record rewritten to the run's own address, or removed if names are hidden. */
function located(
  answer: BackendAnswer,
  list: ToolList,
  { run, real }: { readonly run: RunRecord; readonly real: RealCall },
): BackendAnswer {
  const { location, ...headers } = answer.headers ?? {};
  if (location === undefined) return answer;
  if (list.options.obfuscate) return { ...answer, headers };
  const below = `/runs/${run.run_id}${list.shownPath(real.service, location)}`;
  return { ...answer, headers: { ...headers, location: below } };
}

/** The key of a change that is to be made once, and what it asks. */
function wantedReply({ headers }: AgentCall, real: RealCall | null) {
  const key = headers?.['idempotency-key'];
  if (key === undefined || !real || !isWriteTool(real.tool)) return undefined;
  return { key, request: hash('sha256', `${real.tool} ${writeJson(real.arguments)}`, 'hex') };
}

function keyTooLong(): HttpProblem {
  const message = `an Idempotency-Key has at most ${LONGEST_IDEMPOTENCY_KEY} characters`;
  return invalidField('Idempotency-Key', 'out_of_range', message);
}

/** IDEMPOTENCY_KEY_REUSED for another request than the first with that key. */
function repeated({ request, answer }: SavedReply, wanted: Pick<SavedReply, 'key' | 'request'>) {
  if (request === wanted.request)
    return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
  const detail = `The Idempotency-Key ${wanted.key.slice(0, 80)} was sent with another request before; use a new one.`;
  return problemAnswer(new HttpProblem('IDEMPOTENCY_KEY_REUSED', detail).toProblem());
}

/**
 * UNKNOWN_HANDLE for the first handle in a call's arguments that is not among the `own` (bare) ones, in the service's
 * wording; null when there is none. Anything that looks like a handle counts, wherever it appears.
 */
export function foreignHandle(args: unknown, own: (bare: string) => boolean): HttpProblem | null {
  const found = find(args, '', own);
  return found && problemOfArguments(unknownHandle(found.text, found.field));
}

interface Found {
  readonly text: string;
  /** `data_source`, `values[2]` */
  readonly field: string;
}

function find(value: unknown, field: string, own: (bare: string) => boolean): Found | null {
  if (typeof value === 'string') {
    const name = referenceIn(value) ?? value;
    return HANDLE_PATTERN.test(name) && !own(bareHandle(name)) ? { text: value, field } : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`;
    const found = find(inner, at, own);
    if (found) return found;
  }
  return null;
}
