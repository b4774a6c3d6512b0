import { randomUUID } from 'node:crypto';
import type {
  McpHttpHandler,
  Server,
  ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { getOrInsert } from '../../base/concurrency.ts';
import { passedHeaders } from '../backend/backend.ts';
import type { AgentSession } from '../toolsets/call-tool.ts';

interface Session {
  /** The address that the session began at; it is valid for no other. */
  readonly address: string;
  /** Whose session quota it counts against. */
  readonly owner: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** About 25 kB each. Beyond this, the owner with the most sessions loses the one idle longest. */
const MAX_SESSIONS = 2000;
const IDLE_MS = 30 * 60_000;

/** MCP before 2026: sessions over streamable HTTP, each with its own server. */
export class McpSessions {
  readonly #sessions = new LRUCache<string, Session>({
    max: MAX_SESSIONS + 1,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
    dispose: ({ owner, server }) => {
      const left = (this.#owners.get(owner) ?? 1) - 1;
      if (left > 0) this.#owners.set(owner, left);
      else this.#owners.delete(owner);
      void server.close();
    },
  });
  /** Whether another process may have begun a session of a run that both serve. */
  readonly #areShared: boolean;
  readonly #owners = new Map<string, number>();

  constructor(areShared: boolean) {
    this.#areShared = areShared;
  }

  /** Throws as `find`, which resolves the address of a new session. */
  async handle({ head, body, address, owner, find }: McpRequest): Promise<Response> {
    const options = body === undefined ? {} : { parsedBody: body };
    const id = head.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (!session && this.#areShared) return this.#ofAnother(head, options, find);
      if (session?.address !== address) return refusal(404, -32001, 'Session not found');
      return session.transport.handleRequest(head, options);
    }
    const { isInitializeRequest } = await import('@modelcontextprotocol/server');
    const surface = await find();
    if (head.method !== 'POST' || !isInitializeRequest(body)) {
      return refusal(400, -32000, 'Begin with an initialize request; later ones carry Mcp-Session-Id');
    }
    const { transport } = await this.#begin(address, owner, surface);
    return transport.handleRequest(head, options);
  }

  /** A request of a session that another process began is answered statelessly, since every process knows the run. */
  async #ofAnother(head: Request, options: { readonly parsedBody?: unknown }, find: McpRequest['find']) {
    if (head.method === 'DELETE') return new Response(null, { status: 200 });
    // Streams and deletion belong to the process that has the session.
    if (head.method !== 'POST')
      return new Response(null, { status: 405, headers: { allow: 'POST, DELETE' } });
    const surface = await find();
    const { createMcpServer } = await import('./create-mcp-server.ts');
    const { WebStandardStreamableHTTPServerTransport } = await import('@modelcontextprotocol/server');
    const server = createMcpServer(surface);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(head, options);
    } finally {
      await server.close();
    }
  }

  /** Ends the streams that clients listen on; calls under way continue. */
  endStreams(): void {
    for (const { transport } of this.#sessions.values()) transport.closeStandaloneSSEStream();
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(({ server }) => server.close()));
  }

  #add(id: string, session: Session): void {
    this.#owners.set(session.owner, (this.#owners.get(session.owner) ?? 0) + 1);
    this.#sessions.set(id, session);
    if (this.#sessions.size <= MAX_SESSIONS) return;
    let [who, most] = ['', 0];
    for (const [owner, count] of this.#owners) if (count > most) [who, most] = [owner, count];
    // Least recently used first.
    for (const key of this.#sessions.rkeys()) {
      if (this.#sessions.peek(key)?.owner !== who) continue;
      this.#sessions.delete(key);
      return;
    }
  }

  async #begin(address: string, owner: string, surface: AgentSession): Promise<Session> {
    // Loaded on first use: the library would take a third of a server's start.
    const { createMcpServer } = await import('./create-mcp-server.ts');
    const { WebStandardStreamableHTTPServerTransport } = await import('@modelcontextprotocol/server');
    const server = createMcpServer(surface);
    const forget = surface.answerTool?.onOver(() => {
      // It is fine if no client is listening.
      server.sendToolListChanged().catch(() => {});
    });
    if (forget) server.onclose = forget;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => {
        this.#add(id, session);
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    const session: Session = { address, owner, server, transport };
    await server.connect(transport);
    return session;
  }
}

/** More concurrent streams are pointless: all they send is that a run is over. */
const MAX_STREAMS = 8;

/**
 * MCP since 2026-07-28: each request is self-contained and leaves no state behind. Only a stream
 * (`subscriptions/listen`) lasts, as long as its reader stays.
 */
export class StatelessMcp {
  /** Handlers with an open stream, by owner. */
  readonly #listening = new Map<string, Set<McpHttpHandler>>();

  /** Throws as `find`. */
  async handle({ head, body, owner, find }: McpRequest): Promise<Response> {
    // Loaded on first use: the library would take a third of a server's start.
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./create-mcp-server.ts'),
    ]);
    const surface = await find();
    const isFull = (this.#listening.get(owner)?.size ?? 0) >= MAX_STREAMS;
    const handler = createMcpHandler(() => createMcpServer(surface), {
      legacy: 'reject',
      // A handler serves one request, so it has at most one stream.
      maxSubscriptions: isFull ? 0 : 1,
      bus: streamsOf(surface, {
        onOpen: () => this.#add(owner, handler),
        onEnd: () => this.#remove(owner, handler),
      }),
    });
    return handler.fetch(head, body === undefined ? {} : { parsedBody: body });
  }

  async endStreams(): Promise<void> {
    const handlers = [...this.#listening.values()].flatMap((each) => [...each]);
    await Promise.all(handlers.map((handler) => handler.close()));
  }

  #add(owner: string, handler: McpHttpHandler): void {
    getOrInsert(this.#listening, owner, () => new Set<McpHttpHandler>()).add(handler);
  }

  #remove(owner: string, handler: McpHttpHandler): void {
    const known = this.#listening.get(owner);
    known?.delete(handler);
    if (known?.size === 0) this.#listening.delete(owner);
  }
}

/** Streams of a session send one event: its tools have changed, once the run is over. */
function streamsOf(
  { answerTool }: AgentSession,
  { onOpen, onEnd }: { readonly onOpen: () => void; readonly onEnd: () => void },
): ServerEventBus {
  return {
    publish: () => {},
    subscribe(listener) {
      onOpen();
      const forget = answerTool?.onOver(() => listener({ kind: 'tools_list_changed' }));
      return () => {
        forget?.();
        onEnd();
      };
    },
  };
}

export interface McpRequest {
  /** The head as the protocol's library takes it. The signal is aborted when the caller hangs up. */
  readonly head: Request;
  readonly body: unknown;
  readonly address: string;
  /** Whose quota of sessions and streams it counts against: the run's, or else the caller's. */
  readonly owner: string;
  /** Resolves the address. Throws, or rejects with, HttpProblems. */
  readonly find: () => AgentSession | Promise<AgentSession>;
}

type Asked = Pick<FastifyRequest, 'headers' | 'method' | 'id' | 'ip' | 'raw' | 'server'>;

export function headOf(request: Asked, signal: AbortSignal | undefined): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...request.headers, ...passedHeaders(request) })) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  // The address is never read: every session has its own servers.
  return new Request('http://mcp.invalid/', {
    method: request.method,
    headers,
    ...(signal ? { signal } : {}),
  });
}

/** A JSON-RPC error, for requests that no MCP server handles. */
export function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
