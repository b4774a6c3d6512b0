import type { Agent, AgentContext, Conversation } from '../agent.ts';

/**
 * A conversation with an agent that remembers nothing: each turn is an attempt of its own, at what the user has said
 * since it last gave an answer.
 */
export function oneByOne(context: AgentContext, attempt: Agent['attempt']): Conversation {
  let heard: string[] = [];
  return {
    async say({ text, tools, golds }) {
      heard.push(text);
      const { composition: _, ...task } = context.task;
      const made = await attempt({
        ...context,
        task: { ...task, question: heard.join('\n') },
        tools,
        golds,
      });
      const isAnswer = made.answer != null || (made.calls ?? []).length > 0;
      if (isAnswer) heard = [];
      return made;
    },
  };
}
