import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import { EXECUTE, SEARCH_DOCS } from '../../contracts/sdk.ts';
import type { Agent } from './agent.ts';
import { toolsAgent } from './tools.ts';

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
  needsFolder: false,
  needsPrograms: true,
  attempt: ({ settings, ...context }) =>
    toolsAgent.attempt({ ...context, settings: { ...settings, system: settings.system ?? CODE_SYSTEM } }),
};
