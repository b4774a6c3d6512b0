import { ANSWER_FORMAT, answerFormat, rulesText } from '../../../contracts/prediction.ts';
import { isOfChanges } from '../../../contracts/vocabulary.ts';
import type { AgentSession } from '../toolsets/call-tool.ts';
import type { ToolList } from '../toolsets/tool-list.ts';

/** The tool that an agent hands in its answer with, in runs that have one. */
export const SUBMIT_ANSWER = 'submit_answer';

/** The limit of characters of doubts, as in `POST …/answer`. */
export const MOST_DOUBTS = 4000;

/** Not part of the measured list: no checksum covers it, and calling it does not count as a call. */
export const submitAnswerTool = {
  name: SUBMIT_ANSWER,
  description: `Hands in the answer to the question, once, at the end. ${ANSWER_FORMAT}`,
  inputSchema: {
    type: 'object',
    properties: {
      answer: {
        description: 'rows ([[1, "a"], …]), a list, a single value, or an object that says why there is none',
      },
      doubts: {
        type: 'string',
        description: 'what in the answers of the tools is not to be trusted, if anything',
      },
    },
    required: ['answer'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { status: { type: 'string', enum: ['answered'] } },
    required: ['status'],
  },
  annotations: { readOnlyHint: false, idempotentHint: false, openWorldHint: false },
} as const;

const submitTurnTool = {
  ...submitAnswerTool,
  description: `Hands in the answer of the turn, once a turn, and returns what the user says next. ${ANSWER_FORMAT}`,
  outputSchema: {
    type: 'object',
    properties: {
      message: { type: ['string', 'null'], description: 'the next request; null once the dialogue is over' },
      turn: { type: 'integer' },
      over: { type: 'boolean' },
    },
    required: ['message', 'turn', 'over'],
  },
} as const;

export function submitTool({ source }: ToolList) {
  return source.task?.user ? submitTurnTool : submitAnswerTool;
}

interface TaskView extends Pick<AgentSession, 'list' | 'evidence'> {
  readonly answerTool?: unknown;
}

/** The agent's instructions: the question, and the start tables of SLOT and SEL; undefined without a task. */
export function taskText({ list, evidence, answerTool }: TaskView): string | undefined {
  const { task } = list.source;
  if (!task) return undefined;
  const handles = task.start_tables.map(({ handle }) => `\`${handle}\``);
  const changes = isOfChanges(task.formulation);
  const format = answerFormat(task.formulation);
  return [
    `${changes ? 'Do this with the tools' : 'Answer this question about the data behind the tools'}: ${task.question}`,
    evidence && task.evidence !== '' ? `What the words of the question mean: ${task.evidence}` : '',
    task.rules && !list.options.documents ? rulesText(task.rules) : '',
    handles.length > 0
      ? `Begin from the table ${handles.join(' and ')}. Every call answers a handle; give it to the next call.`
      : '',
    changes || !answerTool ? format : '',
    answerTool && task.user
      ? `When you know the answer, call \`${SUBMIT_ANSWER}\` with it: its result has what the user says next, until the dialogue is over.`
      : '',
    answerTool && !task.user ? `When you know the answer, call \`${SUBMIT_ANSWER}\` with it, once.` : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}
