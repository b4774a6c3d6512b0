import type { Farm } from '../../../contracts/farm.ts';
import { agentFiles, partHash, servedFiles } from '../../../services/base/farm/farm-files.ts';
import { MAX_SERVICES, serviceGroups } from '../../../services/base/farm/service-groups.ts';
import type { FarmFile } from '../../write/write-file.ts';
import {
  type ComposeProcess,
  composeFile,
  HARNESS_COMPOSE,
  harnessComposeFile,
  type Mount,
} from './compose-file.ts';
import { environmentFile } from './environment-file.ts';

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
