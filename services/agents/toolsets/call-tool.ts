import type { RunAnswer } from '../../../contracts/api.ts';
import { readRecordTool } from '../../../contracts/records.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import { readArguments } from '../../base/http/json.ts';
import { HttpProblem, requireMethod, unknownTable } from '../../base/http/problem.ts';
import { problemAnswer } from '../../domain/domain-calls.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations.ts';
import type { CallState, ServedCall } from '../../domain/tools/tool-spec.ts';
import { type Backend, type BackendAnswer, readProblem, type ServiceCall } from '../backend/backend.ts';
import type { RealCall, ToolList } from './tool-list.ts';

/**
 * An agent's tools at one address, and calls of them. Calls at a list's address are just carried out; calls of a run
 * are counted and recorded too.
 */
export interface AgentSession {
  /** `/lists/…` or `/runs/<id>`: the prefix of all its paths. */
  readonly base: string;
  /** Looked up on each use: an idle session must not keep its list in memory. */
  readonly list: ToolList;
  readonly evidence: boolean;
  /** Whether injected faults may change the shape of answers. */
  readonly corruptsAnswers: boolean;
  /** Formulations whose own addresses can be used beside the list. */
  readonly beyond?: readonly Formulation[];
  call(call: AgentCall): Promise<BackendAnswer>;
  /** Set only where the agent hands in its answer with a tool. */
  readonly answerTool?: AnswerTool;
}

export interface AnswerTool {
  isOver(): boolean;
  /** Calls the listener once, when the session is over. Returns a function that removes it. */
  onOver(listener: () => void): () => void;
  /** In a dialogue, the answer of the turn: responds with the user's next message. Rejects with RUN_OVER. */
  submit(answer: Pick<RunAnswer, 'answer' | 'doubts'>): Promise<BackendAnswer>;
}

export interface AgentCall extends Omit<CallState, 'ifMatch'> {
  readonly name: string;
  readonly arguments: unknown;
  /** Query string with `preview`, `offset` and `limit` of SLOT and SEL, or ''. */
  readonly view: string;
  /** Header fields that the service must see: keys, the request id. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborted when the agent hangs up. */
  readonly signal?: AbortSignal | undefined;
  /** Set for a call beside the list, under the service's own name: its formulation. */
  readonly beyond?: Formulation;
}

export interface CallOutcome {
  readonly answer: BackendAnswer;
  readonly raw: BackendAnswer;
  /** null when the list has no such tool, or the argument names are wrong, and for a search of tools. */
  readonly real: RealCall | null;
}

/** Carries out a call under a list's names. An invalid call is answered with a problem, in the same names. */
export async function callTool(backend: Backend, list: ToolList, call: AgentCall): Promise<CallOutcome> {
  if (call.beyond) {
    const real = directCall(list, call);
    const answer = await backend.call(serviceCall(call.beyond, real, call));
    return { answer, raw: answer, real };
  }
  let real: RealCall;
  try {
    real = list.realCall(call.name, call.arguments);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const answer = problemAnswer(error.toProblem());
    return { answer, raw: answer, real: null };
  }
  const raw = await backend.call(serviceCall(list.source.formulation, real, call));
  return { answer: shown(raw, list, real), raw, real };
}

/** A call at an address beside the list. */
export function directCall({ source }: ToolList, { name, arguments: args }: AgentCall): RealCall {
  return { name, tool: name, arguments: args, service: source.service };
}

export function serviceCall(
  formulation: Formulation,
  { service, tool: name, arguments: args }: RealCall,
  { view, headers, signal, journal, policies }: Omit<AgentCall, 'name' | 'arguments' | 'beyond'>,
): ServiceCall {
  return { formulation, service, name, arguments: args, view, headers, signal, journal, policies };
}

function shown(answer: BackendAnswer, list: ToolList, call: RealCall): BackendAnswer {
  if (answer.status < 400) return { ...answer, body: list.shownAnswer(answer.body) };
  if (!list.isRenamed) return answer;
  const problem = readProblem(answer.body);
  // Text that is not a problem may contain real names.
  if (!problem) return { ...answer, contentType: 'text/plain', body: '' };
  return { ...answer, body: JSON.stringify(list.shownProblem(call, problem)) };
}

/** A request to an address of the service's own API, reduced to what is needed here. */
export interface ApiRequest {
  readonly method: string;
  /** The segments after `/v1/`, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string | undefined;
}

/**
 * The call that a request to a service's own address (`/v1/<split>/<db>/<endpoint>`, `…/slot/<tool>`; in an exam
 * `/v1/<alias>/…`) makes, for an agent that is offered a list. An obfuscated list has no such addresses. Throws
 * UNKNOWN_ROUTE, UNKNOWN_DOMAIN, UNKNOWN_ENDPOINT, UNKNOWN_TABLE, METHOD_NOT_ALLOWED, BAD_REQUEST.
 */
export function readApiCall(
  list: ToolList,
  request: ApiRequest,
  beyond: readonly Formulation[] = [],
): AgentCall {
  const { formulation } = list.source;
  if (list.options.obfuscate) throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  const asked = list.domainAt(request.path);
  if (!asked) {
    const named = request.path.slice(0, 2).join('/');
    throw new HttpProblem('UNKNOWN_DOMAIN', `There is no domain ${named} here`.slice(0, 200));
  }
  const { service, path } = asked;
  const readAs = (kind: Formulation) =>
    SERVED_FORMULATIONS[kind].readCall(service, {
      method: request.method,
      path,
      query: request.query,
      readBody: () => readArguments(request.body),
    });
  // Records are read first: an endpoint's address may look like theirs, not the other way round.
  const kinds = beyond.includes('records') ? [...beyond, formulation] : [formulation, ...beyond];
  let kind: Formulation = formulation;
  let call: ServedCall | null = null;
  for (kind of kinds) {
    call = readAs(kind);
    if (call) break;
  }
  if (!call) throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  requireMethod(request.method, call.method);
  const { name: called, view } = call;
  if (kind !== formulation && called !== null) {
    return { name: called, arguments: call.arguments(), view, beyond: kind };
  }
  const shown = called === null ? undefined : list.shownName(service, called);
  const name = shown ?? called;
  if (name === null || (call.method === 'GET' && shown === undefined)) {
    if (kind === 'records') {
      const known = new Set(list.offered.flatMap((tool) => readRecordTool(tool.name)?.resource ?? []));
      const [, table = ''] = path;
      if (!known.has(table)) throw unknownTable(asked.title, table, known);
    }
    throw unknownEndpoint(asked.title, path.at(-1) as string);
  }
  return { name, arguments: call.arguments(), view };
}

function unknownEndpoint(db: string, name: string): HttpProblem {
  const errors = [{ field: 'endpoint', code: 'unknown_endpoint', message: `unknown: ${name.slice(0, 80)}` }];
  return new HttpProblem('UNKNOWN_ENDPOINT', `${db} has no endpoint ${name.slice(0, 80)}`, { errors });
}
