import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { RequestMetrics } from '../../base/http/request-metrics.ts';
import type { Upstreams } from '../../base/upstream/upstreams.ts';
import type { AgentContext } from '../app/agent-context.ts';

/** What the process for agents counts. */
export class AgentMetrics {
  readonly #registry = new Registry();
  readonly #requests: RequestMetrics;
  readonly #upstreams: Upstreams;

  constructor(upstreams: Upstreams, { runs }: AgentContext) {
    this.#upstreams = upstreams;
    this.#requests = new RequestMetrics(this.#registry, 'rookery_http');
    new Gauge({
      name: 'rookery_runs_bytes',
      help: 'Bytes of runs kept in the file',
      registers: [this.#registry],
      collect() {
        this.set(runs?.store.file.bytes ?? 0);
      },
    });
    new Gauge({
      name: 'rookery_runs_memory_bytes',
      help: 'Bytes of runs kept in memory only',
      registers: [this.#registry],
      collect() {
        this.set(runs?.store.memory.bytes ?? 0);
      },
    });
    if (runs) {
      const folder = dirname(runs.store.file.file ?? '');
      new Gauge({
        name: 'rookery_runs_disk_free_bytes',
        help: 'Bytes that are free where runs are kept',
        registers: [this.#registry],
        collect() {
          const { bavail, bsize } = statfsSync(folder);
          this.set(bavail * bsize);
        },
      });
    }
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  observe(request: FastifyRequest, reply: FastifyReply): void {
    const { db = '' } = request.params as { db?: string };
    this.#requests.observe(request, reply, this.#upstreams.byName(db) ? db : '');
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
