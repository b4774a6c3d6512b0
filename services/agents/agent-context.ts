import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServedFarm } from '../../contracts/api.ts';
import type { FaultProfile } from '../../contracts/faults.ts';
import { calledHere } from '../../contracts/package-root.ts';
import type { Service } from '../../contracts/service.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { guardGold, HarnessKey, makeHarnessKey } from '../base/http/roles.ts';
import type { DomainCalls } from '../domain/domain-calls.ts';
import { type Backend, ownBackend } from './backend/backend.ts';
import { answerSearch, callThrough } from './code/interfaces.ts';
import type { Protocol } from './episodes.ts';
import { corruptsAnswers, UnrecordedCalls } from './faults.ts';
import { type CreateContext, LiveRuns } from './runs/live-runs.ts';
import { RunMetrics } from './runs/run-metrics.ts';
import type { AnswerJudge, GoldReader, Reviewer, Scorer, Verifier } from './runs/run-store.ts';
import {
  type OpenRunsOptions,
  openRuns,
  type PruneLimits,
  pruneNowAndThen,
  RunStores,
} from './runs/run-stores.ts';
import type { Workers } from './runs/workers.ts';
import { TaskBook, type TaskSource } from './task-book.ts';
import { type AgentSession, callTool } from './toolsets/call-tool.ts';
import { type ListAddress, parseListAddress, printListAddress } from './toolsets/list-address.ts';
import { ToolLists } from './toolsets/tool-lists.ts';

export interface AgentContext
  extends Omit<CreateContext, 'runId' | 'now'>,
    Pick<AgentOptions, 'scorer' | 'verifier' | 'reviewer' | 'gold' | 'judge' | 'board'> {
  /** By domain. */
  readonly services: ReadonlyMap<string, Service>;
  readonly backend: Backend;
  /** null: this process records no runs. */
  readonly runs: LiveRuns | null;
  readonly runMetrics: RunMetrics;
  /** null: calls outside runs meet no faults. */
  readonly unrecorded: UnrecordedCalls | null;
  readonly harnessKey: HarnessKey;
  readonly exam: boolean;
  readonly ownPort: boolean;
  readonly farm: (() => Promise<ServedFarm>) | null;
  /** Takes over the services and tasks of a farm that has grown. Runs and lists at hand stay. */
  grow(services: Iterable<Service>, farm: AgentOptions): void;
  readonly protocols: readonly Protocol[];
}

export interface AgentOptions {
  readonly tasks: TaskSource;
  /** sha256 of farm.json. */
  readonly farmHash: string;
  readonly isComplete?: () => boolean;
  /** The measured share of attempts that passed, by sample id. */
  readonly passRates?: ReadonlyMap<string, number>;
  readonly farm?: () => Promise<ServedFarm>;
  /** Where to keep runs: a SQLite file or a database address. Without it no runs are recorded. */
  readonly runs?: Pick<OpenRunsOptions, 'databases'> & { readonly place: string } & Partial<PruneLimits>;
  /** Without one, this process does not score runs, verify them, compare them with their gold, and so on. */
  readonly scorer?: Scorer;
  readonly verifier?: Verifier;
  readonly reviewer?: Reviewer;
  readonly gold?: GoldReader;
  readonly judge?: AnswerJudge;
  readonly close?: () => Promise<void>;
  /** Reads a leaderboard file by its path, undefined where there is no such file. */
  readonly board?: (path: string) => string | undefined;
  /** The key of the harness's plane; without it no key opens that plane. */
  readonly harnessKey?: string;
  readonly exam?: boolean;
  readonly allowCode?: boolean | undefined;
  readonly ownPort?: boolean;
  /** Faults to inject into runs that choose none, and into calls outside runs. */
  readonly faults?: FaultProfile;
  readonly protocols?: readonly Protocol[];
  /** The other processes of this server, each with its own runs and store. */
  readonly siblings?: Workers;
  /** Default: the services of the app. */
  readonly backend?: Backend;
}

/**
 * Builds the context of the agent routes, in a process that has the descriptions of its services. Rejects with
 * OPTION_INVALID when the run store cannot be opened.
 */
export async function agentContext(
  app: FastifyInstance,
  services: Iterable<Service>,
  options: AgentOptions,
): Promise<AgentContext> {
  const { isComplete = () => true, runs, harnessKey = makeHarnessKey(), faults } = options;
  const { allowCode: allowsCode = false, exam = false, ownPort = false, protocols = [] } = options;
  const { backend = ownBackend(app.domainCalls as DomainCalls) } = options;
  const { scorer, verifier, reviewer, gold, judge, board } = options;
  const judges = { scorer, verifier, reviewer, gold, judge, board };
  let { farmHash, farm = null } = options;
  const byDomain = new Map([...services].map((service) => [service.db, service]));
  const tasks = new TaskBook(options.tasks, byDomain, options.passRates);
  const lists = new ToolLists(byDomain, tasks, allowsCode);
  const opensHarness = new HarnessKey(harnessKey);
  const process = options.siblings?.process ?? 0;
  const store =
    runs && new RunStores(await openRuns(runs.place, { databases: runs.databases, process, log: app.log }));
  const runMetrics = new RunMetrics(store ?? null);
  if (store && runs) pruneNowAndThen(app, store, runs);
  if (options.close) app.addHook('onClose', options.close);
  return {
    services: byDomain,
    tasks,
    lists,
    backend,
    runs: store ? new LiveRuns({ store, lists, backend, metrics: runMetrics }) : null,
    runMetrics,
    ...judges,
    faults: faults ?? null,
    unrecorded: faults ? new UnrecordedCalls(faults, (fault) => runMetrics.injected(fault)) : null,
    harnessKey: opensHarness,
    exam,
    ownPort,
    examKey: exam ? opensHarness.examKey : null,
    get farmHash() {
      return farmHash;
    },
    get isComplete() {
      return isComplete();
    },
    get farm() {
      return farm;
    },
    process,
    protocols,
    grow(services, grown) {
      for (const service of services) byDomain.set(service.db, service);
      tasks.take(grown.tasks);
      lists.forget();
      farmHash = grown.farmHash;
      farm = grown.farm ?? null;
    },
  };
}

/** The session of `/lists/<id>`. Throws UNKNOWN_LIST and HARNESS_ONLY. */
export function findList(context: AgentContext, id: string, request: Pick<FastifyRequest, 'isHarness'>) {
  const address = parseListAddress(id);
  if (!address) throw new HttpProblem('UNKNOWN_LIST', 'No list of tools has this address');
  guardGold(request, address);
  return listSession(context, address);
}

/** The session of `/runs/<id>`. Rejects with UNKNOWN_RUN and RUNS_OFF. */
export async function findRun(context: AgentContext, id: string): Promise<AgentSession> {
  return requireRuns(context).surface(id);
}

/** A list of tools at its own address: calls are carried out but not recorded. Throws as `ToolLists.get`. */
export function listSession(
  { lists, backend, unrecorded, examKey }: AgentContext,
  address: ListAddress,
): AgentSession {
  const { service, formulation } = lists.get(address, examKey).source;
  const toolset = `${service.split}/${service.db}/${formulation}`;
  const base = `/lists/${printListAddress(address)}`;
  return {
    base,
    get list() {
      return lists.get(address, examKey);
    },
    evidence: false,
    corruptsAnswers: corruptsAnswers(unrecorded?.profile),
    call: (asked) => {
      const list = lists.get(address, examKey);
      return callThrough({ list, base }, asked, async (call) => {
        if (list.isSearch(call.name)) return answerSearch(list, call);
        const carryOut = async () => (await callTool(backend, list, call)).answer;
        if (!unrecorded) return carryOut();
        const real = list.tryRealCall(call.name, call.arguments);
        const { name: tool, arguments: args } = real ?? {
          name: null,
          arguments: [call.name, call.arguments],
        };
        const fault = unrecorded.due({ toolset, tool, arguments: args, view: call.view });
        return fault ? fault(carryOut, call.headers) : carryOut();
      });
    },
  };
}

/** The server's runs. Throws RUNS_OFF where it records none. */
export function requireRuns({ runs }: Pick<AgentContext, 'runs'>): LiveRuns {
  if (runs) return runs;
  throw new HttpProblem('RUNS_OFF', 'This server was started without a place to keep runs.');
}

/** SCORING_OFF: the server was started without gold. */
export function scoringDisabled(): HttpProblem {
  const how = calledHere(
    'This server holds no gold; `rookery serve --score` reads it, for whoever has the harness key.',
  );
  return new HttpProblem('SCORING_OFF', how);
}
