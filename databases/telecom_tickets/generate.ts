import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growAftermath } from './aftermath.ts';
import { growAgents, growCustomers } from './people.ts';
import { growOutages, growTickets } from './tickets.ts';

/** Grows the help desk's rows. */
export function generateTelecomTickets(source: Source): TableRows[] {
  const agents = growAgents(source);
  const { customers, subscriptions } = growCustomers(source);
  const outages = growOutages(source);
  const tickets = growTickets(source, { customers, subscriptions, agents, outages });
  const { events, visits, credits, surveys } = growAftermath(source, tickets, agents);
  return [
    { table: 'priority', rows: source.copy('priorities.csv', ['code', 'name', 'response', 'solve']) },
    { table: 'region', rows: source.copy('regions.csv', ['region', 'name', 'homes', 'fibre']) },
    { table: 'product', rows: source.copy('products.csv', ['id', 'name', 'kind', 'price', 'mbit', 'until']) },
    { table: 'customer', rows: rowsOf(customers) },
    { table: 'subscription', rows: rowsOf(subscriptions) },
    { table: 'agent', rows: rowsOf(agents) },
    { table: 'outage', rows: rowsOf(outages) },
    { table: 'ticket', rows: rowsOf(tickets) },
    { table: 'event', rows: events },
    { table: 'visit', rows: visits },
    { table: 'credit', rows: credits },
    { table: 'survey', rows: surveys },
  ];
}
