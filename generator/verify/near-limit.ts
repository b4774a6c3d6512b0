import { AsyncLocalStorage } from 'node:async_hooks';
import type { Question } from '../../contracts/split.ts';

/** From this part of its limit on, a statement may be over it on another machine. */
const NEAR = 1 / 3;

const asked = new AsyncLocalStorage<Question['question_id']>();

/** Statements that `work` runs, here or in a child process, are run for that question. */
export function onBehalfOf<T>({ question_id }: Question, work: () => Promise<T>): Promise<T> {
  return asked.run(question_id, work);
}

/** The questions of a domain whose statements come near their limit of processor time. */
export class NearLimit {
  readonly #questions = new Set<Question['question_id']>();

  /** Takes the part of its limit that a statement took, in the context of its question. */
  readonly note = (share: number): void => {
    const question = asked.getStore();
    if (share >= NEAR && question !== undefined) this.#questions.add(question);
  };

  /** Those of `questions` that were noted, in their order. */
  of(questions: readonly Question[]): Question['question_id'][] {
    return questions.map(({ question_id }) => question_id).filter((id) => this.#questions.has(id));
  }
}
