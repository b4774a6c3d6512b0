import { DEFAULT_LIST } from '../../contracts/list-options.ts';
import type { CallRecord, RunRecord } from '../agents/runs/run-records.ts';

/** The record of a run that has not started. */
export function runOf(run_id: string, created_at: number, more: Partial<RunRecord> = {}): RunRecord {
  return {
    run_id,
    batch_id: null,
    sample_id: 's',
    agent: 'a',
    model: null,
    settings: {},
    list_options: DEFAULT_LIST,
    checksum: '',
    tools: null,
    budget: {},
    faults: null,
    evidence: true,
    answer_tool: false,
    farm_hash: '',
    exam_key: null,
    created_at,
    started_at: null,
    ended_at: null,
    status: 'open',
    end_reason: null,
    answer: null,
    ...more,
  };
}

/** The record of a call that was answered with nothing in particular. */
export function callOf(run_id: string, n: number, at: number, filler = ''): CallRecord {
  return {
    run_id,
    n,
    at,
    tool: 't',
    arguments: JSON.stringify({ filler }),
    real_tool: null,
    real_arguments: null,
    status: 200,
    code: null,
    row_count: null,
    bytes: 1,
    latency_ms: 1,
    fault: null,
    handle: null,
  };
}
