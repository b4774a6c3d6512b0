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
import { halfOpen, type Limits } from '../limits.ts';
import { type TelemetryOptions, watchRequests } from '../telemetry.ts';
import { limitJsonDepth } from './json.ts';
import { handleClientError, isInternalRequest, watchAnswers } from './listen.ts';
import { HttpProblem, internalProblem, sendProblem } from './problem.ts';
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
    done(tooLong(request.raw.url as string, limits));
  });
  answerUnrouted(app);
  await negotiate(app);
  return app;
}

/** The problem of an address that is longer than the limit. */
export function tooLong({ length }: string, { maxUrlBytes }: Limits): HttpProblem | undefined {
  if (length <= maxUrlBytes) return undefined;
  return new HttpProblem('URI_TOO_LONG', `The address has ${length} bytes; ${maxUrlBytes} are possible.`);
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
    requestTimeout: limits.arrivalMs,
    // What arrives on an open connection while the process drains is answered as ever, and told to reconnect.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1024 },
    http: { ...halfOpen(limits.arrivalMs), maxHeaderSize: limits.maxHeaderBytes },
    clientErrorHandler: handleClientError,
    frameworkErrors: handleError,
  } satisfies FastifyHttpOptions<Server>;
}

/** Of those in which a connection came. Never none: where each request has a connection of its own, there is no end to them. */
const TURNS_A_REQUEST = 8;

/**
 * Node accepts one connection in each turn of its event loop. When thousands come at once while others are at work, turns
 * are long, and who comes last waits for as many of them as there are connections before his. So while connections are
 * coming, a request is begun in few turns only, and the others wait, in their order.
 */
export class Backpressure {
  #isComing = false;
  #turns = 0;
  #isSet = false;
  readonly #waiting: (() => void)[] = [];

  /** Whether a request that has just come has to wait. */
  get isHeld(): boolean {
    return this.#isComing || this.#waiting.length > 0;
  }

  watch(server: AcceptPaceServer): void {
    server.on('connection', () => {
      this.#isComing = true;
      this.#set();
    });
  }

  /** Calls back when it is a request's turn. */
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
    // Between this turn and the next a connection is accepted, if one waits.
    if (this.#waiting.length > count) this.#set();
    for (const begin of this.#waiting.splice(0, count)) begin();
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types that a route can answer with; if it does not say, those of its schema or its kind, and any without either. */
    produces?: readonly string[] | undefined;
  }
}

/** Shorter answers gain nothing. */
const LEAST_BYTES = 1024;
/** Kinds of routes whose answers are long texts: specifications, lists and pages, never the answers of calls. */
const LONG = new Set('openapi tools toolset tasks catalog docs page board farm metrics'.split(' '));

const JSON_TYPE = 'application/json';
/** Kinds of routes whose answers are JSON though no schema says so. */
const JSON_KINDS = new Set('openapi toolset catalog rest slot sel'.split(' '));

/** Compresses long texts for whoever takes gzip or br, and refuses requests for what an address does not have. */
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

/** The one of several media types that is wanted most. Parameters other than weights, such as a charset, tell none apart here. */
export function mediaTypeFor(accept: string, produces: readonly string[]): string | undefined {
  const types = accept.replaceAll(/;\s*(?!q=)[^;,]*/gi, '');
  return new Negotiator({ headers: { accept: types } }).mediaType([...produces]);
}

function producedBy(kind: string, schema: FastifySchema | undefined): readonly string[] | undefined {
  return typesOf(schema?.response) ?? (JSON_KINDS.has(kind) ? [JSON_TYPE] : undefined);
}

/** Those of the answers of success that a schema describes; JSON where it names none. */
function typesOf(response: unknown): string[] | undefined {
  const success = Object.entries(response ?? {}).filter(([status]) => status.startsWith('2'));
  if (success.length === 0) return undefined;
  return success.flatMap(([, answer]) => ('content' in answer ? Object.keys(answer.content) : [JSON_TYPE]));
}

/**
 * Answers what no route took: OPTIONS and 405 with the methods that the address has, else 404. Covers every
 * route registered after it, those of plugins too.
 */
export function answerUnrouted(app: FastifyInstance): void {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  app.addHook('onRoute', ({ url, method }) => {
    // Of CORS, for every address.
    if (url === '*') return;
    const route = routes.get(url) ?? { pattern: toPattern(url), methods: new Set(['OPTIONS']) };
    routes.set(url, route);
    for (const each of [method].flat()) route.methods.add(each);
  });

  // Before the body is read: a post to a wrong address gets its 404 however large the body is. With a
  // callback, since a promise here would cost every request a turn of the queue.
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

  // Never reached, but without it fastify's own answer would be.
  app.setNotFoundHandler(() => {
    throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  });
}

/** `/v1/:split/:db?` or `/x/*` as a regular expression. */
function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped
    .replace(/\/:[A-Za-z0-9_]+\?/g, '(?:/[^/]+)?')
    .replace(/:[A-Za-z0-9_]+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${pattern}$`);
}

/** What fastify itself refuses, by its code. */
const FASTIFY_CODES: Readonly<Record<string, HttpErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'REQUEST_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
};

/** Turns whatever was thrown into a problem; the inside of an unexpected error goes to the log only. */
export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(error, request.id);
  if (problem.code === 'INTERNAL') {
    request.log.error({ err: error, request_id: request.id, url: request.raw.url }, 'a request failed');
  }
  return sendProblem(reply, problem);
}

/** What is answered where an error was thrown; INTERNAL for one that nobody foresaw. */
export function toProblem(error: FastifyError | Error, requestId: string): HttpProblem {
  if (error instanceof HttpProblem) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = FASTIFY_CODES[code ?? ''];
  if (known) return new HttpProblem(known, error.message, { cause: error });
  // Only fastify sets a status: malformed JSON, a content length that does not fit, …
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpProblem('BAD_REQUEST', error.message, { cause: error });
  }
  return internalProblem(requestId, error);
}

/** A maker of request ids: the caller's own when it is harmless in a header and a log, else a new one. */
export function requestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given;
    return `${prefix}-${(++count).toString(36)}`;
  };
}
