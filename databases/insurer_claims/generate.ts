import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growClaims } from './claims.ts';
import { growCustomers, growPolicies, growPremiums } from './policies.ts';
import { growHistories, growReports } from './settlement.ts';

/** Grows the insurer's rows. */
export function generateInsurerClaims(source: Source): TableRows[] {
  const customers = growCustomers(source);
  const { policies, renumberings } = growPolicies(source, customers);
  const claims = growClaims(source, policies, renumberings);
  const { statuses, payments, reserves } = growHistories(source, claims);
  return [
    { table: 'customer', rows: rowsOf(customers) },
    { table: 'product', rows: source.copy('products.csv', ['code', 'name', 'excess', 'commission']) },
    { table: 'agent', rows: source.copy('agents.csv', ['id', 'name', 'office', 'since', 'boss']) },
    { table: 'policy', rows: rowsOf(policies) },
    { table: 'renumbering', rows: rowsOf(renumberings) },
    { table: 'premium', rows: rowsOf(growPremiums(source, policies)) },
    { table: 'handler', rows: source.copy('handlers.csv', ['id', 'name', 'team', 'limit', 'boss']) },
    { table: 'catastrophe', rows: source.copy('catastrophes.csv', ['id', 'name', 'kind', 'from', 'to']) },
    { table: 'claim', rows: rowsOf(claims.map(({ product: _, ...claim }) => claim)) },
    { table: 'claim_status', rows: rowsOf(statuses) },
    { table: 'payment_line', rows: rowsOf(payments) },
    { table: 'reserve', rows: rowsOf(reserves) },
    { table: 'expert', rows: source.copy('experts.csv', ['id', 'name', 'field', 'town']) },
    { table: 'report', rows: rowsOf(growReports(source, claims)) },
  ];
}
