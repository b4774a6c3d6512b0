import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * Writes services/base/scalars/world-places.json from the populated places of Natural Earth (1:10m, “simple”, as GeoJSON,
 * public domain): `npx tsx scripts/write-world-places.ts ne_10m_populated_places_simple.json`. A line a place, the
 * largest first: names separated by |, province, country, latitude, longitude, separated by tabs.
 */
const properties = z.object({
  name: z.string(),
  nameascii: z.string().nullish(),
  featurecla: z.string(),
  adm0name: z.string(),
  adm1name: z.string().nullish(),
  latitude: z.number(),
  longitude: z.number(),
  pop_max: z.number(),
});
const collection = z.object({ features: z.array(z.object({ properties })) });

/** What the source spells wrong. */
const MENDED = new Map([['Necw Zealand', 'New Zealand']]);

/** Provinces that the source gets wrong. */
const PROVINCES = new Map([
  ['Hanoi, Vietnam', 'Hà Nội'],
  ['Ho Chi Minh City, Vietnam', 'Hồ Chí Minh City'],
]);

const [, , file] = process.argv;
if (file === undefined) throw new Error('Name the GeoJSON file of Natural Earth.');
const places = collection
  .parse(JSON.parse(readFileSync(file, 'utf8')))
  .features.map((feature) => feature.properties)
  .filter(({ featurecla }) => !/station/i.test(featurecla));
places.sort((a, b) => b.pop_max - a.pop_max || compare(a.name, b.name) || a.latitude - b.latitude);
const lines = places.map(({ name, nameascii, adm0name, adm1name, latitude, longitude }) => {
  const names = new Set([name, nameascii ?? ''].map(tidy));
  names.delete('');
  const country = MENDED.get(tidy(adm0name)) ?? tidy(adm0name);
  return [
    [...names].join('|'),
    provinceOf(tidy(name), tidy(adm0name), tidy(adm1name ?? '')),
    country,
    degrees(latitude),
    degrees(longitude),
  ].join('\t');
});
writeFileSync('services/base/scalars/world-places.json', `${JSON.stringify(lines, null, 2)}\n`);

function provinceOf(name: string, country: string, province: string): string {
  const mended = PROVINCES.get(`${name}, ${country}`);
  if (mended !== undefined) return mended;
  // The source has both states under one name.
  if (province === 'Dadra and Nagar Haveli' && name !== 'Silvassa') return 'Gujarat';
  // A name that lost letters on its way is none.
  return /[?\uFFFD]/.test(province) ? '' : province;
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** To eleven metres. */
function degrees(value: number): string {
  return String(Number(value.toFixed(4)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
