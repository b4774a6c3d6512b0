import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Farm, farm as farmSchema } from '../../contracts/farm.ts';
import { type Service, service as serviceSchema } from '../../contracts/service.ts';

/** Writes a farm with the domains of another one again and again, until it has that many endpoints. */
export function cloneFarm(source: string, target: string, endpoints: number): void {
  const farm = farmSchema.parse(JSON.parse(readFileSync(join(source, 'farm.json'), 'utf8')));
  for (const folder of ['services', 'databases']) mkdirSync(join(target, folder), { recursive: true });
  const domains: Farm['domains'] = [];
  for (let made = 0, round = 0; made < endpoints; round++) {
    for (const domain of farm.domains) {
      if (made >= endpoints) break;
      const db = `${domain.db}_${round}`;
      const service = serviceSchema.parse(
        JSON.parse(readFileSync(join(source, 'services', `${domain.db}.json`), 'utf8')),
      );
      const clone: Service = { ...service, db, endpoints: service.endpoints.slice(0, endpoints - made) };
      writeFileSync(join(target, 'services', `${db}.json`), JSON.stringify(clone));
      linkSync(
        resolve(source, 'databases', `${domain.db}.sqlite`),
        join(target, 'databases', `${db}.sqlite`),
      );
      domains.push({ ...domain, db, endpoints: clone.endpoints.length });
      made += clone.endpoints.length;
      if (farm.domains.every((each) => each.endpoints === 0))
        throw new Error('the farm has no endpoints to clone');
    }
  }
  writeFileSync(join(target, 'farm.json'), JSON.stringify({ ...farm, domains, files: {} }));
}
