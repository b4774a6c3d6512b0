import type { FastifyInstance } from 'fastify';
import { type AccessLogOptions, logAccess } from './access-log.ts';
import type { Tracing } from './tracing.ts';

/** Observers of requests, for logs and traces; none unless given. */
export interface TelemetryOptions {
  readonly accessLog?: AccessLogOptions;
  readonly tracing?: Tracing;
}

/** Watches all requests of an app. Comes before its other hooks, so that it sees what these refuse. */
export function watchRequests(app: FastifyInstance, { accessLog, tracing }: TelemetryOptions): void {
  app.decorateRequest('traceparent', undefined);
  tracing?.trace(app);
  if (accessLog) logAccess(app, accessLog);
}
