import type { HttpErrorCode } from '../../../contracts/errors.ts';
import { parameterText } from '../../../contracts/exact-json.ts';
import { actions as contract, isWriteTool } from '../../../contracts/records.ts';
import type { Action, Service } from '../../../contracts/service.ts';
import { namesOf } from '../../../contracts/wording.ts';
import { mapValues } from '../../base/arguments.ts';
import { domainDocument, json, problemAnswers } from '../../base/http/api-document.ts';
import { callerOfRequest } from '../../base/http/caller.ts';
import { exactValue, objectOf } from '../../base/http/json.ts';
import { invalidField, unknownTool } from '../../base/http/problem.ts';
import { bindParameters, spellOutLists } from '../rest/parameters.ts';
import {
  answerOf,
  type CallResult,
  closedObject,
  domainToolset,
  type JsonSchema,
  MOST_CHARACTERS,
  type ObjectSchema,
  type PlacedCall,
  postedCall,
  type ServedFormulation,
  type ToolSpec,
} from '../tools/tool-spec.ts';
import { servedPolicies } from './policies.ts';
import { change, requireWritable, writesNeedRun } from './record-call.ts';
import { IDEMPOTENCY_KEY, records, recordsOpenapi, sendResult, WRITE_CODES } from './records.ts';
import { type RecordApi, recordApis } from './resources.ts';

/** Operations on all records that meet conditions, within a run; records are read as in `records`. */
export const actions: ServedFormulation = {
  routes(app, context) {
    app.post('/v1/:split/:db/actions/:action', { config: { kind: 'actions' } }, (request, reply) => {
      const domain = context.domains.of(request);
      const { action: name } = request.params as { readonly action: string };
      const made = { domain, name, arguments: exactValue(request.body ?? {}), mayWrite: false };
      callerOfRequest(request, reply);
      return sendResult(reply, answerAction(made));
    });
  },
  answer(context, call, asker) {
    if (!isWriteTool(call.name)) return records.answer(context, call, asker);
    return Promise.resolve(answerAction({ ...call, arguments: exactValue(call.arguments ?? {}) }));
  },
  tools: (service) => [
    ...(service.actions ?? []).map(toolOf),
    ...records.tools(service, []).filter(({ name }) => !isWriteTool(name)),
  ],
  toolset: (service) => domainToolset(service, 'actions', actions.tools(service, []).length),
  answerSchema: (service, tool) =>
    isWriteTool(tool) ? answerOf({ changed: CHANGED }) : records.answerSchema(service, tool),
  subjectOf: (service, tool) =>
    service.actions?.find(({ name }) => name === tool)?.table ?? records.subjectOf(service, tool),
  openapi: actionsOpenapi,
  readCall(service, address) {
    if (address.path[0] === 'actions') return postedCall('actions', address);
    const call = records.readCall(service, address);
    return call?.method === 'GET' ? call : null;
  },
};

const CHANGED: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'The number of records that met the conditions, and were changed or deleted.',
};

/** Throws UNKNOWN_TOOL, INVALID_PARAMETERS, BAD_REQUEST, and what changes of records throw. */
function answerAction({
  domain,
  name,
  arguments: given,
  mayWrite,
  policies,
}: Pick<PlacedCall, 'domain' | 'name' | 'arguments' | 'mayWrite' | 'policies'>): CallResult {
  const { actions: known = [] } = domain.service;
  const action = known.find((each) => each.name === name);
  if (!action) throw unknownTool(name, namesOf(known));
  if (!mayWrite) throw writesNeedRun();
  const bound = bindParameters(action.parameters, textsOf(objectOf(given ?? {}, 'the parameters')));
  const { sql, parameters } = spellOutLists(action.sql, bound);
  const api = recordApis(domain.service).find(({ table }) => table.name === action.table) as RecordApi;
  const place = { domain, api, policies };
  requireWritable(place);
  const values = action.parameters.flatMap(({ name: parameter, column }) =>
    column ? [[column.column, bound.values[parameter] ?? null] as const] : [],
  );
  const { result, step } = change(place, new Map(values), (db) =>
    db.prepareAdHoc(`${sql} RETURNING 1`).allFirst(parameters),
  );
  return { status: 200, body: JSON.stringify({ changed: result.length }), step };
}

/** As the texts of a query string, which are what REST reads. */
function textsOf(given: Readonly<Record<string, unknown>>): Record<string, string | string[]> {
  const textOf = (name: string, value: unknown) => {
    if (typeof value !== 'object') return parameterText(value);
    throw invalidField(name, 'wrong_type', `${name} must be one value`);
  };
  return mapValues(given, (value, name) =>
    Array.isArray(value) ? value.map((each) => textOf(name, each)) : textOf(name, value),
  );
}

function toolOf({ name, description, idempotent, parameters }: Action): ToolSpec {
  return {
    name,
    description: description.slice(0, MOST_CHARACTERS),
    parameters: parametersOf({ parameters }),
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  };
}

function parametersOf({ parameters }: Pick<Action, 'parameters'>): ObjectSchema {
  return closedObject(
    Object.fromEntries(
      parameters.map(({ name, type, array, description }) => [
        name,
        array ? { type: 'array', items: { type }, minItems: 1, description } : { type, description },
      ]),
    ),
  );
}

const CODES: readonly HttpErrorCode[] = [
  ...WRITE_CODES.filter((code) => !/^(UNKNOWN_(TABLE|RECORD)|RECORD_CHANGED)$/.test(code)),
  'UNKNOWN_TOOL',
];

function actionsOpenapi(service: Service) {
  const { title, catalog, actions: own = [] } = service;
  const info = {
    title: `${title}: ${contract.title}`,
    summary: contract.summary,
    description:
      'Each operation changes or deletes all records that meet its conditions. They can be called only within a run, at addresses below its own, and each run sees only its own changes.',
  };
  const { tags, paths, components } = recordsOpenapi(service);
  const reads = Object.entries(paths as Readonly<Record<string, { readonly get: object }>>).map(
    ([path, { get }]) => [path, { get }] as const,
  );
  const done = { description: 'It is done.', content: json(answerOf({ changed: CHANGED })) };
  const apis = recordApis(service);
  const operations = own.map((action) => [
    contract.routeOf(service, action.name).path,
    {
      post: {
        operationId: action.name,
        summary: action.summary,
        description: action.description,
        tags: [apis.find(({ table }) => table.name === action.table)?.name ?? action.table],
        parameters: [IDEMPOTENCY_KEY],
        requestBody: { required: true, content: json(parametersOf(action)) },
        responses: { 200: done, ...problemAnswers(CODES) },
      },
    },
  ]);
  return domainDocument(service, info, {
    ...(catalog.policies ? { 'x-policies': servedPolicies(catalog) } : {}),
    tags,
    paths: Object.fromEntries([...operations, ...reads]),
    components,
  });
}
