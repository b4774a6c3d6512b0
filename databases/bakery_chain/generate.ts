import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growCakeOrders } from './cake-orders.ts';
import { growDeliveries, readRecipes } from './kitchen.ts';
import { growEmployees } from './people.ts';
import { growDayTotals, growTallies, readShops } from './sales.ts';

/** Grows the bakery chain's rows. */
export function generateBakeryChain(source: Source): TableRows[] {
  const shops = readShops(source);
  return [
    {
      table: 'shop',
      rows: source.copy('shops.csv', [
        'key',
        'code',
        'name',
        'town',
        'district',
        'opened',
        'closed',
        'seats',
        'sunday',
      ]),
    },
    { table: 'employee', rows: rowsOf(growEmployees(source, shops)) },
    {
      table: 'product',
      rows: source.copy('products.csv', [
        'sku',
        'name',
        'family',
        'weight',
        'unit',
        'price',
        'launched',
        'dropped',
      ]),
    },
    {
      table: 'ingredient',
      rows: source.copy('ingredients.csv', ['id', 'name', 'kind', 'allergen', 'organic']),
    },
    { table: 'recipe', rows: readRecipes(source) },
    { table: 'supplier', rows: source.copy('suppliers.csv', ['id', 'name', 'town', 'days', 'since']) },
    { table: 'delivery', rows: rowsOf(growDeliveries(source)) },
    { table: 'holiday', rows: source.copy('holidays.csv', ['day', 'name', 'shut']) },
    { table: 'day_total', rows: rowsOf(growDayTotals(source, shops)) },
    { table: 'tally', rows: rowsOf(growTallies(source, shops)) },
    { table: 'cake_order', rows: rowsOf(growCakeOrders(source, shops)) },
  ];
}
