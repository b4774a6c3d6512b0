import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { FaultProfile } from '../../../contracts/fault.ts';
import type { ServedFarm } from '../../../contracts/served-farm.ts';
import type { Service } from '../../../contracts/service.ts';
import { type Backend, injectBackend } from '../backend/backend.ts';
import { UnrecordedCalls } from '../faults/unrecorded-calls.ts';
import { HarnessKey, makeHarnessKey } from '../planes/harness-key.ts';
import { LiveRuns } from '../runs/live-runs.ts';
import { type PruneLimits, pruneNowAndThen } from '../runs/prune-runs.ts';
import { RunMetrics } from '../runs/run-metrics.ts';
import { RunStores } from '../runs/run-stores.ts';
import type { AnswerJudge, GoldReader, Reviewer, Scorer, Verifier } from '../runs/scorer.ts';
import type { Workers } from '../siblings/siblings.ts';
import { openRuns } from '../stores/open-runs.ts';
import { TaskBands } from '../tasks/task-bands.ts';
import { TaskBook } from '../tasks/task-book.ts';
import type { TaskSource } from '../tasks/task-source.ts';
import { ToolLists } from '../tool-lists/tool-lists.ts';
import type { AgentContext } from './agent-context.ts';

export interface AgentOptions {
  /** Of the domains that are served. */
  readonly tasks: TaskSource;
  /** sha256 of farm.json. */
  readonly farmHash: string;
  /** The share of attempts that passed, by sample id: how hard tasks are, as measured. */
  readonly passRates?: ReadonlyMap<string, number>;
  /** What the farm says of itself. */
  readonly farm?: () => Promise<ServedFarm>;
  /** Where runs are kept, a SQLite file or the address of a database; without it there are none. */
  readonly runs?: { readonly place: string } & Partial<PruneLimits>;
  readonly scorer?: Scorer;
  readonly verifier?: Verifier;
  readonly reviewer?: Reviewer;
  readonly gold?: GoldReader;
  readonly judge?: AnswerJudge;
  /** Ends what judges, when the server stops. */
  readonly close?: () => Promise<void>;
  /** Files of a leaderboard, by path. */
  readonly board?: (path: string) => string | undefined;
  /** Opens the harness's plane; without it nothing does. */
  readonly harnessKey?: string;
  /** Agents reach their runs only. */
  readonly exam?: boolean;
  /** Whether the harness has a port of its own. */
  readonly ownPort?: boolean;
  /** On purpose, in runs that do not choose for themselves and in calls outside of runs. */
  readonly faults?: FaultProfile;
  /** The other processes of the same server, each with runs of its own in a store of its own. */
  readonly siblings?: Workers;
  /** Default: the services behind the app's own routes. */
  readonly backend?: Backend;
}

/**
 * What the routes for agents need, in a process that has the descriptions of its services: a service's own, or a
 * gateway's. Rejects with OPTION_INVALID when runs cannot be kept.
 */
export async function agentContext(
  app: FastifyInstance,
  services: Iterable<Service>,
  {
    tasks: given,
    farmHash,
    passRates,
    farm,
    runs,
    scorer,
    verifier,
    reviewer,
    gold,
    judge,
    close,
    board,
    harnessKey = makeHarnessKey(),
    exam = false,
    ownPort = false,
    siblings,
    faults,
    backend = injectBackend(app, randomUUID()),
  }: AgentOptions,
): Promise<AgentContext> {
  const byDomain = new Map([...services].map((service) => [service.db, service]));
  const tasks = new TaskBook(given, new TaskBands(byDomain, passRates));
  const lists = new ToolLists(byDomain, tasks);
  const opensHarness = new HarnessKey(harnessKey);
  const process = siblings?.process ?? 0;
  const store = runs && new RunStores(await openRuns(runs.place, { process, log: app.log }));
  const runMetrics = new RunMetrics(store ?? null);
  if (store && runs) pruneNowAndThen(app, store, runs);
  if (close) app.addHook('onClose', close);
  return {
    services: byDomain,
    tasks,
    lists,
    backend,
    runs: store ? new LiveRuns({ store, lists, backend, metrics: runMetrics }) : null,
    runMetrics,
    scorer: scorer ?? null,
    verifier: verifier ?? null,
    reviewer: reviewer ?? null,
    gold: gold ?? null,
    judge: judge ?? null,
    board: board ?? null,
    faults: faults ?? null,
    unrecorded: faults ? new UnrecordedCalls(faults, (fault) => runMetrics.injected(fault)) : null,
    harnessKey: opensHarness,
    exam,
    ownPort,
    examKey: exam ? opensHarness.examKey : null,
    farmHash,
    farm: farm ?? null,
    process,
  };
}
