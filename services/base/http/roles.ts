import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DEFAULT_LIST, type ListOptions } from '../../../contracts/toolset-options.ts';
import { examEnvironment } from './environment.ts';
import { hashKey, hasMetricsKey, requireStrong } from './keys.ts';
import { cameByDoor, cameForHarness } from './listen.ts';
import { HttpProblem } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Audience of a route. `agent`: anyone with a run's URL. `harness`: anyone with the harness key. `operator`: in exam
     * mode also requests through the harness port or with the metrics key. Default: everyone; in exam mode the harness.
     */
    plane?: 'agent' | 'harness' | 'operator';
  }
  interface FastifyRequest {
    isHarness: boolean;
  }
}

export interface RoleOptions {
  readonly key: HarnessKey;
  readonly exam: boolean;
  /** Whether the harness has its own port. In exam mode, the other port then accepts no harness key. */
  readonly ownPort?: boolean;
  /** Whether a request was made by this process itself, such as a run's call of a service. */
  readonly isInternal?: (request: FastifyRequest) => boolean;
}

/**
 * Restricts the harness's routes, and in exam mode everything but runs and health, to requests with the harness key.
 */
export function guardRoles(
  app: FastifyInstance,
  { key, exam, ownPort = false, isInternal = () => false }: RoleOptions,
): void {
  app.decorateRequest('isHarness', false);
  app.addHook('onRequest', (request, _reply, done) => {
    const atOwnPort = cameForHarness(request);
    // A trainer's own port counts as the harness, except in an exam, where the key is required everywhere.
    const leads = cameByDoor(request) && !exam;
    request.isHarness = leads || ((atOwnPort || !exam || !ownPort) && key.opens(request.headers));
    const { plane, open } = request.routeOptions.config;
    const closed = plane === 'harness' || (exam && plane !== 'agent' && open === undefined);
    if (!closed || request.isHarness || isInternal(request)) return done();
    if (plane === 'operator' && (atOwnPort || hasMetricsKey(request))) return done();
    done(harnessOnly('This address', exam && ownPort && !atOwnPort));
  });
}

/** Throws HARNESS_ONLY if a request without the harness key asks for something restricted. */
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
 * Throws HARNESS_ONLY if an agent requests part of a task's toolset: such a list keeps or withholds the gold tools as a
 * whole, so comparing a few lists reveals them.
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

/** Throws HARNESS_ONLY without the harness key for what reveals something of a task's gold: its tools, or their number. */
export function guardBand(
  request: Pick<FastifyRequest, 'isHarness'>,
  selection: { readonly [Field in 'band' | 'tool' | 'unanswerable']?: unknown } | undefined,
): void {
  if (selection?.unanswerable !== undefined) requireHarness(request, 'Which questions have no answer');
  if (selection?.band !== undefined) requireHarness(request, 'A band of difficulty');
  if (selection?.tool !== undefined) requireHarness(request, 'A tool of the gold');
}

/**
 * Header field for the harness key when `Authorization` carries an API key. Open Reward Standard clients send only
 * `X-API-Key`.
 */
const HARNESS_KEY_HEADER = 'x-harness-key';

export function makeHarnessKey(): string {
  return randomBytes(24).toString('base64url');
}

export class HarnessKey {
  readonly #hash: Buffer;
  /** Key for the names and orders of exams, derived one-way from the harness key. */
  readonly examKey: string;

  constructor(key: string) {
    this.#hash = hashKey(key);
    this.examKey = createHmac('sha256', key).update('names and orders of exams').digest('hex');
  }

  /** Whether a request has the key. The comparison takes constant time. */
  opens({
    authorization = '',
    [HARNESS_KEY_HEADER]: own,
    'x-api-key': ofDoors,
  }: IncomingHttpHeaders): boolean {
    const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    return [own, bearer, ofDoors].some(
      (given) => typeof given === 'string' && timingSafeEqual(hashKey(given), this.#hash),
    );
  }
}

export interface Roles {
  readonly harnessKey: string;
  readonly exam: boolean;
}

export type GivenRoles = { readonly [Name in keyof Roles]?: Roles[Name] | undefined };

/**
 * A server's harness key and mode: as given, else from `ROOKERY_HARNESS_KEY` and `ROOKERY_EXAM` (`1` or `true`), else a
 * new key, reported through `say`, and open mode. Throws OPTION_INVALID.
 */
export function readRoles(given: GivenRoles, env: NodeJS.ProcessEnv, say: (line: string) => void): Roles {
  const exam = given.exam ?? examEnvironment(env);
  const known = given.harnessKey ?? (env.ROOKERY_HARNESS_KEY || undefined);
  const harnessKey = known ?? makeHarnessKey();
  if (known === undefined) say(`Harness key, made for this process: ${harnessKey}`);
  else requireStrong(known, '--harness-key');
  return { harnessKey, exam };
}
