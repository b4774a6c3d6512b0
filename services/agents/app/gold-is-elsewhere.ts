import { calledHere } from '../../../contracts/package-root.ts';
import { HttpProblem } from '../../base/http/problem.ts';

/** The problem of whoever asks a server for gold that was started without it: SCORING_OFF. */
export function scoringDisabled(): HttpProblem {
  const how = calledHere(
    'This server holds no gold; `rookery serve --score` reads it, for whoever has the harness key.',
  );
  return new HttpProblem('SCORING_OFF', how);
}
