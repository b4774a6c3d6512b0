import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { EXECUTE_SQL, RUN_SQL } from '../../../contracts/formulations/hybrid.ts';
import type { Service } from '../../../contracts/service.ts';
import { atShare } from '../../../contracts/share.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { callerOfRequest } from '../../base/access/asker.ts';
import { parseArguments } from '../../base/arguments/parse-arguments.ts';
import { argumentProblem } from '../../base/http/argument-problem.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { SCALARS_BY_NAME } from '../../base/scalars/registry.ts';
import { answerStatement } from '../planner/routes.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import { executeSql, requireShare } from '../statements/execute-sql.ts';
import { answerTableCall } from '../tables/routes.ts';
import { scalarArguments, scalarRows } from './scalar-tool.ts';
import { HYBRID_STYLE, hiddenTools, hybridToolSpecs } from './tool-specs.ts';

interface ToolPath {
  readonly split: string;
  readonly db: string;
  readonly share: string;
  readonly tool: string;
}

const runArguments = z.strictObject({ sql: z.string() });

/** `POST /v1/:split/:db/hybrid/:share/:tool`: the tools of a domain of which a share of the tables is behind APIs. */
export function hybridRoutes(app: FastifyInstance, context: RuntimeContext): void {
  app.post('/v1/:split/:db/hybrid/:share/:tool', { config: { kind: 'hybrid' } }, async (request, reply) => {
    const { split, db, share, tool } = request.params as ToolPath;
    const domain = context.domains.get(split, db);
    const hidden = requireShare(share);
    const service = atShare(domain.service, hidden);
    const asker = callerOfRequest(request, reply);
    const type = (text: string) => reply.header('content-type', 'application/json; charset=utf-8').send(text);
    if (tool === RUN_SQL) {
      const { sql } = readBody(runArguments, request.body);
      return type(await answerStatement({ app, context, domain, request, asker }, { sql, ...hidden }));
    }
    if (tool === EXECUTE_SQL) return type(await executeSql(context, domain, hidden, request.body, asker));
    const scalar = SCALARS_BY_NAME.get(tool);
    if (scalar) {
      const args = readBody(scalarArguments, request.body);
      return type(printExactJson(scalarRows(scalar, args, domain)));
    }
    const found = hiddenTools(service).find(({ name }) => name === tool);
    if (!found) throw unknownTool(service, tool);
    const call = { api: found.api, style: HYBRID_STYLE, given: request.body };
    return type((await answerTableCall(context, domain, call, asker)).text);
  });
}

function readBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  if (body === null || (body !== undefined && (typeof body !== 'object' || Array.isArray(body))))
    throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON object with the arguments of the call.');
  try {
    return parseArguments(schema, body ?? {});
  } catch (error) {
    throw argumentProblem(error);
  }
}

function unknownTool(service: Service, tool: string): HttpProblem {
  const suggestions = nearestNames(
    tool,
    hybridToolSpecs(service).map(({ name }) => name),
  );
  const shown = tool.slice(0, 80);
  return new HttpProblem('UNKNOWN_TOOL', `There is no tool ${shown}${didYouMean(suggestions)}`, {
    errors: [{ field: 'tool', code: 'unknown_tool', message: `unknown: ${shown}`, suggestions }],
  });
}
