import type { FastifyRequest } from 'fastify';
import { requireHarness } from './guard-planes.ts';

/** Throws HARNESS_ONLY for a band of difficulty without the harness key: it tells how much the gold of a task takes. */
export function guardBand(
  request: Pick<FastifyRequest, 'isHarness'>,
  selection: { readonly band?: unknown } | undefined,
): void {
  if (selection?.band !== undefined) requireHarness(request, 'A band of difficulty');
}
