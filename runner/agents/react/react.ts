import { readTemplateText } from '../../prompts/read-template-text.ts';
import type { Agent } from '../agent.ts';
import { readFinalAnswer } from '../shared/read-final-answer.ts';
import { taskText } from '../shared/task-text.ts';
import { reactLoop } from './react-loop.ts';

/** The text loop of Live API-Bench: one action a turn, carried out live. */
export const reactAgent: Agent = {
  name: 'react',
  needsModel: true,
  needsFolder: false,
  async attempt({ task, tools, settings, model, openRun }) {
    const caller = await openRun();
    const text = await reactLoop({
      model,
      tools,
      caller,
      settings,
      format: 'react',
      template: readTemplateText('react/react.txt'),
      question: taskText(task, settings.evidence),
    });
    return { answer: await readFinalAnswer(text, caller), rawOutput: text };
  },
};
