import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growPayouts, growRates, growReturns, growReviews, growShipments } from './after-sales.ts';
import { growListings } from './listings.ts';
import { growBuyers, growSellers } from './parties.ts';
import { growSales } from './sales.ts';

/** Grows the online market's rows. */
export function generateMarketplace(source: Source): TableRows[] {
  const { sellers, merges } = growSellers(source);
  const buyers = growBuyers(source);
  const { listings, changes } = growListings(source, sellers);
  const { sales, items } = growSales(buyers, listings, changes);
  return [
    { table: 'category', rows: source.copy('categories.csv', ['id', 'name', 'parent']) },
    { table: 'seller', rows: rowsOf(sellers) },
    { table: 'seller_merge', rows: rowsOf(merges) },
    { table: 'buyer', rows: rowsOf(buyers) },
    { table: 'listing', rows: rowsOf(listings) },
    { table: 'price_change', rows: rowsOf(changes) },
    { table: 'sale', rows: rowsOf(sales) },
    { table: 'sale_item', rows: rowsOf(items) },
    { table: 'shipment', rows: rowsOf(growShipments(sales)) },
    { table: 'return_case', rows: rowsOf(growReturns(sales, items)) },
    { table: 'review', rows: rowsOf(growReviews(source, sales)) },
    { table: 'payout', rows: rowsOf(growPayouts(sellers, merges, listings, sales, items)) },
    { table: 'exchange_rate', rows: rowsOf(growRates()) },
  ];
}
