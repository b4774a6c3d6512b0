import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UserError } from '../../../contracts/errors.ts';
import { DEFAULT_LIST, type ListOptions } from '../../../contracts/toolset-options.ts';
import { cameByDoor, cameForHarness } from '../http/listen.ts';
import { HttpProblem } from '../http/problem.ts';
import { examEnvironment } from './environment.ts';
import { hasMetricsKey } from './keys.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whom a route is for. `agent`: whoever has a run's address; `harness`: whoever has the harness key. Without it,
     * everybody, but in exam mode the harness. `operator`: in exam mode also whoever reaches the harness's own port, or
     * has the metrics key.
     */
    plane?: 'agent' | 'harness' | 'operator';
  }
  interface FastifyRequest {
    /** Whether the request carries the harness key. */
    isHarness: boolean;
  }
}

export interface RoleOptions {
  readonly key: HarnessKey;
  /** Agents reach their runs only. */
  readonly exam: boolean;
  /** Whether the harness has a port of its own; then in exam mode no key opens anything at the other. */
  readonly ownPort?: boolean;
  /** Whether a request was made by this process itself, such as a run's call at a service. */
  readonly isInternal?: (request: FastifyRequest) => boolean;
}

/** Keeps the harness's plane, and in exam mode everything but runs and health, from whoever has no harness key. */
export function guardRoles(
  app: FastifyInstance,
  { key, exam, ownPort = false, isInternal = () => false }: RoleOptions,
): void {
  app.decorateRequest('isHarness', false);
  app.addHook('onRequest', (request, _reply, done) => {
    const atOwnPort = cameForHarness(request);
    // Whoever opened a door's port leads training there; in an exam that has to be shown, as anywhere.
    const leads = cameByDoor(request) && !exam;
    request.isHarness = leads || ((atOwnPort || !exam || !ownPort) && key.opens(request.headers));
    const { plane, open } = request.routeOptions.config;
    const closed = plane === 'harness' || (exam && plane !== 'agent' && open === undefined);
    if (!closed || request.isHarness || isInternal(request)) return done();
    if (plane === 'operator' && (atOwnPort || hasMetricsKey(request))) return done();
    done(harnessOnly('This address', exam && ownPort && !atOwnPort));
  });
}

/** Throws HARNESS_ONLY when a request without the harness key wants what is the harness's. */
export function requireHarness({ isHarness }: Pick<FastifyRequest, 'isHarness'>, what: string): void {
  if (!isHarness) throw harnessOnly(what);
}

function harnessOnly(what: string, elsewhere = false): HttpProblem {
  const how = elsewhere
    ? 'It is answered at the port of the harness.'
    : 'With the harness key, send it as "X-Harness-Key: <key>" or as "Authorization: Bearer <key>".';
  return new HttpProblem('HARNESS_ONLY', `${what} is for whoever gives the exam. ${how}`);
}

/**
 * Throws HARNESS_ONLY for a list that tells which tools are gold when the request is not the harness's: a part of a
 * task's toolset holds the gold tools or lacks them, and a few such lists compared name them.
 */
export function guardGold(
  request: Pick<FastifyRequest, 'isHarness'>,
  { subject, options }: { readonly subject: object; readonly options: ListOptions },
): void {
  if (!('task' in subject)) return;
  const { tools, withhold, distractors } = options;
  const whole = tools === DEFAULT_LIST.tools && withhold === DEFAULT_LIST.withhold;
  if (whole && distractors === DEFAULT_LIST.distractors) return;
  requireHarness(request, "A part of a task's tools");
}

/** Throws HARNESS_ONLY for a band of difficulty without the harness key: it tells how much the gold of a task takes. */
export function guardBand(
  request: Pick<FastifyRequest, 'isHarness'>,
  selection: { readonly band?: unknown } | undefined,
): void {
  if (selection?.band !== undefined) requireHarness(request, 'A band of difficulty');
}

/**
 * The header field that carries the harness key where `Authorization` is taken by a key of the server's. Clients of the
 * Open Reward Standard know `X-API-Key` only.
 */
const HARNESS_KEY_HEADER = 'x-harness-key';

/** A key that nobody can guess, for a server that was given none. */
export function makeHarnessKey(): string {
  return randomBytes(24).toString('base64url');
}

/** The key of whoever gives the exam, held as a hash. */
export class HarnessKey {
  readonly #hash: Buffer;
  /** Of the names and orders of exams: it follows from the harness key, which does not follow from it. */
  readonly examKey: string;

  constructor(key: string) {
    this.#hash = hash(key);
    this.examKey = createHmac('sha256', key).update('names and orders of exams').digest('hex');
  }

  /** Whether a request carries the key. How long it takes says nothing about the key. */
  opens({
    authorization = '',
    [HARNESS_KEY_HEADER]: own,
    'x-api-key': ofDoors,
  }: IncomingHttpHeaders): boolean {
    const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    return [own, bearer, ofDoors].some(
      (given) => typeof given === 'string' && timingSafeEqual(hash(given), this.#hash),
    );
  }
}

function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** What opens a server's planes, and to whom. */
export interface Roles {
  readonly harnessKey: string;
  readonly exam: boolean;
}

export interface GivenRoles {
  readonly harnessKey?: string | undefined;
  readonly exam?: boolean | undefined;
}

/** A key that agents could guess is none. */
const SHORTEST_KEY = 16;

/**
 * The harness key and the mode of a server: as given, else by `ROOKERY_HARNESS_KEY` and `ROOKERY_EXAM` (`1` or `true`),
 * else a key made anew and told by `say`, and open mode. Throws OPTION_INVALID.
 */
export function readRoles(given: GivenRoles, env: NodeJS.ProcessEnv, say: (line: string) => void): Roles {
  const exam = given.exam ?? examEnvironment(env);
  const key = given.harnessKey ?? (env.ROOKERY_HARNESS_KEY || undefined);
  if (key !== undefined) return { harnessKey: checkKey(key), exam };
  const harnessKey = makeHarnessKey();
  say(`Harness key, made for this process: ${harnessKey}`);
  return { harnessKey, exam };
}

function checkKey(key: string): string {
  if (key.length >= SHORTEST_KEY && /^[\x21-\x7e]+$/.test(key)) return key;
  const wanted = `must have ${SHORTEST_KEY} characters or more, of ASCII and without spaces`;
  throw new UserError('OPTION_INVALID', '--harness-key', wanted);
}
