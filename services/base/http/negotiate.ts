import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifySchema } from 'fastify';
import Negotiator from 'negotiator';
import { HttpProblem } from './problem.ts';

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
