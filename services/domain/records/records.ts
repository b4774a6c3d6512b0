import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../../../contracts/api.ts';
import type { Catalog, CatalogColumn } from '../../../contracts/catalog.ts';
import { PAGE_ROWS } from '../../../contracts/hybrid.ts';
import {
  records as contract,
  LONGEST_IDEMPOTENCY_KEY,
  RECORD_KEY,
  RECORD_OPERATORS,
  type RecordVerb,
  readRecordTool,
} from '../../../contracts/records.ts';
import type { Service } from '../../../contracts/service.ts';
import { article, capital } from '../../../contracts/wording.ts';
import { cached } from '../../base/concurrency.ts';
import { domainDocument, errorCodes, json, problemAnswers, schemaOf } from '../../base/http/api-document.ts';
import { callerOfRequest, methodOf } from '../../base/http/caller.ts';
import { exactValue } from '../../base/http/json.ts';
import { requireMethod } from '../../base/http/problem.ts';
import type { ApiColumn } from '../hybrid/table-call.ts';
import { rowOf } from '../hybrid/table-routes.ts';
import { restHandler } from '../rest/rest.ts';
import type { ToolContext } from '../tools/live-tools.ts';
import { describeColumn, repeats } from '../tools/plan.ts';
import {
  answerOf,
  type CallResult,
  closedObject,
  domainToolset,
  type JsonSchema,
  MOST_CHARACTERS,
  type ObjectSchema,
  queryParameters,
  READING,
  ROWS,
  type ServedCall,
  type ServedFormulation,
  type ToolSpec,
} from '../tools/tool-spec.ts';
import { servedPolicies } from './policies.ts';
import { answerRecordCall } from './record-call.ts';
import { findRecordApi, type RecordApi, recordApis } from './resources.ts';

/** The records of each table: read by anybody, changed within a run. */
export const records: ServedFormulation = {
  routes: recordRoutes,
  answer: (context, call, asker) =>
    answerRecordCall(context, { ...call, arguments: exactValue(call.arguments ?? {}) }, asker),
  tools: (service) => recordTools(service),
  toolset: (service) => domainToolset(service, 'records', recordTools(service).length),
  answerSchema: answerSchemaOf,
  subjectOf: ({ catalog }, tool) =>
    recordApis({ catalog }).find(({ name }) => name === readRecordTool(tool)?.resource)?.table.name ?? null,
  openapi: recordsOpenapi,
  readCall(_service, { method, path, query, readBody }) {
    const [kind, resource, key] = path;
    if (kind !== 'records' || resource === undefined || path.length > 3) return null;
    return readRecordCall({ method, resource, key, query, readBody });
  },
};

interface RecordAddress {
  readonly method: string;
  readonly resource: string;
  readonly key: string | undefined;
  readonly query: URLSearchParams;
  readonly readBody: () => unknown;
}

/** The call that a request to the address of a table or a record makes. Throws METHOD_NOT_ALLOWED. */
function readRecordCall({ method, resource, key, query, readBody }: RecordAddress): ServedCall {
  const call = (verb: RecordVerb, allowed: ServedCall['method'], args: () => unknown): ServedCall => ({
    method: allowed,
    name: `${verb}_${resource}`,
    arguments: args,
    view: '',
  });
  requireMethod(method, ...(key === undefined ? ['GET', 'POST'] : ['GET', 'PATCH', 'DELETE']));
  if (key === undefined) {
    if (method === 'POST') return call('create', 'POST', readBody);
    return call('list', 'GET', () => textArguments(query));
  }
  // The key in the address counts, whatever the body holds under that name.
  const withBody = () => ({ ...(readBody() as object), [RECORD_KEY]: key });
  if (method === 'PATCH') return call('update', 'PATCH', withBody);
  const alone = () => ({ ...textArguments(query), [RECORD_KEY]: key });
  return method === 'DELETE' ? call('delete', 'DELETE', alone) : call('get', 'GET', alone);
}

/** Texts; what a column holds is known where the call is carried out. */
function textArguments(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

/** `/v1/:split/:db/records/:table` and `…/:table/:key`, outside any run: everything but reading is refused. */
function recordRoutes(app: FastifyInstance, context: ToolContext): void {
  const rest = restHandler(context);
  const config = { kind: 'records' };
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const domain = context.domains.of(request);
    const { table, key } = request.params as { readonly table: string; readonly key?: string };
    const method = methodOf(request);
    const isRecord = recordApis(domain.service).some(({ name }) => name === table);
    // An endpoint may have its values below the plural of what it is about, which may be "records".
    if (!isRecord && method === 'GET' && key !== undefined) return rest(request, reply);
    findRecordApi(domain.service, table);
    const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '');
    const readBody = () => request.body ?? {};
    const call = readRecordCall({ method, resource: table, key, query, readBody });
    const made = { domain, name: call.name ?? '', arguments: call.arguments(), mayWrite: false };
    return sendResult(reply, await answerRecordCall(context, made, callerOfRequest(request, reply)));
  };
  app.get('/v1/:split/:db/records/:table', { config }, answer);
  app.get('/v1/:split/:db/records/:table/:key', { config }, answer);
  app.post('/v1/:split/:db/records/:table', { config }, answer);
  app.patch('/v1/:split/:db/records/:table/:key', { config }, answer);
  app.delete('/v1/:split/:db/records/:table/:key', { config }, answer);
}

export function sendResult(reply: FastifyReply, { status, headers = {}, body }: CallResult): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-cache', ...headers, 'content-type': 'application/json; charset=utf-8' })
    .send(body);
}

const toolsOfCatalog = cached((catalog: Catalog) => recordApis({ catalog }).flatMap(toolsOf));

export function recordTools({ catalog }: Pick<Service, 'catalog'>): readonly ToolSpec[] {
  return toolsOfCatalog(catalog);
}

function toolsOf(api: RecordApi): ToolSpec[] {
  const { name } = api;
  const [one, many] = nounsOf(api);
  const about = aboutTable(api);
  const key = { [RECORD_KEY]: keySchema(api) };
  const written = api.columns.filter(({ column }) => !column.generated);
  const columns = Object.fromEntries(written.map((column) => [column.name, columnSchema(column)]));
  const tool = (
    verb: RecordVerb,
    text: string,
    properties: ObjectSchema['properties'],
    required: readonly string[],
  ): ToolSpec => ({
    name: `${verb}_${name}`,
    description: `${text}${about}`.slice(0, MOST_CHARACTERS),
    parameters: closedObject(properties, required),
    annotations: HINTS[verb],
  });
  return [
    tool(
      'list',
      `Lists the ${many} that match all given parameters, one page at a time.`,
      listSchemas(api),
      [],
    ),
    tool(
      'create',
      `Creates ${article(one)} and returns the record as stored.`,
      columns,
      // Defaults are unknown to the catalog, so only parts of long keys are required.
      api.columns
        .filter((column) => api.key.length > 1 && api.key.includes(column))
        .map((column) => column.name),
    ),
    tool('get', `Returns one ${one}.`, key, [RECORD_KEY]),
    tool(
      'update',
      `Changes the given columns of one ${one} and leaves the others as they are.`,
      { ...key, ...columns },
      [RECORD_KEY],
    ),
    tool('delete', `Deletes one ${one}.`, key, [RECORD_KEY]),
  ];
}

/** What people call a record, and several: courtroom, courtrooms. */
function nounsOf({ name, table: { words } }: RecordApi): readonly [one: string, many: string] {
  return [words?.one ?? `${name} record`, words?.many ?? `${name} records`];
}

/** A sentence about a table, or what a row is, unless its noun says as much. */
function aboutTable(api: RecordApi): string {
  const { name, table } = api;
  const known = ['one', ...nounsOf(api)].join(' ');
  const unlessKnown = (text: string | null | undefined) => (text && !repeats(text, known) ? text : null);
  const description = unlessKnown(table.description);
  if (description !== null) return ` Table ${name}: ${description.replace(/\.$/, '')}.`;
  const row = unlessKnown(table.words?.row);
  return row === null ? '' : ` A record is ${row}.`;
}

function operationSummary(api: RecordApi, verb: RecordVerb): string {
  const [one, many] = nounsOf(api);
  return `${capital(verb)} ${verb === 'list' ? many : article(one)}`;
}

/** What a call of each kind may do, as MCP names it. */
const HINTS = {
  list: READING,
  get: READING,
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const satisfies Record<RecordVerb, ToolSpec['annotations']>;

function keySchema({ key }: RecordApi): JsonSchema {
  const [only] = key;
  if (key.length === 1 && only)
    return {
      type: only.column.type,
      description: `The key of the record, its ${only.name}${describeMore(only.column)}.`,
    };
  const names = key.map(({ name }) => name).join(', ');
  return {
    type: 'string',
    description: `The key of the record: the values of ${names} joined by commas, with %2C for a comma within a value.`,
  };
}

function describeMore(column: CatalogColumn): string {
  const more = describeColumn(column);
  return more === null ? '' : `: ${more.replace(/\.$/, '')}`;
}

function columnSchema({ column }: ApiColumn): JsonSchema {
  const about = describeColumn(column);
  const { codes = {} } = column.words ?? {};
  const values = column.values?.every((value) => value in codes) ? [] : (column.values ?? []);
  const listed = values.length > 0 && values.length <= 12 ? `Existing values: ${values.join(', ')}.` : null;
  const description = [about, listed].filter(Boolean).join('. ');
  const type = column.not_null ? column.type : [column.type, 'null'];
  return { type, ...(description === '' ? {} : { description }) };
}

const COMPARED: Readonly<Record<(typeof RECORD_OPERATORS)[number], string>> = {
  ne: 'differs from this value',
  gt: 'is greater than this value',
  gte: 'is at least this value',
  lt: 'is less than this value',
  lte: 'is at most this value',
  like: 'matches this LIKE pattern (% and _)',
  in: 'is one of these values',
  null: 'is NULL (true) or is not NULL (false)',
};

function listSchemas(api: RecordApi): ObjectSchema['properties'] {
  const equal = api.columns.map(({ name, column }) => [
    name,
    { type: column.type, description: `Exact match on ${name}${describeMore(column)}.` },
  ]);
  const compared = api.columns.flatMap(({ name, column }) =>
    RECORD_OPERATORS.map((operator) => {
      const description = `Only records where ${name} ${COMPARED[operator]}.`;
      const type = operator === 'null' ? 'boolean' : operator === 'like' ? 'string' : column.type;
      const schema = operator === 'in' ? { type: 'array', items: { type } } : { type };
      return [`${name}__${operator}`, { ...schema, description }];
    }),
  );
  return {
    ...Object.fromEntries([...equal, ...compared]),
    sort: {
      type: 'string',
      description:
        'Columns to sort by, separated by commas. A minus sign before a column sorts it in descending order.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: PAGE_ROWS.most,
      description: `Maximum number of records per page; ${PAGE_ROWS.default} by default.`,
    },
    cursor: { type: 'string', description: 'The next_cursor of the previous page.' },
  };
}

const NEXT: ObjectSchema['properties'] = {
  next_cursor: {
    type: ['string', 'null'],
    description: 'The cursor of the next page; null on the last page.',
  },
};

function answerSchemaOf(service: Service, tool: string): ObjectSchema {
  const { verb = 'list', resource = tool } = readRecordTool(tool) ?? {};
  const api = findRecordApi(service, resource);
  if (verb === 'list') return answerOf({ ...ROWS, ...NEXT });
  if (verb === 'delete') return answerOf({ deleted: { type: 'boolean' } });
  return rowOf(api.columns);
}

const READ_CODES = errorCodes(
  'INVALID_PARAMETERS BAD_REQUEST UNKNOWN_TABLE UNKNOWN_RECORD UNKNOWN_DOMAIN QUERY_TIMEOUT',
  'OVERLOADED INTERNAL',
);
export const WRITE_CODES = [
  ...READ_CODES,
  ...errorCodes(
    'WRITES_NEED_RUN POLICY CONSTRAINT_CONFLICT CONSTRAINT_VIOLATED RECORD_CHANGED',
    'IDEMPOTENCY_KEY_REUSED TOO_MANY_CHANGES',
  ),
];

export function recordsOpenapi(service: Service) {
  const { title, catalog } = service;
  const apis = recordApis({ catalog });
  const info = {
    title: `${title}: ${contract.title}`,
    summary: contract.summary,
    description:
      'Anyone can read records. They can be changed only within a run, at addresses below its own, and each run sees only its own changes.',
  };
  const specs = new Map(recordTools(service).map((tool) => [tool.name, tool]));
  const paths = apis.map((api): [string, object][] => {
    const operation = (verb: RecordVerb) =>
      operationOf(specs.get(`${verb}_${api.name}`) as ToolSpec, api, verb);
    const at = (verb: RecordVerb) => contract.routeOf({ ...service }, `${verb}_${api.name}`).path;
    return [
      [at('list'), { get: operation('list'), post: operation('create') }],
      [at('get'), { get: operation('get'), patch: operation('update'), delete: operation('delete') }],
    ];
  });
  return domainDocument(service, info, {
    ...(catalog.policies ? { 'x-policies': servedPolicies(catalog) } : {}),
    tags: apis.map(({ name, table, key }) => ({
      name,
      description: table.description ?? `Records of ${name}`,
      'x-key': key.map((column) => column.name),
    })),
    paths: Object.fromEntries(paths.flat()),
    components: {
      schemas: {
        ...Object.fromEntries(apis.map((api) => [`${api.name}_record`, rowOf(api.columns)])),
        Problem: schemaOf(problem),
      },
    },
  });
}

function operationOf({ name, description, parameters }: ToolSpec, api: RecordApi, verb: RecordVerb) {
  const row = { $ref: `#/components/schemas/${api.name}_record` };
  const { [RECORD_KEY]: _key, ...own } = parameters.properties;
  const patch = closedObject(own, []);
  const content =
    verb === 'update'
      ? { ...json(patch), 'application/merge-patch+json': { schema: patch } }
      : json(parameters);
  const headers = {
    ETag: { description: 'Identifies this version of the record.', schema: { type: 'string' } },
  };
  const location = { description: 'The address of the record.', schema: { type: 'string' } };
  const stored = { description: 'The record as stored.', headers, content: json(row) };
  const page = answerOf({ ...ROWS, ...NEXT, data: { type: 'array', items: row } });
  const success: Readonly<Record<RecordVerb, object>> = {
    list: { 200: { description: 'A page of records.', content: json(page) } },
    get: { 200: { description: 'The record.', headers, content: json(row) } },
    create: { 201: { ...stored, headers: { ...headers, Location: location } } },
    update: { 200: stored },
    delete: { 204: { description: 'The record was deleted.' } },
  };
  const { description: about, ...schema } = keySchema(api);
  const key = { name: RECORD_KEY, in: 'path', required: true, description: about, schema };
  const sent = [
    ...(verb === 'list' || verb === 'create' ? [] : [key]),
    ...(verb === 'list' ? queryParameters(parameters.properties, nameInQuery) : []),
    ...(verb === 'create' || verb === 'update' || verb === 'delete' ? [IDEMPOTENCY_KEY] : []),
    ...(verb === 'update' || verb === 'delete' ? [IF_MATCH] : []),
  ];
  return {
    operationId: name,
    summary: operationSummary(api, verb),
    description,
    tags: [api.name],
    ...(sent.length > 0 ? { parameters: sent } : {}),
    ...(verb === 'create' || verb === 'update' ? { requestBody: { required: true, content } } : {}),
    responses: {
      ...success[verb],
      ...problemAnswers(verb === 'list' || verb === 'get' ? READ_CODES : WRITE_CODES),
    },
  };
}

/** `age__gte` is `age.gte` in a query string. */
function nameInQuery(name: string): string {
  return name.replace(/__([a-z]+)$/, (suffix, operator) =>
    RECORD_OPERATORS.some((each) => each === operator) ? `.${operator}` : suffix,
  );
}

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A request that is repeated with the same key is carried out only once, and gets the first answer again.',
  schema: { type: 'string', maxLength: LONGEST_IDEMPOTENCY_KEY },
} as const;
const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that the record must still have for the request to be carried out.',
  schema: { type: 'string' },
} as const;
