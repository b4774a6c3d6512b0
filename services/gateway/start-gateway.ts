import type { FastifyInstance } from 'fastify';
import type { Farm } from '../../contracts/farm.ts';
import { readFarm } from '../base/farm/read-farm.ts';
import { type PlacesOptions, placeOf, servicePlaces } from '../base/farm/service-places.ts';
import { type Listening, listen } from '../base/http/listen.ts';
import { buildGateway, type GatewayOptions } from './build-gateway.ts';

export interface StartGatewayOptions
  extends Omit<GatewayOptions, 'farm' | 'services' | 'agents'>,
    PlacesOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Where the process is that serves agents, as an http address, if there is one. */
  readonly agentsAt?: string;
}

export interface RunningGateway extends Listening {
  readonly app: FastifyInstance;
  readonly farm: Farm;
}

/** Reads a farm's farm.json, nothing else of it, and listens. Throws FARM_NOT_FOUND, FARM_INVALID, OPTION_INVALID. */
export async function startGateway(folder: string, options: StartGatewayOptions): Promise<RunningGateway> {
  const { farm } = readFarm(folder);
  const { agentsAt } = options;
  const app = await buildGateway({
    ...options,
    farm,
    services: servicePlaces(farm, options),
    ...(agentsAt
      ? { agents: placeOf(agentsAt, '--agents-at', 'give an address as http://agents:8080') }
      : {}),
  });
  return { app, farm, ...(await listen(app, options)) };
}
