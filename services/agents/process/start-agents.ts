import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Farm } from '../../../contracts/farm.ts';
import { chooseDomains } from '../../base/farm/choose-domains.ts';
import { describeFarm } from '../../base/farm/describe-farm.ts';
import { loadService } from '../../base/farm/load-service.ts';
import { requirePart } from '../../base/farm/part-hash.ts';
import { readFarm } from '../../base/farm/read-farm.ts';
import { invalid } from '../../base/farm/read-json.ts';
import { agentFiles } from '../../base/farm/served-files.ts';
import { type PlacesOptions, servicePlaces } from '../../base/farm/service-places.ts';
import { listenForAdapters } from '../../base/http/door-listener.ts';
import { listenForHarness } from '../../base/http/harness-listener.ts';
import { type Listening, listen } from '../../base/http/listen.ts';
import type { AdapterPort } from '../doors/door-names.ts';
import { farmTasks } from '../tasks/task-source.ts';
import { type AgentsOptions, buildAgents } from './build-agents.ts';

export interface StartAgentsOptions
  extends Pick<AgentsOptions, 'runs' | 'harnessKey' | 'metricsKey' | 'exam' | 'logger' | 'watch'>,
    PlacesOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** A second port, for the harness: in an exam nothing that is its own is answered at the other. 0 takes any free one. */
  readonly harnessPort?: number;
  /** Ports of their own for trainers' protocols. */
  readonly door?: readonly AdapterPort[];
  /** The `partHash` of the files that it reads; nothing else is accepted. */
  readonly expect?: string;
}

export interface RunningAgents extends Listening {
  readonly app: FastifyInstance;
  readonly farm: Farm;
  /** Of the harness's own port, if it has one. */
  readonly harnessAddress?: string;
  /** How many there are. */
  readonly tasks: number;
}

/**
 * Reads farm.json, the services' descriptions and the tasks of a farm, nothing else of it, and listens. Throws
 * FARM_NOT_FOUND, FARM_INVALID, FARM_CHANGED, OPTION_INVALID.
 */
export async function startAgents(folder: string, options: StartAgentsOptions): Promise<RunningAgents> {
  const { root, farm, text } = readFarm(folder);
  if (options.expect !== undefined) {
    requirePart(root, farm, chooseDomains(farm, options.only).flatMap(agentFiles), options.expect);
  }
  const places = servicePlaces(farm, options);
  const dbs = [...places.keys()];
  for (const path of dbs.flatMap(agentFiles)) {
    // A farm without tasks is one of an older version; a file that went missing on the way here is a fault.
    if (path in farm.files && !existsSync(join(root, path))) throw invalid(join(root, path), 'is missing');
  }
  const tasks = farmTasks(root, farm, dbs);
  const farmHash = createHash('sha256').update(text).digest('hex');
  const app = await buildAgents({
    ...options,
    split: farm.split.name,
    places,
    services: dbs.map((db) => loadService(root, farm, db)),
    tasks,
    farmHash,
    farm: describeFarm(root, farm, farmHash),
    ownPort: options.harnessPort !== undefined,
  });
  const { host, harnessPort } = options;
  const harnessAddress =
    harnessPort === undefined ? undefined : await listenForHarness(app, { port: harnessPort, host });
  await listenForAdapters(app, options);
  const own = harnessAddress === undefined ? {} : { harnessAddress };
  return { app, farm, tasks: tasks.count, ...own, ...(await listen(app, options)) };
}
