import { addDays, daysBetween } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Shop } from './sales.ts';

interface Employee {
  empNo: number;
  shopKey: number | null;
  fullName: string;
  position: string;
  hourlyRate: number;
  hours: number | null;
  started: string;
  leftOn: string | null;
  trainedBy: number | null;
}

const rates = { SM: 21.5, BK: 18.4, SA: 13.9, AP: 9.8, DR: 15.6 };

/** The staff: each shop's own, with apprentices under a baker, and the drivers, who belong to no shop. */
export function growEmployees(source: Source, shops: readonly Shop[]): Employee[] {
  const random = createRandom('bakery_chain/employee');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const employees: Employee[] = [];
  const hire = (position: keyof typeof rates, shop: Shop | undefined, trainedBy: number | null) => {
    const since = position === 'AP' ? '2021-08-02' : '2005-01-01';
    const earliest = shop && shop.opened > since ? shop.opened : since;
    const last = shop?.closed ?? '2024-12-31';
    const started = addDays(earliest, random.int(0, daysBetween(earliest, last) - 30));
    const left = random.chance(0.22) ? addDays(started, random.int(30, 2600)) : last;
    employees.push({
      empNo: 4001 + employees.length,
      shopKey: shop?.shopKey ?? null,
      fullName: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
      position,
      hourlyRate: random.near(rates[position], rates[position] / 6, 2),
      hours: random.chance(0.05) ? null : random.pick([40, 40, 38, 30, 20, 12]),
      started,
      leftOn: left < last ? left : (shop?.closed ?? null),
      trainedBy,
    });
    return 4000 + employees.length;
  };
  for (const shop of shops) {
    hire('SM', shop, null);
    const bakers = [hire('BK', shop, null)];
    for (let i = 0; i < Math.round(shop.size / 30); i++) {
      bakers.push(hire('BK', shop, random.chance(0.4) ? random.pick(bakers) : null));
    }
    for (let i = 0; i < Math.floor(shop.size / 45); i++) hire('AP', shop, random.pick(bakers));
    for (let i = 0; i < Math.round(shop.size / 12); i++) {
      hire('SA', shop, random.chance(0.3) ? random.pick(bakers) : null);
    }
  }
  for (let i = 0; i < 7; i++) hire('DR', undefined, null);
  return employees;
}
