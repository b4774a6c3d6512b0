import { addDays, dayFirst } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Member {
  memberNo: string;
  name: string;
  town: string;
  postcode: string;
  joined: string;
  left: string | null;
  shares: number;
}

export interface Farm {
  farmId: number;
  memberNo: string;
  name: string;
  height: number | null;
  way: string;
  organicSince: number | null;
}

export interface Field {
  fieldId: number;
  farmId: number;
  name: string;
  hectares: number;
  points: number | null;
  rent: number | null;
}

export interface Cropping {
  fieldId: number;
  year: number;
  crop: string | null;
  variety: string | null;
  sown: string | null;
}

/** The members since 1991; some are partnerships, some left, and one name is there twice. */
export function growMembers(source: Source): Member[] {
  const random = createRandom('farm_coop/mitglied');
  const towns = source.rows('orte.csv');
  const first = source.words('vornamen.txt');
  const last = source.words('nachnamen.txt');
  return Array.from({ length: 230 }, (_, i) => {
    const town = random.pickSkewed(towns);
    const name = random.pick(last);
    const joined = addDays('1991-03-01', Math.floor(random.next() * random.next() * 12_000));
    const left = random.chance(0.12) ? addDays('2014-12-31', random.int(0, 9) * 365) : null;
    return {
      memberNo: String(i * 4 + random.int(1, 4)).padStart(5, '0'),
      name: random.chance(0.07) ? `${name} GbR` : `${name}, ${random.pick(first)}`,
      town: town('ort'),
      postcode: town('plz'),
      joined,
      left: left !== null && left > joined ? left : null,
      shares: Number(random.weighted({ 1: 3, 2: 5, 4: 4, 10: 2, 40: 0.3 })),
    };
  });
}

/** One farm a member, a few have two; those in the hills are often organic. */
export function growFarms(members: readonly Member[]): Farm[] {
  const random = createRandom('farm_coop/hof');
  const farms: Farm[] = [];
  for (const { memberNo, name, town } of members) {
    for (let i = random.chance(0.08) ? 2 : 1; i > 0; i--) {
      const height = random.chance(0.05) ? null : random.int(148, 430);
      const way = random.weighted({ konventionell: 10, bio: (height ?? 0) > 300 ? 6 : 2, Umstellung: 1 });
      const surname = name.split(/[, ]/)[0] ?? name;
      farms.push({
        farmId: 11 + farms.length,
        memberNo,
        name: random.pick([`${surname}hof`, `Gut ${town}`, `Hof ${surname}`, `Mühle ${surname}`]),
        height,
        way,
        organicSince:
          way === 'bio' ? random.int(1993, 2022) : way === 'Umstellung' ? random.int(2022, 2024) : null,
      });
    }
  }
  return farms;
}

export function growFields(source: Source, farms: readonly Farm[]): Field[] {
  const random = createRandom('farm_coop/schlag');
  const names = source.words('schlaege.txt');
  const fields: Field[] = [];
  for (const { farmId } of farms) {
    for (let i = random.int(2, 6); i > 0; i--) {
      fields.push({
        fieldId: 1001 + fields.length,
        farmId,
        name: random.pick(names),
        hectares: Math.round((0.4 + random.next() ** 2 * 38) * 100) / 100,
        points: random.chance(0.07) ? null : random.near(52, 36),
        rent: random.chance(0.45) ? random.int(14, 62) * 10 : null,
      });
    }
  }
  return fields;
}

/** What stood on each field in the harvests of 2021 to 2024, not the same twice running, and some fallow. */
export function growCropping(source: Source, fields: readonly Field[], farms: readonly Farm[]): Cropping[] {
  const random = createRandom('farm_coop/anbau');
  const crops = source.rows('kulturen.csv');
  const weights = Object.fromEntries(crops.map((row) => [row('code'), Number(row('gewicht'))]));
  const varieties = source.words('sorten.txt').map((line) => [line.slice(0, 2), line.slice(3)]);
  const organic = new Set(farms.filter(({ way }) => way === 'bio').map(({ farmId }) => farmId));
  return fields.flatMap(({ fieldId, farmId }) => {
    let before = '';
    return [2021, 2022, 2023, 2024].map((year) => {
      if (random.chance(0.04)) return { fieldId, year, crop: null, variety: null, sown: null };
      let crop = before;
      while (crop === before)
        crop = random.weighted(
          organic.has(farmId) ? { DI: 5, HA: 4, RO: 4, KG: 7, AB: 4, KA: 2, WW: 3 } : weights,
        );
      before = crop;
      const autumn = /WW|WG|RO|DI|RA/.test(crop);
      const sown = addDays(autumn ? `${year - 1}-09-05` : `${year}-03-20`, random.int(0, 45));
      return {
        fieldId,
        year,
        crop,
        variety: random.chance(0.1)
          ? null
          : (random.pick(varieties.filter(([code]) => code === crop))[1] ?? null),
        sown: random.chance(0.05) ? null : dayFirst(sown),
      };
    });
  });
}
