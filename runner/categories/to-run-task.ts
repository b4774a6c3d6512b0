import type { Category } from '../../contracts/category.ts';
import type { Candidate } from './composer.ts';
import type { Composition, RunTask } from './composition.ts';

/** The parts of a task that is asked for at once, as one numbered request. */
export function numberedRequest(questions: readonly string[]): string {
  return questions.map((question, i) => `${i + 1}. ${question}`).join('\n');
}

/** A composed task under an id that tells of what it is composed, `<split>/<db>/<question>+<question>/<category>`. */
export function toRunTask(
  category: Category,
  members: readonly [Candidate, ...Candidate[]],
  question: string,
  composition: Composition,
  note = '',
): RunTask {
  const [{ task }] = members;
  const ids = members.map((member) => member.task.question_id).join('+');
  const evidence = members.flatMap((member) => member.task.evidence ?? []).filter((text) => text !== '');
  const { evidence: _, ...first } = task;
  return {
    ...first,
    sample_id: `${task.split}/${task.db}/${ids}${note}/${category}`,
    question_id: ids,
    question,
    ...(task.evidence === undefined ? {} : { evidence: [...new Set(evidence)].join('\n') }),
    composition,
  };
}
