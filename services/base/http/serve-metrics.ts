import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { answers, textAnswer } from './typed-routes.ts';

const schema = {
  operationId: 'get_metrics',
  tags: ['service'],
  summary: 'Counters and gauges for Prometheus.',
  response: answers({ 200: textAnswer('The Prometheus text format.', 'text/plain') }),
};

/** What a process counts, as Prometheus reads it. */
export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

/** `/metrics`; `more` says who may read it, where a process asks. */
export function serveMetrics(
  app: FastifyInstance,
  metrics: Exposition,
  more: FastifyContextConfig = {},
): void {
  app.get('/metrics', { config: { ...more, kind: 'metrics' }, schema }, async (_request, reply) =>
    reply
      .headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' })
      .send(await metrics.text()),
  );
}
