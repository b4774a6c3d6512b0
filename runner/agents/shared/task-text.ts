import type { RunTask } from '../../categories/composition.ts';

/** The question or requests, what its words mean where that is to be told, and where SLOT and SEL begin. */
export function taskText(
  { question, evidence, start_tables, composition }: RunTask,
  withEvidence: boolean,
): string {
  const lines = [question];
  if (composition?.turns === null) {
    const count = composition.parts.length;
    lines.push(
      `Answer with a list of ${count} elements, the rows of each of the ${count} requests in their order.`,
    );
  }
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
