import { Alias, Document, isMap, isPair, isScalar, type Scalar, visit } from 'yaml';
import type { Farm } from '../contracts/farm.ts';
import type { FarmFile } from '../generator/write/write-folder.ts';
import {
  agentFiles,
  MAX_SERVICES,
  onlyOption,
  partHash,
  type ServiceGroup,
  servedFiles,
  serviceGroups,
} from '../services/base/farm.ts';
import { emitKubernetes } from './kubernetes/emit-kubernetes.ts';

export interface DeployOptions {
  /** Also emit manifests for Kubernetes. */
  readonly kubernetes?: boolean;
  /** Maximum number of services that share the domains. */
  readonly services?: number;
}

/** The files for running a farm in containers: Compose files and, optionally, manifests for Kubernetes. */
export function deploymentFiles(farm: Farm, { kubernetes, services }: DeployOptions): FarmFile[] {
  return [...emitCompose(farm, { services }), ...(kubernetes ? emitKubernetes(farm, { services }) : [])];
}

/** Escapes a text so that Compose finds no variables in it. */
export function escapeDollars(text: string): string {
  return text.replaceAll('$', '$$$$');
}

interface Settings {
  readonly services: readonly { readonly name: string }[];
  /** Number of services that share the domains. Default: one service per domain. */
  readonly divided?: number | undefined;
}

/** The settings, one per line with name, default and meaning. */
const settings = ({ services, divided }: Settings) => `\
ROOKERY_ADDRESS=127.0.0.1 address of the gateway. 0.0.0.0 accepts requests from anywhere: set keys then
ROOKERY_PORT=8080 port of the gateway
ROOKERY_API_KEYS= keys of which callers must send one, separated by commas; empty: none is required
ROOKERY_RATE_LIMIT= requests a minute for each key, or each address where there are no keys; empty: no limit
ROOKERY_CORS= origins of web pages that may ask from a browser, separated by commas; empty: those of the gateway itself
ROOKERY_TRUST_PROXY= proxies that are believed about whom they ask for, separated by commas (docs/proxy.md)
ROOKERY_HARNESS_KEY= opens scores, exports and parts of toolsets; empty: made anew, and written to the log of agents
ROOKERY_METRICS_KEY= opens /metrics and nothing else; empty: any client may read them, in an exam the harness
ROOKERY_EXAM= 1: an exam, in which agents reach their runs and nothing else (docs/exams.md)
ROOKERY_HARNESS_PORT=8081 where the harness has the rest in an exam, with ${HARNESS_COMPOSE}
ROOKERY_REPLICAS=1 replicas of each service
ROOKERY_MEMORY=${serviceMemory(divided)} most memory of each service
ROOKERY_AGENTS_MEMORY=512m most memory of the one for agents
ROOKERY_HEALTH_INTERVAL=${healthInterval(services.length)} how often each container is asked whether it is well
ROOKERY_ACCESS_LOG=${ACCESS_LOG} share of answers that are logged, 0 to 1, besides those of status 500 and above; empty: no log
OTEL_EXPORTER_OTLP_ENDPOINT= where traces go, such as http://collector:4318; empty: nowhere
ROOKERY_IMAGE=rookery the image`;

/** `.env` beside a farm's docker-compose.yml: every setting with its default. */
export function environmentFile(farm: Settings): string {
  const names = farm.services.map(({ name }) => name).join(', ');
  const all = `COMPOSE_PROFILES=all which services: all, or some of ${names}; separated by commas
${settings(farm)}
ROOKERY_FARM=. the folder of the farm, relative to docker-compose.yml`;
  return `# Settings of docker-compose.yml. Keep a changed copy elsewhere and give it with --env-file:
# generating the farm again overwrites this file.

${all.replaceAll(/^(\S+) (.*)$/gm, '# $2\n$1')}
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

/** A service of some domains, located by its name, a DNS label. */
export interface ComposeService extends ServiceGroup, ComposeProcess {}

export interface ComposeFarm {
  readonly title: string;
  /** `built here`: from the Dockerfile beside the file; `needed`: it must exist. */
  readonly image: 'built here' | 'needed';
  readonly gateway: ComposeProcess;
  readonly agents: ComposeProcess;
  /** The domains that the gateway and the agents process serve. Default: all. */
  readonly only?: readonly string[] | undefined;
  readonly services: readonly ComposeService[];
  /** Number of services that share the domains. Default: one service per domain. */
  readonly divided?: number | undefined;
}

/** Combined with the compose file to give an exam. */
export const HARNESS_COMPOSE = 'docker-compose.harness.yml';

/** Publishes the harness port on the host's loopback only, out of agents' reach. */
export function harnessComposeFile(): string {
  return `# The port of the harness, for running an exam on this machine (docs/exams.md). Written by rookery.
#
#   ROOKERY_EXAM=1 docker compose -f docker-compose.yml -f ${HARNESS_COMPOSE} up -d
services:
  gateway:
    ports: ["127.0.0.1:\${ROOKERY_HARNESS_PORT:-8081}:8081"]
`;
}

/** Without `version`, for Compose v2 and docker-compose 1.29 alike, which reads YAML 1.1. */
export function composeFile(farm: ComposeFarm): string {
  const delivered = [farm.gateway, farm.agents, ...farm.services]
    .flatMap(({ mounts }) => mounts)
    .flatMap(({ type, source }) => (type === 'volume' ? [source] : []));
  const services = farm.services.map((service) => [service.name, domain(service, farm, delivered)] as const);
  const file = new Document(null, { version: '1.1' });
  const anchored = (anchor: string, value: object) => Object.assign(file.createNode(value), { anchor });
  const shared = service(farm);
  file.contents = file.createNode({
    'x-process': anchored('process', process(farm)),
    'x-service': anchored('service', { ...shared, healthcheck: anchored('ready', shared.healthcheck) }),
    services: {
      farm: delivered.length > 0 ? delivery(delivered) : undefined,
      gateway: gateway(farm, delivered),
      agents: agents(farm, delivered),
      ...Object.fromEntries(services),
    },
    networks: {
      inside: { internal: true, driver_opts: { 'com.docker.network.bridge.inhibit_ipv4': 'true' } },
      outside: { driver_opts: { 'com.docker.network.bridge.enable_ip_masquerade': 'false' } },
    },
    volumes: Object.fromEntries([RUNS, ...delivered].map((name) => [name, {}])),
  });
  layOut(file);
  file.commentBefore = head(farm);
  return file.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Comments for readers of the file, by the key they explain. */
const COMMENTS: Readonly<Record<string, string>> = {
  'x-process.pull_policy': 'Built once, by the service farm.',
  'x-service.tmpfs':
    'SQLite sorts large results in /tmp; the farm that comes with the image is out of sight.',
  'x-service.dns_opt':
    'The name of a service that is down is given up soon, also where no name server can be reached.',
  'services.farm': 'Runs once and ends: copies to each volume what one container may see.',
  'services.gateway.environment.UV_THREADPOOL_SIZE': 'Half of them may look up names at a time.',
  'services.agents': 'Tasks, tool lists, MCP, and runs, which it alone writes: never more than one of it.',
  'networks.inside': 'Between all of them; no way out, and the host has no address in it.',
  'networks.outside': "For the gateway's port. Answers go out, but nothing is begun from inside.",
  'volumes.runs': 'What agents did. `docker compose down` keeps it, `docker compose down -v` does not.',
};

/** Adds comments, a blank line before each part and each service, and puts lists of words and mounts on one line. */
function layOut(file: Document): void {
  visit(file, {
    Pair(at, { key, value }, path) {
      if (!isScalar(key)) return;
      const keys = [...path.filter((each) => isPair<Scalar>(each)).map((pair) => pair.key), key];
      const comment = COMMENTS[keys.map((each) => each.value).join('.')];
      if (comment !== undefined) key.commentBefore = ` ${comment}`;
      const isPart = keys.length === 1 || (keys.length === 2 && keys[0]?.value === 'services');
      key.spaceBefore = isPart && at !== 0;
      if (isMap(value) && value.items.length === 0) value.flow = true;
    },
    Seq(_, list) {
      list.flow = list.items.every(isScalar);
      for (const item of list.items) if (isMap(item)) item.flow = true;
    },
    Scalar(_, text) {
      // Written plainly, some of several lines do not read back from a flow collection.
      if (typeof text.value === 'string' && text.value.includes('\n')) text.type = 'QUOTE_DOUBLE';
    },
  });
}

function head({ title, image, ...farm }: ComposeFarm): string {
  const parts =
    farm.divided === undefined ? 'one service a domain' : `${farm.divided} services for its domains`;
  const start =
    image === 'built here'
      ? '  docker compose up -d          then http://127.0.0.1:8080'
      : `  docker build -t rookery <folder of rookery>     once: the image that all of them run
  docker compose up -d                            then http://127.0.0.1:8080`;
  const listed = settings(farm).replaceAll(/^(\S+) /gm, (_, name: string) => `  ${name.padEnd(32)} `);
  const text = `${title}: a gateway, ${parts}, and one for agents. Written by rookery, for Compose v2 and docker-compose 1.29.

${start}

Settings, with their defaults, in the environment or an env file (docs/docker.md):
${image === 'built here' ? listed : '  see .env'}`;
  return text.replaceAll(/^/gm, ' ');
}

/** Settings of all containers: no privileges, limited resources, almost nothing writable. */
function process({ image }: ComposeFarm) {
  return {
    image: '${ROOKERY_IMAGE:-rookery}',
    pull_policy: image === 'built here' ? 'never' : undefined,
    user: 'node',
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    pids_limit: 128,
    init: true,
    stop_grace_period: '10s',
    logging: { driver: 'json-file', options: { 'max-size': '5m', 'max-file': '3' } },
  };
}

/** Settings of long-running containers. */
function service({ services, divided }: ComposeFarm) {
  return {
    '<<': new Alias('process'),
    restart: 'unless-stopped',
    mem_limit: `\${ROOKERY_MEMORY:-${serviceMemory(divided)}}`,
    tmpfs: ['/tmp:size=64m,noexec,nosuid,nodev', '/opt/farm:ro,size=4k'],
    networks: ['inside'],
    dns_opt: ['timeout:1', 'attempts:1'],
    healthcheck: {
      test: ['CMD', '/app/healthy', '/health/ready'],
      interval: `\${ROOKERY_HEALTH_INTERVAL:-${healthInterval(services.length)}}`,
      timeout: '10s',
      retries: 4,
      start_period: '30s',
    },
  };
}

/** Each check starts a process, so all containers together are checked twice a second. */
export function healthInterval(services: number): string {
  return `${Math.max(5, Math.ceil(services / 2))}s`;
}

/** A service of several domains keeps more handles. */
export function serviceMemory(divided?: number): string {
  return divided === undefined ? '256m' : '512m';
}

function delivery(volumes: readonly string[]) {
  return {
    '<<': new Alias('process'),
    build: '.',
    command: ['deliver', '/opt/farm', '/volumes'],
    restart: 'no',
    network_mode: 'none',
    mem_limit: '256m',
    volumes: volumes.map((name) => ({ type: 'volume', source: name, target: `/volumes/${name}` })),
  };
}

function gateway(farm: ComposeFarm, delivered: readonly string[]) {
  const { mounts, expect } = farm.gateway;
  const at = '--agents-at http://agents:8080 --harness-port 8081 --agents-harness-at http://agents:8081';
  return {
    '<<': new Alias('service'),
    command: ['gateway', '/farm', ...at.split(' '), ...domainArguments(farm), ...expectation(expect)],
    environment: {
      UV_THREADPOOL_SIZE: '32',
      ...passedOn('API_KEYS', 'RATE_LIMIT', 'CORS', 'TRUST_PROXY', 'METRICS_KEY', 'EXAM'),
      ...WATCH_VARIABLES,
      ROOKERY_DOMAINS: farm.image === 'needed' ? '${COMPOSE_PROFILES:-}' : undefined,
    },
    ports: ['${ROOKERY_ADDRESS:-127.0.0.1}:${ROOKERY_PORT:-8080}:8080'],
    networks: ['inside', 'outside'],
    healthcheck: { '<<': new Alias('ready'), test: ['CMD', '/app/healthy', '/health/live'] },
    depends_on: { ...after(delivered), agents: { condition: 'service_started' } },
    volumes: mounts.map(volumeOf),
  };
}

/** A single container, since no other process may write its runs. */
function agents(farm: ComposeFarm, delivered: readonly string[]) {
  const { mounts, expect } = farm.agents;
  const runs: Mount = { type: 'volume', source: RUNS, target: '/runs', writable: true };
  const own = ['--runs', '/runs/runs.sqlite', '--harness-port', '8081'];
  return {
    '<<': new Alias('service'),
    command: ['agents', '/farm', ...own, ...domainArguments(farm), ...expectation(expect)],
    mem_limit: '${ROOKERY_AGENTS_MEMORY:-512m}',
    environment: {
      ...passedOn('HARNESS_KEY', 'METRICS_KEY', 'EXAM'),
      UV_THREADPOOL_SIZE: '32',
      ...WATCH_VARIABLES,
      ROOKERY_DOMAINS: farm.image === 'needed' ? '${COMPOSE_PROFILES:-}' : undefined,
    },
    depends_on: after(delivered),
    volumes: [...mounts, runs].map(volumeOf),
  };
}

const RUNS = 'runs';

/** The share of responses to log, besides those of status 500 and above. */
export const ACCESS_LOG = '0.01';

/** The domains, and the number of services that share them. */
function domainArguments({ only = [], divided }: Pick<ComposeFarm, 'only' | 'divided'>): string[] {
  return [...onlyArguments(only), ...(divided === undefined ? [] : ['--services', String(divided)])];
}

function onlyArguments(dbs: readonly string[]): string[] {
  return dbs.map((db) => escapeDollars(onlyOption(db)));
}

/** Recreates a container whose files have changed, and refuses to start with other files. */
function expectation(expect: string | undefined): string[] {
  return expect === undefined ? [] : ['--expect', expect];
}

/** Variables that default to empty. */
function passedOn(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`ROOKERY_${name}`, `\${ROOKERY_${name}:-}`]));
}

/** Variables for logs and traces of requests. */
const WATCH_VARIABLES = {
  ROOKERY_ACCESS_LOG: `\${ROOKERY_ACCESS_LOG-${ACCESS_LOG}}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: '${OTEL_EXPORTER_OTLP_ENDPOINT:-}',
};

function domain(
  { dbs, name, mounts, expect }: ComposeService,
  { image }: ComposeFarm,
  delivered: readonly string[],
) {
  return {
    '<<': new Alias('service'),
    profiles: image === 'needed' ? ['all', name] : undefined,
    command: ['serve', '/farm', ...onlyArguments(dbs), ...expectation(expect)],
    scale: '${ROOKERY_REPLICAS:-1}',
    environment: { ROOKERY_PEERS: `http://${name}:8080`, ...WATCH_VARIABLES },
    depends_on: after(delivered),
    volumes: mounts.map(volumeOf),
  };
}

function after(delivered: readonly string[]) {
  return delivered.length > 0 ? { farm: { condition: 'service_completed_successfully' } } : undefined;
}

function volumeOf({ type, source, target, writable }: Mount) {
  return {
    type,
    source: type === 'bind' ? `\${ROOKERY_FARM:-.}/${escapeDollars(source)}` : source,
    target: escapeDollars(target),
    read_only: writable ? undefined : true,
  };
}

export interface ComposeOptions {
  readonly only?: readonly string[];
  /** Maximum number of services that share the domains. Default: MAX_SERVICES. */
  readonly services?: number;
}

/**
 * The deployment files in a farm's folder: `docker-compose.yml` with services, each with only the files of its domains
 * mounted, a gateway and an agents process; a file that publishes the harness port; and `.env` with the settings. For
 * Compose v2 and docker-compose 1.29 alike.
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
    only,
    divided: divided ? services : undefined,
    services: groups.map((group) => ({ ...group, ...processOf(farm, group.dbs.flatMap(servedFiles)) })),
  });
  return [
    { path: 'docker-compose.yml', content },
    { path: HARNESS_COMPOSE, content: harnessComposeFile() },
    { path: '.env', content: environmentFile({ services: groups, divided: divided ? services : undefined }) },
  ];
}

/**
 * The agents process reads descriptions and tasks of every domain. Whole folders are mounted if they hold nothing else.
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
 * The repository's own docker-compose.yml, for the bundled split. Its image holds the farm, and a short-lived process
 * copies each domain's part to a separate volume. See docs/decisions/farm-files-in-containers.md.
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
