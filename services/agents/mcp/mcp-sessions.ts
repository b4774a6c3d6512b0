import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { LRUCache } from 'lru-cache';
import type { Surface } from '../surface/surface.ts';
import { forgetAnswers } from './forget-answers.ts';

interface Session {
  /** The address at which it began; it is good for no other. */
  readonly address: string;
  /** Whose place among the sessions it takes. */
  readonly owner: string;
  readonly server: Server;
  readonly transport: StreamableHTTPServerTransport;
}

/** About 25 kB each. When there are more, whoever has most loses the one that rested longest, and may begin a new one. */
const MAX_SESSIONS = 2000;
const IDLE_MS = 30 * 60_000;

/** The MCP sessions of a server over streamable HTTP, each with a server of its own. */
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
  /** How many sessions each has. */
  readonly #owners = new Map<string, number>();

  /**
   * Answers a request, of which the body has been read. Its owner is the run that it is of, or else the caller; `find` is asked for the surface of a new session.
   */
  async handle(
    address: string,
    owner: string,
    find: () => Surface,
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = this.#sessions.get(id);
      if (session?.address === address) return answer(session, request, response, body);
      return refuse(response, 404, -32001, 'Session not found');
    }
    const { isInitializeRequest } = await import('@modelcontextprotocol/sdk/types.js');
    if (request.method !== 'POST' || !isInitializeRequest(body)) {
      return refuse(
        response,
        400,
        -32000,
        'Begin with an initialize request; later ones carry Mcp-Session-Id',
      );
    }
    const session = await this.#begin(address, owner, find());
    await answer(session, request, response, body);
  }

  /** Ends the streams on which clients wait to be told something; calls under way go on. */
  endStreams(): void {
    for (const { transport } of this.#sessions.values()) transport.closeStandaloneSSEStream();
  }

  async close(): Promise<void> {
    const servers = [...this.#sessions.values()].map(({ server }) => server);
    this.#sessions.clear();
    await Promise.all(servers.map((server) => server.close()));
  }

  #add(id: string, session: Session): void {
    this.#owners.set(session.owner, (this.#owners.get(session.owner) ?? 0) + 1);
    this.#sessions.set(id, session);
    if (this.#sessions.size <= MAX_SESSIONS) return;
    let [who, most] = ['', 0];
    for (const [owner, count] of this.#owners) if (count > most) [who, most] = [owner, count];
    // Those used last come last.
    for (const key of this.#sessions.rkeys()) {
      if (this.#sessions.peek(key)?.owner !== who) continue;
      this.#sessions.delete(key);
      return;
    }
  }

  async #begin(address: string, owner: string, surface: Surface): Promise<Session> {
    // Loaded when first needed: the SDK would take a third of a server's start.
    const { createMcpServer } = await import('./create-mcp-server.ts');
    const { StreamableHTTPServerTransport } = await import(
      '@modelcontextprotocol/sdk/server/streamableHttp.js'
    );
    const server = createMcpServer(surface);
    const transport = new StreamableHTTPServerTransport({
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
    await server.connect(transport as Parameters<Server['connect']>[0]);
    return session;
  }
}

async function answer(
  { transport }: Session,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  await transport.handleRequest(request, response, body);
  forgetAnswers(transport);
}

/** A JSON-RPC error, as the protocol answers requests that belong to no session. */
export function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
