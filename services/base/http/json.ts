import { hash } from 'node:crypto';
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LosslessNumber, parse, stringify } from 'lossless-json';
import { DEEPEST_VALUE, exactNumber, isNestedDeeperThan } from '../../../contracts/exact-json.ts';
import { HttpProblem } from './problem.ts';

/**
 * JSON in which a number that JavaScript would write differently (`5.0`, `9007199254740993`) keeps its text.
 * Throws BAD_REQUEST.
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

/** The arguments of a call, as an object; nothing at all stands for none. Throws BAD_REQUEST. */
export function readArguments(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text.trim() === '') return {};
  const value = readJson(text);
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof LosslessNumber)
  ) {
    return value as Record<string, unknown>;
  }
  throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON object with the arguments of the call.');
}

/** The same of a text that `writeJson` has written, in which no key comes twice: mostly much quicker. */
export function readOwnJson(text: string): unknown {
  return MAY_LOSE_TEXT.test(text) ? readJson(text) : JSON.parse(text);
}

/** A number with an exponent, a zero at the end of its fraction, a small fraction, minus zero, or too many digits. */
const MAY_LOSE_TEXT = /\.\d*0(?!\d)|\d[eE]|\.0{5}|-0|\d(?:\.?\d){14}/;

/** The JSON text of a value read by `readJson`. */
export function writeJson(value: unknown): string {
  if (value !== undefined && isPlain(value)) return JSON.stringify(value);
  return stringify(value, null, undefined, [{ test: isInfinite, stringify: beyondDoubles }]) ?? 'null';
}

/** Whether JavaScript writes every number in it as it was read. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof LosslessNumber) return false;
  for (const key in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[key])) return false;
  return true;
}

/**
 * A value read by `readJson`, as the service would have it of the text that `writeJson` writes of it. Throws BAD_REQUEST
 * for what no body may hold.
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

/** As fastify refuses it in a body. */
function poisonedBody(): HttpProblem {
  return new HttpProblem('BAD_REQUEST', new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY().message);
}

function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

/** A number that was too large for a double when it was read, such as `1e400`. */
function beyondDoubles(value: unknown): string {
  return (value as number) > 0 ? '1e400' : '-1e400';
}

/** The fields of a query string's text, as fastify parses it. */
export function queryFields(text: string): Readonly<Record<string, string | readonly string[]>> {
  const fields: Record<string, string | readonly string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}

/** Bodies reach the routes of this scope as the texts that came, whatever type they claim to have, unless nested too deeply. */
export function textBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      limitJsonDepth(String(body));
      done(null, body);
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Bodies are read as JSON in this scope, whatever type they claim to have; no body is an empty object. `read` is told
 * the text, and may throw SyntaxError.
 */
export function jsonBodies(scope: FastifyInstance, read: (text: string) => unknown = JSON.parse): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      limitJsonDepth(String(body));
      done(null, read(body === '' ? '{}' : String(body)));
    } catch (error) {
      if (error instanceof HttpProblem) return done(error);
      done(new HttpProblem('BAD_REQUEST', `The body is not JSON: ${(error as Error).message}`));
    }
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers 200 with JSON text and an ETag, past fastify's own sending: nothing is left for it to do, and its steps take
 * a tenth of a quick answer's time. Hooks on sending are passed over. Header fields that were set already are sent too.
 */
export function sendJson(reply: FastifyReply, body: string, etag: string): void {
  const headers: (string | number)[] = [];
  const given = reply.getHeaders();
  for (const name in given) {
    const value = given[name];
    if (value !== undefined) headers.push(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // The data never change while a farm is served, but another farm may be served here tomorrow.
  headers.push('etag', etag, 'cache-control', 'no-cache', 'content-type', JSON_TYPE);
  headers.push('content-length', Buffer.byteLength(body));
  reply.hijack();
  reply.raw.writeHead(200, headers);
  reply.raw.end(body);
}

/**
 * What every body from outside must be before it is read: a JSON text no deeper than anything that could be meant.
 * Whatever reads, records, exports or scores it recurses. Throws BAD_REQUEST.
 */
export function limitJsonDepth(text: string): void {
  if (!isNestedDeeperThan(text, DEEPEST_VALUE)) return;
  throw nestedTooDeeply();
}

function nestedTooDeeply(): HttpProblem {
  return new HttpProblem('BAD_REQUEST', `The body is nested more than ${DEEPEST_VALUE} levels deep.`);
}

/**
 * The tag of what an address answers. Since the data of a version never change, the address stands for the
 * answer, and a client's copy can be confirmed without running the query.
 */
export function etagOf(version: string, url: string): string {
  return `"${hash('sha1', `${version}\n${url}`, 'base64url').slice(0, 20)}"`;
}

/** Whether the client's copy (If-None-Match) is this one. */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match'];
  if (given === undefined) return false;
  return given === '*' || given.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

/** Answers with a text of JSON, or of another type, and its tag; 304 without it where the client's copy is this one. */
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
