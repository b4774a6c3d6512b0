import { ANSWER_FORMAT, CHANGE_FORMAT, rulesText } from '../../contracts/prediction.ts';
import { EXECUTE, SEARCH_DOCS } from '../../contracts/sdk.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import type { RunTask } from '../categories/composition.ts';
import type { Message } from '../models/model.ts';
import type { Agent } from './agent.ts';
import { converse, readFinalAnswer, taskText } from './conversation.ts';

/** System message before the question, unless `system` overrides it. */
export const TOOLS_SYSTEM = [
  'You answer questions about data with the tools you are given. Call them as often as you need; each answer tells you',
  'what a call has found.',
  ANSWER_FORMAT,
  'If a result is too long to repeat, write its name in place of the rows: "$handle$" for a handle, or "$call_3$" for what',
  'your third call answered; several columns are a list of such names.',
].join('\n');

const CHANGES_SYSTEM = [
  'You carry out tasks on records with the tools you are given. Call them as often as you need, and look before you change',
  'anything.',
  CHANGE_FORMAT,
].join('\n');

/** The system message for a task, unless `system` overrides it; the rules of the domain belong to it in any case. */
function systemFor({ formulation, rules = [] }: RunTask, system?: string): string {
  const text = system ?? (isOfChanges(formulation) ? CHANGES_SYSTEM : TOOLS_SYSTEM);
  return rules.length > 0 ? `${text}\n${rulesText(rules)}` : text;
}

/** The model's native tool calls, carried out live, until it answers in text. */
export const toolsAgent: Agent = {
  name: 'tools',
  needsModel: true,
  mode: 'native',
  needsFolder: false,
  takesComposed: true,
  callsByTurn: true,
  async attempt({ task, tools, settings, model, openRun }) {
    const caller = await openRun();
    const messages: Message[] = [
      { role: 'system', text: systemFor(task, settings.system) },
      { role: 'user', text: taskText(task) },
    ];
    const text = await converse(messages, { model, tools, caller, settings });
    const requests = task.composition?.parts.length ?? 1;
    return { answer: await readFinalAnswer(text, caller, { requests }), rawOutput: text };
  },
  begin({ task, settings, model, openRun }) {
    const messages: Message[] = [{ role: 'system', text: systemFor(task, settings.system) }];
    return {
      async say({ text: said, tools }) {
        const caller = await openRun();
        messages.push({ role: 'user', text: said });
        const text = await converse(messages, { model, tools, caller, settings });
        return { answer: await readFinalAnswer(text, caller), rawOutput: text };
      },
    };
  },
};

const CODE_SYSTEM = [
  'You answer questions about data by writing programs. The functions that they can call return the data;',
  `${SEARCH_DOCS} shows them, and ${EXECUTE} runs a program. Combine calls in one program where you can.`,
  ANSWER_FORMAT,
  'If what a program returned is too long to repeat, write its name in place of the rows: "$call_3$" for what your third',
  'call answered.',
].join('\n');

/** Programs instead of calls: the functions of a farm are searched for, and called by a program that the farm runs. */
export const codeAgent: Agent = {
  name: 'code',
  needsModel: true,
  mode: 'native',
  needsFolder: false,
  needsPrograms: true,
  attempt: ({ settings, ...context }) =>
    toolsAgent.attempt({ ...context, settings: { ...settings, system: settings.system ?? CODE_SYSTEM } }),
};
