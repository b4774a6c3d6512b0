import type { FastifyInstance } from 'fastify';
import type { Growth } from '../contracts/api.ts';
import type { AgentOptions } from './agents/agent-context.ts';
import { farmTasks } from './agents/task-book.ts';
import {
  agentFiles,
  checkHashes,
  describeFarm,
  type LoadedFarm,
  type LoadOptions,
  loadFarm,
  readFarm,
} from './base/farm.ts';
import {
  type DoorPort,
  type Listening,
  listen,
  listenForDoors,
  listenForWorkers,
} from './base/http/listen.ts';
import { type AppOptions, buildApp, type LiveGrowth } from './domain/app.ts';

export interface ServeOptions
  extends LoadOptions,
    Omit<AppOptions, 'domains' | 'openapi' | 'hasOpenapi' | 'slowQueries' | 'handles' | 'driver'> {
  readonly port: number;
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
  /**
   * Serves the domains of a farm folder that are not served yet, and its tasks from now on. `growth`: what is still to
   * come; undefined when the farm is complete. Throws as `loadFarm`.
   */
  grow(folder: string, growth: Growth | undefined): Promise<void>;
  progress(growth: Growth): void;
}

/**
 * Listens with a farm: its folder or, for one that is still to be generated, as loaded. Throws as `loadFarm`, and
 * OPTION_INVALID when the port is not available.
 */
export async function startServer(given: string | LoadedFarm, options: ServeOptions): Promise<RunningServer> {
  const farm = typeof given === 'string' ? await loadFarm(given, options) : given;
  const served = { farm };
  if (options.agents && options.checkHashes) {
    const paths = farm.domains.flatMap(({ service }) => agentFiles(service.db));
    await checkHashes(farm.folder, farm.farm, paths);
  }
  const plugins = [...(options.plugins ?? [])];
  if (options.agents) {
    // A container's service does not need it.
    const { agentPlugin } = await import('./agents/agent-routes.ts');
    plugins.push(agentPlugin(agentOptions(farm, options.agents), () => agentOptions(served.farm, {})));
  }
  let live: LiveGrowth | undefined;
  const app = await buildApp({
    ...options,
    plugins: [
      (_, context) => {
        live = context.live;
      },
      ...plugins,
    ],
    domains: farm.domains,
    openapi: (db, formulation) => served.farm.openapi(db, formulation),
    hasOpenapi: (db, formulation) => served.farm.hasOpenapi(db, formulation),
  });
  const { siblings } = options.agents ?? {};
  if (siblings) await listenForWorkers(app, siblings.sockets[siblings.process] as string);
  const doorAddresses = await listenForDoors(app, options);
  return {
    app,
    get farm() {
      return served.farm;
    },
    doorAddresses,
    async grow(folder, growth) {
      const known = new Map(served.farm.domains.map((domain) => [domain.service.db, domain]));
      const names = readFarm(folder).farm.domains.map(({ db }) => db);
      const grown = await loadFarm(folder, { only: names.filter((db) => !known.has(db)) });
      for (const domain of grown.domains) {
        live?.add(domain);
        known.set(domain.service.db, domain);
      }
      // In the farm's order, in which its tasks are listed.
      served.farm = { ...grown, domains: names.flatMap((db) => known.get(db) ?? []) };
      if (live) live.growth = growth;
      for (const notify of live?.onGrown ?? []) notify();
    },
    progress(growth) {
      if (live) live.growth = growth;
    },
    ...(await listen(app, options)),
  };
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
