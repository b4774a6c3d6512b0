import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../../base/http/problem.ts';
import { guardGold } from '../planes/guard-gold.ts';
import type { AgentSession } from '../surface/surface.ts';
import { parseListAddress } from '../tool-lists/list-address.ts';
import type { AgentContext } from './agent-context.ts';
import { listSession } from './list-surface.ts';
import { requireRuns } from './require-runs.ts';

/** What is behind `/lists/<id>`. Throws UNKNOWN_LIST and HARNESS_ONLY. */
export function findList(
  context: AgentContext,
  id: string,
  request: Pick<FastifyRequest, 'isHarness'>,
): AgentSession {
  const address = parseListAddress(id);
  if (!address) throw new HttpProblem('UNKNOWN_LIST', 'No list of tools has this address');
  guardGold(request, address);
  return listSession(context, address);
}

/** What is behind `/runs/<id>`. Rejects with UNKNOWN_RUN and RUNS_OFF. */
export async function findRun(context: AgentContext, id: string): Promise<AgentSession> {
  return requireRuns(context).surface(id);
}
