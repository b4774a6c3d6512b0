import type { Farm } from '../../../contracts/farm.ts';
import { servedFiles } from '../../../services/farm/served-files.ts';
import { serviceNames } from '../../../services/gateway/service-names.ts';
import type { FarmFile } from '../../write/farm-file.ts';
import { type ComposeService, composeFile, type Mount } from './compose-file.ts';
import { environmentFile } from './environment-file.ts';

export interface ComposeOptions {
  /** Only these domains. */
  readonly only?: readonly string[];
}

/**
 * `docker-compose.yml` for a farm's own folder: one service a domain, each with its own files mounted and nothing else,
 * and a gateway; and `.env`, its settings. For Compose v2 and docker-compose 1.29 alike.
 */
export function emitCompose(farm: Farm, { only }: ComposeOptions = {}): FarmFile[] {
  const names = serviceNames(farm.domains.map(({ db }) => db));
  const domains = farm.domains.filter(({ db }) => only === undefined || only.includes(db));
  const content = composeFile({
    title: `The farm "${farm.name}"`,
    image: 'needed',
    gateway: [bind('farm.json')],
    services: domains.map(({ db }): ComposeService => {
      const files = servedFiles(db).filter((path) => path in farm.files);
      return { db, name: names.get(db) ?? db, mounts: ['farm.json', ...files].map(bind) };
    }),
  });
  return [
    { path: 'docker-compose.yml', content },
    { path: '.env', content: environmentFile(domains.map(({ db }) => names.get(db) ?? db)) },
  ];
}

function bind(path: string): Mount {
  return { type: 'bind', source: path, target: `/farm/${path}` };
}
