import { type ListFormat, problem, type ServedTools } from '../../../contracts/api.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import { licenceObject } from '../../../contracts/openapi.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import { pathParameters } from '../../../contracts/paths.ts';
import { answerFormat } from '../../../contracts/prediction.ts';
import { readRecordTool } from '../../../contracts/records.ts';
import { ASK_USER } from '../../../contracts/scripted-user.ts';
import { EXECUTE, HTTP_REQUEST, REQUESTS_GET, SEARCH_DOCS } from '../../../contracts/sdk.ts';
import { toolAnswer } from '../../../contracts/tools.ts';
import { CALL_TOOL, SEARCH_TOOLS } from '../../../contracts/toolset-options.ts';
import { freeName, summaryOf } from '../../../contracts/wording.ts';
import { getOrInsert } from '../../base/concurrency.ts';
import {
  CONTACT,
  json,
  problemAnswer,
  SECURITY,
  SECURITY_SCHEMES,
  schemaOf,
} from '../../base/http/api-document.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations.ts';
import {
  anthropicStrictTools,
  anthropicTools,
  geminiTools,
  mcpTools,
  openaiTools,
} from '../../domain/tools/provider-formats.ts';
import type { JsonSchema, ObjectSchema, ToolSpec } from '../../domain/tools/tool-spec.ts';
import { documentsAnswer } from '../search/document-index.ts';
import { searchAnswer } from '../search/search-specs.ts';
import type { ToolList } from './tool-list.ts';

export type ToolFormat = Exclude<ListFormat, 'openapi'>;

/** The reader of a list: a run's `agent`, who must not learn how the list was made; `anybody`; or the `harness`. */
export type Reader = 'agent' | 'anybody' | 'harness';

/** A tool list as a response body; `base` is the address that its tools are called under. */
export function emitList(list: ToolList, format: ListFormat, base: string, reader: Reader) {
  return format === 'openapi' ? openapiOfList(list, base) : emitTools(list, format, base, reader);
}

export function emitTools(list: ToolList, format: ToolFormat, base: string, reader: Reader): ServedTools {
  const { service, formulation, task } = list.source;
  const shown = reader === 'harness' ? { ...service, sampleId: task?.sample_id } : list.origin;
  const tools = FORMATS[format](list);
  return {
    ...(shown.sampleId === undefined ? {} : { sample_id: shown.sampleId }),
    split: shown.split,
    db: shown.db,
    formulation,
    size: list.tools.length,
    ...(list.options.via === 'list' ? {} : { searchable: list.offered.length }),
    tokens: Math.ceil(
      JSON.stringify(tools.map(shownAtFirst).filter((shown) => shown !== null)).length / CHARACTERS_A_TOKEN,
    ),
    ...(reader === 'agent' ? {} : { toolset_size: list.toolsetSize, options: list.options }),
    ...(reader === 'harness' && !list.hasRealNames ? { real_names: [...list.realNames] } : {}),
    ...(task === undefined ? {} : { answer_format: answerFormat(formulation) }),
    checksum: list.checksum,
    call: `${base}/call/{name}`,
    mcp: `${base}/mcp`,
    tools,
  };
}

/** Roughly what models' tokenizers make of JSON. */
const CHARACTERS_A_TOKEN = 4;

const FORMATS: Readonly<Record<ToolFormat, (list: ToolList) => ServedTools['tools']>> = {
  plain: ({ tools }) => [...tools],
  openai: ({ tools }) => openaiTools(tools),
  'openai-responses': ({ tools }) =>
    openaiTools(tools).map(({ type, function: rest }) => ({ type, ...rest })),
  'openai-responses-search': (list) => openaiSearch(list),
  anthropic: ({ tools }) => anthropicTools(tools),
  'anthropic-strict': ({ tools }) => anthropicStrictTools(tools),
  gemini: ({ tools }) => geminiTools(tools),
  'anthropic-search': (list) => anthropicSearch(list),
  mcp: (list) => mcpTools(list.tools, (name) => shownAnswerSchema(list, name)),
};

/** Anthropic's server-side tool search: every tool is deferred, and the server loads those that its search finds. */
export function anthropicSearch({ offered }: ToolList) {
  return [
    { type: 'tool_search_tool_bm25_20251119' as const, name: 'tool_search_tool_bm25' as const },
    ...anthropicTools(offered).map((tool) => ({ ...tool, defer_loading: true as const })),
  ];
}

/** OpenAI's tool search: every tool is deferred, in namespaces that a model sees as a name and a description. */
export function openaiSearch(list: ToolList) {
  return [
    { type: 'tool_search' as const },
    ...namespacesOf(list).map(({ name, description, tools }) => ({
      type: 'namespace' as const,
      name,
      description,
      tools: openaiTools(tools).map(({ type, function: rest }) => ({
        type,
        ...rest,
        defer_loading: true as const,
      })),
    })),
  ];
}

interface Namespace {
  readonly name: string;
  readonly description: string;
  readonly tools: ToolSpec[];
}

function namespacesOf(list: ToolList): readonly Namespace[] {
  const { formulation } = list.source;
  const { obfuscate, descriptions } = list.options;
  const groups = new Map<string, Namespace>();
  const names = new Set<string>();
  for (const tool of list.offered) {
    const { service, name } = list.placed(tool.name);
    const subject = SERVED_FORMULATIONS[formulation].subjectOf(service, name);
    const key = JSON.stringify([service.db, subject]);
    const group = getOrInsert(groups, key, () => {
      const title = list.titleOf(service);
      const about = subject === null ? `the tables of ${title}` : `${subject}, of ${title}`;
      const wanted = obfuscate ? 'group' : (subject ?? formulation);
      return {
        name: freeName(wanted.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60), names),
        description: descriptions === 'drop' ? 'Tools.' : `Tools about ${about}.`,
        tools: [],
      };
    });
    group.tools.push(tool);
  }
  return [...groups.values()];
}

/** The part of a tool, in any format, that a model reads before searching. */
export function shownAtFirst(tool: object): unknown {
  if ('defer_loading' in tool) return null;
  if ('type' in tool && tool.type === 'namespace') return { ...tool, tools: [] };
  return tool;
}

/**
 * A tool list as an OpenAPI 3.1 document whose server is the list's own address. GET tools that are not obfuscated
 * keep their paths; everything else is a POST of the arguments to `/call/<name>`.
 */
export function openapiOfList(list: ToolList, base: string) {
  const { service, formulation } = list.source;
  const { title, summary, calls } = FORMULATIONS[formulation];
  const paths = list.tools.map((tool): [string, object] =>
    list.options.via === 'list' && !list.isBeside(tool.name)
      ? pathOfTool(list, tool)
      : [`/call/${tool.name}`, { post: callOperation(tool, shownAnswerSchema(list, tool.name), title) }],
  );
  return {
    openapi: '3.1.0',
    info: {
      title: `${list.origin.title}: ${list.tools.length} ${title} tools`,
      version: packageVersion,
      description: [
        'The tools that an agent is offered, at the address of their list.',
        list.source.task && answerFormat(formulation),
      ]
        .filter(Boolean)
        .join('\n'),
      contact: CONTACT,
      license: licenceObject(service.data_licence),
    },
    'x-tools-checksum': list.checksum,
    servers: [{ url: base }],
    security: SECURITY,
    tags: [{ name: title, description: summary }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: {
        ...(calls === 'chain' ? { ToolAnswer: schemaOf(toolAnswer) } : {}),
        Problem: schemaOf(problem),
      },
      responses: { Problem: problemAnswer('What is wrong with the call.') },
    },
  };
}

/** The path of an offered tool in the OpenAPI document of its list, with its operation. */
export function pathOfTool(list: ToolList, tool: ToolSpec): [path: string, item: object] {
  const { title, calls, routeOf } = FORMULATIONS[list.source.formulation];
  const placed = list.placed(tool.name);
  const { method, path } = routeOf(placed.service, placed.name);
  const answer =
    calls === 'chain' ? { $ref: '#/components/schemas/ToolAnswer' } : list.answerSchema(tool.name);
  return method === 'GET' && !list.options.obfuscate
    ? [list.shownPath(placed.service, path), { get: getOperation(tool, pathParameters(path), answer, title) }]
    : [`/call/${tool.name}`, { post: callOperation(tool, answer, title, successStatus(list, placed.name)) }];
}

function successStatus({ source }: ToolList, name: string): string {
  return source.formulation === 'records' && readRecordTool(name)?.verb === 'create' ? '201' : '200';
}

function getOperation(tool: ToolSpec, inPath: readonly string[], answer: JsonSchema, tag: string) {
  return {
    ...described(tool, tag),
    parameters: Object.entries(tool.parameters.properties).map(([name, { description, ...schema }]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: tool.parameters.required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    })),
    responses: responses(answer),
  };
}

function callOperation(tool: ToolSpec, answer: JsonSchema, tag: string, status = '200') {
  return {
    ...described(tool, tag),
    requestBody: { required: true, content: json(tool.parameters) },
    responses: responses(answer, status),
  };
}

function described({ name, description }: ToolSpec, tag: string) {
  return {
    operationId: name,
    tags: [tag],
    summary: summaryOf(description) || name.replaceAll('_', ' '),
    ...(description === '' ? {} : { description }),
  };
}

function responses(answer: JsonSchema, status = '200') {
  return {
    [status]: { description: 'The answer.', content: json(answer) },
    '400': { $ref: '#/components/responses/Problem' },
    default: { $ref: '#/components/responses/Problem' },
  };
}

const found: JsonSchema = schemaOf(searchAnswer);

const foundSections = schemaOf(documentsAnswer) as ObjectSchema;

const USER_REPLY: ObjectSchema = {
  type: 'object',
  properties: { reply: { type: 'string' } },
  required: ['reply'],
};

/** The answer schema of a listed tool: an offered one, or one of the two in their place. */
export function shownAnswerSchema(list: ToolList, shownName: string): ObjectSchema {
  if (list.isBeside(shownName)) return shownName === ASK_USER ? USER_REPLY : foundSections;
  if (list.options.via === 'list') return list.answerSchema(shownName);
  if (shownName === SEARCH_TOOLS) return found as ObjectSchema;
  // What these answer depends on the tool, the program or the address.
  if ([CALL_TOOL, SEARCH_DOCS, EXECUTE, HTTP_REQUEST, REQUESTS_GET].includes(shownName))
    return { type: 'object', properties: {}, required: [] };
  return list.answerSchema(shownName);
}
