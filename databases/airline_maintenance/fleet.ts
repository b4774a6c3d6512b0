import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';

export interface Aircraft {
  msn: number;
  type: string;
  delivered: string;
  home: string;
  status: 'A' | 'S' | 'X';
  totalTime: string;
  cycles: number;
}

export interface Registration {
  tail: string;
  msn: number;
  from: string;
  to: string | null;
}

/** Minutes as engineers write them: `hhhh:mm`. */
export function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** The fleet, the oldest aircraft stored or gone. */
export function growAircraft(source: Source): Aircraft[] {
  const random = createRandom('airline_maintenance/aircraft');
  return source.rows('types.csv').flatMap((row, type) =>
    Array.from({ length: Number(row('fleet')) }, (_, i) => {
      const delivered = addDays('2001-05-14', i * 640 + random.int(0, 600));
      const years = 2024.99 - Number(delivered.slice(0, 4));
      const cycles = Math.round(years * random.near(1450, 300));
      return {
        msn: 1000 * (type + 1) + 40 + i * 7 + random.int(0, 5),
        type: row('code'),
        delivered,
        home: random.weighted({ BVX: 6, KLD: 4, OQA: 3 }),
        status: delivered < '2005' ? random.pick(['S', 'X', 'X'] as const) : 'A',
        totalTime: clock(cycles * random.int(68, 115) + random.int(0, 59)),
        cycles,
      };
    }),
  );
}

/** Tail numbers over time: those of aircraft that left are worn again by younger ones. */
export function growRegistrations(aircraft: readonly Aircraft[]): Registration[] {
  const random = createRandom('airline_maintenance/registration');
  const registrations: Registration[] = [];
  const free: { tail: string; since: string }[] = [];
  aircraft.forEach(({ msn, delivered, status }, i) => {
    const tail = `N${random.pick(['O', 'P', 'R'])}-${String.fromCharCode(65 + (i % 26))}${random.pick(['AB', 'CK', 'DL', 'FX', 'JT'])}`;
    if (status === 'X') {
      const to = addDays('2020-01-10', random.int(0, 700));
      registrations.push({ tail, msn, from: delivered, to });
      free.push({ tail, since: to });
      return;
    }
    const next = free.length > 0 && random.chance(0.4) ? free.shift() : undefined;
    const changed = next && addDays(next.since, random.int(20, 300));
    registrations.push({ tail, msn, from: delivered, to: changed ?? null });
    if (next && changed) registrations.push({ tail: next.tail, msn, from: changed, to: null });
  });
  return registrations;
}

/** Who wore which tail on a day, and whether the aircraft flew for us at all then. */
export function tailOn(registrations: readonly Registration[], msn: number, day: string): string | undefined {
  return registrations.find(
    (entry) => entry.msn === msn && entry.from <= day && (entry.to === null || entry.to > day),
  )?.tail;
}

/** Hours and cycles by month; flying fell to a fifth in spring 2020, and one month in thirty was sent twice. */
export function growUtilisation(aircraft: readonly Aircraft[], registrations: readonly Registration[]) {
  const random = createRandom('airline_maintenance/utilisation');
  const months = Array.from(
    { length: 72 },
    (_, i) => `${2019 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  );
  return aircraft.flatMap(({ msn, status, type }) =>
    months.flatMap((month) => {
      if (tailOn(registrations, msn, `${month}-15`) === undefined) return [];
      if (status === 'S' && month > '2021-09') return [[msn, month, '00:00', 0, 1]];
      return growMonth(random, msn, month, type);
    }),
  );
}

function growMonth(random: Random, msn: number, month: string, type: string) {
  const season = /-0[678]$/.test(month) ? 1.25 : /-(01|02|11)$/.test(month) ? 0.8 : 1;
  const quiet = month >= '2020-04' && month <= '2020-06' && type !== 'K20F' ? 0.2 : 1;
  const cycles = Math.round(random.near(135, 40) * season * quiet);
  const minutes = cycles * random.int(62, 110) + random.int(0, 59);
  const sent = [msn, month, clock(minutes), cycles, 1];
  return random.chance(0.03)
    ? [sent, [msn, month, clock(minutes + random.int(-400, 400)), cycles + random.int(-3, 3), 2]]
    : [sent];
}
