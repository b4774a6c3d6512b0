import { addDays, addMinutes } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Feeder {
  feederId: string;
  subId: number;
  type: string | null;
  length: number;
  loss: number | null;
  rated: number | null;
}

/** The feeders that leave each substation, named after it. */
export function growFeeders(source: Source): Feeder[] {
  const random = createRandom('energy_coop/feeder');
  return source.rows('substations.csv').flatMap((row) =>
    Array.from({ length: Number(row('feeders')) }, (_, i) => {
      const type = random.weighted({ O: 5, U: 3, M: 2, o: 0.5 });
      return {
        feederId: `${row('name').slice(0, 2).toUpperCase()}-${String(i + 1).padStart(2, '0')}`,
        subId: Number(row('id')),
        type: random.chance(0.04) ? null : type,
        length: type === 'U' ? random.near(5, 4, 1) : random.near(19, 15, 1),
        loss: random.chance(0.1) ? null : type === 'U' ? random.near(2.1, 0.9, 1) : random.near(5.2, 3.4, 1),
        rated: random.chance(0.06) ? null : random.pick([200, 200, 315, 315, 400, 630]),
      };
    }),
  );
}

interface Outage {
  feederId: string;
  start: string;
  end: string | null;
  cause: string | null;
  affected: string | null;
  remark: string | null;
}

const remarks = [
  'crew on site',
  'see report',
  'tel. call member',
  'recloser ok',
  'line patrol found nothing',
  '100% restored',
  '??',
];

/** The control room's log; winter brings twice the faults of summer. */
export function growOutages(feeders: readonly Feeder[]): Outage[] {
  const random = createRandom('energy_coop/outage');
  const outages: Outage[] = [];
  for (
    let date = '2022-01-02';
    date < '2024-12-22';
    date = addDays(date, random.int(1, isWinter(date) ? 3 : 6))
  ) {
    const feeder = random.pickSkewed(feeders);
    const isOverhead = feeder.type !== 'U';
    const cause = isOverhead
      ? random.weighted({ W: isWinter(date) ? 8 : 3, T: 4, A: 2, E: 3, P: 4, none: 1 })
      : random.weighted({ D: 3, E: 4, P: 5, none: 1 });
    const start = addMinutes(`${date} 00:00:00`, random.int(0, 1439)).slice(0, 16);
    const minutes = cause === 'P' ? random.int(4, 16) * 30 : 6 + Math.round(420 * random.next() ** 3);
    const outage = {
      feederId: feeder.feederId,
      start,
      end: random.chance(0.05) ? null : addMinutes(`${start}:00`, minutes).slice(0, 16),
      cause: cause === 'none' ? null : cause,
      affected: random.chance(0.05)
        ? '?'
        : random.chance(0.04)
          ? null
          : String(random.int(1, Math.ceil(feeder.length * 12))),
      remark: random.chance(0.65) ? null : random.chance(0.1) ? '' : random.pick(remarks),
    };
    outages.push(outage);
    if (random.chance(0.015)) outages.push(outage);
  }
  return outages;
}

function isWinter(date: string): boolean {
  return ['10', '11', '12', '01', '02'].includes(date.slice(5, 7));
}
