import { ANSWER_FORMAT } from '../../../contracts/prediction.ts';
import { AttemptEnd } from '../../attempt/attempt-end.ts';
import type { ModelSession } from '../../attempt/model-session.ts';
import type { ToolCaller } from '../../attempt/tool-caller.ts';
import type { Decoding } from '../../model/decoding.ts';
import { type ModelTool, textOf } from '../../model/model.ts';
import type { ReplyFormat } from '../../model/reply-format.ts';
import { fill } from '../../prompts/fill.ts';
import { functionText } from '../../prompts/function-text.ts';
import type { AgentSettings } from '../../settings/agent-settings.ts';
import { cutText } from '../shared/cut-text.ts';
import { REACT_STOP, readTurn } from './read-turn.ts';

export interface ReactLoop {
  readonly model: ModelSession;
  readonly tools: readonly ModelTool[];
  readonly caller: ToolCaller;
  readonly settings: AgentSettings;
  /** With places for tools, names of tools, the question and what was said so far. */
  readonly template: string;
  readonly question: string;
  readonly format: Extract<ReplyFormat, 'react' | 'sql_react'>;
}

/** As the released trajectories have it. */
const REACT_DECODING: Decoding = {
  temperature: 0,
  top_p: 0.1,
  seed: 0,
  max_tokens: 10_024,
  stop: [REACT_STOP],
};

/** A model that three times in a row says nothing that can be followed will not begin to. */
const MAX_UNREADABLE = 3;

/**
 * Thought, action, observation in text: each turn is one completion, whose first action is carried out. Gives the
 * final answer as text. Throws AttemptEnd: `loops` when no turn is left, `unreadable` after turns that say nothing.
 */
export async function reactLoop(loop: ReactLoop): Promise<string> {
  const { model, tools, caller, settings, template, question } = loop;
  const values = {
    tools: functionText(tools, settings.tool_style),
    tool_names: tools.map(({ name }) => name).join(', '),
    input: question,
    previousruns: '',
    answer_format: ANSWER_FORMAT,
  };
  let scratchpad = '';
  for (let unreadable = 0; unreadable < MAX_UNREADABLE; ) {
    const text = fill(template, { ...values, agent_scratchpad: scratchpad });
    const prompt =
      model.transport === 'completions' ? { text } : { messages: [{ role: 'user' as const, text }] };
    const completion = await model.complete({ prompt, tools: [], decoding: REACT_DECODING }, loop.format);
    const said = textOf(completion);
    const turn = readTurn(said);
    if (turn.kind === 'answer') return turn.text;
    if (turn.kind === 'nothing') {
      unreadable++;
      scratchpad += `${beforeObservation(said)}\nObservation: ${turn.fault} ${FORMAT}\nThought:`;
      continue;
    }
    unreadable = 0;
    const outcome = await caller.call(turn.name, turn.input);
    const observation = cutText(outcome.text, settings.max_tool_output);
    scratchpad += `${beforeObservation(said)}\nObservation: ${observation}\nThought:`;
  }
  throw new AttemptEnd('unreadable', `${MAX_UNREADABLE} turns in a row said nothing that can be followed`);
}

const FORMAT =
  'Use the format: a line "Action:" with the name of a tool and a line "Action Input:" with a JSON object, or a line "Final Answer:".';

function beforeObservation(text: string): string {
  const at = text.indexOf(REACT_STOP);
  const said = (at < 0 ? text : text.slice(0, at)).trimEnd();
  return said.startsWith(' ') || said === '' ? said : ` ${said.trimStart()}`;
}
