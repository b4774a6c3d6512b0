import { DEFAULT_LIST } from '../../contracts/toolset-options.ts';
import type { CallRecord, RunRecord } from '../../services/agents/runs/run-store.ts';
import { SqliteRuns } from '../../services/agents/runs/sqlite-runs.ts';

const CALLS = 16_384;
const RUNS = 1024;

/**
 * Processor time of recording one call, in microseconds, by where it is recorded and how many end at the same time: those
 * share a commit.
 */
export async function measureCommits(file: string): Promise<Record<string, number>> {
  const measured: Record<string, number> = {};
  for (const [place, store] of [
    ['file', SqliteRuns.open(file)],
    ['memory', SqliteRuns.inMemory()],
  ] as const) {
    for (const together of [1, 16, 256]) {
      const name = `${place}_${together}`;
      await store.addRuns(Array.from({ length: RUNS }, (_, i) => runOf(`${name}_${i}`)));
      const began = process.cpuUsage();
      for (let i = 0; i < CALLS; i += together) {
        const group = Array.from({ length: together }, (_, k) => callOf(name, i + k));
        await Promise.all(group.map((call) => store.addCall(call)));
      }
      const { user, system } = process.cpuUsage(began);
      measured[name] = Number(((user + system) / CALLS).toFixed(1));
    }
    store.close();
  }
  return measured;
}

function callOf(name: string, i: number): CallRecord {
  return {
    run_id: `${name}_${i % RUNS}`,
    n: Math.floor(i / RUNS) + 1,
    at: i,
    tool: 'filter_data',
    arguments: JSON.stringify({
      data_source: '$t_0123456789$',
      key_name: 'a',
      value: 'b',
      condition: 'equals',
    }),
    real_tool: 'filter_data',
    real_arguments: JSON.stringify({ data_source: '$t_0123456789$', key_name: 'a', value: 'b' }),
    status: 200,
    code: null,
    row_count: 10,
    bytes: 2000,
    latency_ms: 1,
    fault: null,
    handle: '$t_9876543210$',
  };
}

function runOf(run_id: string): RunRecord {
  return {
    run_id,
    batch_id: null,
    sample_id: 'sample',
    agent: 'bench',
    model: null,
    settings: {},
    list_options: DEFAULT_LIST,
    checksum: null,
    tools: null,
    budget: {},
    faults: null,
    evidence: true,
    answer_tool: false,
    farm_hash: '',
    exam_key: null,
    created_at: 0,
    started_at: null,
    ended_at: null,
    status: 'open',
    end_reason: null,
    answer: null,
  };
}
