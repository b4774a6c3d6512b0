import type { Farm } from '../contracts/farm.ts';
import type { FarmFile } from '../generator/write/write-file.ts';
import { agentFiles, partHash, servedFiles } from '../services/base/farm/farm-files.ts';
import {
  MAX_SERVICES,
  onlyOption,
  type ServiceGroup,
  serviceGroups,
} from '../services/base/farm/service-groups.ts';

/** A YAML scalar that Compose reads as exactly this text: quoted, with dollar signs escaped. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text.replaceAll('$', '$$$$'));
}

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

/** Read-only unless marked writable. */
export interface Mount {
  /** `bind`: a file of the farm's folder; `volume`: a named volume with a copy of the farm. */
  readonly type: 'bind' | 'volume';
  readonly source: string;
  readonly target: string;
  readonly writable?: boolean;
}

/** One container's files, and their expected hash if they may be replaced. */
export interface ComposeProcess {
  readonly mounts: readonly Mount[];
  readonly expect?: string;
}

/** A service of some domains, found by its name, a DNS label. */
export interface ComposeService extends ServiceGroup, ComposeProcess {}

export interface ComposeFarm {
  readonly title: string;
  /** `built here`: from the Dockerfile beside the file; `needed`: it must exist. */
  readonly image: 'built here' | 'needed';
  readonly gateway: ComposeProcess;
  readonly agents: ComposeProcess;
  /** The domains that the gateway and the process for agents serve; all by default. */
  readonly only?: readonly string[];
  readonly services: readonly ComposeService[];
  /** How many services share the domains; one a domain by default. */
  readonly divided?: number;
}

/** Combined with the compose file to give an exam. */
export const HARNESS_COMPOSE = 'docker-compose.harness.yml';

/** Publishes the harness's port on the host's loopback only, out of agents' reach. */
export function harnessComposeFile(): string {
  return `# The port of the harness, for whoever gives an exam on this machine (docs/exams.md). Written by rookery.
#
#   ROOKERY_EXAM=1 docker compose -f docker-compose.yml -f ${HARNESS_COMPOSE} up -d
services:
  gateway:
    ports: ["127.0.0.1:\${ROOKERY_HARNESS_PORT:-8081}:8081"]
`;
}

/** Without `version`, for Compose v2 and docker-compose 1.29 alike. */
export function composeFile(farm: ComposeFarm): string {
  const delivered = [farm.gateway, farm.agents, ...farm.services]
    .flatMap(({ mounts }) => mounts)
    .flatMap(({ type, source }) => (type === 'volume' ? [source] : []));
  const isDelivered = delivered.length > 0;
  return [
    head(farm),
    processes(farm),
    'services:',
    ...(isDelivered ? [delivery(delivered)] : []),
    gateway(farm, isDelivered),
    agents(farm, isDelivered),
    ...farm.services.map((service) => domain(service, farm, isDelivered)),
    networks(),
    volumes(delivered),
  ]
    .join('\n\n')
    .concat('\n');
}

function head({ title, image, services, divided }: ComposeFarm): string {
  const lines = [
    `# ${title}: a gateway, ${divided === undefined ? 'one service a domain' : `${divided} services for its domains`}, and one for agents. Written by rookery, for Compose v2 and docker-compose 1.29.`,
    '#',
    ...(image === 'built here'
      ? ['#   docker compose up -d          then http://127.0.0.1:8080']
      : [
          '#   docker build -t rookery <folder of rookery>     once: the image that all of them run',
          '#   docker compose up -d                            then http://127.0.0.1:8080',
        ]),
    '#',
    '# Settings, in the environment or an env file (docs/docker.md):',
    '#   ROOKERY_ADDRESS, ROOKERY_PORT   where the gateway listens: 127.0.0.1, 8080',
    '#   ROOKERY_API_KEYS                keys of which callers must send one, separated by commas: none',
    '#   ROOKERY_RATE_LIMIT              requests a minute for each key, or each address: no limit',
    '#   ROOKERY_CORS                    origins of web pages that may ask from a browser: none',
    '#   ROOKERY_TRUST_PROXY             proxies that are believed about whom they ask for (docs/proxy.md): none',
    '#   ROOKERY_HARNESS_KEY             opens scores, exports and parts of toolsets: made anew, in the log of agents',
    '#   ROOKERY_METRICS_KEY             opens /metrics and nothing else; empty: whoever may ask reads them, in an exam the harness',
    '#   ROOKERY_EXAM                    1: agents reach their runs and nothing else (docs/exams.md): no',
    `#   ROOKERY_HARNESS_PORT            with ${HARNESS_COMPOSE}, where the harness has the rest: 8081`,
    '#   ROOKERY_REPLICAS                replicas of each service: 1',
    `#   ROOKERY_MEMORY                  most memory of each service: ${serviceMemory(divided)}`,
    '#   ROOKERY_AGENTS_MEMORY           most memory of the one for agents: 512m',
    `#   ROOKERY_HEALTH_INTERVAL         how often each container is asked whether it is well: ${healthInterval(services.length)}`,
    `#   ROOKERY_ACCESS_LOG              share of answers that are logged, 0 to 1: ${ACCESS_LOG}`,
    '#   OTEL_EXPORTER_OTLP_ENDPOINT     where traces go: nowhere',
    '#   ROOKERY_IMAGE                   the image: rookery',
  ];
  if (image === 'needed') {
    lines.push(
      '#   ROOKERY_FARM                    the folder of the farm: the one of this file',
      '#   COMPOSE_PROFILES                which services: all, or some of them by name, separated by commas',
    );
  }
  return lines.join('\n');
}

/** Settings of all containers: no privileges, limited resources, almost nothing writable. */
function processes({ image, services, divided }: ComposeFarm): string {
  return `x-process: &process
  image: \${ROOKERY_IMAGE:-rookery}${image === 'built here' ? '\n  # Built once, by the service farm.\n  pull_policy: never' : ''}
  user: node
  read_only: true
  cap_drop: [ALL]
  security_opt: ["no-new-privileges:true"]
  pids_limit: 128
  init: true
  stop_grace_period: 10s
  logging: { driver: json-file, options: { max-size: 5m, max-file: "3" } }

x-service: &service
  <<: *process
  restart: unless-stopped
  mem_limit: \${ROOKERY_MEMORY:-${serviceMemory(divided)}}
  # SQLite sorts large results in /tmp; the farm that comes with the image is out of sight.
  tmpfs: ["/tmp:size=64m,noexec,nosuid,nodev", "/opt/farm:ro,size=4k"]
  networks: [inside]
  # The name of a service that is down is given up soon, also where no name server can be reached.
  dns_opt: ["timeout:1", "attempts:1"]
  healthcheck: &ready
    test: [CMD, /app/healthy, /health/ready]
    interval: \${ROOKERY_HEALTH_INTERVAL:-${healthInterval(services.length)}}
    timeout: 10s
    retries: 4
    start_period: 30s`;
}

/** Each check starts a process, so all containers together are checked twice a second. */
export function healthInterval(services: number): string {
  return `${Math.max(5, Math.ceil(services / 2))}s`;
}

/** A service of several domains keeps more handles. */
export function serviceMemory(divided?: number): string {
  return divided === undefined ? '256m' : '512m';
}

function delivery(volumes: readonly string[]): string {
  return `  # Runs once and ends: copies to each volume what one container may see.
  farm:
    <<: *process
    build: .
    command: [deliver, /opt/farm, /volumes]
    restart: "no"
    network_mode: none
    mem_limit: 256m
    volumes:
${volumes.map((name) => `      - { type: volume, source: ${name}, target: /volumes/${name} }`).join('\n')}`;
}

function gateway({ gateway: { mounts, expect }, ...farm }: ComposeFarm, delivered: boolean): string {
  return `  gateway:
    <<: *service
    command: [gateway, /farm, --agents-at, "http://agents:8080", --harness-port, "8081", --agents-harness-at, "http://agents:8081"${domainArguments(farm)}${expectation(expect)}]
    environment:
      # Half of them may look up names at a time.
      UV_THREADPOOL_SIZE: "32"
      ROOKERY_API_KEYS: \${ROOKERY_API_KEYS:-}
      ROOKERY_RATE_LIMIT: \${ROOKERY_RATE_LIMIT:-}
      ROOKERY_CORS: \${ROOKERY_CORS:-}
      ROOKERY_TRUST_PROXY: \${ROOKERY_TRUST_PROXY:-}
      ROOKERY_METRICS_KEY: \${ROOKERY_METRICS_KEY:-}
      ROOKERY_EXAM: \${ROOKERY_EXAM:-}
${watchVariables()}${domainsVariable(farm)}
    ports: ["\${ROOKERY_ADDRESS:-127.0.0.1}:\${ROOKERY_PORT:-8080}:8080"]
    networks: [inside, outside]
    healthcheck:
      <<: *ready
      test: [CMD, /app/healthy, /health/live]
${after(delivered, 'agents: { condition: service_started }')}${emitMounts(mounts)}`;
}

/** A single container, since no other process may write its runs. */
function agents({ agents: { mounts, expect }, ...farm }: ComposeFarm, delivered: boolean): string {
  const runs: Mount = { type: 'volume', source: RUNS, target: '/runs', writable: true };
  return `  # Tasks, tool lists, MCP, and runs, which it alone writes: never more than one of it.
  agents:
    <<: *service
    command: [agents, /farm, --runs, /runs/runs.sqlite, --harness-port, "8081"${domainArguments(farm)}${expectation(expect)}]
    mem_limit: \${ROOKERY_AGENTS_MEMORY:-512m}
    environment:
      ROOKERY_HARNESS_KEY: \${ROOKERY_HARNESS_KEY:-}
      ROOKERY_METRICS_KEY: \${ROOKERY_METRICS_KEY:-}
      ROOKERY_EXAM: \${ROOKERY_EXAM:-}
      UV_THREADPOOL_SIZE: "32"
${watchVariables()}${domainsVariable(farm)}
${after(delivered)}${emitMounts([...mounts, runs])}`;
}

const RUNS = 'runs';

/** The share of answers logged, besides those of status 500 and above. */
export const ACCESS_LOG = '0.01';

/** The domains, and the number of services that share them. */
function domainArguments({ only = [], divided }: Pick<ComposeFarm, 'only' | 'divided'>): string {
  return `${onlyArguments(only)}${divided === undefined ? '' : `, --services, "${divided}"`}`;
}

function onlyArguments(dbs: readonly string[]): string {
  return dbs.map((db) => `, ${quoteYaml(onlyOption(db))}`).join('');
}

/** Recreates a container whose files have changed, and refuses to start with other files. */
function expectation(expect: string | undefined): string {
  return expect === undefined ? '' : `, --expect, "${expect}"`;
}

/** Logs and traces of requests. */
function watchVariables(): string {
  return [
    `      ROOKERY_ACCESS_LOG: \${ROOKERY_ACCESS_LOG-${ACCESS_LOG}}`,
    '      OTEL_EXPORTER_OTLP_ENDPOINT: ${OTEL_EXPORTER_OTLP_ENDPOINT:-}',
  ].join('\n');
}

function domainsVariable({ image }: Pick<ComposeFarm, 'image'>): string {
  return image === 'needed' ? `\n      ROOKERY_DOMAINS: \${COMPOSE_PROFILES:-}` : '';
}

function domain(
  { dbs, name, mounts, expect }: ComposeService,
  { image }: ComposeFarm,
  delivered: boolean,
): string {
  const profiles = image === 'needed' ? `\n    profiles: [all, ${name}]` : '';
  return `  ${name}:
    <<: *service${profiles}
    command: [serve, /farm${onlyArguments(dbs)}${expectation(expect)}]
    scale: \${ROOKERY_REPLICAS:-1}
    environment:
      ROOKERY_PEERS: http://${name}:8080
${watchVariables()}
${after(delivered)}${emitMounts(mounts)}`;
}

function after(delivered: boolean, ...others: readonly string[]): string {
  const all = [...(delivered ? ['farm: { condition: service_completed_successfully }'] : []), ...others];
  return all.length === 0 ? '' : `    depends_on: { ${all.join(', ')} }\n`;
}

function emitMounts(mounts: readonly Mount[]): string {
  const lines = mounts.map(({ type, source, target, writable = false }) => {
    const from = type === 'bind' ? `"\${ROOKERY_FARM:-.}/${quoteYaml(source).slice(1)}` : source;
    const access = writable ? '' : ', read_only: true';
    return `      - { type: ${type}, source: ${from}, target: ${quoteYaml(target)}${access} }`;
  });
  return ['    volumes:', ...lines].join('\n');
}

function networks(): string {
  return `networks:
  # Between all of them; no way out, and the host has no address in it.
  inside:
    internal: true
    driver_opts:
      com.docker.network.bridge.inhibit_ipv4: "true"
  # For the gateway's port. Answers go out, but nothing is begun from inside.
  outside:
    driver_opts:
      com.docker.network.bridge.enable_ip_masquerade: "false"`;
}

function volumes(delivered: readonly string[]): string {
  return [
    'volumes:',
    '  # What agents did. `docker compose down` keeps it, `docker compose down -v` does not.',
    ...[RUNS, ...delivered].map((name) => `  ${name}: {}`),
  ].join('\n');
}

export interface ComposeOptions {
  /** Only these domains. */
  readonly only?: readonly string[];
  /** The most services that share the domains; MAX_SERVICES unless given. */
  readonly services?: number;
}

/**
 * `docker-compose.yml` for a farm's own folder: services, each with the files of its domains mounted and nothing else,
 * a gateway, and a process for agents; what publishes the harness's port; and `.env`, its settings. For Compose v2 and docker-compose 1.29 alike.
 */
export function emitCompose(farm: Farm, { only, services = MAX_SERVICES }: ComposeOptions = {}): FarmFile[] {
  const all = farm.domains.map(({ db }) => db);
  const dbs = all.filter((db) => only === undefined || only.includes(db));
  const groups = serviceGroups(all, dbs, services);
  const divided = dbs.length > services;
  const content = composeFile({
    title: `The farm "${farm.name}"`,
    image: 'needed',
    gateway: { mounts: [bind('farm.json')], expect: partHash(farm, dbs.flatMap(servedFiles)) },
    agents: agentsProcess(farm, dbs),
    ...(only ? { only } : {}),
    ...(divided ? { divided: services } : {}),
    services: groups.map((group) => ({ ...group, ...processOf(farm, group.dbs.flatMap(servedFiles)) })),
  });
  const settings = { services: groups.map(({ name }) => name), ...(divided ? { divided: services } : {}) };
  return [
    { path: 'docker-compose.yml', content },
    { path: HARNESS_COMPOSE, content: harnessComposeFile() },
    { path: '.env', content: environmentFile(settings) },
  ];
}

/**
 * The process for agents reads descriptions and tasks of every domain; whole folders are mounted if they hold nothing
 * else.
 */
function agentsProcess(farm: Farm, dbs: readonly string[]): ComposeProcess {
  const read = processOf(farm, dbs.flatMap(agentFiles));
  if (dbs.length < farm.domains.length) return read;
  const folders = ['services', 'tasks'].filter((folder) =>
    Object.keys(farm.files).some((path) => path.startsWith(`${folder}/`)),
  );
  return { ...read, mounts: ['farm.json', ...folders].map(bind) };
}

function processOf(farm: Farm, files: readonly string[]): ComposeProcess {
  const mounts = ['farm.json', ...files.filter((path) => path in farm.files)].map(bind);
  return { mounts, expect: partHash(farm, files) };
}

function bind(path: string): Mount {
  return { type: 'bind', source: path, target: `/farm/${path}` };
}

/**
 * The repository's own docker-compose.yml, for the bundled split: its image holds the farm, and a short-lived process
 * copies each domain's part of it to a separate volume. docs/decisions/farm-files-in-containers.md says why.
 */
export function emitBundledCompose(dbs: readonly string[]): string {
  return composeFile({
    title: 'The farm of the bundled split',
    image: 'built here',
    gateway: { mounts: [delivered('gateway')] },
    agents: { mounts: [delivered('agents')] },
    services: serviceGroups(dbs, dbs).map((group) => ({ ...group, mounts: [delivered(group.name)] })),
  });
}

function delivered(name: string): Mount {
  return { type: 'volume', source: name, target: '/farm' };
}
