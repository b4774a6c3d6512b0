import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Shop {
  shopKey: number;
  code: string;
  opened: string;
  closed: string | null;
  sunday: boolean;
  size: number;
  coast: boolean;
}

/** The shops as the generators need them. */
export function readShops(source: Source): Shop[] {
  return source.rows('shops.csv').map((row) => ({
    shopKey: Number(row('key')),
    code: row('code'),
    opened: row('opened'),
    closed: row('closed') || null,
    sunday: row('sunday') === 'Y',
    size: Number(row('size')),
    coast: row('district') === 'Coast',
  }));
}

interface DayTotal {
  shopCode: string;
  day: string;
  customers: number | null;
  takingsCents: number;
  tillDiffCents: number | null;
  note: string | null;
}

const weekday = [0.8, 0.85, 0.9, 0.95, 1, 1.15, 1.4]; // Sunday first
const notes = ['power cut', 'counter broken', 'school trip', 'road works', 'oven down', 'new cashier'];

/** A line for every day a shop was open in 2023 and 2024: Saturdays, holidays and the coast's summers stand out. */
export function growDayTotals(source: Source, shops: readonly Shop[]): DayTotal[] {
  const random = createRandom('bakery_chain/day_total');
  const peaks = new Map(source.rows('holidays.csv').map((row) => [row('day'), Number(row('peak'))]));
  const totals: DayTotal[] = [];
  for (let day = '2023-01-01'; day < '2025'; day = addDays(day, 1)) {
    const dayOfWeek = new Date(`${day}T00:00:00Z`).getUTCDay();
    const month = Number(day.slice(5, 7));
    for (const shop of shops) {
      if (shop.opened > day || (shop.closed ?? '9') < day) continue;
      const peak = peaks.get(day);
      if (peak === 0 || (dayOfWeek === 0 && !shop.sunday && peak === undefined)) continue;
      const season = shop.coast && month >= 6 && month <= 8 ? 1.6 : month <= 2 ? 0.85 : 1;
      const customers = Math.round(
        shop.size * 3.2 * (weekday[dayOfWeek] ?? 1) * season * (peak ?? 1) * random.near(1, 0.18, 3),
      );
      const note = random.chance(0.012) ? random.pick(notes) : null;
      const short = note === 'power cut' || note === 'oven down' ? 0.4 : 1;
      totals.push({
        shopCode: shop.code,
        day,
        customers: note === 'counter broken' ? null : Math.round(customers * short),
        takingsCents: Math.round(
          customers * short * random.near(peak === undefined ? 640 : 910, 90) * (day < '2024' ? 0.94 : 1),
        ),
        tillDiffCents: random.chance(0.05) ? null : random.chance(0.7) ? 0 : random.near(-60, 1400),
        note,
      });
    }
  }
  return totals;
}

interface Tally {
  shopKey: number;
  sku: string;
  month: string;
  baked: number;
  unsold: number | null;
}

/** The months in which the seasonal goods are baked. */
const seasons: Readonly<Record<string, readonly string[]>> = {
  'SE-01': ['01', '02', '03', '12'],
  'SE-02': ['03', '04'],
  'SE-03': ['10', '11'],
  'SE-04': ['11', '12'],
  'SE-05': ['11', '12'],
};

/** The count of goods baked and left over; small shops do not bake everything. */
export function growTallies(source: Source, shops: readonly Shop[]): Tally[] {
  const random = createRandom('bakery_chain/tally');
  const products = source.rows('products.csv');
  const tallies: Tally[] = [];
  for (let i = 0; i < 24; i++) {
    const month = `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`;
    for (const shop of shops) {
      if (shop.opened > `${month}-20` || (shop.closed ?? '9') < `${month}-31`) continue;
      for (const product of products) {
        const sku = product('sku');
        if ((product('dropped') || '9') < month || product('launched') > month) continue;
        if (!(seasons[sku]?.includes(month.slice(5)) ?? true)) continue;
        if ((shop.shopKey * 7 + products.indexOf(product) * 5) % 100 > shop.size + 10) continue;
        const baked = Math.max(
          3,
          Math.round(Number(product('popular')) * shop.size * random.near(0.2, 0.05, 3)),
        );
        const waste = 0.03 + ((shop.shopKey * 13) % 7) / 100 + (product('family') === 'bread' ? 0.04 : 0);
        tallies.push({
          shopKey: shop.shopKey,
          sku,
          month,
          baked,
          unsold: random.chance(0.04)
            ? null
            : Math.min(baked, Math.round(baked * Math.max(0, random.near(waste, 0.09, 3)))),
        });
      }
    }
  }
  return tallies;
}
