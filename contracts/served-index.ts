import { z } from 'zod';

const addresses = z.record(z.string(), z.string());

/** A domain in the index of what is served. */
export const domainIndex = z.object({
  split: z.string(),
  db: z.string(),
  title: z.string(),
  endpoints: z.number().int(),
  start_tables: z.number().int(),
  /** Left out when no service answered. */
  tables: z.number().int().optional(),
  /** Only present for a domain whose service does not answer. */
  status: z.literal('unavailable').optional(),
  base: z.string(),
  /** Paths by formulation. */
  openapi: addresses,
  docs: addresses,
});
export type DomainIndex = z.infer<typeof domainIndex>;

/** `GET /`, for programs. */
export const servedIndex = z.object({
  name: z.literal('rookery'),
  domains: z.array(domainIndex),
  totals: z.object({
    domains: z.number().int(),
    endpoints: z.number().int(),
    tables: z.number().int(),
    start_tables: z.number().int(),
  }),
  links: addresses,
});
export type ServedIndex = z.infer<typeof servedIndex>;
