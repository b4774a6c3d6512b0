import type {
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problem } from '../../../contracts/api.ts';
import { parseArguments } from '../arguments.ts';
import { objectOf } from './json.ts';
import { argumentProblem, HttpProblem } from './problem.ts';

/** An app whose handlers are typed by the zod schemas of their routes. */
export type TypedApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyInstance['log'],
  ZodTypeProvider
>;

/** The same app, typed by route schemas. `checkBySchemas` enables the validation. */
export function typedRoutes(app: FastifyInstance): TypedApp {
  return app.withTypeProvider<ZodTypeProvider>();
}

/**
 * Validates requests by the zod schemas of their routes: INVALID_PARAMETERS with one entry per field. Responses are not
 * validated, which would cost half as much again as producing them; tests do that instead.
 */
export function checkBySchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    // Handlers validate bodies that may be any object.
    if (!(schema instanceof z.ZodObject)) return (value) => ({ value });
    return httpPart === 'params' ? (value) => checkPath(schema, value) : (value) => check(schema, value);
  });
  app.setSerializerCompiler(() => JSON.stringify);
}

function check(schema: z.ZodObject, value: unknown): { readonly value?: unknown; readonly error?: Error } {
  try {
    return { value: checked(schema, value) };
  } catch (error) {
    return { error: error as Error };
  }
}

/** An invalid path is an unknown route. */
function checkPath(schema: z.ZodObject, value: unknown) {
  const { error } = check(schema, value);
  if (!error) return { value };
  return { error: new HttpProblem('UNKNOWN_ROUTE', `There is nothing at this address: ${error.message}`) };
}

const problemAnswer = {
  description: 'What is wrong.',
  content: { 'application/problem+json': { schema: problem } },
};

export function answers<const Success extends Readonly<Record<number, unknown>>>(success: Success) {
  return { ...success, '4xx': problemAnswer, '5xx': problemAnswer };
}

export function textAnswer(description: string, type: string) {
  return { description, content: { [type]: { schema: z.string() } } };
}

/**
 * Validates a query string or body. Throws INVALID_PARAMETERS with one entry per field: missing, unknown with the
 * nearest names, wrong type, invalid value.
 */
export function checked<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  try {
    return parseArguments(schema, value);
  } catch (error) {
    throw argumentProblem(error);
  }
}

/** The arguments in a JSON body: an object, or none. Throws BAD_REQUEST, and `read`'s ArgumentError as a problem. */
export function readBody<Read>(
  body: unknown,
  read: (given: Readonly<Record<string, unknown>>) => Read,
): Read {
  const given = objectOf(body === undefined ? {} : body);
  try {
    return read(given);
  } catch (error) {
    throw argumentProblem(error);
  }
}

const config = { kind: 'health', open: 'free' } as const;
const tags = ['service'];
const live = z.object({ status: z.literal('live') });

export function liveRoute(app: FastifyInstance): void {
  const schema = {
    operationId: 'get_liveness',
    tags,
    summary: 'Whether the process answers.',
    response: answers({ 200: live }),
  };
  app.get('/health/live', { config, schema }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );
}

/** The schema of `/health/ready`; the checks differ between processes. */
export function readyRoute(ready: z.ZodType) {
  return {
    config,
    schema: {
      operationId: 'get_readiness',
      tags,
      summary: 'Whether the process can do its work; NOT_READY with what is missing.',
      response: answers({ 200: ready }),
    },
  };
}
