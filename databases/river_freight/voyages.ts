import { addDays, addMinutes, dayFirst } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Vessel } from './fleet.ts';
import type { Order } from './orders.ts';

interface Voyage {
  voyageId: number;
  orderNo: number;
  eni: string;
  departed: string;
  arrived: string | null;
  fuel: number | null;
  load: number;
  delayCode: string | null;
}

interface Passage {
  voyageId: number;
  lock: string;
  order: number;
  passedAt: string;
  waitMin: string | null;
  fee: string | null;
}

/** The voyages that carried the orders, and the locks they passed. */
export function growVoyages(source: Source, orders: readonly Order[], vessels: readonly Vessel[]) {
  const random = createRandom('river_freight/voyage');
  const ports = new Map(
    source.rows('ports.csv').map((row) => [row('code'), { river: row('river'), km: Number(row('km')) }]),
  );
  const locks = source
    .rows('locks.csv')
    .map((row) => ({ name: row('lock'), river: row('river'), km: Number(row('km')) }));
  const liquids = new Set(
    source.rows('commodities.csv').flatMap((row) => (row('type') === 'liquid' ? [row('code')] : [])),
  );
  const tankers = vessels.filter((vessel) => vessel.type === 'TV' && vessel.status !== 'L');
  const dryHulls = vessels.filter(
    (vessel) => (vessel.type === 'MV' || vessel.type === 'BR') && vessel.status !== 'L',
  );
  const voyages: Voyage[] = [];
  const passages: Passage[] = [];
  for (const order of orders) {
    if (order.status === 'C' || order.status === 'O') continue;
    const from = ports.get(order.fromPort) ?? { river: '', km: 0 };
    const to = ports.get(order.toPort) ?? { river: '', km: 0 };
    const km = from.river === to.river ? Math.abs(from.km - to.km) : from.km + to.km + 90;
    let left = order.tonnes;
    let start = addDays(order.date, random.int(1, 9));
    for (let part = 0; left > 0 && part < 3; part++) {
      const vessel = random.pickSkewed(liquids.has(order.commodityCode) ? tankers : dryHulls);
      const capacity = vessel.dwt ?? 1000;
      const carried = Math.min(left, capacity * random.near(0.93, 0.1, 3));
      const voyageId = 70001 + voyages.length;
      const departed = `${start} ${String(random.int(4, 19)).padStart(2, '0')}:${random.pick(['00', '05', '15', '30', '40'])}:00`;
      const minutes = Math.round((km / 9.5) * 60 * random.near(1.4, 0.35, 3)) + 45;
      const isUnderWay = order.status === 'P' && random.chance(0.5);
      voyages.push({
        voyageId,
        orderNo: order.orderNo,
        eni: vessel.eni,
        departed,
        arrived: isUnderWay || random.chance(0.02) ? null : addMinutes(departed, minutes),
        fuel:
          isUnderWay || random.chance(0.06)
            ? null
            : Math.round(km * random.near(7.5, 2.4, 2) * (0.6 + carried / 4000)),
        load: round((carried / capacity) * 100, 1),
        delayCode: random.weighted({ none: 60, '': 12, W: 10, L: 8, E: 4, P: 3 }),
      });
      const rivers = new Map([
        [to.river, to.km],
        [from.river, from.km],
      ]);
      const passed = locks.filter((lock) => {
        const end = rivers.get(lock.river);
        if (end === undefined) return false;
        return from.river === to.river ? (lock.km - from.km) * (lock.km - to.km) < 0 : lock.km < end;
      });
      passed.forEach((lock, i) => {
        const at = addMinutes(departed, Math.round((minutes * (i + 1)) / (passed.length + 1)));
        const passage = {
          voyageId,
          lock: lock.name,
          order: i + 1,
          passedAt: `${dayFirst(at, '/')} ${at.slice(11, 16)}`,
          waitMin: random.chance(0.06) ? random.pick(['n/a', '', null]) : String(waiting(random.next())),
          fee: random.chance(0.05) ? null : `${(18.5 + random.int(0, 9) * 4).toFixed(2)} EUR`,
        };
        passages.push(passage);
        if (random.chance(0.015)) passages.push(passage);
      });
      left -= carried;
      start = addDays(start, random.int(0, 3));
    }
  }
  const reported = voyages.map((voyage) => ({
    ...voyage,
    delayCode: voyage.delayCode === 'none' ? null : voyage.delayCode,
  }));
  return { voyages: reported, passages };
}

/** Minutes before a lock: mostly a few, now and then a morning. */
function waiting(dice: number): number {
  return Math.round(5 + 30 * dice + 260 * dice ** 12);
}
