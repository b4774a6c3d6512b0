import type { FastifyInstance } from 'fastify';
import { jsonBodies } from '../../base/http/bodies.ts';
import { readJson } from '../../base/http/json-text.ts';
import { typedRoutes } from '../../base/http/typed-routes.ts';
import { takeUpgrades } from '../../base/http/upgrades.ts';
import { type DoorContext, Episodes } from './episodes.ts';
import { nemoGymDoor } from './nemo-gym/nemo-gym-door.ts';
import { openenvDoor } from './openenv/openenv-door.ts';
import { orsDoor } from './ors/ors-door.ts';

/**
 * Episodes by the protocols of trainers, each a thin layer over runs. Bodies' numbers keep their digits. Must be registered
 * in a scope of its own.
 */
export async function doorRoutes(app: FastifyInstance, context: DoorContext): Promise<void> {
  jsonBodies(app, readJson);
  const routes = typedRoutes(app);
  const episodes = new Episodes(context);
  orsDoor(routes, episodes, context.process);
  nemoGymDoor(routes, episodes);
  openenvDoor(routes, episodes);
  app.server.on('upgrade', takeUpgrades(app));
}
