import type { RunAnswer } from '../../../contracts/run.ts';
import type { BackendAnswer } from '../backend/backend.ts';
import type { AgentCall } from '../calls/call-tool.ts';
import type { ToolList } from '../tool-lists/tool-list.ts';

/**
 * What an agent stands before, at one address: the tools it is offered, and what calling them does. Behind a list's
 * own address calls just happen; behind a run's they are counted and recorded.
 */
export interface AgentSession {
  /** `/lists/…` or `/runs/<id>`: everything is below this path. */
  readonly base: string;
  /** Looked up each time: a session that sleeps keeps no list from being forgotten. */
  readonly list: ToolList;
  /** Whether the task is shown with its evidence. */
  readonly evidence: boolean;
  /** Whether answers may be corrupted on purpose, so that nothing is sure of their shape. */
  readonly corruptsAnswers: boolean;
  call(call: AgentCall): Promise<BackendAnswer>;
  /** Only where an agent hands in its answer by a tool. */
  readonly answerTool?: AnswerTool;
}

export interface AnswerTool {
  /** Whether there is nothing more to call. */
  isOver(): boolean;
  /** Told once, when there is not. Answers how to stop listening. */
  onOver(listener: () => void): () => void;
  /** Rejects with RUN_OVER. */
  submit(answer: Pick<RunAnswer, 'answer' | 'doubts'>): Promise<void>;
}
