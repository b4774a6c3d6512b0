import { ANSWER_FORMAT } from '../../../contracts/prediction.ts';

/** Name of the tool by which an agent hands in its answer, where a run has one. */
export const SUBMIT_ANSWER = 'submit_answer';

/** It is not part of the list that is measured: no checksum covers it, and calling it is no call. */
export const submitAnswerTool = {
  name: SUBMIT_ANSWER,
  description: `Hands in the answer to the question, once, at the end. ${ANSWER_FORMAT}`,
  inputSchema: {
    type: 'object',
    properties: {
      answer: {
        description: 'rows ([[1, "a"], …]), a list, a single value, or null when there is no answer',
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
