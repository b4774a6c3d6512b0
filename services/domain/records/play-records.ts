import type { PolicyMode } from '../../../contracts/records.ts';
import type { Call } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import type { JournalStep } from '../../base/sqlite/private-copy.ts';
import type { CallAnswer, DomainCalls } from '../domain-calls.ts';

type RecordCall = Pick<Call, 'name' | 'arguments'>;

export interface PlayedRecords {
  readonly calls: readonly RecordCall[];
  /** What the calls changed. */
  readonly journal: readonly JournalStep[];
  /** An answer to each call. */
  readonly answers: readonly CallAnswer[];
}

/** Makes record calls one after the other, as a run of its own. */
export async function playRecords(
  calls: DomainCalls,
  service: Service,
  made: readonly RecordCall[],
  policies: PolicyMode = 'enforced',
): Promise<PlayedRecords> {
  const journal: JournalStep[] = [];
  const answers: CallAnswer[] = [];
  for (const { name, arguments: args } of made) {
    const call = { service, name, arguments: args, view: '' };
    const answer = await calls.call('records', call, { caller: '', journal, policies });
    if (answer.step) journal.push(answer.step);
    answers.push(answer);
  }
  return { calls: made, journal, answers };
}
