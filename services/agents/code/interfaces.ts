import { isLosslessNumber } from 'lossless-json';
import { parameterText, parseExactJson, printExactJson } from '../../../contracts/exact-json.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import { EXECUTE, HTTP_REQUEST, REQUESTS_GET } from '../../../contracts/sdk.ts';
import { SEARCH_DOCUMENTS } from '../../../contracts/toolset-options.ts';
import { firstSentence } from '../../../contracts/wording.ts';
import { readArguments } from '../../base/http/json.ts';
import { HttpProblem, requireMethod } from '../../base/http/problem.ts';
import { problemAnswer } from '../../domain/domain-calls.ts';
import { type BackendAnswer, callerGone } from '../backend/backend.ts';
import { searchDocuments } from '../search/document-index.ts';
import {
  docsArguments,
  executeArguments,
  foundTools,
  httpArguments,
  invalidArguments,
  numbersAsNumbers,
  requestsArguments,
} from '../search/search-specs.ts';
import { type AgentCall, type AgentSession, readApiCall } from '../toolsets/call-tool.ts';
import { pathOfTool } from '../toolsets/emit-list.ts';
import type { ToolList } from '../toolsets/tool-list.ts';
import { LONGEST_PROGRAM_MS, runInSandbox } from './sandbox.ts';
import { listModule, printIndex } from './sdk.ts';
import { printDocs } from './typescript.ts';

type Surface = Pick<AgentSession, 'list' | 'base' | 'beyond'>;
type MakeCall = (call: AgentCall) => Promise<BackendAnswer>;

/**
 * Carries out a call with `make`. A program, or a request to an address, becomes the calls that it makes, each of which is
 * counted and recorded like any other. Rejects as `make` does.
 */
export async function callThrough(surface: Surface, call: AgentCall, make: MakeCall): Promise<BackendAnswer> {
  const { via } = surface.list.options;
  if (via === 'code' && call.name === EXECUTE) return execute(surface, call, make);
  if (via === 'http' && call.name === HTTP_REQUEST) return sendRequest(surface, call, make);
  if (via === 'requests' && call.name === REQUESTS_GET) return sendRequest(surface, call, make);
  return make(call);
}

/** The answer to a call of `search_tools` or `search_docs`; an invalid call is answered with a problem. */
export function answerSearch(
  list: ToolList,
  { name, arguments: args }: Pick<AgentCall, 'name' | 'arguments'>,
): BackendAnswer {
  if (name === SEARCH_DOCUMENTS) return searchDocuments(list.source.service.catalog, args);
  const { via } = list.options;
  if (via === 'search') return foundTools(args, (query, limit) => list.search(query, limit));
  const read = docsArguments.safeParse(numbersAsNumbers(args ?? {}));
  if (!read.success) return problemAnswer(invalidArguments(read.error).toProblem());
  const { query, limit } = read.data;
  return json(via === 'code' ? docsOfCode(list, query, limit) : docsOfHttp(list, query, limit));
}

const MOST_INDEX = 60_000;

function docsOfCode(list: ToolList, query: string, limit: number): object {
  const module = listModule(list);
  if (query.trim() === '') return { index: cut(printIndex(module)) };
  const byTool = new Map(module.functions.map((each) => [each.tool.name, each]));
  const found = list.search(query, limit).flatMap(({ name }) => byTool.get(name) ?? []);
  return { docs: printDocs(module, found) };
}

function docsOfHttp(list: ToolList, query: string, limit: number): object {
  if (query.trim() !== '') {
    return { paths: Object.fromEntries(list.search(query, limit).map((tool) => pathOfTool(list, tool))) };
  }
  const lines = list.offered.map((tool) => {
    const [path, item] = pathOfTool(list, tool);
    const parameters = Object.keys(tool.parameters.properties).join(', ');
    return `${Object.keys(item)[0]?.toUpperCase()} ${path} (${parameters}): ${firstSentence(tool.description)}`;
  });
  return { index: cut(lines.join('\n')) };
}

function cut(index: string): string {
  if (index.length <= MOST_INDEX) return index;
  const shown = index.slice(0, index.lastIndexOf('\n', MOST_INDEX));
  const left = index.split('\n').length - shown.split('\n').length;
  return `${shown}\n… and ${left} more; search for them by words`;
}

async function execute(surface: Surface, call: AgentCall, make: MakeCall): Promise<BackendAnswer> {
  const read = executeArguments.safeParse(call.arguments);
  if (!read.success) return problemAnswer(invalidArguments(read.error).toProblem());
  const { list } = surface;
  const isChain = FORMULATIONS[list.source.formulation].calls === 'chain';
  const { headers, signal } = call;
  const functions = listModule(list).functions.map(({ name, tool, makesResult, source }) => ({
    name,
    tool: tool.name,
    makesResult,
    source,
  }));
  try {
    const end = await runInSandbox({
      code: read.data.code,
      style: 'return',
      functions,
      limitMs: LONGEST_PROGRAM_MS,
      signal,
      call: async (name, args, view) => {
        const inner = { name, arguments: readArguments(args), view: isChain ? view : '', headers, signal };
        const answer = await make(inner);
        return { ok: answer.status < 400, text: answer.body };
      },
    });
    if ('fault' in end) return json({ error: end.fault, logs: end.logs });
    return json({ result: parseExactJson(end.json), logs: end.logs });
  } catch (error) {
    if (signal?.aborted) return callerGone();
    throw error;
  }
}

const OWN_HEADERS: readonly string[] = ['if-match', 'idempotency-key'];

async function sendRequest(surface: Surface, call: AgentCall, make: MakeCall): Promise<BackendAnswer> {
  const schema = call.name === HTTP_REQUEST ? httpArguments : requestsArguments;
  const read = schema.safeParse(call.arguments);
  if (!read.success) return problemAnswer(invalidArguments(read.error).toProblem());
  const request = { method: 'GET' as const, body: null, ...read.data };
  const given = Object.entries(request.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  const own = given.filter(([name = '']) => OWN_HEADERS.includes(name));
  const headers = { ...call.headers, ...Object.fromEntries(own) };
  let answer: BackendAnswer;
  try {
    answer = await make({ ...readRequest(surface, request), headers, signal: call.signal });
  } catch (error) {
    if (!(error instanceof HttpProblem) || !NO_CALL.includes(error.code)) throw error;
    // A request to an unknown address counts as a call of an unknown tool.
    const named = `${request.method} ${request.url}`.slice(0, 200);
    await make({ name: named, arguments: request.params ?? {}, view: '', headers, signal: call.signal });
    answer = problemAnswer(error.toProblem());
  }
  const { status, contentType, retryAfter, body } = answer;
  const shown = {
    'content-type': contentType,
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    ...answer.headers,
  };
  return {
    status: 200,
    contentType: JSON_TYPE,
    body: `{"status":${status},"headers":${JSON.stringify(shown)},"body":${asJson(body)}}`,
  };
}

/** The problems of requests that are no call of the list. */
const NO_CALL =
  'UNKNOWN_ROUTE UNKNOWN_DOMAIN UNKNOWN_ENDPOINT UNKNOWN_TABLE METHOD_NOT_ALLOWED BAD_REQUEST'.split(' ');

interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly params?: Readonly<Record<string, unknown>> | null | undefined;
  readonly body?: Readonly<Record<string, unknown>> | string | null | undefined;
}

/** The call that a request makes, at an address of the list's OpenAPI document. Throws one of NO_CALL. */
function readRequest({ list, base, beyond }: Surface, request: HttpRequest): AgentCall {
  const { method, url, params, body } = request;
  if (!URL.canParse(url, 'http://farm')) throw new HttpProblem('BAD_REQUEST', 'The url cannot be read');
  const { pathname, searchParams: query } = new URL(url, 'http://farm');
  for (const [name, value] of Object.entries(params ?? {}))
    for (const item of [value].flat()) if (item !== null) query.append(name, textOf(item));
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
  const [kind, ...segments] = path.split('/').slice(1).map(decoded);
  const text = typeof body === 'string' ? body : body && printExactJson(body);
  if (kind === 'v1')
    return readApiCall(list, { method, path: segments, query, body: text ?? undefined }, beyond);
  const [name] = segments;
  if (kind !== 'call' || name === undefined || segments.length > 1)
    throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  requireMethod(method, 'POST');
  return { name, arguments: readArguments(text ?? undefined), view: query.toString() };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpProblem('BAD_REQUEST', 'The path has a broken % escape');
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return parameterText(value);
  return printExactJson(value);
}

const JSON_TYPE = 'application/json; charset=utf-8';

function json(value: unknown): BackendAnswer {
  return { status: 200, contentType: JSON_TYPE, body: printExactJson(value) };
}

/** A body as JSON: itself if it is JSON, else as a string. */
function asJson(body: string): string {
  if (body === '') return 'null';
  try {
    JSON.parse(body);
    return body;
  } catch {
    return JSON.stringify(body);
  }
}
