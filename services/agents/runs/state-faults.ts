import type { FaultProfile, StateFaultKind } from '../../../contracts/faults.ts';
import { isWriteTool, readRecordTool } from '../../../contracts/records.ts';
import type { Service } from '../../../contracts/service.ts';
import { writeJson } from '../../base/http/json.ts';
import { HttpProblem, lateAnswer } from '../../base/http/problem.ts';
import { JournalStep } from '../../base/sqlite/private-copy.ts';
import { problemAnswer } from '../../domain/domain-calls.ts';
import { recordApis } from '../../domain/records/resources.ts';
import type { Backend, BackendAnswer } from '../backend/backend.ts';
import { drawStateFault } from '../faults.ts';
import type { RealCall } from '../toolsets/tool-list.ts';
import type { SavedReply } from './run-calls.ts';
import type { CallRecord, RunRecord } from './run-store.ts';

type StateCall = Pick<CallRecord, 'changes' | 'idempotency' | 'fault' | 'real_tool' | 'real_arguments'>;

/** What a run that may change records has done so far. */
export class RunState {
  readonly journal: JournalStep[] = [];
  readonly replies = new Map<string, SavedReply>();
  /** Calls that a fault has struck, which are spared from then on. */
  readonly struck = new Set<string>();
  /** Whether nothing was read since the last change. */
  isUnread = false;
  /** Whether the last change was only accepted so far. */
  isLate = false;

  /** Adds a recorded call. `step`: what it changed, if that is at hand. */
  add(call: StateCall, step?: JournalStep): void {
    const { changes, idempotency, fault, real_tool, real_arguments } = call;
    const isRead = real_tool !== null && !isWriteTool(real_tool);
    if (changes !== null) this.journal.push(step ?? new JournalStep(changes));
    if (idempotency !== null) {
      const reply = JSON.parse(idempotency) as SavedReply;
      this.replies.set(reply.key, reply);
    }
    if (fault !== null) this.struck.add(`${real_tool} ${real_arguments}`);
    if (changes === null && !isRead) return;
    this.isUnread = changes !== null;
    this.isLate = changes !== null && fault === 'accepted';
  }
}

const READ_FAULTS: readonly StateFaultKind[] = ['stale_read'];
const WRITE_FAULTS: readonly StateFaultKind[] = ['lost_answer', 'concurrent_change', 'accepted', 'cut_value'];

interface Struck {
  /** The services as the call meets them. */
  readonly backend: Backend;
  /** The answer that the caller gets in place of the true one. */
  readonly shown: (answer: BackendAnswer) => BackendAnswer;
}

/** The n-th call of a run, in whose state it is made. */
export interface NthCall {
  readonly run: RunRecord;
  readonly state: RunState;
  readonly n: number;
  readonly real: RealCall;
}

/**
 * The fault due for a call on records; null for none. It is reported to `onFault` only if it has struck: there was a
 * change to lose, or a text to cut.
 */
export function dueStateFault(
  profile: FaultProfile | null,
  { run, state, n, real }: NthCall,
  backend: Backend,
  onFault: (fault: StateFaultKind) => void,
): Struck | null {
  const isWrite = isWriteTool(real.tool);
  const key = `${real.name} ${writeJson(real.arguments)}`;
  const isDue = isWrite ? !state.struck.has(key) : state.isUnread;
  const possible = isWrite ? WRITE_FAULTS : READ_FAULTS;
  const call = { scope: run.sample_id, n, tool: real.name, key };
  const drawn = profile && isDue ? drawStateFault(profile, call, possible) : null;
  const kind = !isWrite && state.isLate ? 'accepted' : drawn;
  if (!kind) return null;
  const same = (answer: BackendAnswer) => answer;
  const strike = (answer: BackendAnswer) => {
    onFault(kind);
    return answer;
  };
  if (!isWrite) {
    const journal = state.journal.slice(0, -1);
    return {
      backend: { call: async (made) => strike(await backend.call({ ...made, journal })) },
      shown: same,
    };
  }
  if (kind === 'lost_answer' || kind === 'accepted') {
    const instead = kind === 'accepted' ? ACCEPTED : problemAnswer(lateAnswer('The service').toProblem());
    return { backend, shown: (answer) => (answer.status < 300 ? strike(instead) : answer) };
  }
  return {
    backend: {
      call: async (made) => {
        if (kind === 'concurrent_change') {
          const isExpected = made.headers?.['if-match'] !== undefined;
          return strike(problemAnswer(otherClient(isExpected).toProblem()));
        }
        const cut = cutText(made.arguments, made.name, made.service);
        const answer = cut && (await backend.call({ ...made, arguments: cut }));
        // A text that a rule of the table refuses is not stored cut.
        return answer && answer.status < 300 ? strike(answer) : backend.call(made);
      },
    },
    shown: same,
  };
}

const ACCEPTED: BackendAnswer = {
  status: 202,
  contentType: 'application/json; charset=utf-8',
  body: '{"status":"accepted","detail":"The change will be made soon; read the record to see whether it is."}',
};

function otherClient(isExpected: boolean): HttpProblem {
  const detail =
    'Another client was changing the record at the same time, and nothing was changed. Read the record again before you repeat the change.';
  return new HttpProblem(isExpected ? 'RECORD_CHANGED' : 'CONCURRENT_CHANGE', detail);
}

const SHORTEST = 6;

/** The arguments with the first half of the longest text, among the columns that refer to nothing; null for none. */
function cutText(args: unknown, tool: string, service: Service): Record<string, unknown> | null {
  const api = recordApis(service).find(({ name }) => name === readRecordTool(tool)?.resource);
  const given = Object.entries((args ?? {}) as Record<string, unknown>);
  const texts = given.flatMap(([name, value]) => {
    const column = api?.columns.find((each) => each.name === name)?.column;
    const refers = api?.table.foreign_keys.some(({ columns }) => columns.includes(column?.name ?? ''));
    const isKey = api?.key.some((each) => each.name === name);
    return typeof value === 'string' && column && !refers && !isKey && value.length >= SHORTEST
      ? [{ name, value }]
      : [];
  });
  const [longest] = texts.sort((a, b) => b.value.length - a.value.length);
  if (!longest) return null;
  const cut = longest.value.slice(0, Math.ceil(longest.value.length / 2));
  return { ...Object.fromEntries(given), [longest.name]: cut };
}
