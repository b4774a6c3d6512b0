import type { McpHttpHandler, ServerEventBus } from '@modelcontextprotocol/server';
import type { AgentSession } from '../surface/surface.ts';
import type { McpRequest } from './mcp-request.ts';

/** More streams than this at once make nobody wiser: what is told on them is that a run is over. */
const MAX_STREAMS = 8;

/**
 * MCP as it is since 2026-07-28: each request says all that it needs, and nothing is kept of it. Only a stream
 * (`subscriptions/listen`) lasts, as long as its reader stays.
 */
export class StatelessMcp {
  /** Those that have a stream open, by whom it is read. */
  readonly #listening = new Map<string, Set<McpHttpHandler>>();

  /** Throws as `find`. */
  async handle({ head, body, owner, find }: McpRequest): Promise<Response> {
    // Loaded when first needed: the library would take a third of a server's start.
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./create-mcp-server.ts'),
    ]);
    const surface = await find();
    const isFull = (this.#listening.get(owner)?.size ?? 0) >= MAX_STREAMS;
    const handler = createMcpHandler(() => createMcpServer(surface), {
      legacy: 'reject',
      // A handler has one request: a stream, or none.
      maxSubscriptions: isFull ? 0 : 1,
      bus: streamsOf(surface, {
        onOpen: () => this.#add(owner, handler),
        onEnd: () => this.#remove(owner, handler),
      }),
    });
    return handler.fetch(head, body === undefined ? {} : { parsedBody: body });
  }

  /** Ends the streams on which clients wait to be told something; calls under way go on. */
  async endStreams(): Promise<void> {
    const handlers = [...this.#listening.values()].flatMap((each) => [...each]);
    await Promise.all(handlers.map((handler) => handler.close()));
  }

  #add(owner: string, handler: McpHttpHandler): void {
    const known = this.#listening.get(owner);
    if (known) known.add(handler);
    else this.#listening.set(owner, new Set([handler]));
  }

  #remove(owner: string, handler: McpHttpHandler): void {
    const known = this.#listening.get(owner);
    known?.delete(handler);
    if (known?.size === 0) this.#listening.delete(owner);
  }
}

/** What is told on the streams of a surface: that its tools are others, once, when its run is over. */
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
