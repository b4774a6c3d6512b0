import { ANSWER_FORMAT } from '../../../contracts/prediction.ts';
import type { AgentSession } from '../surface/surface.ts';
import { SUBMIT_ANSWER } from './submit-answer.ts';

interface Told extends Pick<AgentSession, 'list' | 'evidence'> {
  /** Whatever it is: whether the answer is handed in by a tool. */
  readonly answerTool?: unknown;
}

/** What an agent is told before it begins: the question, and where SLOT and SEL begin; undefined without a task. */
export function taskText({ list, evidence, answerTool }: Told): string | undefined {
  const { task } = list.source;
  if (!task) return undefined;
  const handles = task.start_tables.map(({ handle }) => `\`${handle}\``);
  return [
    `Answer this question about the data behind the tools: ${task.question}`,
    evidence && task.evidence !== '' ? `What the words of the question mean: ${task.evidence}` : '',
    handles.length > 0
      ? `Begin from the table ${handles.join(' and ')}. Every call answers a handle; give it to the next call.`
      : '',
    answerTool ? `When you know the answer, call \`${SUBMIT_ANSWER}\` with it, once.` : ANSWER_FORMAT,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
