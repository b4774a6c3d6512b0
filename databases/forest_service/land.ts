import { addDays } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';

export interface Employee {
  id: number;
  firstName: string;
  lastName: string;
  job: string;
  district: string;
  bossId: number | null;
  began: string;
  ended: string | null;
}

export interface Parcel {
  number: string;
  district: string;
  name: string;
  area: number;
  unit: string;
  owner: string;
  protection: string | null;
  altitude: number | null;
}

export interface Stand {
  id: number;
  parcel: string;
  species: 'T' | 'G' | 'B' | 'E' | 'C';
  planted: number | null;
  siteClass: string | null;
  volume: number | null;
  staffId: number | null;
}

const acresPerHectare = 2.4711;

/** A head of the service, a chief for each district, and those who work in the woods. */
export function growEmployees(source: Source, districts: readonly string[]): Employee[] {
  const random = createRandom('forest_service/anställd');
  const firstNames = source.words('fornamn.txt');
  const lastNames = source.words('efternamn.txt');
  const jobs = { skogvaktare: 6, maskinförare: 3, naturvårdare: 2, planläggare: 2 };
  return Array.from({ length: 96 }, (_, i) => {
    const district = districts[(i - 1 + districts.length) % districts.length] ?? 'NO';
    const began = addDays('1985-01-07', random.int(0, 13_800));
    return {
      id: 400 + i,
      firstName: random.pick(firstNames),
      lastName: random.pick(lastNames),
      job: i === 0 ? 'överjägmästare' : i <= districts.length ? 'distriktschef' : random.weighted(jobs),
      district: i === 0 ? 'NO' : district,
      bossId: i === 0 ? null : i <= districts.length ? 400 : 401 + ((i - 1) % districts.length),
      began,
      ended:
        i > 8 && began < '2012' && random.chance(0.3) ? addDays('2014-03-31', random.int(0, 3700)) : null,
    };
  });
}

/** The parcels; those of the estate, bought in 1998, are still measured in acres. */
export function growParcels(source: Source, districts: readonly string[]): Parcel[] {
  const random = createRandom('forest_service/skifte');
  const places = source.words('trakter.txt');
  const sides = ['Norra', 'Södra', 'Östra', 'Västra', 'Övre', 'Nedre', 'Stora', 'Lilla'];
  return districts
    .flatMap((district) =>
      Array.from({ length: random.int(30, 48) }, (_, i) => {
        const hectares = random.near(90, 80, 1) + (random.chance(0.03) ? 900 : 4);
        const isEstate = district === 'GO';
        return {
          number: `${district}-${String(i * 3 + random.int(1, 3)).padStart(4, '0')}`,
          district,
          name: random.chance(0.6) ? `${random.pick(sides)} ${random.pick(places)}` : random.pick(places),
          area: round(isEstate ? hectares * acresPerHectare : hectares, 1),
          unit: isEstate ? 'ac' : 'ha',
          owner: random.weighted({ kronan: 9, kyrkan: 2, enskild: 4 }),
          protection: random.weighted({ none: 12, reservat: 2, biotop: 2 }),
          altitude: random.chance(0.05) ? null : random.near(district === 'FJ' ? 520 : 160, 140),
        };
      }),
    )
    .map((parcel) => ({ ...parcel, protection: parcel.protection === 'none' ? null : parcel.protection }));
}

/** Stands of trees: lodgepole pine was only planted in the seventies, oak only grows in the south. */
export function growStands(parcels: readonly Parcel[], employees: readonly Employee[]): Stand[] {
  const random = createRandom('forest_service/bestånd');
  const stands: Stand[] = [];
  for (const { number, district } of parcels) {
    const rangers = employees.filter(
      (person) => person.district === district && person.job === 'skogvaktare',
    );
    for (let i = random.int(2, 6); i > 0; i--) {
      const isSouth = district === 'SÖ' || district === 'GO';
      const species = random.weighted({
        T: 7,
        G: isSouth ? 9 : 6,
        B: 3,
        E: isSouth ? 2 : 0,
        C: isSouth ? 0 : 1.2,
      });
      const planted = species === 'C' ? random.int(1971, 1984) : random.int(1890, 2021);
      const age = 2024 - planted;
      stands.push({
        id: 2001 + stands.length,
        parcel: number,
        species,
        planted: random.chance(species === 'B' ? 0.6 : 0.1) ? null : planted,
        siteClass: random.chance(0.05)
          ? null
          : `${species === 'C' ? 'T' : species}${random.int(7, isSouth ? 18 : 13) * 2}`,
        volume: random.chance(0.04) ? null : random.near(Math.min(age, 110) * 2.6 + 12, 10, 1),
        staffId: rangers.length === 0 || random.chance(0.05) ? null : random.pick(rangers).id,
      });
    }
  }
  return stands;
}

/** Roads with a barrier or without; lengths with a decimal comma. */
export function growRoads(source: Source, districts: readonly string[]) {
  const random = createRandom('forest_service/skogsväg');
  const places = source.words('trakter.txt');
  return districts.flatMap((district) =>
    Array.from({ length: random.int(14, 26) }, (_, i) => [
      `${district} ${i + 1} ${random.pick(places)}vägen`,
      district,
      random.near(4.5, 4, 1).toFixed(1).replace('.', ','),
      random.pick([1, 2, 2, 3, 3, 3, 4]),
      random.weighted({ ja: 3, nej: 5 }),
      random.chance(0.2) ? null : random.int(1968, 2024),
    ]),
  );
}
