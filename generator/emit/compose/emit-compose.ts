import type { Farm } from '../../../contracts/farm.ts';
import { agentFiles, servedFiles } from '../../../services/base/farm/served-files.ts';
import { serviceNames } from '../../../services/base/farm/service-names.ts';
import type { FarmFile } from '../../write/farm-file.ts';
import { type ComposeService, composeFile, type Mount } from './compose-file.ts';
import { environmentFile } from './environment-file.ts';

export interface ComposeOptions {
  /** Only these domains. */
  readonly only?: readonly string[];
}

/**
 * `docker-compose.yml` for a farm's own folder: one service a domain, each with its own files mounted and nothing else,
 * a gateway, and a process for agents; and `.env`, its settings. For Compose v2 and docker-compose 1.29 alike.
 */
export function emitCompose(farm: Farm, { only }: ComposeOptions = {}): FarmFile[] {
  const names = serviceNames(farm.domains.map(({ db }) => db));
  const domains = farm.domains.filter(({ db }) => only === undefined || only.includes(db));
  const content = composeFile({
    title: `The farm "${farm.name}"`,
    image: 'needed',
    gateway: [bind('farm.json')],
    agents: mountsOf(
      farm,
      domains.flatMap(({ db }) => agentFiles(db)),
    ),
    ...(only ? { only } : {}),
    services: domains.map(
      ({ db }): ComposeService => ({
        db,
        name: names.get(db) ?? db,
        mounts: mountsOf(farm, servedFiles(db)),
      }),
    ),
  });
  return [
    { path: 'docker-compose.yml', content },
    { path: '.env', content: environmentFile(domains.map(({ db }) => names.get(db) ?? db)) },
  ];
}

function mountsOf(farm: Farm, files: readonly string[]): Mount[] {
  return ['farm.json', ...files.filter((path) => path in farm.files)].map(bind);
}

function bind(path: string): Mount {
  return { type: 'bind', source: path, target: `/farm/${path}` };
}
