import type { FastifyInstance } from 'fastify';
import type { AgentOptions } from './agents/agent-context.ts';
import { farmTasks } from './agents/task-book.ts';
import {
  agentFiles,
  checkHashes,
  describeFarm,
  type LoadedFarm,
  type LoadOptions,
  loadFarm,
} from './base/farm.ts';
import {
  type DoorPort,
  type Listening,
  listen,
  listenForDoors,
  listenForWorkers,
} from './base/http/listen.ts';
import { type AppOptions, buildApp, type ServePlugin } from './domain/app.ts';

export interface ServeOptions
  extends LoadOptions,
    Pick<
      AppOptions,
      | 'limits'
      | 'pool'
      | 'cache'
      | 'logger'
      | 'plugins'
      | 'peers'
      | 'access'
      | 'watch'
      | 'console'
      | 'tableApi'
    > {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Also serves tasks, tool lists, MCP and runs, for agents and harnesses. */
  readonly agents?: Omit<AgentOptions, 'tasks' | 'farmHash' | 'farm'>;
  /** Extra ports for trainers' protocols; they need `agents` with runs. */
  readonly door?: readonly DoorPort[];
}

export interface RunningServer extends Listening {
  readonly app: FastifyInstance;
  readonly farm: LoadedFarm;
  /** The addresses of doors with their own ports, by door name. */
  readonly doorAddresses: Readonly<Record<string, string>>;
}

/** Loads a farm and listens. Throws as `loadFarm`, and OPTION_INVALID when the port is not available. */
export async function startServer(folder: string, options: ServeOptions): Promise<RunningServer> {
  const farm = await loadFarm(folder, options);
  if (options.agents && options.checkHashes) {
    const paths = farm.domains.flatMap(({ service }) => agentFiles(service.db));
    await checkHashes(farm.folder, farm.farm, paths);
  }
  const agents = options.agents && (await makeAgentPlugin(agentOptions(farm, options.agents)));
  const app = await buildApp({
    ...options,
    plugins: [...(options.plugins ?? []), ...(agents ? [agents] : [])],
    domains: farm.domains,
    openapi: farm.openapi,
    hasOpenapi: farm.hasOpenapi,
  });
  const { siblings } = options.agents ?? {};
  if (siblings) await listenForWorkers(app, siblings.sockets[siblings.process] as string);
  const doorAddresses = await listenForDoors(app, options);
  return { app, farm, doorAddresses, ...(await listen(app, options)) };
}

/** Loaded only where agents are served: a container's service does not need it. */
async function makeAgentPlugin(options: AgentOptions): Promise<ServePlugin> {
  const { agentPlugin } = await import('./agents/agent-routes.ts');
  return agentPlugin(options);
}

/** The options of the agents' routes, completed from a loaded farm. */
export function agentOptions(farm: LoadedFarm, options: NonNullable<ServeOptions['agents']>): AgentOptions {
  const dbs = farm.domains.map(({ service }) => service.db);
  const { folder, hash } = farm;
  return {
    ...options,
    tasks: farmTasks(folder, farm.farm, dbs),
    farmHash: hash,
    farm: describeFarm(folder, farm.farm, hash),
  };
}
