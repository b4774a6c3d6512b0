import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { KeptAnswers } from './kept-answers.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/** What the gateway counts of its own. Labels are bounded: known domains, kinds of routes, status codes. */
export class GatewayMetrics {
  readonly #registry = new Registry();
  readonly #seconds: Histogram<'kind'>;
  readonly #requests = new Map<string, { domain: string; kind: string; code: number; count: number }>();
  readonly #retries = new Map<string, number>();

  constructor(upstreams: Upstreams, kept: KeptAnswers) {
    const registers = [this.#registry];
    this.#seconds = new Histogram({
      name: 'rookery_gateway_request_duration_seconds',
      help: 'Time from request to the end of the answer, by kind of route',
      labelNames: ['kind'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10],
      registers,
    });
    const requests = this.#requests;
    new Counter({
      name: 'rookery_gateway_requests_total',
      help: 'Answers given, by domain, kind of route and status code',
      labelNames: ['domain', 'kind', 'code'],
      registers,
      collect() {
        this.reset();
        for (const { count, ...labels } of requests.values()) this.inc(labels, count);
      },
    });
    const retries = this.#retries;
    new Counter({
      name: 'rookery_gateway_retries_total',
      help: 'Requests that one replica did not answer and that were sent once more, by domain',
      labelNames: ['domain'],
      registers,
      collect() {
        this.reset();
        for (const [domain, count] of retries) this.inc({ domain }, count);
      },
    });
    new Gauge({
      name: 'rookery_gateway_replicas',
      help: 'Replicas known, by domain and whether they could be reached last',
      labelNames: ['domain', 'state'],
      registers,
      collect() {
        for (const { db: domain, replicas } of upstreams) {
          const up = replicas.filter(({ usable }) => usable).length;
          this.set({ domain, state: 'up' }, up);
          this.set({ domain, state: 'down' }, replicas.length - up);
        }
      },
    });
    new Gauge({
      name: 'rookery_gateway_kept_answers_bytes',
      help: 'Bytes of answers kept',
      registers,
      collect() {
        this.set(kept.bytes);
      },
    });
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Counts one answer. `domain` is the name of a known one, or ''. */
  observe(request: FastifyRequest, reply: FastifyReply, domain: string): void {
    const kind = request.routeOptions.config?.kind ?? 'other';
    const code = reply.raw.statusCode;
    const key = `${domain} ${kind} ${code}`;
    const entry = this.#requests.get(key);
    if (entry) entry.count++;
    else this.#requests.set(key, { domain, kind, code, count: 1 });
    this.#seconds.observe({ kind }, reply.elapsedTime / 1000);
  }

  retried(domain: string): void {
    this.#retries.set(domain, (this.#retries.get(domain) ?? 0) + 1);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
