import { addDays } from '../dates.ts';
import { createRandom, type Random, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Feeder } from './grid.ts';

export interface Member {
  memberNo: number;
  name: string;
  type: string;
  group: string | null;
  district: string | null;
  joined: string;
  shares: string | null;
  email: string | null;
}

const districts = ['Kirkwell', 'Upper Dale', 'Coast', 'Thornleigh', 'coast', 'UPPER DALE'];

/** The members: mostly households, some farms and businesses, a handful of factories. */
export function growMembers(source: Source): Member[] {
  const random = createRandom('energy_coop/member');
  const farms = source.words('farm-names.txt');
  const businesses = source.words('business-names.txt');
  const factories = source.words('industry-names.txt');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  return Array.from({ length: 270 }, (_, i) => {
    const [name, type] =
      i < farms.length * 2
        ? [`${farms[i % farms.length]}${i < farms.length ? '' : ' No. 2'}`, 'F']
        : i < 50 && i >= 50 - businesses.length - factories.length
          ? [[...businesses, ...factories][50 - 1 - i] ?? '', 50 - 1 - i < businesses.length ? 'C' : 'I']
          : [`${random.pick(lastNames)} ${random.pick(firstNames)}`, random.chance(0.03) ? '09' : 'R'];
    const shares = random.int(1, type === 'I' ? 400 : type === 'R' ? 24 : 90) * 50;
    const [year, month, day] = addDays('1994-03-01', random.int(0, 11_000)).split('-');
    return {
      memberNo: 3001 + i,
      name: random.chance(0.05) ? name.toUpperCase() : random.chance(0.04) ? `${name} ` : name,
      type,
      group: random.weighted({ North: 3, South: 3, Founders: 1, none: 1 }),
      district: random.chance(0.04) ? null : random.pickSkewed(districts),
      joined: `${month}/${day}/${year}`,
      shares: random.chance(0.04) ? null : printEuros(shares),
      email: random.chance(0.3) ? null : random.chance(0.05) ? '-' : `member${3001 + i}@eskgrid.example`,
    };
  }).map((member) => ({ ...member, group: member.group === 'none' ? null : member.group }));
}

/** 1250 becomes 1.250,00: the old system printed numbers with a comma. */
function printEuros(amount: number): string {
  return `${amount >= 1000 ? `${Math.floor(amount / 1000)}.${String(amount % 1000).padStart(3, '0')}` : amount},00`;
}

export interface Meter {
  serial: string;
  memberNo: number;
  feederId: string | null;
  model: string;
  phases: string | null;
  installed: string;
  removed: string | null;
  replaces: string | null;
}

/** A meter or two for each member; some were exchanged for a smart one. */
export function growMeters(members: readonly Member[], feeders: readonly Feeder[]): Meter[] {
  const random = createRandom('energy_coop/meter');
  const meters: Meter[] = [];
  const add = (memberNo: number, phases: string | null, installed: string, before?: Meter) => {
    const isSmart = installed > '2021';
    const meter: Meter = {
      serial: `${isSmart ? 'SM' : 'FE'}${String(100_100 + meters.length * 13).padStart(7, '0')}`,
      memberNo,
      feederId: before?.feederId ?? (random.chance(0.03) ? null : random.pick(feeders).feederId),
      model: isSmart
        ? random.pick(['Lynx-3', 'Lynx-3', 'AxioSmart 100'])
        : random.pick(['Ferra 62', 'Ferra 62/D', 'ZE-4']),
      phases,
      installed,
      removed: null,
      replaces: before?.serial ?? null,
    };
    meters.push(meter);
    return meter;
  };
  for (const { memberNo, type } of members) {
    if (random.chance(0.05)) continue; // members without supply hold shares only
    const phases = type === 'R' ? random.weighted({ '1': 5, '3': 3, '': 0.3 }) : '3';
    const count = type === 'R' ? 1 : random.int(1, 2);
    for (let i = 0; i < count; i++) {
      const meter = add(memberNo, phases, addDays('2004-05-01', random.int(0, 6500)));
      if (random.chance(0.22)) {
        const exchanged = addDays('2023-08-01', random.int(0, 450));
        meter.removed = exchanged;
        add(memberNo, phases, exchanged, meter);
      }
    }
  }
  return meters;
}

interface PvSite {
  siteId: number;
  memberNo: number;
  kWp: number;
  tilt: string | null;
  date: string;
  feedIn: number;
  kWh2023: number | null;
  kWh2024: number | null;
}

/** The solar roofs, many of them on barns; the earlier one was connected, the better it is paid. */
export function growPvSites(members: readonly Member[]): PvSite[] {
  const random = createRandom('energy_coop/pv_site');
  const farms = members.filter((member) => member.type === 'F');
  return Array.from({ length: 74 }, (_, i) => {
    const member = random.pick(random.chance(0.3) ? farms : members);
    const date = addDays('2010-04-12', i * 71 + random.int(0, 60));
    const kWp = member.type === 'R' ? random.near(7, 4, 2) : random.near(48, 40, 1);
    return {
      siteId: 801 + i,
      memberNo: member.memberNo,
      kWp,
      tilt: random.chance(0.08)
        ? null
        : `${random.pick([10, 25, 30, 35, 45])}/${random.pick([90, 135, 180, 180, 225, 270])}`,
      date,
      feedIn: round(28.74 - i * 0.28 - (i > 40 ? 0.9 : 0), 2),
      kWh2023: date < '2023' ? annualYield(random, kWp) : null,
      kWh2024: date < '2024' ? annualYield(random, kWp) : null,
    };
  });
}

function annualYield(random: Random, kWp: number): number | null {
  return random.chance(0.04) ? null : random.near(kWp * 930, kWp * 160, 1);
}
