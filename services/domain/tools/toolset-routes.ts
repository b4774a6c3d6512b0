import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { problem } from '../../../contracts/api.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import type { Service } from '../../../contracts/service.ts';
import { toolRoot } from '../../../contracts/tool-chain.ts';
import { operand, toolAnswer } from '../../../contracts/tools.ts';
import { didYouMean, freeName, nearestNames, summaryOf } from '../../../contracts/wording.ts';
import { fieldError, mapValues } from '../../base/arguments.ts';
import { domainDocument, errorCodes, json, problemAnswers, schemaOf } from '../../base/http/api-document.ts';
import { etagOf, sendTagged } from '../../base/http/json.ts';
import { invalidField, problemOfArguments } from '../../base/http/problem.ts';
import type { ServedDomain } from '../runtime.ts';
import { DEFAULT_VALUES, MAX_PREVIEW_ROWS } from './answer-plan.ts';
import type { ToolContext } from './live-tools.ts';
import {
  anthropicStrictTools,
  anthropicTools,
  geminiTools,
  mcpTools,
  openaiTools,
} from './provider-formats.ts';
import { type JsonSchema, mapSchema, type ObjectSchema, type ToolSpec } from './tool-spec.ts';
import type { ToolFormulation } from './toolboxes.ts';
import { offeredColumns, simplify, TOOL_ANSWER_SCHEMA, toolsetFor } from './toolset-for.ts';

type Emit = (tools: readonly ToolSpec[], domain: ServedDomain, formulation: ToolFormulation) => unknown;

const FORMATS: Readonly<Record<string, Emit>> = {
  openapi: (tools, { service }, formulation) => openapiOfTools(service, formulation, tools),
  openai: openaiTools,
  anthropic: anthropicTools,
  'anthropic-strict': anthropicStrictTools,
  gemini: geminiTools,
  mcp: (tools) => ({ tools: mcpTools(tools, () => TOOL_ANSWER_SCHEMA) }),
};

const QUERY_NAMES = ['start_table', 'format'];

/**
 * `GET
 * /v1/:split/:db/<formulation>/toolset?start_table=<handle>,…&format=openapi|openai|anthropic|anthropic-strict|gemini|mcp`:
 * the tools of a task with these start tables. `…/start_tables`: the farm's start tables with their columns.
 */
export function toolsetRoutes(app: FastifyInstance, context: ToolContext, formulation: ToolFormulation) {
  const serve = (name: string, emit: (domain: ServedDomain, query: Query) => Promise<unknown>) =>
    app.get(
      `/v1/:split/:db/${formulation}/${name}`,
      { config: { kind: 'toolset' } },
      async (request, reply) => {
        const domain = context.domains.of(request);
        const etag = etagOf(domain.version, request.url);
        const key = `toolset ${request.url}`;
        const body =
          context.cache.get(key)?.body ?? JSON.stringify(await emit(domain, request.query as Query));
        context.cache.set(key, { body, etag });
        return sendTagged(request, reply, etag, () => body);
      },
    );
  serve('toolset', (domain, query) => emitToolset(domain, formulation, query, context));
  serve('start_tables', async (domain) => describeStartTables(domain));
}

type Query = Readonly<Record<string, string | readonly string[]>>;

async function emitToolset(
  domain: ServedDomain,
  formulation: ToolFormulation,
  query: Query,
  context: ToolContext,
): Promise<unknown> {
  const unknown = Object.keys(query).find((name) => !QUERY_NAMES.includes(name));
  if (unknown !== undefined)
    throw invalid(unknown, 'unknown_parameter', QUERY_NAMES, `there is no parameter ${unknown.slice(0, 64)}`);
  const format = [query.format ?? 'openapi'].flat()[0] as string;
  const names = Object.keys(FORMATS);
  if (!names.includes(format))
    throw invalid('format', 'not_one_of', names, `format must be one of ${names.join(', ')}`, format);
  const handles = [query.start_table ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
  const startTables = await Promise.all(handles.map((handle) => findStartTable(handle, domain, context)));
  return (FORMATS[format] as Emit)(toolsetFor(domain.service, formulation, startTables), domain, formulation);
}

/** Finds a start table among the farm's toolsets, or one made on this server. */
async function findStartTable(handle: string, domain: ServedDomain, { tools }: ToolContext) {
  const plan = await tools.find(domain, handle);
  if (plan?.op === 'start') return { ...plan.definition, handle };
  const suggestions = nearestNames(
    handle,
    domain.service.start_tables.map((table) => table.handle),
  );
  const message = `there is no start table ${handle.slice(0, 80)} here${didYouMean(suggestions)}`;
  throw problemOfArguments(fieldError('start_table', 'unknown_handle', message, suggestions));
}

function describeStartTables({ service }: ServedDomain): unknown {
  return {
    start_tables: service.start_tables.map((table) => ({
      ...table,
      columns: offeredColumns([table], service.catalog),
    })),
  };
}

function invalid(field: string, code: string, names: readonly string[], text: string, given = field) {
  const suggestions = nearestNames(given, names);
  const message = `${text}${didYouMean(suggestions)}`;
  return invalidField(field.slice(0, 64), code, message, suggestions);
}

/** Schemas shared by the tools of a document, by component name. */
export interface SharedSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly requestBodies: Readonly<Record<string, RequestBody>>;
  /** A tool's request body, or a reference to it. */
  bodyOf(tool: ToolSpec): RequestBody | { readonly $ref: string };
}

interface RequestBody {
  readonly required: true;
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}

/** The approximate length of a reference; shorter schemas stay inline. */
const LEAST_CHARACTERS = 60;

/**
 * Finds schemas that several tools share: whole bodies (those of all getters are equal), then arguments, then the
 * schema of a single value, which some tools repeat twenty times.
 */
export function shareSchemas(tools: readonly ToolSpec[], operand: JsonSchema): SharedSchemas {
  const bodies = new Components<ObjectSchema>();
  // Some client generators put all components into one namespace, so names of bodies and schemas must differ.
  for (const { parameters } of tools)
    bodies.count(parameters, [...Object.keys(parameters.properties), 'body'].join(' '));
  const distinct = bodies.distinct();
  const args = new Components<JsonSchema>();
  for (const { properties } of distinct) {
    for (const [name, schema] of Object.entries(properties)) args.count(schema, name);
  }
  const argument = (schema: JsonSchema): JsonSchema => {
    const name = args.nameOf(schema);
    return name === undefined ? withOperands(schema, operand) : { $ref: `#/components/schemas/${name}` };
  };
  const body = (schema: ObjectSchema): RequestBody => ({
    required: true,
    content: json({ ...schema, properties: mapValues(schema.properties, argument) }),
  });
  return {
    schemas: { Operand: operand, ...args.named((schema) => withOperands(schema, operand)) },
    requestBodies: bodies.named(body),
    bodyOf({ parameters }) {
      const name = bodies.nameOf(parameters);
      return name === undefined ? body(parameters) : { $ref: `#/components/requestBodies/${name}` };
    },
  };
}

/** Schemas by their text. Those that occur several times get a name. */
class Components<Schema extends JsonSchema> {
  readonly #found = new Map<string, { readonly schema: Schema; readonly words: string; times: number }>();
  #names: ReadonlyMap<string, string> | undefined;

  /** `words` are the basis of the schema's name. */
  count(schema: Schema, words: string): void {
    const text = JSON.stringify(schema);
    const known = this.#found.get(text);
    if (known) known.times++;
    else this.#found.set(text, { schema, words, times: 1 });
  }

  distinct(): Schema[] {
    return [...this.#found.values()].map(({ schema }) => schema);
  }

  nameOf(schema: Schema): string | undefined {
    this.#names ??= this.#makeNames();
    return this.#names.get(JSON.stringify(schema));
  }

  named<Shared>(share: (schema: Schema) => Shared): Record<string, Shared> {
    return Object.fromEntries(
      this.distinct().flatMap((schema) => {
        const name = this.nameOf(schema);
        return name === undefined ? [] : [[name, share(schema)]];
      }),
    );
  }

  #makeNames(): Map<string, string> {
    const names = new Map<string, string>();
    const taken = new Set(['Operand', 'ToolAnswer', 'Problem']);
    for (const [text, { words, times }] of this.#found) {
      if (times === 1 || text.length < LEAST_CHARACTERS) continue;
      names.set(text, freeName(pascalCase(words), taken, ''));
    }
    return names;
  }
}

/** `data_source key_name` → `DataSourceKeyName` */
function pascalCase(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The schema with a reference in place of every single-value schema. */
function withOperands(schema: JsonSchema, operand: JsonSchema): JsonSchema {
  const wanted = JSON.stringify(operand.anyOf);
  const most = operand.anyOf?.length ?? 0;
  const reference = { $ref: '#/components/schemas/Operand' };
  return mapSchema(schema, ({ anyOf, ...rest }) => {
    if (!anyOf) return rest;
    if (JSON.stringify(anyOf.slice(0, most)) !== wanted) return { ...rest, anyOf };
    return anyOf.length === most
      ? { ...rest, ...reference }
      : { ...rest, anyOf: [reference, ...anyOf.slice(most)] };
  });
}

const CODES = errorCodes(
  'INVALID_PARAMETERS BAD_REQUEST UNKNOWN_HANDLE UNKNOWN_TOOL REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE QUERY_FAILED QUERY_TOO_COMPLEX ANSWER_TOO_LARGE OVERLOADED QUERY_TIMEOUT',
  'INTERNAL',
);

/** Tools of a domain as an OpenAPI 3.1 document: one POST per tool, with the tool's name as operationId. */
export function openapiOfTools(
  service: Pick<Service, 'split' | 'db' | 'title' | 'data_licence'>,
  formulation: ToolFormulation,
  tools: readonly ToolSpec[],
) {
  const shared = shareSchemas(tools, OPERAND);
  const { title: style, summary } = FORMULATIONS[formulation];
  const info = {
    title: `${service.title}: ${style} tools`,
    summary: `Operations on the tables of ${service.title}`,
    description:
      'Each tool returns a handle, which later calls give as their data source or, written `$handle$`, as a ' +
      'value. The same call always returns the same handle.',
  };
  return domainDocument(service, info, {
    tags: [{ name: style, description: summary }],
    paths: Object.fromEntries(
      tools.map((tool) => [
        `${toolRoot(service, formulation)}/${tool.name}`,
        { post: operation(tool, shared.bodyOf(tool), style) },
      ]),
    ),
    components: {
      parameters: PARAMETERS,
      schemas: {
        ...shared.schemas,
        ToolAnswer: boundlessSchema(toolAnswer),
        Problem: boundlessSchema(problem),
      },
      ...(Object.keys(shared.requestBodies).length > 0 ? { requestBodies: shared.requestBodies } : {}),
      responses: RESPONSES,
    },
  });
}

function operation({ name, description }: ToolSpec, body: object, tag: string) {
  return {
    operationId: name,
    summary: summaryOf(description),
    description,
    tags: [tag],
    parameters: Object.keys(PARAMETERS).map((each) => ({ $ref: `#/components/parameters/${each}` })),
    requestBody: body,
    responses: RESPONSE_REFERENCES,
  };
}

const PARAMETERS = {
  preview: parameter('preview', 'how many rows of a table to show; with 0 they are not counted either', {
    minimum: 0,
    maximum: MAX_PREVIEW_ROWS,
    default: 3,
  }),
  offset: parameter('offset', 'how many values of a column to skip', { minimum: 0, default: 0 }),
  limit: parameter('limit', 'the maximum number of values of a column to show', {
    minimum: 1,
    default: DEFAULT_VALUES,
  }),
};

function parameter(name: string, description: string, bounds: Readonly<Record<string, number>>) {
  return { name, in: 'query', required: false, description, schema: { type: 'integer', ...bounds } };
}

const { 400: BadRequest, default: Problem } = problemAnswers(CODES, 'The call has no result.');
const RESPONSES = {
  Made: {
    description: 'The result of the call.',
    content: json({ $ref: '#/components/schemas/ToolAnswer' }),
  },
  BadRequest,
  Problem,
};

const RESPONSE_REFERENCES = {
  '200': { $ref: '#/components/responses/Made' },
  '400': { $ref: '#/components/responses/BadRequest' },
  default: { $ref: '#/components/responses/Problem' },
};

const OPERAND = simplify(boundlessSchema(operand));

/** An input schema without JavaScript's number bounds. */
function boundlessSchema(schema: z.ZodType): JsonSchema {
  return mapSchema(schemaOf(schema), ({ minimum, maximum, ...rest }) => ({
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  }));
}
