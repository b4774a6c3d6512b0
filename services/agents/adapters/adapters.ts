import type { FastifyInstance } from 'fastify';
import { jsonBodies, readJson } from '../../base/http/json.ts';
import { takeUpgrades } from '../../base/http/listen.ts';
import { typedRoutes } from '../../base/http/typed-routes.ts';
import { type EpisodeContext, Episodes } from './episodes.ts';
import { nemoGymAdapter } from './nemo-gym.ts';
import { openenvAdapter } from './openenv.ts';
import { orsAdapter } from './ors.ts';

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
