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
# generating the farm again overwrites this file.

# Which services: all, or some of ${services.join(', ')}; separated by commas.
COMPOSE_PROFILES=all
# Address of the gateway. 0.0.0.0 accepts requests from anywhere: set keys then.
ROOKERY_ADDRESS=127.0.0.1
ROOKERY_PORT=8080
# API keys, separated by commas; callers must send one of them. Empty: no key is required.
ROOKERY_API_KEYS=
# Requests a minute for each key, or for each address where there are no keys; empty: no limit.
ROOKERY_RATE_LIMIT=
# Origins of web pages that may ask from a browser, separated by commas. Empty: those of the gateway itself.
ROOKERY_CORS=
# Proxies that are believed about whom they ask for, as addresses or networks separated by commas.
ROOKERY_TRUST_PROXY=
# Opens scores, exports and parts of toolsets; empty: made anew, and written to the log of agents.
ROOKERY_HARNESS_KEY=
# Opens /metrics and nothing else; empty: whoever may ask reads them, in an exam the harness.
ROOKERY_METRICS_KEY=
# 1: an exam. Agents reach their runs and nothing else; docker-compose.harness.yml publishes the port of the harness.
ROOKERY_EXAM=
ROOKERY_HARNESS_PORT=8081
# Replicas and memory of each service.
ROOKERY_REPLICAS=1
ROOKERY_MEMORY=${serviceMemory(divided)}
ROOKERY_AGENTS_MEMORY=512m
# Interval of the health checks of each container.
ROOKERY_HEALTH_INTERVAL=${healthInterval(services.length)}
# The share of answers that are logged, from 0 to 1, besides those of status 500 and above. Empty: no log.
ROOKERY_ACCESS_LOG=${ACCESS_LOG}
# Endpoint for OpenTelemetry traces, such as http://collector:4318. Empty: no traces.
OTEL_EXPORTER_OTLP_ENDPOINT=
ROOKERY_IMAGE=rookery
# The folder of the farm, relative to docker-compose.yml.
ROOKERY_FARM=.
`;
}
