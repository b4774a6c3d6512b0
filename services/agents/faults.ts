import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { stringify } from 'lossless-json';
import { LRUCache } from 'lru-cache';
import { printExactJson } from '../../contracts/exact-json.ts';
import {
  type AnnouncedFaultKind,
  announcedFaultKind,
  type FaultKind,
  type FaultProfile,
  type FaultRule,
  faultProfile,
  isSilent,
  isStateFault,
  type StateFaultKind,
  silentFaultKind,
  stateFaultKind,
} from '../../contracts/faults.ts';
import type { CallRequest } from '../../contracts/formulation.ts';
import { ACTION_VERBS } from '../../contracts/records.ts';
import { formulation } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { literalPattern } from '../../contracts/wording.ts';
import type { OwnRequests } from '../base/http/caller.ts';
import { requestIds } from '../base/http/create-app.ts';
import {
  type HttpProblem,
  internalProblem,
  lateAnswer,
  tooManyRequests,
  tooManySlowQueries,
} from '../base/http/problem.ts';
import { seededNumber } from '../base/seeded-order.ts';
import { problemAnswer } from '../domain/domain-calls.ts';
import { SERVED_FORMULATIONS } from '../domain/formulations.ts';
import { type BackendAnswer, backendAnswer, passedHeaders, sendAnswer } from './backend/backend.ts';
import { readObject } from './silent-faults.ts';
import { canonicalJson } from './toolsets/list-address.ts';

const rule = (fault: FaultRule['fault'], rate: number, more: Partial<FaultRule> = {}): FaultRule => ({
  fault,
  rate,
  ...more,
});

/** Profiles by name, for `faults: "flaky"`. */
export const FAULT_PROFILES: Readonly<Record<string, readonly FaultRule[]>> = {
  /** Occasional errors that a retry gets past. */
  flaky: [rule('unavailable', 0.1, { retry_after_s: 1 }), rule('server_error', 0.05)],
  slow: [rule('timeout', 0.03, { ms: 10_000 }), rule('latency', 0.3, { ms: 2000 })],
  rate_limited: [rule('rate_limit', 0.25, { retry_after_s: 1 })],
  broken_json: [rule('truncated', 0.1), rule('malformed', 0.05)],
  drift: [rule('schema_drift', 0.2)],
  /** Answers that look right but are detectably wrong; repeating the call gets past them. */
  silent: silentFaultKind.options.map((fault) => rule(fault, 0.5)),
  /** The same, but repeating the call does not help. */
  silent_permanent: silentFaultKind.options.map((fault) => rule(fault, 0.5, { lasting: 'permanent' })),
  /** What can happen to changes of records: lost answers, other clients, late and cut values. */
  state: [
    rule('timeout', 0.1, { ms: 50, tools: ['create', ...ACTION_VERBS].map((verb) => `${verb}_*`) }),
    ...stateFaultKind.options.map((fault) => rule(fault, 0.2)),
  ],
  /** A mix of the faults that announce themselves. */
  chaos: [
    rule('rate_limit', 0.05, { retry_after_s: 1 }),
    rule('unavailable', 0.05, { retry_after_s: 1 }),
    rule('server_error', 0.05),
    rule('timeout', 0.01, { ms: 5000 }),
    rule('truncated', 0.03),
    rule('malformed', 0.03),
    rule('schema_drift', 0.03),
    rule('latency', 0.1, { ms: 1000 }),
  ],
};

export function namedProfile(name: string, seed = 0): FaultProfile | undefined {
  const rules = Object.hasOwn(FAULT_PROFILES, name) ? FAULT_PROFILES[name] : undefined;
  return rules && faultProfile.parse({ name, seed, rules });
}

/** Identifies a call: the n-th of an attempt at a task, and its tool. */
export interface FaultedCall {
  readonly scope: string;
  readonly n: number;
  /** Its real name; null for an unknown tool. */
  readonly tool: string | null;
  /** Equal for identical calls; faults that last are drawn by it. */
  readonly key?: string;
}

/**
 * Draws the visible fault of a call, or null. It depends only on the profile, the task and the call's number, so two
 * agents at the same task meet the same faults, whenever they run.
 */
export function drawFault(profile: FaultProfile, call: FaultedCall): FaultRule | null {
  for (const [at, rule] of profile.rules.entries()) {
    if (isSilent(rule.fault) || isStateFault(rule.fault)) continue;
    if (strikes(profile, at, call)) return rule;
  }
  return null;
}

/** Draws the fault of a call on records, among those that are possible, or null. */
export function drawStateFault(
  profile: FaultProfile,
  call: FaultedCall,
  possible: readonly StateFaultKind[],
): StateFaultKind | null {
  for (const [at, { fault }] of profile.rules.entries()) {
    const kind = possible.find((each) => each === fault);
    if (kind !== undefined && strikes(profile, at, call)) return kind;
  }
  return null;
}

function strikes({ seed, rules }: FaultProfile, at: number, { scope, n, tool, key }: FaultedCall): boolean {
  const rule = rules[at];
  if (!rule || !meansTool(rule, tool)) return false;
  const which = rule.lasting === 'permanent' ? (key ?? '') : n;
  return seededNumber(seed, 'fault', scope, which, at) < rule.rate;
}

export function meansTool(rule: FaultRule, tool: string | null): boolean {
  if (!rule.tools) return true;
  return tool !== null && rule.tools.some((pattern) => matchesGlob(pattern, tool));
}

function matchesGlob(pattern: string, tool: string): boolean {
  return new RegExp(`^${pattern.split('*').map(literalPattern).join('.*')}$`, 's').test(tool);
}

/** Answers a call with the fault, marked with its kind; the call is carried out unless the fault comes before it. */
export type DueFault = (
  carryOut: () => Promise<BackendAnswer>,
  headers?: Readonly<Record<string, string>>,
) => Promise<BackendAnswer>;

const requestIdOf = requestIds();

/** The fault that a profile draws for a call, reported to `onFault`, or null. */
export function dueFault(
  profile: FaultProfile,
  call: FaultedCall,
  onFault: (fault: FaultKind) => void,
): DueFault | null {
  const rule = drawFault(profile, call);
  if (!rule) return null;
  onFault(rule.fault);
  const at = seededNumber(profile.seed, 'variant', call.scope, call.n);
  return async (carryOut, headers = {}) => ({
    ...(await injectFault(rule, at, carryOut, requestIdOf({ headers }))),
    fault: rule.fault,
  });
}

const DEFAULT_LATENCY_MS = 1000;
const DEFAULT_TIMEOUT_MS = 30_000;
/** The limit that a rate-limited answer claims. */
const REQUESTS_A_MINUTE = 60;

/**
 * An answer with the fault injected. `carryOut` is called unless the fault precedes the service's work; `at`, from 0
 * up to 1, selects the variant of the fault. The answer reads like an unintended fault, request id included.
 */
export async function injectFault(
  rule: FaultRule,
  at: number,
  carryOut: () => Promise<BackendAnswer>,
  requestId: string,
): Promise<BackendAnswer> {
  const retryAfter = String(rule.retry_after_s ?? 1);
  const corrupt = async (change: (corruption: Corruption) => string): Promise<BackendAnswer> => {
    const answer = await carryOut();
    return { ...answer, body: change({ text: answer.body, at }) };
  };
  const refuse = (problem: HttpProblem, after?: string) => problemAnswer(problem.toProblem(), after);
  const faults: Readonly<Record<AnnouncedFaultKind, () => Promise<BackendAnswer>>> = {
    latency: async () => {
      await setTimeout(rule.ms ?? DEFAULT_LATENCY_MS);
      return carryOut();
    },
    timeout: async () => {
      await setTimeout(rule.ms ?? DEFAULT_TIMEOUT_MS);
      return refuse(lateAnswer('The service'));
    },
    rate_limit: async () => refuse(tooManyRequests(REQUESTS_A_MINUTE, rule.retry_after_s ?? 1), retryAfter),
    unavailable: async () => refuse(tooManySlowQueries(retryAfter), retryAfter),
    server_error: async () => refuse(internalProblem(requestId)),
    truncated: () => corrupt(truncateText),
    malformed: () => corrupt(malformText),
    schema_drift: () => corrupt(driftJson),
  };
  const announced = announcedFaultKind.safeParse(rule.fault);
  return announced.success ? faults[announced.data]() : carryOut();
}

const SPOILING: readonly FaultKind[] = [
  'truncated',
  'malformed',
  'schema_drift',
  'shifted_rows',
  'wrong_unit',
];

/** Whether a profile changes the shape of answers. */
export function corruptsAnswers(profile: FaultProfile | null | undefined): boolean {
  return profile?.rules.some(({ fault, rate }) => rate > 0 && SPOILING.includes(fault)) ?? false;
}

/** Whether the agent cannot have used the answer, so repeating the call is right. */
export function isLost(fault: FaultKind | null): boolean {
  if (fault === null || fault === 'latency' || fault === 'schema_drift' || isSilent(fault)) return false;
  return !isStateFault(fault) || fault === 'concurrent_change';
}

/** A text, and a number from 0 up to 1 that selects where it is corrupted. */
export interface Corruption {
  readonly text: string;
  readonly at: number;
}

export function truncateText({ text, at }: Corruption): string {
  return text.slice(0, Math.floor(text.length * (0.25 + 0.7 * at)));
}

/** The answer with a typical slip of hand-made JSON; the result never parses. */
export function malformText({ text, at }: Corruption): string {
  const slips: readonly ((whole: string) => string)[] = [
    // A comma before the last bracket.
    (whole) => whole.replace(/([}\]])\s*$/, ',$1'),
    // The first name without quotes.
    (whole) => whole.replace(/"([A-Za-z_]\w*)"\s*:/, '$1:'),
    // An HTML page around it.
    (whole) => `<html><body>${whole}</body></html>`,
  ];
  const slip = slips[Math.floor(at * slips.length)] as (whole: string) => string;
  const corrupted = slip(text);
  return isJson(corrupted) ? `${corrupted}}` : corrupted;
}

/**
 * The answer as a later version of the service might send it: a field renamed, numbers as strings, or everything
 * nested one level deeper. Anything but a JSON object is unchanged.
 */
export function driftJson({ text, at }: Corruption): string {
  const value = readObject(text);
  if (!value) return text;
  const names = Object.keys(value);
  const renamed = names[Math.floor(at * 97) % Math.max(1, names.length)];
  const drifts: readonly (() => unknown)[] = [
    () =>
      Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key === renamed ? `${key}_v2` : key, inner]),
      ),
    () => numbersAsTexts(value),
    () => ({ result: value }),
  ];
  return stringify((drifts[Math.floor(at * drifts.length)] as () => unknown)()) ?? text;
}

function numbersAsTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbersAsTexts);
  if (typeof value !== 'object' || value === null) return value;
  if ('isLosslessNumber' in value) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, numbersAsTexts(inner)]));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export interface UnrecordedCall {
  /** `<split>/<db>/<formulation>` */
  readonly toolset: string;
  readonly tool: string | null;
  readonly arguments: unknown;
  readonly view: string;
}

/** Number of calls remembered; a forgotten call counts as new. */
const MAX_CALLS = 100_000;

/**
 * Faults on calls outside runs, which have no numbers of their own: what counts is how often this process has received
 * the same (tool, arguments, view). So a repeated call recovers, and a restarted server fails in the same places.
 */
export class UnrecordedCalls {
  readonly profile: FaultProfile;
  readonly #onFault: (fault: FaultKind) => void;
  readonly #times = new LRUCache<string, number>({ max: MAX_CALLS });

  constructor(profile: FaultProfile, onFault: (fault: FaultKind) => void) {
    this.profile = profile;
    this.#onFault = onFault;
  }

  /** The fault due for a call, or null; counts the call. */
  due(call: UnrecordedCall): DueFault | null {
    const scope = createHash('sha256').update(canonicalJson(call)).digest('base64url');
    const n = (this.#times.get(scope) ?? 0) + 1;
    this.#times.set(scope, n);
    return dueFault(this.profile, { scope, n, tool: call.tool }, this.#onFault);
  }
}

export interface ApiFaultOptions {
  readonly unrecorded: UnrecordedCalls;
  readonly services: ReadonlyMap<string, Service>;
  /** Carries a call out behind the hook. */
  readonly own: OwnRequests;
}

/** Injects faults at the services' own addresses only: health, metrics, specs, pages and lists stay as they are. */
export function injectApiFaults(app: FastifyInstance, { unrecorded, services, own }: ApiFaultOptions): void {
  app.addHook('preHandler', async (request, reply) => {
    const call = own.has(request) ? null : readCall(request, services);
    const fault = call && unrecorded.due(call);
    if (!fault) return;
    const { method, url } = request.raw as { method: CallRequest['method']; url: string };
    const headers = passedHeaders(request);
    const carryOut = async () => {
      const body =
        method === 'POST' || method === 'PATCH'
          ? {
              headers: { ...headers, 'content-type': 'application/json' },
              payload: printExactJson(request.body ?? {}),
            }
          : { headers };
      const answer = await own.send({ method, url, ...body });
      return backendAnswer(answer.statusCode, answer.headers, answer.body);
    };
    return sendAnswer(reply, await fault(carryOut, headers));
  });
}

function readCall(request: FastifyRequest, services: ReadonlyMap<string, Service>): UnrecordedCall | null {
  const { kind: configured } = request.routeOptions.config;
  if (configured !== undefined && WITHOUT_FORMULATION.has(configured))
    return readPlainCall(request, configured);
  const kind = formulation.safeParse(configured);
  if (!kind.success) return null;
  const { pathname, searchParams: query } = new URL(request.url, 'http://farm');
  const { split, db } = request.params as { readonly split: string; readonly db: string };
  const path = pathname.split('/').slice(4).map(decodeURIComponent);
  const readBody = () => request.body ?? {};
  const service = services.get(db);
  // Tools of every share are served here.
  const served = service && withoutShares(service);
  const call = SERVED_FORMULATIONS[kind.data].readCall(served, {
    method: request.method,
    path,
    query,
    readBody,
  });
  if (!call) return null;
  const toolset = `${split}/${db}/${kind.data}`;
  // For an unknown endpoint, the address identifies the call.
  const args = call.name === null ? request.url : call.arguments();
  return { toolset, tool: call.name, arguments: args, view: call.view };
}

function withoutShares({ hidden: _, ...service }: Service): Service {
  return service;
}

/** Kinds of routes that carry out calls outside the formulations: table APIs, scalar APIs, SQL. */
const WITHOUT_FORMULATION: ReadonlySet<string> = new Set(['tables', 'scalars', 'statements']);

/** A call at `/v1/<split>/<db>/<kind>/<tool>`, or with a share in place of the tool. */
function readPlainCall(request: FastifyRequest, kind: string): UnrecordedCall {
  const { split, db, ...rest } = request.params as Readonly<Record<string, string>>;
  const args = request.method === 'POST' ? (request.body ?? {}) : request.query;
  return {
    toolset: `${split}/${db}/${kind}`,
    tool: Object.values(rest)[0] ?? null,
    arguments: args,
    view: '',
  };
}
