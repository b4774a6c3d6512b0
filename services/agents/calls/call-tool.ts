import { HttpProblem } from '../../base/http/problem.ts';
import type { Backend, BackendAnswer } from '../backend/backend.ts';
import { problemAnswer, readProblem } from '../backend/problem-answer.ts';
import type { RealCall, ToolList } from '../tool-lists/tool-list.ts';
import { foundTools } from '../tool-search/found-tools.ts';
import { toolRequest } from './tool-request.ts';

/** A call as an agent makes it. */
export interface AgentCall {
  /** As the list shows it. */
  readonly name: string;
  readonly arguments: unknown;
  /** Query string for `preview`, `offset` and `limit` of SLOT and SEL, or ''. */
  readonly view: string;
  /** Header fields that the service must see: keys, the id of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborted when the agent hangs up. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallOutcome {
  /** As the list shows it. */
  readonly answer: BackendAnswer;
  /** As the service gave it. */
  readonly raw: BackendAnswer;
  /** null when the list has no such tool, or its arguments other names, and for a search of tools. */
  readonly real: RealCall | null;
}

/** Carries out a call under the names of a list. What is wrong with it is an answer too, in the same names. */
export async function callTool(backend: Backend, list: ToolList, call: AgentCall): Promise<CallOutcome> {
  if (list.isSearch(call.name)) {
    const answer = foundTools(call.arguments, (query, limit) => list.search(query, limit));
    return { answer, raw: answer, real: null };
  }
  let real: RealCall;
  try {
    real = list.realCall(call.name, call.arguments);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const answer = problemAnswer(error.toProblem());
    return { answer, raw: answer, real: null };
  }
  const request = toolRequest(list.source.formulation, real, call.view);
  const { headers, signal } = call;
  const raw = await backend.request({
    ...request,
    ...(headers ? { headers } : {}),
    ...(signal ? { signal } : {}),
  });
  return { answer: shown(raw, list, real), raw, real };
}

function shown(answer: BackendAnswer, list: ToolList, call: RealCall): BackendAnswer {
  if (answer.status < 400) return { ...answer, body: list.shownAnswer(answer.body) };
  if (!list.isRenamed) return answer;
  const problem = readProblem(answer.body);
  // Whatever a text that is no problem says, it may say names.
  if (!problem) return { ...answer, contentType: 'text/plain', body: '' };
  return { ...answer, body: JSON.stringify(list.shownProblem(call, problem)) };
}
