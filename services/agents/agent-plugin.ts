import { randomUUID } from 'node:crypto';
import type { FaultProfile } from '../../contracts/fault.ts';
import type { Task } from '../../contracts/task.ts';
import type { ServePlugin } from '../context.ts';
import { LiveRuns } from '../runs/live-runs.ts';
import { type PruneLimits, pruneNowAndThen } from '../runs/prune-runs.ts';
import { RunStore } from '../runs/run-store.ts';
import type { Scorer } from '../runs/scorer.ts';
import { TaskBook } from '../tasks/task-book.ts';
import { ToolLists } from '../tool-lists/tool-lists.ts';
import { agentRoutes } from './agent-routes.ts';
import { injectBackend } from './backend.ts';

export interface AgentOptions {
  /** Of the domains that are served. */
  readonly tasks: Iterable<Task>;
  /** sha256 of farm.json. */
  readonly farmHash: string;
  /** Where runs are kept; without it there are none. */
  readonly runs?: { readonly file: string } & Partial<PruneLimits>;
  readonly scorer?: Scorer;
  /** Of runs that do not choose for themselves. */
  readonly faults?: FaultProfile;
}

/** The routes for agents in the process of a service. Throws OPTION_INVALID when runs cannot be kept. */
export function agentPlugin(options: AgentOptions): ServePlugin {
  return async (app, { domains }) => {
    const services = new Map([...domains].map(({ service }) => [service.db, service]));
    const tasks = new TaskBook(options.tasks);
    const lists = new ToolLists(services, tasks);
    const backend = injectBackend(app, randomUUID());
    const { runs, scorer, faults, farmHash } = options;
    const store = runs ? RunStore.open(runs.file) : undefined;
    if (store && runs) pruneNowAndThen(app, store, runs);
    await agentRoutes(app, {
      services,
      tasks,
      lists,
      backend,
      runs: store ? new LiveRuns({ store, lists, backend }) : null,
      scorer: scorer ?? null,
      faults: faults ?? null,
      farmHash,
    });
  };
}
