import type { FastifyInstance } from 'fastify';
import type { ToolContext } from '../live-tools/tool-context.ts';
import type { PageContext } from '../pages/page-context.ts';

/** All that a route of the service may need; made once by `buildApp`. Each room declares the part that it needs. */
export interface ServeContext extends ToolContext, PageContext {
  /** What must hold besides, for the process to be ready: each throws NOT_READY when it does not. */
  readonly readiness: (() => void | Promise<void>)[];
}

/** More routes for the service. An HttpProblem thrown there is answered as problem+json. */
export type ServePlugin = (app: FastifyInstance, context: ServeContext) => void | Promise<void>;
