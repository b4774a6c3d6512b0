import type { FastifyInstance } from 'fastify';
import { UserError } from '../../contracts/errors.ts';
import type { Farm } from '../../contracts/farm.ts';
import { chooseDomains } from '../farm/choose-domains.ts';
import { readFarm } from '../farm/read-farm.ts';
import { type Listening, listen } from '../http/listen.ts';
import { buildGateway, type GatewayOptions } from './build-gateway.ts';
import { serviceNames } from './service-names.ts';

export interface StartGatewayOptions extends Omit<GatewayOptions, 'farm' | 'services'> {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Only these domains; by their own names or those of their services. */
  readonly only?: readonly string[];
  /** Where services are: an http address with `{service}` in place of the service's name. */
  readonly servicesAt: string;
}

export interface RunningGateway extends Listening {
  readonly app: FastifyInstance;
  readonly farm: Farm;
}

/** Reads a farm's farm.json, nothing else of it, and listens. Throws FARM_NOT_FOUND, FARM_INVALID, OPTION_INVALID. */
export async function startGateway(folder: string, options: StartGatewayOptions): Promise<RunningGateway> {
  const { farm } = readFarm(folder);
  const names = serviceNames(farm.domains.map(({ db }) => db));
  const byService = new Map([...names].map(([db, service]) => [service, db]));
  const only = options.only?.map((name) => byService.get(name) ?? name);
  const services = new Map(
    chooseDomains(farm, only).map((db) => [db, [serviceUrl(options.servicesAt, names.get(db) ?? db)]]),
  );
  const app = await buildGateway({ ...options, farm, services });
  return { app, farm, ...(await listen(app, options)) };
}

function serviceUrl(template: string, service: string): URL {
  const text = template.replaceAll('{service}', service);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url;
  const fix = 'give an address as http://{service}:8080';
  throw new UserError('OPTION_INVALID', '--services-at', `${template} cannot be used; ${fix}`);
}
