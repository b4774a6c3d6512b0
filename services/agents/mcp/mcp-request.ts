import type { FastifyRequest } from 'fastify';
import { passedHeaders } from '../backend/send-answer.ts';
import type { AgentSession } from '../surface/surface.ts';

/** A request to an MCP address. */
export interface McpRequest {
  /** Its head, as the protocol's library takes it. The signal is aborted when the caller hangs up. */
  readonly head: Request;
  /** Its body, read; undefined where there was none. */
  readonly body: unknown;
  /** Path and query string. */
  readonly address: string;
  /** Whose place it takes among sessions and streams: the run that it is of, or else the caller. */
  readonly owner: string;
  /** What is behind the address. Throws, or rejects with, HttpProblems. */
  readonly find: () => AgentSession | Promise<AgentSession>;
}

type Asked = Pick<FastifyRequest, 'headers' | 'method' | 'id' | 'ip' | 'raw' | 'server'>;

/** The head of a request, with what is known of who made it. */
export function headOf(request: Asked, signal: AbortSignal | undefined): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...request.headers, ...passedHeaders(request) })) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  // Nobody looks at the address: every surface has servers of its own.
  return new Request('http://mcp.invalid/', {
    method: request.method,
    headers,
    ...(signal ? { signal } : {}),
  });
}

/** A JSON-RPC error, as the protocol answers requests that no server has. */
export function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
