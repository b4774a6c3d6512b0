import type { RunTask } from '../../categories/composition.ts';

/** The question; or of several requests at once these, and how they are answered together. */
export function requestText({ question, composition }: Pick<RunTask, 'question' | 'composition'>): string {
  if (composition === undefined || composition.turns !== null) return question;
  const count = composition.parts.length;
  return `${question}\nAnswer with a list of ${count} elements, the rows of each of the ${count} requests in their order.`;
}

/** The question or requests, what its words mean where that is to be told, and where SLOT and SEL begin. */
export function taskText(task: RunTask, withEvidence: boolean): string {
  const { evidence, start_tables } = task;
  const lines = [requestText(task)];
  if (withEvidence && evidence !== undefined && evidence !== '') {
    lines.push(`What the words of the question mean: ${evidence}`);
  }
  const handles = start_tables.map(({ handle }) => `"${handle}"`);
  if (handles.length > 0) {
    lines.push(
      `Begin from the table ${handles.join(' and ')}. Every call answers a handle; later calls refer to a result by it.`,
    );
  }
  return lines.join('\n');
}
