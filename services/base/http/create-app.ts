import type { Server } from 'node:http';
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { UserError } from '../../../contracts/errors.ts';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import { HALF_OPEN, type Limits } from '../limits.ts';
import { type TelemetryOptions, watchRequests } from '../watch/watch.ts';
import { Backpressure } from './accept-pace.ts';
import { handleClientError } from './client-error.ts';
import { watchAnswers } from './drain.ts';
import { handleError } from './error-handler.ts';
import { isInternalRequest } from './is-our-own.ts';
import { negotiate } from './negotiate.ts';
import { HttpProblem } from './problem.ts';
import { requestIds } from './request-id.ts';
import { limitJsonDepth } from './require-shallow.ts';
import { answerUnrouted } from './route-table.ts';
import { checkBySchemas } from './typed-routes.ts';

/**
 * A fastify app as every process of ours begins: limits, request ids, compression, and problem+json for whatever goes
 * wrong. `trustProxy`: addresses of proxies that are believed about whom they ask for. Rejects with OPTION_INVALID.
 */
export async function createApp(
  limits: Limits,
  logger?: FastifyServerOptions['logger'],
  { trustProxy, ...watch }: TelemetryOptions & { readonly trustProxy?: string | undefined } = {},
): Promise<FastifyInstance> {
  const app = makeApp(limits, logger, trustProxy);
  app.setErrorHandler(handleError);
  beginInTurn(app);
  watchAnswers(app);
  watchRequests(app, watch);
  readBodiesExactly(app);
  checkBySchemas(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    const { length } = request.raw.url as string;
    if (length <= limits.maxUrlBytes) return done();
    done(
      new HttpProblem('URI_TOO_LONG', `The address has ${length} bytes; ${limits.maxUrlBytes} are possible.`),
    );
  });
  answerUnrouted(app);
  await negotiate(app);
  return app;
}

function makeApp(
  limits: Limits,
  logger: FastifyServerOptions['logger'],
  trustProxy: string | undefined,
): FastifyInstance {
  const options = fastifyOptions(limits, logger);
  if (trustProxy === undefined) return Fastify(options);
  try {
    return Fastify({ ...options, trustProxy });
  } catch (cause) {
    const fix = `${trustProxy} cannot be used (${(cause as Error).message}); give addresses or networks of proxies, such as loopback or 10.0.0.0/8`;
    throw new UserError('OPTION_INVALID', '--trust-proxy', fix, { cause });
  }
}

/** Requests over connections; those of this process itself do not wait. */
function beginInTurn(app: FastifyInstance): void {
  const pace = new Backpressure();
  pace.watch(app.server);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!pace.isHeld || isInternalRequest(request)) return done();
    pace.wait(done);
  });
}

/** JSON bodies as fastify reads them, but with every digit of an integer of 64 bits. */
function readBodiesExactly(app: FastifyInstance): void {
  const usual = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      limitJsonDepth(body as string);
    } catch (error) {
      return done(error as Error);
    }
    usual(request, body as string, (error, value) => {
      if (error) return done(error);
      done(null, value === undefined ? value : parseExactJson(body as string));
    });
  });
}

function fastifyOptions(limits: Limits, logger: FastifyServerOptions['logger']) {
  return {
    logger: logger ?? { level: 'warn', stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child of it for every request costs more than the request.
    childLoggerFactory: (parent: FastifyInstance['log']) => parent,
    genReqId: requestIds(),
    bodyLimit: limits.maxBodyBytes,
    // A request that arrives more slowly than this is dropped.
    requestTimeout: HALF_OPEN.requestTimeout,
    // What arrives on an open connection while the process drains is answered as ever, and told to reconnect.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1024 },
    http: { ...HALF_OPEN, maxHeaderSize: limits.maxHeaderBytes },
    clientErrorHandler: handleClientError,
    frameworkErrors: handleError,
  } satisfies FastifyHttpOptions<Server>;
}
