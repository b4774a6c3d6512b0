import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Shop } from './sales.ts';

interface CakeOrder {
  orderNo: number;
  shopKey: number;
  sku: string;
  customer: string;
  ordered: string;
  pickup: string;
  inscription: string | null;
  priceCents: number;
  depositCents: number;
  status: string;
}

/** The cakes that were ordered ahead, those for 2025 still open. */
export function growCakeOrders(source: Source, shops: readonly Shop[]): CakeOrder[] {
  const random = createRandom('bakery_chain/cake_order');
  const cakes = source.rows('products.csv').filter((row) => row('family') === 'cake');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const inscriptions = source.words('inscriptions.txt');
  return Array.from({ length: 640 }, (_, i) => {
    const ordered = addDays('2023-01-02', Math.floor((i * 729) / 640));
    const pickup = addDays(ordered, random.int(2, 21));
    const open = shops.filter((shop) => shop.opened <= ordered && (shop.closed ?? '9') > pickup);
    const cake = random.pickSkewed(cakes);
    const priceCents = Number(cake('price')) + random.pick([0, 0, 0, 300, 500, 1200]);
    return {
      orderNo: 20_001 + i,
      shopKey: random.pickSkewed(open).shopKey,
      sku: cake('sku'),
      customer: `${random.pick(firstNames).charAt(0)}. ${random.pick(lastNames)}`,
      ordered,
      pickup,
      inscription: random.chance(0.35) ? null : random.pickSkewed(inscriptions),
      priceCents,
      depositCents: random.pick([0, 500, 1000, Math.round(priceCents / 2)]),
      status: pickup > '2024-12-31' ? 'O' : random.weighted({ C: 90, X: 6, N: 3 }),
    };
  });
}
