import type { Agent } from '../agent.ts';
import { reactAgent } from '../react/react.ts';
import { TOOLS_SYSTEM, toolsAgent } from '../tools.ts';

const APART = [
  'Some tables are in a database, which one tool reads by SQL; the others are behind tools of their own, a page at a time.',
  'No tool sees both: put together yourself what you have fetched.',
].join('\n');

/** Native calls of the database and the APIs, each by itself. */
export const agenticAgent: Agent = {
  name: 'agentic',
  needsModel: true,
  needsFolder: false,
  formulations: ['hybrid'],
  attempt: ({ settings, ...context }) =>
    toolsAgent.attempt({
      ...context,
      settings: { ...settings, system: settings.system ?? `${TOOLS_SYSTEM}\n${APART}` },
    }),
};

/** The same as text, one action a turn. */
export const agenticReactAgent: Agent = {
  name: 'agentic-react',
  needsModel: true,
  needsFolder: false,
  formulations: ['hybrid'],
  attempt: reactAgent.attempt,
};
