import { serviceGroups } from '../../../services/base/farm/service-groups.ts';
import { composeFile, type Mount } from './compose-file.ts';

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
