import type { PolicyMode } from '../../../contracts/records.ts';
import type { Call } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import type { JournalStep } from '../../base/sqlite/private-copy.ts';
import type { CallAnswer, DomainCalls } from '../domain-calls.ts';

type RecordCall = Pick<Call, 'name' | 'arguments'>;

export interface PlayedRecords {
  readonly calls: readonly RecordCall[];
  readonly journal: readonly JournalStep[];
  readonly answers: readonly CallAnswer[];
}

/** Makes calls that read and change records one after the other, as a run of its own. `argumentsOf`: what a call has, given earlier answers. */
export async function playRecords(
  calls: DomainCalls,
  service: Service,
  made: readonly RecordCall[],
  policies: PolicyMode = 'enforced',
  argumentsOf: (call: RecordCall, answers: readonly CallAnswer[]) => RecordCall['arguments'] = (call) =>
    call.arguments,
): Promise<PlayedRecords> {
  const journal: JournalStep[] = [];
  const answers: CallAnswer[] = [];
  for (const each of made) {
    const call = { service, name: each.name, arguments: argumentsOf(each, answers), view: '' };
    const isAction = service.actions?.some(({ name }) => name === each.name);
    const answer = await calls.call(isAction ? 'actions' : 'records', call, {
      caller: '',
      journal,
      policies,
    });
    if (answer.step) journal.push(answer.step);
    answers.push(answer);
  }
  return { calls: made, journal, answers };
}
