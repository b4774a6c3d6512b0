import type { FastifyRequest } from 'fastify';
import { DEFAULT_LIST, type ListOptions } from '../../../contracts/list-options.ts';
import { requireHarness } from './guard-planes.ts';

/**
 * Throws HARNESS_ONLY for a list that tells which tools are gold when the request is not the harness's: a part of a
 * task's toolset holds the gold tools or lacks them, and a few such lists compared name them.
 */
export function guardGold(
  request: Pick<FastifyRequest, 'isHarness'>,
  { subject, options }: { readonly subject: object; readonly options: ListOptions },
): void {
  if (!('task' in subject)) return;
  const { tools, withhold, distractors } = options;
  const whole = tools === DEFAULT_LIST.tools && withhold === DEFAULT_LIST.withhold;
  if (whole && distractors === DEFAULT_LIST.distractors) return;
  requireHarness(request, "A part of a task's tools");
}
