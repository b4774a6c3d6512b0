import type { Call } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { JournalStep } from '../../services/base/sqlite/private-copy.ts';
import type { DomainCalls } from '../../services/domain/domain-calls.ts';

export interface PlayedRecords {
  /** What the calls changed. */
  readonly journal: readonly JournalStep[];
  /** The body of the last answer. */
  readonly body: string;
  /** Why the first refused call was refused; null if none was. */
  readonly refused: string | null;
}

/** Makes record calls one after the other, as a run of its own. */
export async function playRecords(
  calls: DomainCalls,
  service: Service,
  made: readonly Pick<Call, 'name' | 'arguments'>[],
): Promise<PlayedRecords> {
  const journal: JournalStep[] = [];
  let body = '';
  let refused: string | null = null;
  for (const { name, arguments: args } of made) {
    const answer = await calls.call(
      'records',
      { service, name, arguments: args, view: '' },
      { caller: '', journal },
    );
    if (answer.step) journal.push(answer.step);
    ({ body } = answer);
    if (answer.status >= 400) refused ??= `${name}: ${body.slice(0, 200)}`;
  }
  return { journal, body, refused };
}
