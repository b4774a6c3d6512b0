import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Server as AcceptPaceServer } from 'node:net';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import Fastify, {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import Negotiator from 'negotiator';
import { type HttpErrorCode, UserError } from '../../../contracts/errors.ts';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import { getOrInsert } from '../concurrency.ts';
import type { Limits } from '../limits.ts';
import { type TelemetryOptions, watchRequests } from '../telemetry.ts';
import { limitJsonDepth } from './json.ts';
import { halfOpen, handleClientError, isInternalRequest, makeAnswerClass } from './listen.ts';
import { HttpProblem, internalProblem, sendProblem } from './problem.ts';
import { checkBySchemas } from './typed-routes.ts';

/**
 * The base fastify app of every process: limits, request ids, compression, and problem+json for errors. `trustProxy`:
 * addresses of trusted proxies. Rejects with OPTION_INVALID.
 */
export async function createApp(
  limits: Limits,
  logger?: FastifyServerOptions['logger'],
  { trustProxy, ...watch }: TelemetryOptions & { readonly trustProxy?: string | undefined } = {},
): Promise<FastifyInstance> {
  const Answer = makeAnswerClass();
  const app = makeApp(fastifyOptions(limits, logger, Answer), trustProxy);
  app.decorate('Answer', Answer);
  app.setErrorHandler(handleError);
  beginInTurn(app);
  watchRequests(app, watch);
  readBodiesExactly(app);
  checkBySchemas(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done(tooLong(request.raw.url as string, limits));
  });
  answerUnrouted(app);
  await negotiate(app);
  return app;
}

export function tooLong({ length }: string, { maxUrlBytes }: Limits): HttpProblem | undefined {
  if (length <= maxUrlBytes) return undefined;
  return new HttpProblem('URI_TOO_LONG', `The address has ${length} bytes; ${maxUrlBytes} are possible.`);
}

function makeApp(options: ReturnType<typeof fastifyOptions>, trustProxy: string | undefined) {
  if (trustProxy === undefined) return Fastify(options);
  try {
    return Fastify({ ...options, trustProxy });
  } catch (cause) {
    const fix = `${trustProxy} cannot be used (${(cause as Error).message}); give addresses or networks of proxies, such as loopback or 10.0.0.0/8`;
    throw new UserError('OPTION_INVALID', '--trust-proxy', fix, { cause });
  }
}

/** Applies backpressure to requests over connections; those of this process itself do not wait. */
function beginInTurn(app: FastifyInstance): void {
  const pace = new Backpressure();
  pace.watch(app.server);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!pace.isHeld || isInternalRequest(request)) return done();
    pace.wait(done);
  });
}

/** Parses JSON bodies like fastify, but keeps every digit of 64-bit integers. */
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

function fastifyOptions(
  limits: Limits,
  logger: FastifyServerOptions['logger'],
  ServerResponse: ReturnType<typeof makeAnswerClass>,
) {
  return {
    logger: logger ?? { level: 'warn', stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    // Shares one logger: a child logger per request costs more than the request.
    childLoggerFactory: (parent: FastifyInstance['log']) => parent,
    genReqId: requestIds(),
    bodyLimit: limits.maxBodyBytes,
    // Drops a request that arrives more slowly than this.
    requestTimeout: limits.arrivalMs,
    // While draining, requests on open connections are answered normally, with a hint to reconnect.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1024 },
    http: { ...halfOpen(limits.arrivalMs), maxHeaderSize: limits.maxHeaderBytes, ServerResponse },
    clientErrorHandler: handleClientError,
    frameworkErrors: handleError,
  } satisfies FastifyHttpOptions<Server>;
}

/** Turns with a new connection per started request. Bounded, since with one connection per request they never end. */
const TURNS_A_REQUEST = 8;

/**
 * Node accepts one connection per turn of its event loop. When thousands arrive while requests are in progress, turns
 * are long, and the last client waits for one turn per connection before it. So while connections arrive, requests
 * start in few turns only; the others wait in order.
 */
export class Backpressure {
  #isComing = false;
  #turns = 0;
  #isSet = false;
  readonly #waiting: (() => void)[] = [];

  get isHeld(): boolean {
    return this.#isComing || this.#waiting.length > 0;
  }

  watch(server: AcceptPaceServer): void {
    server.on('connection', () => {
      this.#isComing = true;
      this.#set();
    });
  }

  /** Calls back when it is the request's turn. */
  wait(begin: () => void): void {
    this.#waiting.push(begin);
    this.#set();
  }

  #set(): void {
    if (this.#isSet) return;
    this.#isSet = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isSet = false;
    const isTheirs = this.#isComing && ++this.#turns % TURNS_A_REQUEST !== 0;
    const count = isTheirs ? 0 : this.#isComing ? 1 : this.#waiting.length;
    this.#isComing = false;
    // Between this turn and the next, a waiting connection is accepted.
    if (this.#waiting.length > count) this.#set();
    for (const begin of this.#waiting.splice(0, count)) begin();
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types of the route's responses. Default: those of its schema or its kind; without either, any. */
    produces?: readonly string[] | undefined;
  }
}

const LEAST_BYTES = 1024;
/** Kinds of routes with long answers: specifications, lists and pages, never answers to calls. */
const LONG = new Set('openapi tools toolset tasks catalog docs page board farm metrics'.split(' '));

const JSON_TYPE = 'application/json';
/** Kinds of routes that answer JSON without a schema. */
const JSON_KINDS = new Set('openapi toolset catalog rest slot sel'.split(' '));

/** Compresses long texts if the client accepts gzip or br, and rejects requests for unavailable media types. */
export async function negotiate(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    const { kind = '' } = route.config ?? {};
    if (LONG.has(kind)) route.compress = {};
    route.config = { ...route.config, produces: route.config?.produces ?? producedBy(kind, route.schema) };
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { accept } = request.headers;
    if (accept === undefined || accept === '*/*') return done();
    const { produces } = request.routeOptions.config;
    if (!produces || mediaTypeFor(accept, produces)) return done();
    const detail = `${accept.slice(0, 200)} cannot be had here; there is ${produces.join(', ')}`;
    done(new HttpProblem('NOT_ACCEPTABLE', detail));
  });
  await app.register(compress, {
    global: false,
    threshold: LEAST_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
}

/** The preferred media type. Parameters other than weights, such as charsets, are ignored. */
export function mediaTypeFor(accept: string, produces: readonly string[]): string | undefined {
  const types = accept.replaceAll(/;\s*(?!q=)[^;,]*/gi, '');
  return new Negotiator({ headers: { accept: types } }).mediaType([...produces]);
}

function producedBy(kind: string, schema: FastifySchema | undefined): readonly string[] | undefined {
  return typesOf(schema?.response) ?? (JSON_KINDS.has(kind) ? [JSON_TYPE] : undefined);
}

/** Media types of the success responses in a schema; JSON if it names none. */
function typesOf(response: unknown): string[] | undefined {
  const success = Object.entries(response ?? {}).filter(([status]) => status.startsWith('2'));
  if (success.length === 0) return undefined;
  return success.flatMap(([, answer]) => ('content' in answer ? Object.keys(answer.content) : [JSON_TYPE]));
}

/**
 * Answers unmatched requests: OPTIONS and 405 with the URL's methods, else 404. Covers routes registered afterwards,
 * including those of plugins.
 */
export function answerUnrouted(app: FastifyInstance): void {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  app.addHook('onRoute', ({ url, method }) => {
    // CORS registers this route for every URL.
    if (url === '*') return;
    const route = getOrInsert(routes, url, () => ({
      pattern: toPattern(url),
      methods: new Set(['OPTIONS']),
    }));
    for (const each of [method].flat()) route.methods.add(each);
  });

  // Runs before the body is parsed, so that a POST to a wrong URL gets 404 whatever its size. Uses a callback, since a
  // promise would cost every request a microtask turn.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.raw.url?.split('?', 1)[0] ?? '';
    const methods = [...routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((r) => [...r.methods]);
    if (methods.length === 0) return done(new HttpProblem('UNKNOWN_ROUTE', `There is nothing at ${path}`));
    const allow = [...new Set(methods)].sort().join(', ');
    if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send();
    const detail = `${request.method} is not possible here; use ${allow}`;
    done(new HttpProblem('METHOD_NOT_ALLOWED', detail, { headers: { allow } }));
  });

  // Unreachable, but replaces fastify's default response.
  app.setNotFoundHandler(() => {
    throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  });
}

/** Converts `/v1/:split/:db?` or `/x/*` to a regular expression. */
function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped
    .replace(/\/:[A-Za-z0-9_]+\?/g, '(?:/[^/]+)?')
    .replace(/:[A-Za-z0-9_]+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${pattern}$`);
}

const FASTIFY_CODES: Readonly<Record<string, HttpErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'REQUEST_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
};

/** Sends any thrown error as a problem. Details of unexpected errors go only to the log. */
export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(error, request.id);
  if (problem.code === 'INTERNAL') {
    request.log.error({ err: error, request_id: request.id, url: request.raw.url }, 'a request failed');
  }
  return sendProblem(reply, problem);
}

export function toProblem(error: FastifyError | Error, requestId: string): HttpProblem {
  if (error instanceof HttpProblem) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = FASTIFY_CODES[code ?? ''];
  if (known) return new HttpProblem(known, error.message, { cause: error });
  // Only fastify sets a status: malformed JSON, mismatched content length, …
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpProblem('BAD_REQUEST', error.message, { cause: error });
  }
  return internalProblem(requestId, error);
}

/** A generator of request ids: the caller's if it is safe for headers and logs, else a new one. */
export function requestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given;
    return `${prefix}-${(++count).toString(36)}`;
  };
}
