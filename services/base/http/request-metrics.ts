import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, type Registry } from 'prom-client';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route is, for metrics: `rest`, `tools`, `page`, … */
    kind?: string;
  }
}

/** Sums by type of other gauges, whose names are those of counters. */
const NO_COUNTERS = ['resources', 'handles', 'requests'].map((what) => `nodejs_active_${what}_total`);

/** Counts what a process takes of its machine: memory, processor time, open files. */
export function watchProcess(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const name of NO_COUNTERS) register.removeSingleMetric(name);
}

/** Answers given and the time they took. Labels are bounded: known domains, kinds of routes, status codes; never an address. */
export class RequestMetrics {
  readonly #seconds: Histogram<'kind'>;
  // Counted in a plain map and handed over when scraped: the hot path pays one string and one addition.
  readonly #requests = new Map<string, { domain: string; kind: string; code: number; count: number }>();

  /** `prefix` is that of the metrics' names, such as `rookery_http`. */
  constructor(registry: Registry, prefix: string) {
    const registers = [registry];
    this.#seconds = new Histogram({
      name: `${prefix}_request_duration_seconds`,
      help: 'Time from request to the end of the answer, by kind of route',
      labelNames: ['kind'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10],
      registers,
    });
    const requests = this.#requests;
    new Counter({
      name: `${prefix}_requests_total`,
      help: 'Answers given, by domain, kind of route and status code',
      labelNames: ['domain', 'kind', 'code'],
      registers,
      collect() {
        this.reset();
        for (const { count, ...labels } of requests.values()) this.inc(labels, count);
      },
    });
  }

  /** Counts one answer. `domain` is the name of a known one, or ''. */
  observe(request: FastifyRequest, reply: FastifyReply, domain: string): void {
    const kind = request.routeOptions.config?.kind ?? 'other';
    // Of an answer that was sent past fastify, fastify knows no status.
    const code = reply.raw.statusCode;
    const key = `${domain} ${kind} ${code}`;
    const entry = this.#requests.get(key);
    if (entry) entry.count++;
    else this.#requests.set(key, { domain, kind, code, count: 1 });
    this.#seconds.observe({ kind }, reply.elapsedTime / 1000);
  }
}
