import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, Registry } from 'prom-client';
import { RequestMetrics, watchProcess } from '../../base/http/request-metrics.ts';
import type { Upstreams } from '../../base/upstream/upstreams.ts';
import type { AgentContext } from '../app/agent-context.ts';
import type { RunMetrics } from '../runs/run-metrics.ts';
import { SqliteRuns } from '../runs/sqlite-runs.ts';

/** What the process for agents counts. */
export class AgentMetrics {
  readonly #registry = new Registry();
  readonly #requests: RequestMetrics;
  readonly #upstreams: Upstreams;
  readonly #runs: RunMetrics;

  constructor(upstreams: Upstreams, { runs, runMetrics }: AgentContext) {
    this.#upstreams = upstreams;
    this.#runs = runMetrics;
    this.#requests = new RequestMetrics(this.#registry, 'rookery_http');
    const kept = runs?.store.kept;
    const file = kept instanceof SqliteRuns ? kept : null;
    new Gauge({
      name: 'rookery_runs_bytes',
      help: 'Bytes of runs kept in the file; 0 where they are in a database',
      registers: [this.#registry],
      collect() {
        this.set(file?.bytes() ?? 0);
      },
    });
    new Gauge({
      name: 'rookery_runs_memory_bytes',
      help: 'Bytes of runs kept in memory only',
      registers: [this.#registry],
      collect() {
        this.set(runs?.store.memory.bytes() ?? 0);
      },
    });
    if (file) {
      const folder = dirname(file.file ?? '');
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
    watchProcess(this.#registry);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  observe(request: FastifyRequest, reply: FastifyReply): void {
    const { db = '' } = request.params as { db?: string };
    this.#requests.observe(request, reply, this.#upstreams.byName(db) ? db : '');
  }

  async text(isOperator: boolean): Promise<string> {
    return `${await this.#registry.metrics()}\n${await this.#runs.text(isOperator)}`;
  }
}
