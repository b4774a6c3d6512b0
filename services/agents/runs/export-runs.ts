import type {
  AgentRunSummary,
  AgentRunView,
  RunSummary,
  RunView,
  TrajectoryEntry,
} from '../../../contracts/api.ts';
import { turnSampleId } from '../../../contracts/dialogue.ts';
import { isSilent, isStateFault, silentFaultKind } from '../../../contracts/faults.ts';
import type { Reward } from '../../../contracts/judgement.ts';
import type { SilentFaultMet } from '../../../contracts/prediction.ts';
import { isWriteTool, type RecordChange } from '../../../contracts/records.ts';
import type { Task } from '../../../contracts/task.ts';
import { CALL_TOOL, unwrapCall } from '../../../contracts/toolset-options.ts';
import { readJson, readOwnJson, writeJson } from '../../base/http/json.ts';
import { JournalStep } from '../../base/sqlite/private-copy.ts';
import { brokenRules, netDiff } from '../../domain/records/diff.ts';
import { referenceIn } from '../../domain/tools/arguments.ts';
import { bareHandle } from '../../domain/tools/plan.ts';
import { isLost } from '../faults.ts';
import { isSearchTool } from '../search/search-specs.ts';
import { isPlainObject } from '../toolsets/obfuscate.ts';
import type { CallRecord, RunFilter, RunReader, RunRecord, Verifier } from './run-store.ts';
import type { RunStores } from './run-stores.ts';
import { isDialogue, replyTo, turnsOf } from './user-calls.ts';

export function summarizeRun(run: RunRecord, calls: number): RunSummary {
  const { run_id, batch_id, sample_id, agent, status, end_reason, checksum } = run;
  return { run_id, batch_id, sample_id, base: `/runs/${run_id}`, agent, status, end_reason, calls, checksum };
}

/** A run with its trajectory, under the names that the agent saw; `task` for what the user of a dialogue replied. */
export function viewRun(
  run: RunRecord,
  task: Task | undefined,
  calls: readonly CallRecord[],
  now: number,
): RunView {
  const { calls: count, ...summary } = summarizeRun(run, calls.length);
  const bytes = calls.reduce((sum, call) => sum + call.bytes, 0);
  const seconds = run.started_at === null ? 0 : ((run.ended_at ?? now) - run.started_at) / 1000;
  return {
    ...summary,
    model: run.model,
    settings: run.settings,
    options: run.list_options,
    budget: run.budget,
    used: { calls: count, seconds, bytes },
    faults: shownFaults(run),
    created_at: isoTime(run.created_at),
    started_at: run.started_at === null ? null : isoTime(run.started_at),
    ended_at: run.ended_at === null ? null : isoTime(run.ended_at),
    answer: run.answer,
    ...changesOf(run, calls),
    trajectory: calls.map((call, i) => ({
      ...viewCall(call, run.status === 'open'),
      ...(task && replyTo(task, call, calls.slice(0, i))),
    })),
  };
}

/** An agent may be reading while its run is open, so these faults stay hidden until it ends. */
function isHidden(fault: string | null): boolean {
  return isSilent(fault) || isStateFault(fault);
}

function shownFaults({ faults, status }: RunRecord): RunView['faults'] {
  if (!faults || status !== 'open' || !faults.rules.some(({ fault }) => isHidden(fault))) return faults;
  const rules = faults.rules.filter(({ fault }) => !isHidden(fault));
  return rules.length === 0 ? null : { ...faults, name: 'custom', rules };
}

export function summarizeForAgent(run: RunRecord, calls: number): AgentRunSummary {
  const { run_id, base, status, end_reason } = summarizeRun(run, calls);
  return { run_id, base, status, end_reason, calls };
}

/** A run as its agent may see it: the question and the calls, but nothing of how it is examined. */
export function viewForAgent(
  run: RunRecord,
  task: Task,
  calls: readonly CallRecord[],
  now: number,
): AgentRunView {
  const { run_id, base, status, end_reason, budget, used, started_at, ended_at, answer, trajectory } =
    viewRun(run, task, calls, now);
  return {
    ...{ run_id, base, status, end_reason, budget, used, started_at, ended_at, answer },
    ...seenChanges(run, calls),
    question: task.question,
    ...(run.evidence ? { evidence: task.evidence } : {}),
    start_tables: task.start_tables,
    trajectory: trajectory.map(({ fault: _told, real_tool: _hidden, latency_ms, ...call }) =>
      run.exam_key === null ? { ...call, latency_ms } : call,
    ),
  };
}

/**
 * What a run has changed, as far as a later call has read truly: a fault may hide a change until then. Nothing where
 * tables are hidden behind other names.
 */
function seenChanges(run: RunRecord, calls: readonly CallRecord[]): Pick<AgentRunView, 'diff'> {
  if (run.list_options.obfuscate) return {};
  const lastRead = calls.findLastIndex(
    ({ real_tool, fault }) => real_tool !== null && !isWriteTool(real_tool) && !isStateFault(fault),
  );
  const { diff } = changesOf(run, run.status === 'open' ? calls.slice(0, lastRead + 1) : calls);
  return diff ? { diff } : {};
}

function viewCall(call: CallRecord, open: boolean): TrajectoryEntry {
  return {
    n: call.n,
    at: isoTime(call.at),
    tool: call.tool,
    ...(call.real_tool === null || call.real_tool === call.tool ? {} : { real_tool: call.real_tool }),
    arguments: readJson(call.arguments),
    status: call.status,
    code: call.code,
    rows: call.row_count,
    bytes: call.bytes,
    latency_ms: call.latency_ms,
    fault: open && isHidden(call.fault) ? null : call.fault,
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Yields a prediction file line by line: a header, then one for each run. Numbers in calls keep their digits. */
export async function* exportPredictions(
  runs: readonly RunRecord[],
  callsOf: (runId: string) => readonly CallRecord[] | Promise<readonly CallRecord[]>,
): AsyncIterableIterator<string> {
  const [first] = runs;
  if (!first) return;
  yield `${writeJson(headerOf(first))}\n`;
  for (const run of runs) yield `${writeJson(predictionOf(run, await callsOf(run.run_id)))}\n`;
}

function headerOf({ agent, model, settings, list_options, budget, faults, evidence, farm_hash }: RunRecord) {
  return {
    format: 'rookery-predictions/1',
    model: model ?? agent,
    settings: { agent, ...settings, ...list_options, budget, evidence, faults: faults ?? 'none' },
    farm_hash: farm_hash || undefined,
  };
}

/**
 * A run as a prediction: its calls under their real names, and its answer. Calls whose answer a fault made unreadable,
 * or made silently wrong and the agent repeated, are left out, since repeating them is right; calls that were rejected
 * as wrong stay. A run that never ended is exported as broken off; one that ran out of budget is marked so, since its
 * calls are no answer.
 */
function predictionOf(run: RunRecord, calls: readonly CallRecord[]) {
  const { answer, started_at, ended_at } = run;
  const handles = run.list_options.obfuscate ? handlesByBare(calls) : null;
  const error = answer?.error || (run.status === 'open' ? 'the run was never ended' : null);
  const exported = (some: readonly CallRecord[]) =>
    some
      .filter((call) => !isSearch(call, run) && !isExcused(call, calls))
      .map((call) => exportCall(call, run, handles));
  const turns = isDialogue(calls)
    ? turnsOf(calls).map(({ calls: own, answer: given }, i, all) => ({
        sample_id: turnSampleId(run.sample_id, i + 1),
        expects: 'answer',
        calls: exported(own),
        answer: given,
        ...changesOf(
          run,
          all.slice(0, i + 1).flatMap((turn) => turn.calls),
        ),
      }))
    : null;
  const all = {
    sample_id: run.sample_id,
    ...(turns === null ? { calls: exported(calls) } : { turns }),
    recorded: true,
    ...changesOf(run, calls),
    answer: answer?.answer,
    raw_output: answer?.raw_output,
    doubts: answer?.doubts,
    silent_faults: run.faults?.rules.some(({ fault }) => isSilent(fault)) ? silentFaultsMet(calls) : null,
    loops: answer?.loops,
    latency_s: started_at !== null && ended_at !== null ? (ended_at - started_at) / 1000 : null,
    input_tokens: answer?.input_tokens,
    output_tokens: answer?.output_tokens,
    error,
    out_of_budget: run.status === 'out_of_budget' ? true : null,
    withheld: run.list_options.withhold === 'gold' ? true : null,
    tools: run.tools,
    tools_checksum: run.checksum,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined));
}

/** What a run has changed on the whole, and the rules that it broke; nothing for one that may not change records. */
function changesOf(
  { writes }: RunRecord,
  calls: readonly CallRecord[],
): { readonly diff?: RecordChange[]; readonly broken_rules?: string[] } {
  if (!writes) return {};
  const journal = calls.flatMap(({ changes }) => (changes === null ? [] : [new JournalStep(changes)]));
  const broken_rules = brokenRules(journal);
  return { diff: netDiff(journal), ...(broken_rules.length > 0 ? { broken_rules } : {}) };
}

/** Searching does not count as calling a tool. */
function isSearch({ tool }: CallRecord, { list_options }: RunRecord): boolean {
  return isSearchTool(tool, list_options);
}

/** The call that the agent meant: for `call_tool`, the wrapped one. */
function meantCall(call: CallRecord, { list_options }: RunRecord) {
  const args = readOwnJson(call.arguments);
  if (list_options.via !== 'search' || call.tool !== CALL_TOOL) return { name: call.tool, arguments: args };
  return unwrapCall(args) ?? { name: call.tool, arguments: args };
}

/**
 * Whether it was right to repeat the call: its answer was lost, or was silently wrong and the same call followed. What
 * has changed records is never left out.
 */
function isExcused(call: CallRecord, calls: readonly CallRecord[]): boolean {
  if (call.changes !== null) return false;
  return isLost(call.fault) || (isSilent(call.fault) && laterSame(call, calls).length > 0);
}

function exportCall(call: CallRecord, run: RunRecord, handles: ReadonlyMap<string, string> | null) {
  const { real_tool, real_arguments, handle, code, row_count, fault } = call;
  const meant = meantCall(call, run);
  const args = real_arguments === null ? meant.arguments : readOwnJson(real_arguments);
  return {
    name: real_tool ?? meant.name,
    arguments: handles ? nameHandles(args, handles) : args,
    ...(handle === null ? {} : { handle }),
    status: call.status,
    ...(code === null ? {} : { code }),
    ...(row_count === null ? {} : { rows: row_count }),
    latency_ms: call.latency_ms,
    ...(fault === null ? {} : { fault }),
  };
}

/** The handles in a run's answers, by their bare form in an obfuscated list. */
export function handlesByBare(calls: readonly CallRecord[]): ReadonlyMap<string, string> {
  return new Map(calls.flatMap(({ handle }) => (handle === null ? [] : [[bareHandle(handle), handle]])));
}

/** Replaces every bare handle in a value, `t_…` or `$t_…$`, with its full name. */
export function nameHandles(value: unknown, handles: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const name = referenceIn(value);
    if (name === null) return handles.get(value) ?? value;
    const whole = handles.get(name);
    return whole === undefined ? value : `$${whole}$`;
  }
  if (Array.isArray(value)) return value.map((item) => nameHandles(item, handles));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, nameHandles(item, handles)]));
}

/** The silent faults of a run, one for each call that it did not repeat, with what followed. */
export function silentFaultsMet(calls: readonly CallRecord[]): SilentFaultMet[] {
  const first = calls.filter(
    (call) =>
      isSilent(call.fault) &&
      !calls.some((each) => each.n < call.n && isSilent(each.fault) && isSame(each, call)),
  );
  return first.map((call) => {
    const later = laterSame(call, calls);
    return {
      fault: silentFaultKind.parse(call.fault),
      tool: call.real_tool ?? call.tool,
      repeated: later.length,
      verified: later.some(({ status, fault }) => status === 200 && fault === null),
    };
  });
}

export function laterSame(call: CallRecord, calls: readonly CallRecord[]): CallRecord[] {
  return calls.filter((each) => each.n > call.n && isSame(each, call));
}

function isSame(a: CallRecord, b: CallRecord): boolean {
  return a.real_tool === b.real_tool && a.real_arguments === b.real_arguments;
}

export async function predictionsOf(store: Pick<RunStores, 'calls'>, runs: readonly RunRecord[]) {
  let text = '';
  for await (const line of exportPredictions(runs, (id) => store.calls(id))) text += line;
  return text;
}

/** The rewards of runs that are over, each with its id; at most one run per task. */
export async function rewardsOf(
  verifier: Verifier,
  store: Pick<RunStores, 'calls'>,
  runs: readonly RunRecord[],
): Promise<Reward[]> {
  const runOf = new Map(runs.map(({ sample_id, run_id }) => [sample_id, run_id]));
  const judged = await verifier(await predictionsOf(store, runs));
  return judged.map((each) => ({ run_id: runOf.get(each.sample_id), ...each }));
}

/** Runs that have begun; of several at one task, the one begun last. */
export async function chooseRuns(store: Pick<RunReader, 'runs'>, filter: RunFilter) {
  const chosen = new Map<string, RunRecord>();
  let replaced = 0;
  for await (const run of store.runs(filter)) {
    if (run.started_at === null) continue;
    const key = `${run.list_options.withhold} ${run.sample_id}`;
    if (chosen.has(key)) replaced++;
    chosen.set(key, run);
  }
  return { runs: [...chosen.values()], replaced };
}
