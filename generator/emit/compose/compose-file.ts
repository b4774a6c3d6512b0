import { quoteYaml } from './quote-yaml.ts';

/** What a container sees of the farm, read-only. */
export interface Mount {
  /** `bind`: a file of the farm's folder; `volume`: a named one that the farm is delivered to. */
  readonly type: 'bind' | 'volume';
  readonly source: string;
  readonly target: string;
}

export interface ComposeService {
  readonly db: string;
  /** As it is found by others: a DNS label. */
  readonly name: string;
  readonly mounts: readonly Mount[];
}

export interface ComposeFarm {
  readonly title: string;
  /** `built here`: from the Dockerfile beside the file; `needed`: it must be there. */
  readonly image: 'built here' | 'needed';
  readonly gateway: readonly Mount[];
  readonly services: readonly ComposeService[];
}

/** The text of a compose file. No `version`: that is what both Compose v2 and docker-compose 1.29 take. */
export function composeFile(farm: ComposeFarm): string {
  const volumes = farm.services.flatMap(({ mounts }) => mounts).filter(({ type }) => type === 'volume');
  const delivered = volumes.length > 0;
  const names = [...farm.gateway, ...volumes].flatMap(({ type, source }) =>
    type === 'volume' ? [source] : [],
  );
  return [
    head(farm),
    processes(farm),
    'services:',
    ...(delivered ? [delivery(names)] : []),
    gateway(farm, delivered),
    ...farm.services.map((service) => domain(service, farm, delivered)),
    networks(),
    ...(delivered ? [['volumes:', ...names.map((name) => `  ${name}: {}`)].join('\n')] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

function head({ title, image }: ComposeFarm): string {
  const lines = [
    `# ${title}: a gateway, and one service a domain. Written by rookery, for Compose v2 and docker-compose 1.29.`,
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
    '#   ROOKERY_REPLICAS                replicas of each domain: 1',
    '#   ROOKERY_MEMORY                  most memory of each service: 256m',
    '#   ROOKERY_IMAGE                   the image: rookery',
  ];
  if (image === 'needed') {
    lines.push(
      '#   ROOKERY_FARM                    the folder of the farm: the one of this file',
      '#   COMPOSE_PROFILES                which domains: all, or names of services, separated by commas',
    );
  }
  return lines.join('\n');
}

/** What all containers have in common: nothing to write to, no rights, no more than their share. */
function processes({ image }: ComposeFarm): string {
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
  mem_limit: \${ROOKERY_MEMORY:-256m}
  # SQLite sorts large results in /tmp; the farm that comes with the image is out of sight.
  tmpfs: ["/tmp:size=64m,noexec,nosuid,nodev", "/opt/farm:ro,size=4k"]
  networks: [inside]
  # The name of a service that is down is given up soon, also where no name server can be reached.
  dns_opt: ["timeout:1", "attempts:1"]
  healthcheck: &ready
    test: [CMD, node, /app/dist/services/main.js, check, "http://127.0.0.1:8080/health/ready"]
    interval: 5s
    timeout: 5s
    retries: 3
    start_period: 30s`;
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

function gateway({ gateway: mounts, image }: ComposeFarm, delivered: boolean): string {
  const domains = image === 'needed' ? `\n      ROOKERY_DOMAINS: \${COMPOSE_PROFILES:-}` : '';
  return `  gateway:
    <<: *service
    command: [gateway, /farm]
    environment:
      # Half of them may look up names at a time.
      UV_THREADPOOL_SIZE: "32"
      ROOKERY_API_KEYS: \${ROOKERY_API_KEYS:-}
      ROOKERY_RATE_LIMIT: \${ROOKERY_RATE_LIMIT:-}${domains}
    ports: ["\${ROOKERY_ADDRESS:-127.0.0.1}:\${ROOKERY_PORT:-8080}:8080"]
    networks: [inside, outside]
    healthcheck:
      <<: *ready
      test: [CMD, node, /app/dist/services/main.js, check, "http://127.0.0.1:8080/health/live"]
${after(delivered)}${emitMounts(mounts)}`;
}

function domain({ db, name, mounts }: ComposeService, { image }: ComposeFarm, delivered: boolean): string {
  const profiles = image === 'needed' ? `\n    profiles: [all, ${name}]` : '';
  return `  ${name}:
    <<: *service${profiles}
    command: [serve, /farm, --only, ${quoteYaml(db)}]
    scale: \${ROOKERY_REPLICAS:-1}
    environment:
      ROOKERY_PEERS: http://${name}:8080
${after(delivered)}${emitMounts(mounts)}`;
}

function after(delivered: boolean): string {
  return delivered ? '    depends_on: { farm: { condition: service_completed_successfully } }\n' : '';
}

function emitMounts(mounts: readonly Mount[]): string {
  const lines = mounts.map(({ type, source, target }) => {
    const from = type === 'bind' ? `"\${ROOKERY_FARM:-.}/${quoteYaml(source).slice(1)}` : source;
    return `      - { type: ${type}, source: ${from}, target: ${quoteYaml(target)}, read_only: true }`;
  });
  return ['    volumes:', ...lines].join('\n');
}

function networks(): string {
  return `networks:
  # Between the gateway and the services; no way out.
  inside:
    internal: true
  # For the gateway's port. Answers go out, but nothing is begun from inside.
  outside:
    driver_opts:
      com.docker.network.bridge.enable_ip_masquerade: "false"`;
}
