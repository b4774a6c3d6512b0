import { join } from 'node:path';
import type { Farm } from '../../../contracts/farm.ts';
import { gazetteerMark } from '../scalars/world.ts';
import { invalid } from './read-json.ts';

/**
 * A farm whose gold asks for places has to be served with the places that it was proven with. Throws FARM_INVALID where
 * this version of rookery knows others; a farm that does not say which it was made with is not refused.
 */
export function checkGazetteer(root: string, { domains, gazetteer }: Farm): void {
  const asksForPlaces = domains.some(({ samples }) => samples.hybrid > 0);
  if (!asksForPlaces || gazetteer === undefined) return;
  const own = gazetteerMark();
  if (gazetteer.sha256 === own.sha256) return;
  const versions = `${gazetteer.version}, not ${own.version}`;
  throw invalid(join(root, 'farm.json'), `was proven with other places of the world (version ${versions})`);
}
