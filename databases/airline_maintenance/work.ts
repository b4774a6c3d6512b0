import { addDays, addMinutes } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import { type Aircraft, clock, type Registration, tailOn } from './fleet.ts';
import type { Technician } from './hangar.ts';

interface WorkOrder {
  woNo: number;
  msn: number;
  kind: 'L' | 'A' | 'C' | 'G';
  station: string;
  opened: string;
  closed: string | null;
  manHours: string;
}

const lastDay = '2024-12-31';
const daysInWork = { L: 0, A: 2, C: 26, G: 3 };
const minutesOfWork = { L: 150, A: 1900, C: 42_000, G: 900 };

/** Six years of work orders in order of their opening; the few of December are still in work. */
export function growOrders(aircraft: readonly Aircraft[], registrations: readonly Registration[]) {
  const random = createRandom('airline_maintenance/work_order');
  return Array.from({ length: 1150 }, () => addDays('2019-01-02', random.int(0, 2188)))
    .sort()
    .flatMap((opened) => {
      const { msn } = random.pick(aircraft);
      if (tailOn(registrations, msn, opened) === undefined) return [];
      const kind = random.weighted({ L: 11, A: 4, C: 0.8, G: 1.4 });
      const hangars = opened < '2022-03-01' ? ['BVX', 'KLD', 'OQA', 'WND'] : ['BVX', 'KLD', 'OQA'];
      const station =
        kind === 'A' || kind === 'C'
          ? random.pickSkewed(hangars)
          : random.pickSkewed(['BVX', 'KLD', 'OQA', 'SFM', 'TIV', 'RHO', 'GUL']);
      const closed = addDays(opened, daysInWork[kind] + random.int(0, kind === 'C' ? 30 : 2));
      return [{ msn, kind, station, opened, closed: closed > lastDay ? null : closed }];
    })
    .map(
      (order, i): WorkOrder => ({
        woNo: 50_001 + i,
        ...order,
        manHours: clock(
          Math.round(minutesOfWork[order.kind] * random.near(1, 0.7, 3) * (random.chance(0.03) ? 3 : 1)),
        ),
      }),
    );
}

/** What crews wrote into the logbooks; a third is deferred, and one aircraft never gets its air conditioning right. */
export function growDefects(
  source: Source,
  registrations: readonly Registration[],
  orders: readonly WorkOrder[],
) {
  const random = createRandom('airline_maintenance/defect');
  const complaints = source.words('complaints.txt').map((line) => line.split('|') as [string, string]);
  const rogue = orders[3]?.msn;
  return orders
    .filter((order) => order.kind !== 'C')
    .flatMap((order) =>
      Array.from({ length: random.pick([1, 2, 2, 3, 4]) }, () => {
        const isCold = /-(12|01|02)-/.test(order.opened);
        const likely = complaints.filter(
          ([chapter]) =>
            (chapter !== '30' || isCold) &&
            (order.msn !== rogue || chapter === '21' || chapter === '32' || random.chance(0.3)),
        );
        const [chapter, complaint] = random.pickSkewed(likely);
        const reported = addMinutes(`${order.opened} 05:00:00`, random.int(0, 1080)).slice(0, 16);
        const tail = tailOn(registrations, order.msn, order.opened) ?? '';
        const category = random.weighted({ none: 12, B: 1, C: 4, D: 1 });
        const days = { none: 0, B: 3, C: 10, D: 120 }[category];
        const due = category === 'none' ? null : addDays(order.opened, days);
        const closes = addDays(
          order.opened,
          random.chance(0.06) ? days + random.int(1, 9) : random.int(0, days),
        );
        const isOpen = closes > lastDay || (due !== null && due > '2024-10-01' && random.chance(0.4));
        return {
          tail: random.chance(0.04) ? tail.replace('-', '') : tail,
          msn: order.msn,
          reported,
          chapter,
          complaint: random.chance(0.05) ? complaint.toUpperCase() : complaint,
          category: category === 'none' ? null : category,
          due,
          closed: isOpen ? null : closes,
          woNo: isOpen && due !== null ? null : order.woNo,
        };
      }),
    )
    .map((defect, i) => ({ id: i + 1, ...defect }));
}

/** Who worked on what for how long, and who inspected it. */
export function growTasks(source: Source, orders: readonly WorkOrder[], technicians: readonly Technician[]) {
  const random = createRandom('airline_maintenance/task');
  const chapters = source.rows('chapters.csv').map((row) => row('chapter'));
  return orders.flatMap((order) => {
    const present = technicians.filter(
      ({ station, joined, left }) =>
        station === order.station && joined <= order.opened && (left === null || left > order.opened),
    );
    const crew = present.length > 0 ? present : technicians.slice(0, 30);
    const licensed = crew.filter(({ licence }) => licence !== null);
    return Array.from({ length: { L: 2, A: 4, C: 9, G: 3 }[order.kind] }, (_, i) => ({
      woNo: order.woNo,
      order: i + 1,
      staffNo: random.pick(crew).staffNo,
      chapter: random.pickSkewed(chapters),
      spent: clock(random.int(15, order.kind === 'C' ? 2400 : 420)),
      inspectedBy: licensed.length > 0 && random.chance(0.6) ? random.pick(licensed).staffNo : null,
    }));
  });
}

/** Parts taken off and put on; a few come from another aircraft. */
export function growPartChanges(
  orders: readonly WorkOrder[],
  parts: readonly { partNo: string; lifeLimit: number | null }[],
) {
  const random = createRandom('airline_maintenance/part_change');
  return orders
    .flatMap((order) =>
      Array.from({ length: random.pick([0, 0, 1, 1, 2, order.kind === 'C' ? 9 : 1]) }, () => order.woNo),
    )
    .map((woNo, i) => {
      const part = random.pickSkewed(parts);
      const serial = () => `${random.pick(['S', 'T', '0'])}${random.int(10_000, 99_999)}`;
      return {
        id: i + 1,
        woNo,
        partNo: part.partNo,
        off: random.chance(0.05) ? null : serial(),
        on: serial(),
        reason: random.weighted({ U: 12, L: part.lifeLimit === null ? 0 : 4, R: 1, M: 1 }),
        cycles: random.chance(0.08) ? null : random.int(20, part.lifeLimit ?? 9000),
      };
    });
}

/** Which aircraft of a type has done which directive; those of 2024 are under way. */
export function growCompliance(source: Source, aircraft: readonly Aircraft[], orders: readonly WorkOrder[]) {
  const random = createRandom('airline_maintenance/compliance');
  return source.rows('directives.csv').flatMap((row) =>
    aircraft
      .filter(({ type, status }) => type === row('type') && status !== 'X')
      .map(({ msn }) => {
        const order = random.chance(row('effective') < '2024' ? 0.95 : 0.4)
          ? orders.find(
              (candidate) =>
                candidate.msn === msn &&
                candidate.closed !== null &&
                candidate.opened > addDays(row('effective'), 30),
            )
          : undefined;
        return { number: row('number'), msn, done: order?.closed ?? null, woNo: order?.woNo ?? null };
      }),
  );
}
