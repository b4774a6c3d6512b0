import type { FastifyInstance } from 'fastify';
import { callerOfRequest } from '../../base/access/asker.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { readView } from './answers/view.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolFormulation } from './toolboxes/toolboxes.ts';

interface ToolPath {
  readonly split: string;
  readonly db: string;
  readonly tool: string;
}

/** `POST /v1/:split/:db/<formulation>/:tool`: the body holds the arguments, the answer is a ToolAnswer. */
export function toolRoutes(app: FastifyInstance, context: ToolContext, formulation: ToolFormulation): void {
  app.post(
    `/v1/:split/:db/${formulation}/:tool`,
    { config: { kind: formulation } },
    async (request, reply) => {
      const { split, db, tool } = request.params as ToolPath;
      const domain = context.domains.get(split, db);
      const view = readView(request.query as Record<string, unknown>, context.limits.maxRows);
      const call = { formulation, name: tool, arguments: asArguments(request.body) };
      const body = await context.tools.call(domain, call, view, callerOfRequest(request, reply));
      return reply.header('content-type', 'application/json; charset=utf-8').send(body);
    },
  );
}

/** An agent's first call is quick, later ones may not be, so a child process starts while the agent thinks. */
export function warmForTools(app: FastifyInstance, { tools, slowQueries }: ToolContext): void {
  app.addHook('onListen', async () => {
    tools.onFirstCall = () => slowQueries.warm();
  });
}

/** A missing body means no arguments. */
function asArguments(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON object with the arguments of the call.');
}
