import { addDays } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Container, Stay } from './boxes.ts';
import { later, utc } from './times.ts';

/** Five days are free; a long container costs twice as much a day. */
export function growStorage(stays: readonly Stay[], feet: (containerNo: string) => number) {
  const random = createRandom('container_port/storage_bill');
  return stays
    .map((stay) => ({
      stay,
      days: Math.floor((Date.parse(stay.ends) - Date.parse(stay.begins)) / 86_400_000) - 5,
    }))
    .filter(({ stay, days }) => days > 0 && stay.ends < '2024-12-22')
    .sort((a, b) => (a.stay.ends < b.stay.ends ? -1 : 1))
    .map(({ stay, days }, i) => {
      const paidOn = addDays(stay.ends.slice(0, 10), random.int(5, 50));
      return {
        billNo: 90_101 + i,
        bookingNo: stay.bookingNo,
        containerNo: stay.containerNo,
        days,
        euros: days * (feet(stay.containerNo) > 20 ? 49.5 : 26),
        paidOn: paidOn > '2024-12-24' || random.chance(0.05) ? null : paidOn,
      };
    });
}

/** The trucks as typed at the gate: blanks in the number, a wrong digit, no time out. */
export function growTrucks(source: Source, stays: readonly Stay[]) {
  const random = createRandom('container_port/truck');
  const firms = source.words('hauliers.txt');
  const typed = (no: string) => {
    const wrong = `${no.slice(0, 8)}${(Number(no.slice(8, 9)) + 3) % 10}${no.slice(9)}`;
    return random.weighted({ [no]: 16, [`${no.slice(0, 4)} ${no.slice(4)}`]: 3, [wrong]: 1 });
  };
  return stays
    .flatMap(({ way, begins, ends, containerNo }) => {
      const at = way === 'E' ? begins : way === 'I' ? ends : undefined;
      if (at === undefined || at > '2024-12-28') return [];
      const came = later(at, -random.int(10, 70));
      return [
        {
          came,
          went: random.chance(0.05) ? null : later(at, random.int(8, 35)).slice(11),
          plate: `${random.pick(['NH', 'DK', 'SP', 'OL'])}-${random.pick(['K', 'T', 'QX'])} ${random.int(10, 40)}`,
          firm: random.chance(0.06) ? null : random.pickSkewed(firms),
          container: typed(containerNo),
        },
      ];
    })
    .sort((a, b) => (a.came < b.came ? -1 : 1));
}

/** What the cooled ones report every eight hours while they stand here; a plug pulled in July shows. */
export function growReadings(stays: readonly Stay[], containers: readonly Container[]) {
  const random = createRandom('container_port/reefer_reading');
  const known = new Set(containers.map(({ containerNo }) => containerNo));
  return stays.flatMap(({ containerNo, temperature, begins, ends }) => {
    if (temperature === null || !known.has(containerNo)) return [];
    const unplugged = begins.slice(5, 7) === '07' && random.chance(0.4);
    const readings: { containerNo: string; at: string; celsius: number; alarm: string | null }[] = [];
    for (let at = later(begins, 30), i = 0; at < ends && at < '2024-12-29'; at = later(at, 480), i++) {
      const celsius = round(
        temperature + random.near(0, 0.8, 1) + (unplugged ? Math.min(i * 1.6, 14) : 0),
        1,
      );
      readings.push({
        containerNo,
        at: utc(at),
        celsius,
        alarm: celsius - temperature > 3 ? 'too warm' : random.chance(0.01) ? 'no signal' : null,
      });
    }
    return readings;
  });
}
