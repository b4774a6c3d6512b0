import type { PredictedTurn } from '../../contracts/composed-task.ts';
import type { Agent, AgentContext, AgentTurn, Attempt } from '../agents/agent.ts';
import type { BudgetMeter } from '../attempt/budget.ts';
import type { Composition } from '../categories/composition.ts';
import { predictionCalls } from './prediction-calls.ts';
import type { OfferedTools } from './tool-lists.ts';

export interface TurnsContext {
  readonly agent: Agent;
  readonly context: AgentContext;
  readonly offered: OfferedTools;
  readonly meter: BudgetMeter;
}

/**
 * Holds a conversation turn by turn. `done` has what was done in each turn from the beginning, since the attempt may
 * end early: turns that were not reached have neither calls nor answer.
 */
export async function converseInTurns(
  { turns, missing }: Composition,
  done: PredictedTurn[],
  { agent, context, offered, meter }: TurnsContext,
): Promise<Attempt> {
  if (agent.begin === undefined || turns === null) {
    throw new TypeError(`the agent ${agent.name} holds no conversation`);
  }
  done.push(...turns.map(({ sample_id, expects }) => ({ sample_id, expects })));
  const conversation = agent.begin(context);
  const isMissing = (name: string) => (offered.real.get(name)?.name ?? name) === missing;
  const foundAt = missing === null ? 0 : turns.findIndex(({ expects }) => expects === 'no_call') + 1;
  for (const [i, { text, sample_id, expects }] of turns.entries()) {
    const tools = i < foundAt ? offered.tools.filter(({ name }) => !isMissing(name)) : offered.tools;
    const opened = await context.openRun();
    opened.offered = new Set(tools.map(({ name }) => name));
    context.model.due = expects === 'answer' ? [{ sample_id }] : [];
    meter.beginTurn();
    const from = opened.calls.length;
    const record = (attempt: Attempt) => {
      const made = predictionCalls(opened.calls.slice(from), offered);
      done[i] = {
        sample_id,
        expects,
        calls: [...(attempt.calls ?? made)],
        answer: attempt.answer ?? null,
        raw_output: attempt.rawOutput ?? null,
      };
    };
    const turn: AgentTurn = { text: withEvidence(text, i, context), tools, golds: context.golds };
    try {
      record(await conversation.say(turn));
    } catch (error) {
      record({});
      throw error;
    }
  }
  return { answer: done.map(({ answer }) => answer ?? null) };
}

/** What the words mean is told once, with the first turn. */
function withEvidence(text: string, turn: number, { task, settings }: AgentContext): string {
  const isTold = turn === 0 && settings.evidence && task.evidence;
  return isTold ? `${text}\nWhat the words of the questions mean: ${task.evidence}` : text;
}
