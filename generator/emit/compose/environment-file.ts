import { ACCESS_LOG, healthInterval, serviceMemory } from './compose-file.ts';

interface Settings {
  /** Names of services. */
  readonly services: readonly string[];
  /** How many services share the domains; one service a domain unless given. */
  readonly divided?: number;
}

/** `.env` beside a farm's docker-compose.yml: every setting with its default. */
export function environmentFile({ services, divided }: Settings): string {
  return `# Settings of docker-compose.yml. Keep a changed copy elsewhere and give it with --env-file:
# when the farm is generated again, this file is written again.

# Which services: all, or some of ${services.join(', ')}; separated by commas.
COMPOSE_PROFILES=all
# Where the gateway listens. 0.0.0.0 is for everybody: then set keys.
ROOKERY_ADDRESS=127.0.0.1
ROOKERY_PORT=8080
# Keys of which callers must send one, separated by commas; empty: none is needed.
ROOKERY_API_KEYS=
# Requests a minute for each key, or for each address where there are no keys; empty: no limit.
ROOKERY_RATE_LIMIT=
# Of each service.
ROOKERY_REPLICAS=1
ROOKERY_MEMORY=${serviceMemory(divided)}
ROOKERY_AGENTS_MEMORY=512m
# How often each container is asked whether it is well.
ROOKERY_HEALTH_INTERVAL=${healthInterval(services.length)}
# The share of answers that are logged, from 0 to 1, besides those of status 500 and above; empty: none at all.
ROOKERY_ACCESS_LOG=${ACCESS_LOG}
# Where OpenTelemetry traces go, as http://collector:4318; empty: nowhere.
OTEL_EXPORTER_OTLP_ENDPOINT=
ROOKERY_IMAGE=rookery
# The folder of the farm, from the one of docker-compose.yml.
ROOKERY_FARM=.
`;
}
