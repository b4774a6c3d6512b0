import { addDays } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';

/** The lines of the recipes: `ingredient:amount:unit`, separated by spaces in the source. */
export function readRecipes(source: Source): Cell[][] {
  return source.rows('recipes.csv').flatMap((row) =>
    row('parts')
      .split(' ')
      .map((part) => {
        const [ingredient = '', amount = '', unit = ''] = part.split(':');
        return [row('sku'), Number(ingredient), Number(amount), unit];
      }),
  );
}

interface Delivery {
  deliveryId: number;
  supplierId: number;
  ingredientId: number;
  slip: string;
  delivered: string;
  quantity: number;
  unit: string;
  cost: number;
  rejected: string | null;
}

const reasons = ['wet sacks', 'wrong goods', 'past its date', 'mice', 'no papers'];

/** Two years of deliveries; flour grew dear in the spring of 2023, and some slips were typed twice. */
export function growDeliveries(source: Source): Delivery[] {
  const random = createRandom('bakery_chain/delivery');
  const price = new Map(
    source.rows('ingredients.csv').map((row) => [Number(row('id')), Number(row('price'))]),
  );
  const flour = new Set(
    source
      .rows('ingredients.csv')
      .filter((row) => row('kind') === 'flour')
      .map((row) => Number(row('id'))),
  );
  const suppliers = source
    .rows('suppliers.csv')
    .map((row) => ({ id: Number(row('id')), goods: row('goods').split(' ').map(Number) }));
  const deliveries: Delivery[] = [];
  const add = (delivery: Omit<Delivery, 'deliveryId'>) =>
    deliveries.push({ deliveryId: 70_001 + deliveries.length, ...delivery });
  for (let day = '2023-01-02'; day < '2025'; day = addDays(day, 1)) {
    for (const { id, goods } of suppliers) {
      if (!random.chance(id < 4 ? 0.3 : id === 10 ? 0.02 : 0.14)) continue;
      const ingredientId = random.pick(goods);
      const kilos = flour.has(ingredientId) ? random.int(20, 60) * 25 : random.int(4, 40) * 5;
      const dear = flour.has(ingredientId) && day > '2023-03' && day < '2023-07' ? 1.35 : 1;
      const inGrams = (id === 7 || id === 10) && random.chance(0.4);
      const amount = inGrams ? kilos * 100 : kilos;
      const delivery = {
        supplierId: id,
        ingredientId,
        slip: `${id}/${day.slice(2, 4)}${random.int(1000, 9999)}`,
        delivered: day,
        quantity: amount,
        unit: inGrams ? 'g' : 'kg',
        cost: round(
          ((price.get(ingredientId) ?? 1) *
            (inGrams ? amount / 1000 : amount) *
            random.near(100, 9, 1) *
            dear) /
            100,
          2,
        ),
        rejected: random.chance(0.04) ? random.pick(reasons) : null,
      };
      add(delivery);
      if (random.chance(0.015)) add(delivery);
    }
  }
  return deliveries;
}
