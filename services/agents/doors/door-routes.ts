import type { FastifyInstance } from 'fastify';
import { jsonBodies } from '../../base/http/bodies.ts';
import { readJson } from '../../base/http/json-text.ts';
import { typedRoutes } from '../../base/http/typed-routes.ts';
import { takeUpgrades } from '../../base/http/upgrades.ts';
import { type EpisodeContext, Episodes } from './episodes.ts';
import { nemoGymAdapter } from './nemo-gym/nemo-gym-door.ts';
import { openenvAdapter } from './openenv/openenv-door.ts';
import { orsAdapter } from './ors/ors-door.ts';

/**
 * Episodes by the protocols of trainers, each a thin layer over runs. Bodies' numbers keep their digits. Must be registered
 * in a scope of its own.
 */
export async function adapterRoutes(app: FastifyInstance, context: EpisodeContext): Promise<void> {
  jsonBodies(app, readJson);
  const routes = typedRoutes(app);
  const episodes = new Episodes(context);
  orsAdapter(routes, episodes, context.process);
  nemoGymAdapter(routes, episodes);
  openenvAdapter(routes, episodes);
  app.server.on('upgrade', takeUpgrades(app));
}
