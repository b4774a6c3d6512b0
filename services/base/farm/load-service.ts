import { join } from 'node:path';
import type { Farm } from '../../../contracts/farm.ts';
import { type Service, service as serviceSchema } from '../../../contracts/service.ts';
import { invalid, parseFarmFile, readFarmFile } from './read-json.ts';

/** `services/<db>.json` of a farm folder, checked. Throws FARM_INVALID. */
export function loadService(root: string, farm: Farm, db: string): Service {
  const file = join(root, 'services', `${db}.json`);
  const service = parseFarmFile(file, readFarmFile(file), serviceSchema);
  if (service.db !== db) throw invalid(file, `describes ${service.db}, not ${db}`);
  if (service.split !== farm.split.name)
    throw invalid(file, `belongs to ${service.split}, not ${farm.split.name}`);
  return service;
}
