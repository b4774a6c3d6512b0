import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';
import { HttpProblem } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types that a route can answer with; taken from its schema or its kind, and unknown without either. */
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
    const produces = typesOf(route.schema?.response) ?? (JSON_KINDS.has(kind) ? [JSON_TYPE] : undefined);
    if (LONG.has(kind)) route.compress = {};
    // What a page is for programs, it says itself.
    if (kind !== 'page') route.config = { ...route.config, produces };
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { accept } = request.headers;
    if (accept === undefined || accept.includes('*/*')) return done();
    const { produces } = request.routeOptions.config;
    if (!produces || isAcceptable(accept, produces)) return done();
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

/** Parameters other than weights, such as a version or a charset, tell no media types apart here. */
function isAcceptable(accept: string, produces: readonly string[]): boolean {
  const types = accept.replaceAll(/;\s*(?!q=)[^;,]*/gi, '');
  return new Negotiator({ headers: { accept: types } }).mediaType([...produces]) !== undefined;
}

/** Those of the answers of success that a schema describes; JSON where it names none. */
function typesOf(response: unknown): string[] | undefined {
  const success = Object.entries(response ?? {}).filter(([status]) => status.startsWith('2'));
  if (success.length === 0) return undefined;
  return success.flatMap(([, answer]) => ('content' in answer ? Object.keys(answer.content) : [JSON_TYPE]));
}
