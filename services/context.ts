import type { FastifyInstance } from 'fastify';
import type { AnswerCache } from './answer-cache.ts';
import type { DomainRegistry } from './domain-registry.ts';
import type { Limits } from './limits.ts';
import type { LiveTools } from './live-tools/live-tools.ts';
import type { Metrics } from './metrics.ts';
import type { SlowQueries } from './slow-queries.ts';

/** All that a route of the service may need; made once by `buildApp`. */
export interface ServeContext {
  readonly domains: DomainRegistry;
  readonly limits: Limits;
  /** Where queries run that may take long: stopped at the limit, never in the way of the others. */
  readonly slowQueries: SlowQueries;
  /** The tools of SLOT and SEL, and the handles of their results. */
  readonly tools: LiveTools;
  readonly cache: AnswerCache;
  readonly metrics: Metrics;
  /** The text of an emitted OpenAPI file, if the farm has it. */
  readonly openapi: OpenapiSource;
  /** Whether the farm has that file. */
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
}

/** The text of a domain's OpenAPI file for `rest`, `slot` or `sel`; undefined when there is none. */
export type OpenapiSource = (db: string, formulation: string) => string | undefined;

/** More routes for the service: what throws HttpProblem there is answered as problem+json. */
export type ServePlugin = (app: FastifyInstance, context: ServeContext) => void | Promise<void>;
