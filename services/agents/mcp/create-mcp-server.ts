import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { z } from 'zod';
import { packageVersion } from '../../../contracts/package-root.ts';
import { rulesText } from '../../../contracts/prediction.ts';
import { EXECUTE, HTTP_REQUEST } from '../../../contracts/sdk.ts';
import { CALL_TOOL } from '../../../contracts/toolset-options.ts';
import { isObject } from '../../base/arguments.ts';
import { callerSignal } from '../../base/http/caller.ts';
import { writeJson } from '../../base/http/json.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { mcpTools } from '../../domain/tools/provider-formats.ts';
import { READING, type ToolSpec } from '../../domain/tools/tool-spec.ts';
import { type BackendAnswer, PASSED_HEADERS } from '../backend/backend.ts';
import type { AgentSession } from '../toolsets/call-tool.ts';
import { shownAnswerSchema } from '../toolsets/emit-list.ts';
import { MOST_DOUBTS, SUBMIT_ANSWER, submitTool, taskText } from './submit-answer.ts';

const PROMPT = 'task';
/** Our own schemas: the library answers anything that its own reject with an internal error. */
const ANY_PARAMS = { params: z.looseObject({}) };
const PROMPT_PARAMS = { params: z.looseObject({ name: z.string() }) };
const RESOURCE_PARAMS = { params: z.looseObject({ uri: z.string() }) };
/** Shared by all servers: one per server is most of its cost, and it is never used. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** An MCP server for one connection, session or request: its tools, with the task as instructions and as a prompt. */
export function createMcpServer(surface: AgentSession): Server {
  const { list, answerTool } = surface;
  const instructions = taskText(surface);
  const resources = resourcesOf(surface);
  const server = new Server(
    { ...list.serverInfo, version: packageVersion },
    {
      jsonSchemaValidator,
      capabilities: {
        tools: { listChanged: answerTool !== undefined },
        ...(list.source.task ? { prompts: {} } : {}),
        ...(resources.length > 0 ? { resources: {} } : {}),
      },
      ...(instructions ? { instructions } : {}),
    },
  );

  server.setRequestHandler('tools/list', ANY_PARAMS, () => ({ tools: offeredTools(surface) }));
  server.setRequestHandler('tools/call', ({ params }, context) => callOf(surface, params, context));
  if (list.source.task && instructions) {
    const description = 'The question to answer with the tools';
    server.setRequestHandler('prompts/list', ANY_PARAMS, () => ({
      prompts: [{ name: PROMPT, description }],
    }));
    server.setRequestHandler('prompts/get', PROMPT_PARAMS, ({ name }) => {
      if (name !== PROMPT)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}`);
      return { description, messages: [{ role: 'user', content: { type: 'text', text: instructions } }] };
    });
  }
  if (resources.length > 0) offerResources(server, resources);
  return server;
}

interface DomainResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

function resourcesOf({ list }: AgentSession): DomainResource[] {
  const glossary =
    list.options.glossary || list.options.documents ? list.source.service.catalog.glossary : undefined;
  const rules = list.source.task?.rules;
  const documents = (list.options.documents && list.source.service.catalog.documents) || [];
  return [
    ...(glossary ? [{ ...GLOSSARY, text: glossary }] : []),
    ...(rules ? [{ ...POLICIES, text: rulesText(rules) }] : []),
    ...documents.map(({ name, text }) => ({
      uri: `rookery://documents/${encodeURIComponent(name)}`,
      name,
      title: name,
      description: 'A document about the domain',
      text,
    })),
  ];
}

const GLOSSARY = {
  uri: 'rookery://glossary',
  name: 'glossary',
  title: 'Glossary',
  description: 'What the words of the domain mean to its people',
};
const POLICIES = {
  uri: 'rookery://policies',
  name: 'policies',
  title: 'Policies',
  description: 'Rules that hold for every task',
};
const mimeType = 'text/markdown';

function offerResources(server: Server, resources: readonly DomainResource[]): void {
  server.setRequestHandler('resources/list', ANY_PARAMS, () => ({
    resources: resources.map(({ text: _, ...shown }) => ({ ...shown, mimeType })),
  }));
  server.setRequestHandler('resources/templates/list', ANY_PARAMS, () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', RESOURCE_PARAMS, ({ uri }) => {
    const found = resources.find((each) => each.uri === uri);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}`);
    return { contents: [{ uri, mimeType, text: found.text }] };
  });
}

/** No tools are left once the answer is handed in. */
function offeredTools(surface: AgentSession): Tool[] {
  const { list, answerTool } = surface;
  if (answerTool?.isOver()) return [];
  const tools = mcpTools(list.tools, (name) => shownAnswerSchema(list, name)).map(
    ({ outputSchema, ...tool }, at) => ({
      ...tool,
      // Clients reject answers that break the schema, so an agent would never see an injected fault.
      ...(surface.corruptsAnswers ? {} : { outputSchema }),
      annotations: list.tools[at]?.annotations ?? annotationsOf(tool.name, surface),
    }),
  );
  // Names, descriptions and schemas are plain JSON, which the library's types do not show.
  return [...tools, ...(answerTool ? [submitTool(list)] : [])] as Tool[];
}

/** A tool that calls others may do what they may, and a request what the run may. */
function annotationsOf(name: string, { list, beyond = [] }: AgentSession): ToolSpec['annotations'] {
  if (list.options.via === 'list' || !CALLS_OTHERS.has(name)) return READING;
  const writing = list.offered.filter(({ annotations }) => annotations?.readOnlyHint === false);
  const reachesRecords = name === HTTP_REQUEST && beyond.includes('records');
  if (writing.length === 0 && !reachesRecords) return READING;
  const destroys =
    reachesRecords || writing.some(({ annotations }) => annotations?.destructiveHint !== false);
  return { readOnlyHint: false, destructiveHint: destroys, idempotentHint: false, openWorldHint: false };
}

const CALLS_OTHERS: ReadonlySet<string> = new Set([CALL_TOOL, EXECUTE, HTTP_REQUEST]);

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

async function callOf(
  surface: AgentSession,
  { name, arguments: args = {} }: CallParams,
  { mcpReq, http }: ServerContext,
): Promise<CallToolResult> {
  try {
    if (surface.answerTool && name === SUBMIT_ANSWER) {
      const doubts = typeof args.doubts === 'string' ? args.doubts.slice(0, MOST_DOUBTS) : null;
      return toResult(await surface.answerTool.submit({ answer: args.answer ?? null, doubts }));
    }
    const headers = headersOf(http?.req);
    const call = { name, arguments: args, view: viewOf(mcpReq._meta), headers, signal: goneSignal(mcpReq) };
    return toResult(await surface.call(call));
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return toResult({ status: error.status, contentType: '', body: JSON.stringify(error.toProblem()) });
  }
}

/**
 * Aborted when the call is cancelled, and when the caller hangs up: in the earlier protocol too, since its answer
 * could not be fetched any other way. `http.req.signal` does not work: Node holds it, and what `AbortSignal.any`
 * derives from it, so weakly that it is collected before the caller leaves.
 */
function goneSignal({ signal }: ServerContext['mcpReq']): AbortSignal {
  const gone = new AbortController();
  for (const each of [signal, callerSignal()]) {
    if (each?.aborted) gone.abort();
    each?.addEventListener('abort', () => gone.abort(), { once: true });
  }
  return gone.signal;
}

function headersOf(request: Request | undefined): Record<string, string> {
  return Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = request?.headers.get(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** Structured content must match the tool's schema, so a problem is sent as text, and in `_meta` for programs. */
function toResult({ status, body, retryAfter }: BackendAnswer): CallToolResult {
  const value = readObject(body);
  const failed = status >= 400;
  const meta = {
    ...(failed && value ? { 'rookery/problem': value } : {}),
    ...(retryAfter === undefined ? {} : { 'rookery/retry-after': retryAfter }),
  };
  return {
    content: [{ type: 'text', text: body }],
    ...(failed ? { isError: true } : value ? { structuredContent: value } : {}),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  };
}

/** Query string of the paging fields in a call's `_meta`: `rookery/offset`, `rookery/limit`, `rookery/preview`. */
function viewOf(meta: Readonly<Record<string, unknown>> | undefined): string {
  const query = new URLSearchParams();
  for (const name of ['preview', 'offset', 'limit']) {
    const value = meta?.[`rookery/${name}`];
    if (value !== undefined) query.set(name, typeof value === 'string' ? value : writeJson(value));
  }
  return query.toString();
}

function readObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
