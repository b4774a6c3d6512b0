import type { FastifyInstance } from 'fastify';
import type { Farm } from '../../contracts/farm.ts';
import { chooseDomains } from '../base/farm/choose-domains.ts';
import { requirePart } from '../base/farm/part-hash.ts';
import { readFarm } from '../base/farm/read-farm.ts';
import { servedFiles } from '../base/farm/served-files.ts';
import { type PlacesOptions, placeOf, servicePlaces } from '../base/farm/service-places.ts';
import { listenForHarness } from '../base/http/harness-listener.ts';
import { type Listening, listen } from '../base/http/listen.ts';
import { buildGateway, type GatewayOptions } from './build-gateway.ts';

export interface StartGatewayOptions
  extends Omit<GatewayOptions, 'farm' | 'services' | 'agents' | 'agentsHarness'>,
    PlacesOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Where the process is that serves agents, as an http address, if there is one. */
  readonly agentsAt?: string;
  /** Where that process has its port for the harness. */
  readonly agentsHarnessAt?: string;
  /** A second port, for the harness: in an exam all that is not for agents is answered there. 0 takes any free one. */
  readonly harnessPort?: number;
  /** The `partHash` of the files of all services; nothing else is accepted. */
  readonly expect?: string;
}

export interface RunningGateway extends Listening {
  readonly app: FastifyInstance;
  readonly farm: Farm;
  /** Of the harness's own port, if it has one. */
  readonly harnessAddress?: string;
}

/**
 * Reads a farm's farm.json, nothing else of it, and listens. Throws FARM_NOT_FOUND, FARM_INVALID, FARM_CHANGED,
 * OPTION_INVALID.
 */
export async function startGateway(folder: string, options: StartGatewayOptions): Promise<RunningGateway> {
  const { root, farm } = readFarm(folder);
  const { agentsAt, agentsHarnessAt, harnessPort, host, expect, only } = options;
  if (expect !== undefined) requirePart(root, farm, chooseDomains(farm, only).flatMap(servedFiles), expect);
  const app = await buildGateway({
    ...options,
    farm,
    services: servicePlaces(farm, options),
    ...(agentsAt
      ? { agents: placeOf(agentsAt, '--agents-at', 'give an address as http://agents:8080') }
      : {}),
    ...(agentsHarnessAt
      ? {
          agentsHarness: placeOf(
            agentsHarnessAt,
            '--agents-harness-at',
            'give an address as http://agents:8081',
          ),
        }
      : {}),
  });
  const own =
    harnessPort === undefined
      ? {}
      : { harnessAddress: await listenForHarness(app, { port: harnessPort, host }) };
  return { app, farm, ...own, ...(await listen(app, options)) };
}
