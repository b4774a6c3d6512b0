import { hash } from 'node:crypto';
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LosslessNumber, parse, stringify } from 'lossless-json';
import { DEEPEST_VALUE, exactNumber, isNestedDeeperThan } from '../../../contracts/exact-json.ts';
import { isObject } from '../arguments.ts';
import { HttpProblem } from './problem.ts';

/**
 * Parses JSON, keeping the text of a number that JavaScript would print differently (`5.0`, `9007199254740993`). Throws
 * BAD_REQUEST.
 */
export function readJson(text: string): unknown {
  limitJsonDepth(text);
  try {
    return parse(text, null, (number) =>
      String(Number(number)) === number ? Number(number) : new LosslessNumber(number),
    );
  } catch (error) {
    throw new HttpProblem('BAD_REQUEST', `The body is not JSON: ${(error as Error).message}`);
  }
}

/** The arguments of a call, as an object; empty if there is no text. Throws BAD_REQUEST. */
export function readArguments(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text.trim() === '') return {};
  return objectOf(readJson(text));
}

/** Throws BAD_REQUEST for the body of a request that is no object; `of` is what it should hold. */
export function objectOf(body: unknown, of = 'the arguments of the call'): Readonly<Record<string, unknown>> {
  if (isObject(body) && !(body instanceof LosslessNumber)) return body;
  throw new HttpProblem('BAD_REQUEST', `The body must be a JSON object with ${of}.`);
}

/** The same for output of `writeJson`, which has no duplicate keys: usually much faster. */
export function readOwnJson(text: string): unknown {
  return MAY_LOSE_TEXT.test(text) ? readJson(text) : JSON.parse(text);
}

/** A number with an exponent, a trailing zero in its fraction, a small fraction, a minus zero, or too many digits. */
const MAY_LOSE_TEXT = /\.\d*0(?!\d)|\d[eE]|\.0{5}|-0|\d(?:\.?\d){14}/;

export function writeJson(value: unknown): string {
  if (value !== undefined && isPlain(value)) return JSON.stringify(value);
  return stringify(value, null, undefined, [{ test: isInfinite, stringify: beyondDoubles }]) ?? 'null';
}

/** Whether JavaScript prints every number in it as received. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof LosslessNumber) return false;
  for (const key in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[key])) return false;
  return true;
}

/**
 * A value from `readJson` as the service would parse it from the output of `writeJson`. Throws BAD_REQUEST for values
 * that no body may have.
 */
export function exactValue(value: unknown, depth = 1): unknown {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? exactNumber(String(value)) : value;
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof LosslessNumber) return exactNumber(value.value);
  if (depth > DEEPEST_VALUE) throw nestedTooDeeply();
  if (Array.isArray(value)) return value.map((item) => exactValue(item ?? null, depth + 1));
  const exact: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (name === '__proto__' || (name === 'constructor' && hasPrototype(item))) throw poisonedBody();
    if (item !== undefined) exact[name] = exactValue(item, depth + 1);
  }
  return exact;
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

/** The same error as fastify's for a body. */
function poisonedBody(): HttpProblem {
  return new HttpProblem('BAD_REQUEST', new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY().message);
}

function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

function beyondDoubles(value: unknown): string {
  return (value as number) > 0 ? '1e400' : '-1e400';
}

/** Parses a query string as fastify does. */
export function queryFields(text: string): Readonly<Record<string, string | readonly string[]>> {
  const fields: Record<string, string | readonly string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}

/** Bodies reach the routes of this scope as raw text, whatever their media type, unless nested too deeply. */
export function textBodies(scope: FastifyInstance): void {
  readBodies(scope, (text) => text);
}

/**
 * Parses bodies in this scope as JSON, whatever their media type; no body is an empty object. `read` gets the text, and
 * may throw SyntaxError.
 */
export function jsonBodies(scope: FastifyInstance, read: (text: string) => unknown = JSON.parse): void {
  readBodies(scope, (text) => read(text === '' ? '{}' : text));
}

function readBodies(scope: FastifyInstance, read: (text: string) => unknown): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      limitJsonDepth(String(body));
      done(null, read(String(body)));
    } catch (error) {
      if (error instanceof HttpProblem) return done(error);
      done(new HttpProblem('BAD_REQUEST', `The body is not JSON: ${(error as Error).message}`));
    }
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends 200 with JSON text and an ETag, bypassing fastify's `send`, whose steps would take a tenth of a quick answer's
 * time. Hooks on sending are skipped; headers set before are sent.
 */
export function sendJson(reply: FastifyReply, body: string, etag: string): void {
  const headers: (string | number)[] = [];
  const given = reply.getHeaders();
  for (const name in given) {
    const value = given[name];
    if (value !== undefined) headers.push(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // The data never change while a farm is served, but the URL may serve another farm later.
  headers.push('etag', etag, 'cache-control', 'no-cache', 'content-type', JSON_TYPE);
  headers.push('content-length', Buffer.byteLength(body));
  reply.hijack();
  reply.raw.writeHead(200, headers);
  reply.raw.end(body);
}

/**
 * Rejects bodies nested too deeply, since everything that parses, records, exports or scores them recurses. Throws
 * BAD_REQUEST.
 */
export function limitJsonDepth(text: string): void {
  if (isNestedDeeperThan(text, DEEPEST_VALUE)) throw nestedTooDeeply();
}

function nestedTooDeeply(): HttpProblem {
  return new HttpProblem('BAD_REQUEST', `The body is nested more than ${DEEPEST_VALUE} levels deep.`);
}

/**
 * The ETag of a URL's answer. The data of a version never change, so the URL identifies the answer, and a client's copy
 * is validated without running the query.
 */
export function etagOf(version: string, url: string): string {
  return `"${hash('sha1', `${version}\n${url}`, 'base64url').slice(0, 20)}"`;
}

/** Whether the client's copy (If-None-Match) is current. */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match'];
  if (given === undefined) return false;
  return given === '*' || given.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

/** Sends a text, JSON by default, with its ETag; 304 if the client's copy is current. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  text: () => string,
  type = JSON_TYPE,
): FastifyReply {
  reply.headers({ etag, 'cache-control': 'no-cache' });
  return isFresh(request, etag) ? reply.code(304).send() : reply.header('content-type', type).send(text());
}
