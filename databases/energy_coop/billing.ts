import { addDays } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Member, Meter } from './members.ts';

interface Reading {
  serial: string;
  period: string;
  kWh: number | null;
  peak: number | null;
  quality: string;
}

const seasonal = [1.35, 1.25, 1.1, 0.95, 0.82, 0.74, 0.72, 0.75, 0.85, 1, 1.18, 1.32];
const monthlyUse: Readonly<Record<string, number>> = { R: 320, '09': 300, F: 1900, C: 2600, I: 41_000 };

/** Eighteen months of readings, only while a meter was in place. */
export function growReadings(members: readonly Member[], meters: readonly Meter[]): Reading[] {
  const random = createRandom('energy_coop/reading');
  const types = new Map(members.map((member) => [member.memberNo, member.type]));
  return meters.flatMap((meter) => {
    const usual = (monthlyUse[types.get(meter.memberNo) ?? 'R'] ?? 300) * random.near(1, 0.7, 3);
    const readings: Reading[] = [];
    for (let month = 6; month < 24; month++) {
      const period = `${2023 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
      if (period < meter.installed.slice(0, 7) || period >= (meter.removed ?? '9').slice(0, 7)) continue;
      const kWh = usual * (seasonal[month % 12] ?? 1) * random.near(1, 0.25, 3);
      const quality = random.weighted({ A: 88, E: 9, X: 2, a: 1 });
      readings.push({
        serial: meter.serial,
        period,
        kWh: random.chance(0.02)
          ? null
          : quality === 'X'
            ? round(-kWh, 0)
            : round(kWh, quality === 'E' ? 0 : 1),
        peak: quality === 'E' || random.chance(0.03) ? null : round((kWh / 730) * random.near(4, 2.4, 2), 2),
        quality,
      });
    }
    return readings;
  });
}

interface Invoice {
  invoiceNo: string;
  memberNo: number;
  tariffCode: string;
  quarter: string;
  net: number | null;
  vat: number;
  due: string;
  paidOn: string | null;
  status: string;
}

const quarters = ['2023/Q1', '2023/Q2', '2023/Q3', '2023/Q4', '2024/Q1', '2024/Q2', '2024/Q3', '2024/Q4'];

/** A bill a quarter for each member with a meter, paid sooner or later. */
export function growInvoices(
  source: Source,
  members: readonly Member[],
  meters: readonly Meter[],
): Invoice[] {
  const random = createRandom('energy_coop/invoice');
  const tariffs = source.rows('tariffs.csv');
  const supplied = new Set(meters.map((meter) => meter.memberNo));
  const accounts = members
    .filter((member) => supplied.has(member.memberNo))
    .map((member) => {
      const offered = tariffs.filter((row) =>
        row('types').includes(member.type === '09' ? 'R' : member.type),
      );
      return {
        member,
        tariff: random.pickSkewed(offered),
        use: random.near(1, 0.7, 3),
        isLate: random.chance(0.15),
      };
    });
  return quarters.flatMap((quarter, q) =>
    accounts.map(({ member, tariff, use, isLate }, i) => {
      const kWh =
        (monthlyUse[member.type] ?? 300) *
        3 *
        use *
        (seasonal[(q % 4) * 3 + 1] ?? 1) *
        random.near(1, 0.15, 3);
      const due = addDays('2023-05-02', q * 91 + random.int(0, 6));
      const delay = isLate ? random.int(-3, 70) : random.int(-20, 4);
      const paidOn = addDays(due, delay);
      const isPaid = paidOn < '2025-01-20' && !random.chance(0.02);
      return {
        invoiceNo: `${quarter.slice(2, 4)}${quarter.slice(-1)}-${String(i + 1).padStart(4, '0')}`,
        memberNo: member.memberNo,
        tariffCode: random.chance(0.02) ? 'MEM%' : tariff('code'),
        quarter,
        net: random.chance(0.01)
          ? null
          : round((kWh * Number(tariff('energy'))) / 100 + Number(tariff('standing')) * 3, 2),
        vat: q < 2 ? 7 : 19,
        due,
        paidOn: isPaid ? paidOn : null,
        status: isPaid ? 'P' : quarter === '2024/Q4' ? 'O' : random.pick(['R', 'R', 'W']),
      };
    }),
  );
}
