import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { answers } from './typed-routes.ts';

const config = { kind: 'health', open: 'free' } as const;
const tags = ['service'];
const live = z.object({ status: z.literal('live') });

/** `/health/live`: the process answers. */
export function liveRoute(app: FastifyInstance): void {
  const schema = {
    operationId: 'get_liveness',
    tags,
    summary: 'Whether the process answers.',
    response: answers({ 200: live }),
  };
  app.get('/health/live', { config, schema }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );
}

/** What `/health/ready` declares; what it looks at differs from process to process. */
export function readyRoute(ready: z.ZodType) {
  return {
    config,
    schema: {
      operationId: 'get_readiness',
      tags,
      summary: 'Whether the process can do its work; NOT_READY with what is missing.',
      response: answers({ 200: ready }),
    },
  };
}
