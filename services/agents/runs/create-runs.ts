import type { z } from 'zod';
import type { FaultProfile } from '../../../contracts/fault.ts';
import { isFarmWide, listOptions } from '../../../contracts/list-options.ts';
import type { runRequest } from '../../../contracts/run.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { chunkedMap } from '../../base/map-in-pieces.ts';
import { FAULT_PROFILES, namedProfile } from '../faults/profiles.ts';
import type { TaskBook } from '../tasks/task-book.ts';
import { requireEndpoints } from '../tool-lists/placed-tool.ts';
import type { ToolLists } from '../tool-lists/tool-lists.ts';
import { newId } from './run-ids.ts';
import type { RunRecord } from './run-records.ts';

export interface CreateContext {
  readonly tasks: TaskBook;
  readonly lists: ToolLists;
  /** Of runs that do not choose for themselves. */
  readonly faults: FaultProfile | null;
  readonly farmHash: string;
  /** In an exam: of the names and orders that lists have. */
  readonly examKey: string | null;
  /** The number of this process among those that share the farm's runs. */
  readonly process: number;
  /** Of a request for one task: the id that its run is to have. */
  readonly runId?: string;
  readonly now: number;
}

const MAX_RUNS = 20_000;

/**
 * The runs that a request asks for, one a task. Their ids cannot be guessed: an id is what allows its holder to make calls.
 * Throws UNKNOWN_TASK, and INVALID_PARAMETERS for a request that names no task, too many, or an unknown profile,
 * or wants tools of the whole farm where there are none.
 */
export async function createRuns(
  request: z.output<typeof runRequest>,
  { tasks, lists, faults, farmHash, examKey, process, runId, now }: CreateContext,
): Promise<RunRecord[]> {
  const {
    sample_id,
    select,
    agent,
    model,
    settings,
    budget,
    evidence,
    answer_tool,
    record: _,
    ...rest
  } = request;
  if ((sample_id === undefined) === (select === undefined)) {
    throw invalid('sample_id', 'missing', 'give either sample_id or select');
  }
  if (select) await tasks.read(select);
  const chosen = select ? tasks.select(select) : [tasks.get(sample_id ?? '')];
  if (chosen.length === 0) throw invalid('select', 'empty', 'no task is selected');
  if (chosen.length > MAX_RUNS) {
    throw invalid('select', 'out_of_range', `${chosen.length} tasks are selected; ${MAX_RUNS} are possible`);
  }
  const { faults: wanted, ...options } = rest;
  const list_options = listOptions.parse(options);
  const profile = chooseFaults(wanted, faults, list_options.seed);
  const batch_id = sample_id === undefined ? newId('b', process) : null;
  return chunkedMap(chosen, (task) => {
    // The list itself is made when the run starts.
    lists.service(task.db);
    if (isFarmWide(list_options)) requireEndpoints(task.formulation);
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
      farm_hash: farmHash,
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

function chooseFaults(
  wanted: string | FaultProfile | undefined,
  usual: FaultProfile | null,
  seed: number,
): FaultProfile | null {
  if (wanted === undefined) return usual;
  if (typeof wanted !== 'string') return wanted;
  if (wanted === 'none') return null;
  const profile = namedProfile(wanted, seed);
  if (profile) return profile;
  const names = ['none', ...Object.keys(FAULT_PROFILES)].join(', ');
  throw invalid('faults', 'not_one_of', `faults must be one of ${names}, or a profile`);
}

function invalid(field: string, code: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_PARAMETERS', message, { errors: [{ field, code, message }] });
}
