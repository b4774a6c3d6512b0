import { z } from 'zod';
import { calledHere } from '../../../contracts/package-root.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { TypedApp } from '../../base/http/typed-routes.ts';
import type { AgentContext } from './agent-context.ts';

/** `GET /board/…`: the files of the leaderboard that the server was given, for the harness: they tell the gold. */
export function boardRoutes(app: TypedApp, { board }: AgentContext): void {
  app.get(
    '/board/*',
    {
      config: { kind: 'board', plane: 'harness' },
      schema: { hide: true, params: z.object({ '*': z.string() }) },
    },
    (request, reply) => {
      if (!board) {
        const how = calledHere(
          'This server was given no runs to show; `rookery serve --board <runs>` gives it some.',
        );
        throw new HttpProblem('SCORING_OFF', how);
      }
      const path = request.params['*'];
      const text = board(path);
      if (text === undefined)
        throw new HttpProblem('UNKNOWN_ROUTE', `The leaderboard has no file ${path.slice(0, 80)}`);
      return reply
        .headers({ 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' })
        .send(text);
    },
  );
}
