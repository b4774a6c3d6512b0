import { isSilent } from '../../../contracts/fault.ts';
import { CALL_TOOL, SEARCH_TOOLS, unwrapCall } from '../../../contracts/search-tools.ts';
import { readOwnJson, writeJson } from '../../base/http/json-text.ts';
import { isLost } from '../faults/inject-fault.ts';
import { handlesByBare, nameHandles } from './name-handles.ts';
import type { CallRecord, RunRecord } from './run-records.ts';
import { laterSame, silentFaultsMet } from './silent-faults-met.ts';

/**
 * The text of a prediction file: a header of what holds for all the runs, and one line for each run of `runs`.
 * Numbers in calls keep the digits they came with.
 */
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
    farm_hash,
  };
}

/**
 * A run as a prediction: its calls under their real names, and its answer. Calls whose answer was made unreadable on
 * purpose, or was silently wrong and asked for again, are left out, since repeating them is right; those that were refused as wrong are the agent's own. A run
 * that was never ended is exported as broken off; one that ran out of budget says so, since its calls are no answer.
 */
function predictionOf(run: RunRecord, calls: readonly CallRecord[]) {
  const { answer, started_at, ended_at } = run;
  const handles = run.list_options.obfuscate ? handlesByBare(calls) : null;
  const error = answer?.error || (run.status === 'open' ? 'the run was never ended' : null);
  const all = {
    sample_id: run.sample_id,
    calls: calls
      .filter((call) => !isSearch(call, run) && !isExcused(call, calls))
      .map((call) => exportCall(call, run, handles)),
    recorded: true,
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

/** Looking for a tool is no call of one. */
function isSearch({ tool }: CallRecord, { list_options }: RunRecord): boolean {
  return list_options.via === 'search' && tool === SEARCH_TOOLS;
}

/** A call as the agent meant it: what `call_tool` was asked to call. */
function meantCall(call: CallRecord, { list_options }: RunRecord) {
  const args = readOwnJson(call.arguments);
  if (list_options.via !== 'search' || call.tool !== CALL_TOOL) return { name: call.tool, arguments: args };
  return unwrapCall(args) ?? { name: call.tool, arguments: args };
}

/** A call that it was right to make again: its answer was lost, or was silently wrong and the same call followed. */
function isExcused(call: CallRecord, calls: readonly CallRecord[]): boolean {
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
