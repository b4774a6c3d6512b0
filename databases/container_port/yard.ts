import { addDays } from '../dates.ts';
import { createRandom, type Random, round } from '../random.ts';
import type { Stay } from './boxes.ts';
import { later, zoned } from './times.ts';

/** The gross weights as declared: most lines in tonnes, Holzmann and Casco in kilograms, one of them in the wrong unit. */
export function growBookingContainers(stays: readonly Stay[], tare: (containerNo: string) => number) {
  const random = createRandom('container_port/booking_container');
  return stays.map(({ bookingNo, containerNo, tonnes }, i) => {
    const unit = /^(HLZ|CAS)/.test(bookingNo) ? 'kg' : 't';
    const kg = Math.round(tonnes * 1000 + tare(containerNo));
    const gross = unit === 'kg' || i % 211 === 100 ? kg : round(kg / 1000, 2);
    const seal = tonnes === 0 || random.chance(0.03) ? null : `S${random.int(100_000, 999_999)}`;
    return { bookingNo, containerNo, gross, unit, seal };
  });
}

/** Each container's way in and out, in the order of time. */
export function growMoves(stays: readonly Stay[], tare: (containerNo: string) => number) {
  const random = createRandom('container_port/move');
  return stays
    .flatMap((stay) => {
      const { bookingNo, containerNo, brought, taken } = stay;
      const lifted = (at: string) => {
        const broken = random.chance(0.04) || (at > '2024-08-05' && at < '2024-08-09');
        return broken ? null : round(stay.tonnes + tare(containerNo) / 1000 + random.near(0, 0.4, 2), 1);
      };
      const step = (kind: string, at: string, callId: number | null) => ({
        ...{ bookingNo, containerNo, kind, at, callId },
        craneNo: craneOn(random, kind, at),
        lifted: lifted(at),
      });
      return [
        step(brought ? 'DI' : 'GI', stay.begins, brought?.callId ?? null),
        step(taken ? 'LO' : 'GO', stay.ends, taken?.callId ?? null),
      ];
    })
    .filter(({ at }) => at < '2024-12-29')
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map((move, i) => ({ moveId: 700_001 + i, ...move }));
}

/** Crane 4 stood still for most of June. */
function craneOn(random: Random, kind: string, at: string): number {
  if (/G/.test(kind)) return random.pick([11, 12, 13, 13, 14, 14]);
  const crane = random.pick([1, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
  return crane === 4 && at.slice(5, 7) === '06' ? 6 : crane;
}

export function growStops() {
  const random = createRandom('container_port/crane_stop');
  const stops: { craneNo: number; began: string; end: string | null; cause: string }[] = [];
  for (let i = 0; i < 95; i++) {
    const began = `${addDays('2024-01-03', Math.floor(i * 3.8))} ${String(random.int(5, 22)).padStart(2, '0')}:${random.pick(['05', '20', '35', '50'])}`;
    stops.push({
      craneNo: random.pick([1, 1, 2, 2, 3, 5, 6, 11, 12, 12, 13, 14]),
      began,
      end: later(began, 20 + 700 * random.next() ** 3),
      cause: random.weighted({
        wind: /-(1[0-2]|0[1-3])-/.test(began) ? 6 : 1,
        spreader: 3,
        cable: 2,
        service: 4,
        'no driver': 1,
      }),
    });
  }
  stops.push({ craneNo: 4, began: '2024-06-03 09:40', end: '2024-06-29 16:10', cause: 'gearbox' });
  stops.push({ craneNo: 1, began: '2024-12-19 13:15', end: null, cause: 'crack in boom' });
  return stops.sort((a, b) => (a.began < b.began ? -1 : 1));
}

export function growChecks(stays: readonly Stay[], tare: (containerNo: string) => number) {
  const random = createRandom('container_port/check');
  return stays
    .filter(
      ({ goods, begins }) =>
        begins < '2024-12-24' && random.chance(/bananas|fish|acid|paint/.test(goods) ? 0.5 : 0.15),
    )
    .sort((a, b) => (a.begins < b.begins ? -1 : 1))
    .map(({ containerNo, begins, tonnes, goods }, i) => ({
      checkNo: 3_001 + i,
      containerNo,
      at: zoned(later(begins, random.int(60, 900))),
      by:
        goods === 'bananas' || goods === 'frozen fish'
          ? random.pick(['health', 'customs'])
          : random.weighted({ customs: 6, 'port state': 1 }),
      how: random.weighted({ X: 5, O: 2, P: 4 }),
      result: begins > '2024-12-18' ? null : random.weighted({ ok: 15, held: 2, fined: 1 }),
      kg: random.chance(0.4)
        ? Math.round((tonnes * (random.chance(0.06) ? 1.2 : 1) * 1000 + tare(containerNo)) / 20) * 20
        : null,
    }));
}
