import { healthInterval } from './compose-file.ts';

/** `.env` beside a farm's docker-compose.yml: every setting with its default. */
export function environmentFile(services: readonly string[]): string {
  return `# Settings of docker-compose.yml. Keep a changed copy elsewhere and give it with --env-file:
# when the farm is generated again, this file is written again.

# Which domains: all, or some of ${services.join(', ')}; separated by commas.
COMPOSE_PROFILES=all
# Where the gateway listens. 0.0.0.0 is for everybody: then set keys.
ROOKERY_ADDRESS=127.0.0.1
ROOKERY_PORT=8080
# Keys of which callers must send one, separated by commas; empty: none is needed.
ROOKERY_API_KEYS=
# Requests a minute for each key, or for each address where there are no keys; empty: no limit.
ROOKERY_RATE_LIMIT=
# Of each domain.
ROOKERY_REPLICAS=1
ROOKERY_MEMORY=256m
ROOKERY_AGENTS_MEMORY=512m
# How often each container is asked whether it is well.
ROOKERY_HEALTH_INTERVAL=${healthInterval(services.length)}
ROOKERY_IMAGE=rookery
# The folder of the farm, from the one of docker-compose.yml.
ROOKERY_FARM=.
`;
}
