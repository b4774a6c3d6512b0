import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import { RequestMetrics, watchProcess } from '../../base/http/request-metrics.ts';
import type { Upstreams } from '../../base/upstream/upstreams.ts';
import type { ResponseCache } from './response-cache.ts';

/** What the gateway counts of its own. Labels are bounded: known domains, kinds of routes, status codes. */
export class GatewayMetrics {
  readonly #registry = new Registry();
  readonly #requests: RequestMetrics;
  readonly #retries = new Map<string, number>();

  constructor(upstreams: Upstreams, cache: ResponseCache) {
    const registers = [this.#registry];
    this.#requests = new RequestMetrics(this.#registry, 'rookery_gateway');
    const retries = this.#retries;
    new Counter({
      name: 'rookery_gateway_retries_total',
      help: 'Requests that one replica did not answer and that were sent once more, by process',
      labelNames: ['upstream'],
      registers,
      collect() {
        this.reset();
        for (const [upstream, count] of retries) this.inc({ upstream }, count);
      },
    });
    new Gauge({
      name: 'rookery_gateway_replicas',
      help: 'Replicas known, by process (a service, or agents) and whether they could be reached last',
      labelNames: ['upstream', 'state'],
      registers,
      collect() {
        for (const { identity, replicas } of upstreams.all) {
          const upstream = identity.name;
          const up = replicas.filter(({ usable }) => usable).length;
          this.set({ upstream, state: 'up' }, up);
          this.set({ upstream, state: 'down' }, replicas.length - up);
        }
      },
    });
    new Gauge({
      name: 'rookery_gateway_response_cache_bytes',
      help: 'Bytes of answers kept',
      registers,
      collect() {
        this.set(cache.bytes);
      },
    });
    watchProcess(this.#registry);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Counts one answer. `domain` is the name of a known one, or ''. */
  observe(request: FastifyRequest, reply: FastifyReply, domain: string): void {
    this.#requests.observe(request, reply, domain);
  }

  retried(upstream: string): void {
    this.#retries.set(upstream, (this.#retries.get(upstream) ?? 0) + 1);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
