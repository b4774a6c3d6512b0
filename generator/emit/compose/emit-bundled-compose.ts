import { serviceNames } from '../../../services/base/farm/service-names.ts';
import { composeFile, type Mount } from './compose-file.ts';

/**
 * The repository's own docker-compose.yml, for the bundled split: its image holds the farm, and a process that ends
 * at once delivers each domain's part of it to a volume of its own. docs/decisions/farm-files-in-containers.md says why.
 */
export function emitBundledCompose(dbs: readonly string[]): string {
  const names = serviceNames(dbs);
  return composeFile({
    title: 'The farm of the bundled split',
    image: 'built here',
    gateway: [delivered('gateway')],
    agents: [delivered('agents')],
    services: dbs.map((db) => {
      const name = names.get(db) ?? db;
      return { db, name, mounts: [delivered(name)] };
    }),
  });
}

function delivered(name: string): Mount {
  return { type: 'volume', source: name, target: '/farm' };
}
