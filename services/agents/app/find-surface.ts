import type { FastifyRequest } from 'fastify';
import { formulation } from '../../../contracts/sample.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { Surface } from '../surface/surface.ts';
import { type ListSubject, parseListAddress } from '../tool-lists/list-address.ts';
import type { AgentContext } from './agent-context.ts';
import { listSurface } from './list-surface.ts';

/** What is behind `/lists/:list`. Throws UNKNOWN_LIST. */
export function findList(context: AgentContext, request: FastifyRequest): Surface {
  const address = parseListAddress((request.params as { list: string }).list);
  if (!address) throw new HttpProblem('UNKNOWN_LIST', 'No list of tools has this address');
  return listSurface(context, address);
}

/** What is behind `/runs/:run`. Throws UNKNOWN_RUN and RUNS_OFF. */
export function findRun({ runs }: AgentContext, request: FastifyRequest): Surface {
  if (!runs) throw new HttpProblem('RUNS_OFF', 'This server was started without a place to keep runs.');
  return runs.surface((request.params as { run: string }).run);
}

/** The toolset that `…/:db/:formulation` names. Throws UNKNOWN_ROUTE for what is no formulation. */
export function domainSubject(request: FastifyRequest, startTables: readonly string[]): ListSubject {
  const { db, formulation: kind } = request.params as { db: string; formulation: string };
  const parsed = formulation.safeParse(kind);
  if (parsed.success) return { db, formulation: parsed.data, start_tables: [...startTables] };
  const detail = `There is no formulation ${kind.slice(0, 40)}; there are rest, slot and sel`;
  throw new HttpProblem('UNKNOWN_ROUTE', detail);
}
