import type { ClientTask } from '../../../client/index.ts';

/** The question, what its words mean where that is to be told, and where SLOT and SEL begin. */
export function taskText({ question, evidence, start_tables }: ClientTask, withEvidence: boolean): string {
  const lines = [question];
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
