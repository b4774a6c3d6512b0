import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import type { Agent, AgentContext, Attempt } from '../agent.ts';
import { oneByOne } from '../shared/one-by-one.ts';
import { requestsIn } from '../shared/requests-in.ts';
import { lexicalRest } from './lexical-rest.ts';
import { lexicalTables } from './lexical-tables.ts';

/**
 * Words alone: tools by BM25 over their descriptions, arguments by what the question mentions, compared with the
 * column's values where they can be had. No model and no key; what a model adds is measured from here.
 */
export const lexicalAgent: Agent = {
  name: 'lexical',
  needsModel: false,
  needsFolder: false,
  takesComposed: true,
  attempt,
  begin: (context) => oneByOne(context, attempt),
};

async function attempt(context: AgentContext): Promise<Attempt> {
  const { task } = context;
  const answer = FORMULATIONS[task.formulation].calls === 'single' ? lexicalRest : lexicalTables;
  if (task.composition === undefined) return answer(context);
  const answers: unknown[] = [];
  const { composition: _, ...alone } = task;
  for (const question of requestsIn(task)) {
    const made = await answer({ ...context, task: { ...alone, question } });
    answers.push(made.answer ?? null);
  }
  return { answer: answers };
}
