import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exactNumber, printExactJson } from '../../../contracts/exact-json.ts';
import { AMBIGUOUS_PLACE } from '../../../contracts/plan.ts';
import type { FieldError } from '../../../contracts/problem.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { readScalarInputs } from '../../base/scalars/read-scalar-inputs.ts';
import { SCALAR_APIS, SCALARS_BY_NAME } from '../../base/scalars/registry.ts';
import { ChosenPlace, NoPlace, type ScalarApi } from '../../base/scalars/scalar-api.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { placesOf } from './domain-places.ts';
import { scalarsOpenapi } from './openapi.ts';

interface ScalarPath {
  readonly split: string;
  readonly db: string;
  readonly api: string;
}

/** Items of a batch at most. */
export const MOST_ITEMS = 1000;

/**
 * `GET|POST /v1/:split/:db/scalars/:api`: one value for its inputs; `POST …/batch` takes a list of them.
 * `/v1/:split/:db/scalars` describes the APIs.
 */
export function scalarRoutes(app: FastifyInstance, { domains }: RuntimeContext): void {
  const config = { kind: 'scalars' };
  const asked = (request: FastifyRequest) => {
    const { split, db, api } = request.params as ScalarPath;
    return { domain: domains.get(split, db), api: findApi(api) };
  };

  app.get('/v1/:split/:db/scalars', { config: { kind: 'openapi' } }, (request, reply) => {
    const { split, db } = request.params as ScalarPath;
    return reply.send(scalarsOpenapi(domains.get(split, db).service));
  });
  app.get('/v1/:split/:db/scalars/:api', { config }, (request, reply) => {
    const { domain, api } = asked(request);
    return send(reply, answerOne(api, request.query, domain));
  });
  app.post('/v1/:split/:db/scalars/:api', { config }, (request, reply) => {
    const { domain, api } = asked(request);
    return send(reply, answerOne(api, request.body ?? {}, domain));
  });
  app.post('/v1/:split/:db/scalars/:api/batch', { config }, (request, reply) => {
    const { domain, api } = asked(request);
    const { body } = request;
    if (!Array.isArray(body))
      throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON array of inputs.');
    if (body.length > MOST_ITEMS)
      throw new HttpProblem('BAD_REQUEST', `A batch has at most ${MOST_ITEMS} items, not ${body.length}.`);
    return send(
      reply,
      body.map((item) => answerItem(api, item, domain)),
    );
  });
}

function send(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(printExactJson(answer));
}

/** Inputs, the value, and why there is none. */
export type ScalarItem = Readonly<Record<string, unknown>> & {
  readonly error?: { readonly code: string; readonly detail: string };
};

/** An item of a batch that has no value says why, and leaves the others theirs. */
export function answerItem(api: ScalarApi, given: unknown, domain: ServedDomain): ScalarItem {
  try {
    return answerOne(api, given, domain);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const inputs = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
    return { ...inputs, [api.output.name]: null, error: { code: error.code, detail: error.message } };
  }
}

/** The inputs and the value, as one object. Throws INVALID_PARAMETERS, UNKNOWN_PLACE. */
function answerOne(api: ScalarApi, given: unknown, domain: ServedDomain): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new HttpProblem('BAD_REQUEST', 'The inputs must be a JSON object.');
  const args = given as Readonly<Record<string, unknown>>;
  const values = inputsOf(api, args);
  const value = values === null ? null : api.compute(values, placesOf(domain));
  if (value instanceof NoPlace) throw unknownPlace(value);
  const told = shown(api, args);
  if (!(value instanceof ChosenPlace)) return { ...told, [api.output.name]: value };
  return { ...told, [AMBIGUOUS_PLACE]: true, [api.output.name]: value.value };
}

/** A query string has numbers as texts; an answer has them as numbers. */
function shown({ inputs }: ScalarApi, args: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const isNumber =
        typeof value === 'string' && inputs.some((input) => input.name === name && input.type === 'number');
      return [name, isNumber ? exactNumber(value) : value];
    }),
  );
}

function inputsOf(api: ScalarApi, args: Readonly<Record<string, unknown>>) {
  const names = api.inputs.map(({ name }) => name);
  const errors: FieldError[] = Object.keys(args).flatMap((name) => {
    if (names.includes(name)) return [];
    const suggestions = nearestNames(name, names);
    const message = `there is no parameter ${name.slice(0, 64)}${didYouMean(suggestions)}`;
    return [{ field: name.slice(0, 64), code: 'unknown_parameter', message, suggestions }];
  });
  for (const { name, usual } of api.inputs)
    if (!Object.hasOwn(args, name) && usual === undefined)
      errors.push({ field: name, code: 'missing', message: `${name} is missing` });
  const read = readScalarInputs(
    api,
    api.inputs.map(({ name }) => args[name] ?? null),
  );
  if ('faults' in read) {
    for (const { input, code } of read.faults) {
      const wanted = input.values
        ? `one of ${input.values.join(', ')}`
        : `a ${input.type === 'number' ? 'number' : 'text'}`;
      errors.push({ field: input.name, code, message: `${input.name} must be ${wanted}` });
    }
  }
  if (errors.length > 0 || 'faults' in read)
    throw new HttpProblem('INVALID_PARAMETERS', errors.map(({ message }) => message).join('; '), { errors });
  return read.inputs;
}

function unknownPlace({ place, reason }: NoPlace): HttpProblem {
  const shown = place.slice(0, 80);
  const message =
    reason === 'no_place'
      ? `no place is called ${shown}`
      : `several places are called ${shown}; say "name, province" or "name, country"`;
  return new HttpProblem('UNKNOWN_PLACE', message, { errors: [{ field: 'place', code: reason, message }] });
}

function findApi(wanted: string): ScalarApi {
  const found = SCALARS_BY_NAME.get(wanted);
  if (found) return found;
  const suggestions = nearestNames(
    wanted,
    SCALAR_APIS.map(({ name }) => name),
  );
  const shown = wanted.slice(0, 80);
  throw new HttpProblem('UNKNOWN_ENDPOINT', `There is no API ${shown}${didYouMean(suggestions)}`, {
    errors: [{ field: 'api', code: 'unknown_endpoint', message: `unknown: ${shown}`, suggestions }],
  });
}
