import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FieldError, problem } from '../../../contracts/api.ts';
import { exactNumber, printExactJson } from '../../../contracts/exact-json.ts';
import { AMBIGUOUS_PLACE } from '../../../contracts/hybrid.ts';
import { domainPath } from '../../../contracts/paths.ts';
import type { Service } from '../../../contracts/service.ts';
import { isObject, unknownField } from '../../base/arguments.ts';
import { cached } from '../../base/concurrency.ts';
import { domainDocument, json, problemAnswer, schemaOf } from '../../base/http/api-document.ts';
import { HttpProblem, invalidFields, unknownName } from '../../base/http/problem.ts';
import { Gazetteer, placeSources, readPlaces } from '../../base/scalars/gazetteer.ts';
import {
  type Api,
  ChosenPlace,
  isList,
  type ListApi,
  NoPlace,
  PLACE_APIS,
  readScalarInputs,
  SCALAR_APIS,
  SCALARS_BY_NAME,
} from '../../base/scalars/scalars.ts';
import type { RuntimeContext, ServedDomain } from '../runtime.ts';
import { closedObject, type JsonSchema } from '../tools/tool-spec.ts';

export const MOST_ITEMS = 1000;

/**
 * `GET|POST /v1/:split/:db/scalars/:api`: the value or list for one set of inputs. `POST …/batch` takes a list of them.
 * `/v1/:split/:db/scalars` describes the APIs.
 */
export function scalarRoutes(app: FastifyInstance, { domains }: RuntimeContext): void {
  const config = { kind: 'scalars' };
  const asked = (request: FastifyRequest) => {
    const { api } = request.params as { readonly api: string };
    return { domain: domains.of(request), api: findApi(api) };
  };

  app.get('/v1/:split/:db/scalars', { config: { kind: 'openapi' } }, (request, reply) =>
    reply.send(scalarsOpenapi(domains.of(request).service)),
  );
  const one = (request: FastifyRequest, reply: FastifyReply, given: unknown) => {
    const { domain, api } = asked(request);
    return send(reply, answerOne(api, given, domain));
  };
  app.get('/v1/:split/:db/scalars/:api', { config }, (request, reply) => one(request, reply, request.query));
  app.post('/v1/:split/:db/scalars/:api', { config }, (request, reply) =>
    one(request, reply, request.body ?? {}),
  );
  app.post('/v1/:split/:db/scalars/:api/batch', { config }, (request, reply) => {
    const { domain, api } = asked(request);
    const { body } = request;
    if (!Array.isArray(body))
      throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON array of inputs.');
    if (body.length > MOST_ITEMS)
      throw new HttpProblem('BAD_REQUEST', `A batch has at most ${MOST_ITEMS} items, not ${body.length}.`);
    const items = body.map((item) => answerItem(api, item, domain));
    return send(reply, items);
  });
}

function send(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(printExactJson(answer));
}

/** The inputs, and the value or the reason why there is none. */
export type ScalarItem = Readonly<Record<string, unknown>> & {
  readonly error?: { readonly code: string; readonly detail: string };
};

/** Answers one item of a batch. An error is reported in the item and does not affect the others. */
export function answerItem(api: Api, given: unknown, domain: ServedDomain): ScalarItem {
  try {
    return answerOne(api, given, domain);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return {
      ...(isObject(given) ? given : {}),
      [answerName(api)]: null,
      error: { code: error.code, detail: error.message },
    };
  }
}

/** The inputs and the value or list as one object. Throws INVALID_PARAMETERS, UNKNOWN_PLACE. */
function answerOne(api: Api, given: unknown, domain: ServedDomain): Readonly<Record<string, unknown>> {
  if (!isObject(given)) throw new HttpProblem('BAD_REQUEST', 'The inputs must be a JSON object.');
  const values = inputsOf(api, given);
  const inputs = shown(api, given);
  if (isList(api)) return { ...inputs, [api.list]: values === null ? null : listOf(api, values) };
  const value = values === null ? null : api.compute(values, placesOf(domain));
  if (value instanceof NoPlace) throw unknownPlace(value);
  if (!(value instanceof ChosenPlace)) return { ...inputs, [api.output.name]: value };
  return { ...inputs, [AMBIGUOUS_PLACE]: true, [api.output.name]: value.value };
}

function listOf(api: ListApi, inputs: Parameters<ListApi['rows']>[0]) {
  const names = api.columns.map(({ name }) => name);
  return api
    .rows(inputs)
    .map((row) => (names.length === 1 ? row[0] : Object.fromEntries(names.map((name, i) => [name, row[i]]))));
}

export function answerName(api: Api): string {
  return isList(api) ? api.list : api.output.name;
}

/** The inputs with numbers as numbers, since a query string has them as text. */
function shown({ inputs }: Api, args: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const isNumber =
        typeof value === 'string' && inputs.some((input) => input.name === name && input.type === 'number');
      return [name, isNumber ? exactNumber(value) : value];
    }),
  );
}

function inputsOf(api: Api, args: Readonly<Record<string, unknown>>) {
  const names = api.inputs.map(({ name }) => name);
  const errors: FieldError[] = Object.keys(args)
    .filter((name) => !names.includes(name))
    .map((name) => unknownField(name, names));
  for (const { name, usual } of api.inputs)
    if (!Object.hasOwn(args, name) && usual === undefined)
      errors.push({ field: name, code: 'missing', message: `${name} is missing` });
  const read = readScalarInputs(
    api,
    api.inputs.map(({ name }) => args[name] ?? null),
  );
  if ('faults' in read) {
    for (const { input, code } of read.faults) {
      errors.push({ field: input.name, code, message: `${input.name} must be ${wantedOf(input)}` });
    }
  }
  if (errors.length > 0 || 'faults' in read) throw invalidFields(errors);
  return read.inputs;
}

function wantedOf({ type, values, most }: Api['inputs'][number]): string {
  if (values) return `one of ${values.join(', ')}`;
  if (type === 'string') return 'a text';
  return most === undefined ? 'a number' : `a number of at most ${most}`;
}

function unknownPlace({ place, reason }: NoPlace): HttpProblem {
  const shown = place.slice(0, 80);
  const message =
    reason === 'no_place'
      ? `no place is called ${shown}`
      : `several places are called ${shown}; say "name, province" or "name, country"`;
  return new HttpProblem('UNKNOWN_PLACE', message, { errors: [{ field: 'place', code: reason, message }] });
}

function findApi(wanted: string): Api {
  const found = SCALARS_BY_NAME.get(wanted);
  if (found) return found;
  throw unknownName('UNKNOWN_ENDPOINT', {
    missing: 'There is no API',
    name: wanted,
    known: SCALARS_BY_NAME.keys(),
    field: 'api',
    error: 'unknown_endpoint',
  });
}

/** The places that a domain's tables mention, read on first use. */
export const placesOf = cached(
  (domain: ServedDomain) =>
    new Gazetteer(readPlaces(domain.connection(), placeSources(domain.service.catalog))),
);

export function scalarsOpenapi({ split, db, title }: Pick<Service, 'split' | 'db' | 'title'>) {
  const root = `${domainPath(split, db)}/scalars`;
  const info = {
    title: `${title}: scalar APIs`,
    summary: 'Values and lists of texts, numbers and places',
    description: `Each API answers one value, or a list of values or rows. Places are those that the tables of ${title} tell of.`,
  };
  return domainDocument({ split, db, data_licence: 'Apache-2.0' }, info, {
    paths: Object.fromEntries(
      SCALAR_APIS.flatMap((api) => [
        [`${root}/${api.name}`, { get: getOf(api), post: postOf(api) }],
        [`${root}/${api.name}/batch`, { post: batchOf(api) }],
      ]),
    ),
    components: { schemas: { Problem: schemaOf(problem) } },
  });
}

export function inputSchema({ inputs }: Api) {
  return closedObject(
    Object.fromEntries(inputs.map((input) => [input.name, inputSchemaOf(input)])),
    inputs.filter(({ usual }) => usual === undefined).map(({ name }) => name),
  );
}

function inputSchemaOf({ type, description, values, usual, most }: Api['inputs'][number]): JsonSchema {
  return {
    type,
    description,
    ...(values ? { enum: values } : {}),
    ...(usual === undefined ? {} : { default: usual }),
    ...(most === undefined ? {} : { maximum: Number(most) }),
  };
}

/** The value is null if an input is null, or if a known place lacks this attribute. */
function answerOf(api: Api): JsonSchema {
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(api.inputs.map(({ name }) => [name, { type: ['string', 'number', 'null'] }])),
      ...(PLACE_NAMES.has(api.name) ? { [AMBIGUOUS_PLACE]: CHOSEN } : {}),
      [answerName(api)]: isList(api) ? listSchema(api) : { type: [api.output.type, 'null'] },
    },
    required: [answerName(api)],
  };
}

export function listSchema(api: ListApi): JsonSchema {
  const columns = Object.fromEntries(api.columns.map(({ name, type }) => [name, { type }]));
  const [only, ...more] = Object.values(columns);
  return { type: ['array', 'null'], items: more.length === 0 && only ? only : closedObject(columns) };
}

const PLACE_NAMES = new Set(PLACE_APIS.map(({ name }) => name));
const CHOSEN: JsonSchema = {
  type: 'boolean',
  description: 'Whether several places of the world have that name, and the largest is meant; else left out.',
};

function responses(schema: JsonSchema) {
  return {
    200: { description: 'The value or list.', content: json(schema) },
    default: problemAnswer('There is no answer.'),
  };
}

function getOf(api: Api) {
  return {
    operationId: `get_${api.name}`,
    summary: api.description,
    parameters: api.inputs.map((input) => {
      const { description, ...schema } = inputSchemaOf(input);
      return { name: input.name, in: 'query', required: input.usual === undefined, description, schema };
    }),
    responses: responses(answerOf(api)),
  };
}

function postOf(api: Api) {
  return {
    operationId: `post_${api.name}`,
    summary: api.description,
    requestBody: { required: true, content: json(inputSchema(api)) },
    responses: responses(answerOf(api)),
  };
}

function batchOf(api: Api) {
  const list = (items: JsonSchema) => ({ type: 'array', items });
  return {
    operationId: `batch_${api.name}`,
    summary: `${api.description} For a list of inputs, in its order.`,
    requestBody: { required: true, content: json(list(inputSchema(api))) },
    responses: responses(list(answerOf(api))),
  };
}
