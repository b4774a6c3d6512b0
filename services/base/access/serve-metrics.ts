import type { FastifyInstance } from 'fastify';
import { answers, textAnswer } from '../http/typed-routes.ts';
import { isOperator, requireOperator } from './metrics-key.ts';

const schema = {
  operationId: 'get_metrics',
  tags: ['service'],
  summary: 'Counters and gauges for Prometheus.',
  response: answers({ 200: textAnswer('The Prometheus text format.', 'text/plain') }),
};

/** What a process counts, as Prometheus reads it. */
export interface Exposition {
  readonly contentType: string;
  /** `isOperator`: whether the reader has shown a key, so that what is hidden from agents may be in it. */
  text(isOperator: boolean): Promise<string | Buffer>;
}

/** `/metrics`, for those whom `requireOperator` lets through. */
export function serveMetrics(app: FastifyInstance, metrics: Exposition): void {
  app.get(
    '/metrics',
    {
      config: { kind: 'metrics', plane: 'operator' },
      schema,
      onRequest: async (request) => requireOperator(request),
    },
    async (request, reply) =>
      reply
        .headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' })
        .send(await metrics.text(isOperator(request))),
  );
}
