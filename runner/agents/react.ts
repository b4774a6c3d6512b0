import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import { AttemptEnd } from '../attempt/budget.ts';
import { type Decoding, type ReplyFormat, textOf } from '../models/model.ts';
import { functionText } from '../prompts/function-text.ts';
import { fill } from '../prompts/prompt-pack.ts';
import { readTemplateText } from '../prompts/read-pack.ts';
import type { Agent, AgentContext, Attempt } from './agent.ts';
import {
  cutText,
  type ReadOptions,
  readFinalAnswer,
  type ToolConversation,
  taskText,
} from './conversation.ts';

/** The instruction in one turn of a text loop. */
export type ReactTurn =
  | { readonly kind: 'action'; readonly name: string; readonly input: string }
  | { readonly kind: 'answer'; readonly text: string }
  /** An action without an input, or no instruction at all. */
  | { readonly kind: 'nothing'; readonly fault: string };

/** Stops a model before it invents an observation. */
export const REACT_STOP = '\nObservation';

/**
 * Parses a turn: its first `Action:` with the JSON after the following `Action Input:`, or its `Final
 * Answer:`, whichever comes first. Text after an `Observation` written by the model is ignored.
 */
export function readTurn(text: string): ReactTurn {
  const cut = text.indexOf(REACT_STOP);
  const said = cut < 0 ? text : text.slice(0, cut);
  const action = /^[ \t*]*Action[ \t*]*:[ \t]*(.*)$/m.exec(said);
  const answer = /^[ \t*]*Final Answer[ \t*]*:[ \t]*/m.exec(said);
  if (answer !== null && (action === null || answer.index < action.index)) {
    return { kind: 'answer', text: said.slice(answer.index + answer[0].length).trim() };
  }
  if (action === null) return { kind: 'nothing', fault: 'There is neither an Action nor a Final Answer.' };
  const name = (action[1] ?? '').trim().replace(/^[`"'*\s]+|[`"'*\s]+$/g, '');
  const rest = said.slice(action.index + action[0].length);
  const input = /^[ \t*]*Action Input[ \t*]*:[ \t]*/m.exec(rest);
  if (input === null) return { kind: 'nothing', fault: 'The Action has no Action Input.' };
  return { kind: 'action', name, input: firstValue(rest.slice(input.index + input[0].length)) };
}

/** The JSON object at the beginning of a text, possibly over several lines; without one, the first line. */
function firstValue(text: string): string {
  const trimmed = text.trim().replace(/^```(?:json)?\s*/, '');
  if (!trimmed.startsWith('{')) return trimmed.split('\n', 1)[0] ?? '';
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < trimmed.length; at++) {
    const char = trimmed[at];
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return trimmed.slice(0, at + 1);
  }
  return trimmed;
}

export interface ReactLoop extends Omit<ToolConversation, 'isOver'> {
  /** With placeholders for tools, tool names, the question and the transcript. */
  readonly template: string;
  readonly question: string;
  readonly format: Extract<ReplyFormat, 'react' | 'sql_react'>;
}

/** As in the released trajectories. */
const REACT_DECODING: Decoding = {
  temperature: 0,
  top_p: 0.1,
  seed: 0,
  max_tokens: 10_024,
  stop: [REACT_STOP],
};

/** After this many unreadable turns in a row, a model does not recover. */
const MAX_UNREADABLE = 3;

/**
 * Thought, action, observation as text: each turn is one completion, whose first action is carried out.
 * Returns the final answer as text. Throws AttemptEnd: `loops` if no turn is left, `unreadable` after
 * repeated turns without an instruction.
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

/** The text loop of Live API-Bench: one action per turn, carried out live. */
export const reactAgent: Agent = {
  name: 'react',
  needsModel: true,
  mode: 'prompt',
  needsFolder: false,
  takesComposed: true,
  callsByTurn: true,
  async attempt(context) {
    const requests = context.task.composition?.parts.length ?? 1;
    return answer(context, taskText(context.task, true), { requests });
  },
  // Its template has a single question, so earlier turns are repeated in it.
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
  const text = await reactText({ model, tools, caller, settings }, question);
  return { answer: await readFinalAnswer(text, caller, how), rawOutput: text };
}

/** The loop in the format of Live API-Bench. */
export function reactText(
  loop: Pick<ReactLoop, 'model' | 'tools' | 'caller' | 'settings'>,
  question: string,
): Promise<string> {
  return reactLoop({ ...loop, format: 'react', template: readTemplateText('react/react.txt'), question });
}
