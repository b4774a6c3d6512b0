import type { Agent, AgentTurn } from './agent.ts';
import { askFor, oracleAgent } from './oracle.ts';

/** Knows the gold of each turn's words alone: what an agent without memory can reach. */
export const memorylessAgent: Agent = {
  ...oracleAgent,
  name: 'memoryless',
  async attempt() {
    throw new TypeError('memoryless takes dialogues only');
  },
  begin: (context) => {
    const first = oracleAgent.begin?.(context);
    return {
      async say(turn: AgentTurn) {
        const { script, golds } = turn;
        if (first !== undefined && script.number === 1) return first.say(turn);
        if (!script.alone) return { answer: null, calls: [] };
        const found = await context.data().query(golds()[0]?.dataset_name ?? context.task.db, script.alone);
        return { answer: typeof found === 'string' ? null : found.rows, calls: [] };
      },
    };
  },
};

/** Plays the gold, but asks for every value in every turn. */
export const asksEverythingAgent: Agent = {
  ...oracleAgent,
  name: 'asks-everything',
  begin: (context) => {
    const oracle = oracleAgent.begin?.(context);
    return {
      async say(turn: AgentTurn) {
        for (const slot of turn.script.slots) await askFor(slot, context);
        return oracle === undefined ? {} : oracle.say(turn);
      },
    };
  },
};
