import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import { RequestMetrics, watchProcess } from '../../base/http/request-metrics.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { SlowQueries } from './slow-queries.ts';

/** The metrics. Labels are bounded: known domains, kinds of routes, status codes; never an address. */
export class Metrics {
  /** Endpoints moved from the main thread to the child processes since the start. */
  demotions = 0;
  readonly #registry = new Registry();
  readonly #requests: RequestMetrics;
  /** More in the Prometheus text format, from what is served beside domains. */
  readonly more: ((isOperator: boolean) => Promise<string>)[] = [];
  #scraped = false;

  constructor(watched: { cache: AnswerCache; slowQueries: SlowQueries; domains: number }) {
    const registers = [this.#registry];
    this.#requests = new RequestMetrics(this.#registry, 'rookery_http');
    const { cache, slowQueries, domains } = watched;
    for (const [name, help, value] of [
      ['rookery_domains', 'Domains served', () => domains],
      ['rookery_answer_cache_bytes', 'Bytes of answers kept', () => cache.bytes],
      ['rookery_slow_queries_running', 'Queries running in child processes', () => slowQueries.load.running],
      ['rookery_slow_queries_waiting', 'Queries waiting for a child process', () => slowQueries.load.waiting],
    ] as const) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    }
    for (const [name, help, value] of [
      ['rookery_answer_cache_hits_total', 'Answers found in the cache', () => cache.hits],
      ['rookery_answer_cache_misses_total', 'Answers not found in the cache', () => cache.misses],
      ['rookery_query_timeouts_total', 'Queries stopped at the limit', () => slowQueries.timeouts],
      ['rookery_queries_refused_total', 'Queries refused because too many waited', () => slowQueries.refused],
      [
        'rookery_endpoints_demoted_total',
        'Endpoints found slow and moved to child processes',
        () => this.demotions,
      ],
    ] as const) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(value());
        },
      });
    }
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Counts one answer. `domain` is the name of a known one, or ''. */
  observe(request: FastifyRequest, reply: FastifyReply, domain: string): void {
    this.#requests.observe(request, reply, domain);
  }

  /** The text of `/metrics`. The process's own figures are watched from the first scrape on. */
  async text(isOperator: boolean): Promise<string> {
    if (!this.#scraped) watchProcess(this.#registry);
    this.#scraped = true;
    const texts = [this.#registry.metrics(), ...this.more.map((text) => text(isOperator))];
    return (await Promise.all(texts)).join('\n');
  }
}
