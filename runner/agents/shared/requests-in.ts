import type { RunTask } from '../../categories/composition.ts';

/** What a task asks for: the questions of a numbered request, or the question. */
export function requestsIn({ question, composition }: Pick<RunTask, 'question' | 'composition'>): string[] {
  if (composition === undefined) return [question];
  return question.split(/^\d+\. /m).flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
}
