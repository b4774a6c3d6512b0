import { isSilent } from '../../../contracts/fault.ts';
import type {
  AgentRunSummary,
  AgentRunView,
  RunSummary,
  RunView,
  TrajectoryEntry,
} from '../../../contracts/run.ts';
import type { Task } from '../../../contracts/task.ts';
import { readJson } from '../../base/http/json-text.ts';
import type { CallRecord, RunRecord } from './run-records.ts';

/** A run in brief. */
export function summarizeRun(run: RunRecord, calls: number): RunSummary {
  const { run_id, batch_id, sample_id, agent, status, end_reason, checksum } = run;
  return { run_id, batch_id, sample_id, base: `/runs/${run_id}`, agent, status, end_reason, calls, checksum };
}

/** A run with its trajectory, under the names that the agent was given. */
export function viewRun(run: RunRecord, calls: readonly CallRecord[], now: number): RunView {
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
    trajectory: calls.map((call) => viewCall(call, run.status === 'open')),
  };
}

/** While a run is open its agent may be reading: a silent fault that is told of is none. */
function shownFaults({ faults, status }: RunRecord): RunView['faults'] {
  if (!faults || status !== 'open' || !faults.rules.some(({ fault }) => isSilent(fault))) return faults;
  const rules = faults.rules.filter(({ fault }) => !isSilent(fault));
  return rules.length === 0 ? null : { ...faults, name: 'custom', rules };
}

/** A run in brief, for its agent. */
export function summarizeForAgent(run: RunRecord, calls: number): AgentRunSummary {
  const { run_id, base, status, end_reason } = summarizeRun(run, calls);
  return { run_id, base, status, end_reason, calls };
}

/** A run as its agent may see it: the question and what was done, nothing of how it is being examined. */
export function viewForAgent(
  run: RunRecord,
  task: Task,
  calls: readonly CallRecord[],
  now: number,
): AgentRunView {
  const { run_id, base, status, end_reason, budget, used, started_at, ended_at, answer, trajectory } =
    viewRun(run, calls, now);
  return {
    ...{ run_id, base, status, end_reason, budget, used, started_at, ended_at, answer },
    question: task.question,
    ...(run.evidence ? { evidence: task.evidence } : {}),
    start_tables: task.start_tables,
    trajectory: trajectory.map(({ fault: _told, real_tool: _hidden, latency_ms, ...call }) =>
      run.exam_key === null ? { ...call, latency_ms } : call,
    ),
  };
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
    fault: open && isSilent(call.fault) ? null : call.fault,
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
