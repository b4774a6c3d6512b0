import { z } from 'zod';
import { catalogTable } from './catalog.ts';
import { endpoint, service } from './service.ts';

/** An endpoint as a farm describes it: all but its SQL. */
export const servedEndpoint = endpoint.omit({ sql: true });
export type ServedEndpoint = z.infer<typeof servedEndpoint>;

/** `GET /catalog/<db>`: what a domain holds. */
export const servedCatalog = service
  .pick({
    split: true,
    db: true,
    title: true,
    data_licence: true,
    reference_time: true,
    start_tables: true,
  })
  .extend({
    /** With their columns, keys, and what their values look like. */
    tables: z.array(catalogTable),
    endpoints: z.array(servedEndpoint),
  });
export type ServedCatalog = z.infer<typeof servedCatalog>;
