import { HttpProblem } from '../../base/http/problem.ts';
import type { LiveRuns } from '../runs/live-runs.ts';
import type { AgentContext } from './agent-context.ts';

/** The runs of a server. Throws RUNS_OFF where none are kept. */
export function requireRuns({ runs }: Pick<AgentContext, 'runs'>): LiveRuns {
  if (runs) return runs;
  throw new HttpProblem('RUNS_OFF', 'This server was started without a place to keep runs.');
}
