import { readTemplateText } from '../../prompts/read-template-text.ts';
import type { Agent, AgentContext, Attempt } from '../agent.ts';
import { type ReadOptions, readFinalAnswer } from '../shared/read-final-answer.ts';
import { taskText } from '../shared/task-text.ts';
import { reactLoop } from './react-loop.ts';

/** The text loop of Live API-Bench: one action a turn, carried out live. */
export const reactAgent: Agent = {
  name: 'react',
  needsModel: true,
  needsFolder: false,
  takesComposed: true,
  callsByTurn: true,
  async attempt(context) {
    const requests = context.task.composition?.parts.length ?? 1;
    return answer(context, taskText(context.task, context.settings.evidence), { requests });
  },
  // Its template asks one question: what was said before is told again.
  begin(context) {
    const said: string[] = [];
    return {
      async say({ text, tools }) {
        const { calls } = await context.openRun();
        const question = said.length === 0 ? text : `${said.join('\n')}\nUser: ${text}`;
        const attempt = await answer({ ...context, tools }, question, { from: calls.length });
        said.push(`User: ${text}`, `You: ${attempt.rawOutput?.trim() ?? ''}`);
        return attempt;
      },
    };
  },
};

async function answer(
  { tools, settings, model, openRun }: AgentContext,
  question: string,
  how: ReadOptions,
): Promise<Attempt> {
  const caller = await openRun();
  const text = await reactLoop({
    model,
    tools,
    caller,
    settings,
    format: 'react',
    template: readTemplateText('react/react.txt'),
    question,
  });
  return { answer: await readFinalAnswer(text, caller, how), rawOutput: text };
}
