import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import { textDate } from './text-date.ts';

export interface Volunteer {
  volunteerId: number;
  name: string;
  born: number | null;
  role: string;
  joined: string;
  left: string | null;
  broughtBy: number | null;
}

const firstDay = (index: number) => addDays('2012-02-05', Math.floor((index * 4500) / 120));
const leaves = (index: number) => index % 6 === 4;
const lastDay = (index: number) => addDays('2023-06-30', index * 4);

/** Whether the volunteer of this index had joined and not yet left on a day. */
export const isHelping = (index: number, day: string) =>
  firstDay(index) <= day && !(leaves(index) && lastDay(index) < day);

/** The volunteers in the order in which they joined; many were brought along by an earlier one. */
export function growVolunteers(source: Source): Volunteer[] {
  const random = createRandom('food_bank/volunteer');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  return Array.from({ length: 120 }, (_, i) => ({
    volunteerId: 201 + i,
    name: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
    born: random.chance(0.1) ? null : random.int(1938, 2005),
    role: i < 8 ? (i % 2 ? 'driver' : 'packer') : random.weighted({ packer: 7, driver: 2, desk: 3, cook: 2 }),
    joined: textDate(firstDay(i)),
    left: leaves(i) ? textDate(lastDay(i)) : null,
    broughtBy: i > 5 && random.chance(0.4) ? 201 + random.int(0, i - 1) : null,
  }));
}

interface Shift {
  shiftId: number;
  volunteerId: number;
  siteId: number;
  day: string;
  hours: number;
  noShow: number;
}

/** The rota of two years; nobody has a shift before joining or after leaving. */
export function growShifts(volunteers: readonly Volunteer[]): Shift[] {
  const random = createRandom('food_bank/shift');
  const shifts: Shift[] = [];
  for (let i = 0; i < 2900; i++) {
    const day = addDays('2023-01-03', Math.floor((i * 727) / 2900));
    const index = Math.floor(random.next() * random.next() * volunteers.length);
    if (!isHelping(index, day)) continue;
    const noShow = random.chance(0.06) ? 1 : 0;
    shifts.push({
      shiftId: 90_001 + shifts.length,
      volunteerId: 201 + index,
      siteId: random.pickSkewed(day < '2023-05' ? [1, 5, 2, 3, 4, 6] : [1, 5, 2, 3, 4, 7, 6]),
      day,
      hours: noShow ? 0 : random.pick([2, 2.5, 3, 3, 4, 4, 6]),
      noShow,
    });
  }
  return shifts;
}

interface Run {
  runId: number;
  vanNo: number;
  driverId: number;
  fromSite: number;
  toSite: number;
  day: string;
  km: number;
  loadKg: number | null;
}

/** The vans' runs out of the warehouse and between the pantries; the newest van joined in May 2024. */
export function growRuns(source: Source, volunteers: readonly Volunteer[]): Run[] {
  const random = createRandom('food_bank/run');
  const limits = new Map(source.rows('vans.csv').map((row) => [Number(row('no')), Number(row('max'))]));
  const runs: Run[] = [];
  for (let i = 0; i < 760; i++) {
    const day = addDays('2023-01-03', Math.floor((i * 726) / 760));
    const vanNo = random.int(day < '2024-02-12' ? 1 : 2, day < '2024-05-06' ? 4 : 5);
    const drivers = volunteers.filter(({ role }, index) => role === 'driver' && isHelping(index, day));
    const fromSite = random.chance(0.8) ? 1 : random.int(2, 5);
    const toSite = random.pick(
      [2, 3, 4, 5, 6, ...(day < '2023-05' ? [] : [7, 7])].filter((site) => site !== fromSite),
    );
    runs.push({
      runId: 5001 + runs.length,
      vanNo,
      driverId: random.pickSkewed(drivers).volunteerId,
      fromSite,
      toSite,
      day,
      km: random.near(toSite === 7 ? 19 : 8, 5, 1),
      // A few runs carried more than the van may.
      loadKg: random.chance(0.08)
        ? null
        : random.near((limits.get(vanNo) ?? 900) * 0.6, (limits.get(vanNo) ?? 900) * 0.5),
    });
  }
  return runs;
}
