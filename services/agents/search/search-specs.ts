import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { EXECUTE, HTTP_REQUEST, REQUESTS_GET, SEARCH_DOCS } from '../../../contracts/sdk.ts';
import {
  CALL_TOOL,
  type ListOptions,
  SEARCH_DOCUMENTS,
  SEARCH_TOOLS,
  type WrappedCall,
  wrappedCall,
} from '../../../contracts/toolset-options.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { problemAnswer } from '../../domain/domain-calls.ts';
import { closedObject, type ObjectSchema, type ToolSpec } from '../../domain/tools/tool-spec.ts';

const MOST_RESULTS = 20;
const USUAL_RESULTS = 5;

export const searchArguments = z.strictObject({
  query: z.string().min(1).max(2000),
  limit: z.int().min(1).max(MOST_RESULTS).default(USUAL_RESULTS),
});
export const docsArguments = searchArguments.extend({ query: z.string().max(2000).default('') });

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
const named = z.record(z.string(), z.unknown());
export const httpArguments = z.strictObject({
  method: z.preprocess((text) => String(text).toUpperCase(), z.enum(METHODS)).default('GET'),
  url: z.string().min(1).max(10_000),
  params: named.nullish(),
  headers: named.nullish(),
  body: z.union([named, z.string()]).nullish(),
});
export const requestsArguments = httpArguments
  .omit({ method: true, body: true })
  .extend({ timeout: z.unknown().optional() });
export const executeArguments = z.strictObject({ code: z.string().min(1).max(100_000) });

/** The two tools that replace a toolset of any size; null for the list itself. */
export function replacingSpecs(via: ListOptions['via'], toolsetSize: number): readonly ToolSpec[] | null {
  if (via === 'list') return null;
  return via === 'search' ? searchSpecs(toolsetSize) : [docsSpec(via, toolsetSize), DOING[via]];
}

/** Whether a list with these options has a tool of that name that searches; it calls no service. */
export function isSearchTool(name: string, { via, documents }: Pick<ListOptions, 'via' | 'documents'>) {
  if (name === SEARCH_DOCUMENTS) return documents === true;
  return via !== 'list' && name === (via === 'search' ? SEARCH_TOOLS : SEARCH_DOCS);
}

type DocsVia = Exclude<ListOptions['via'], 'list' | 'search'>;

function docsSpec(via: DocsVia, toolsetSize: number): ToolSpec {
  const [what, several, form] =
    via === 'code'
      ? ['function', 'functions', 'TypeScript declarations']
      : ['address', 'addresses', 'an OpenAPI document'];
  return {
    name: SEARCH_DOCS,
    description:
      `Shows the ${several} of ${toolsetSize} that fit some words, the best match first, as ${form}. ` +
      `Without words: one line for each ${what}.`,
    parameters: searchParameters(
      `what is wanted, in plain words: the question itself, or what a ${what} should do; empty for the index`,
      'how many to show',
    ),
  };
}

export function searchParameters(wanted: string, count: string): ObjectSchema {
  const limit = {
    type: 'integer',
    description: `${count} at most, from 1 to ${MOST_RESULTS}`,
    minimum: 1,
    maximum: MOST_RESULTS,
    default: USUAL_RESULTS,
  };
  return closedObject({ query: { type: 'string', description: wanted }, limit }, ['query']);
}

const URL_ARGUMENTS: ObjectSchema['properties'] = {
  url: {
    type: 'string',
    description: `the path that ${SEARCH_DOCS} shows, with its path parameters filled in; it may have a query string`,
  },
  params: {
    type: 'object',
    description: 'query parameters by name; a list is repeated',
    additionalProperties: true,
  },
  headers: { type: 'object', description: 'header fields', additionalProperties: { type: 'string' } },
};

const DOING: Readonly<Record<DocsVia, ToolSpec>> = {
  code: {
    name: EXECUTE,
    description:
      `Runs a program in JavaScript or TypeScript. It is the body of an async function: await the functions that ${SEARCH_DOCS} ` +
      'shows, which are global, and return the answer. Answers what it returned as `result` and what it wrote with console.log ' +
      'as `logs`, or an `error`. There are no modules, files, timers or network, and nothing is kept for the next program.',
    parameters: closedObject({ code: { type: 'string', description: 'the program' } }, ['code']),
  },
  http: {
    name: HTTP_REQUEST,
    description: `Sends an HTTP request to an address that ${SEARCH_DOCS} shows. Answers its \`status\`, \`headers\` and \`body\`.`,
    parameters: closedObject(
      {
        method: { type: 'string', enum: [...METHODS], description: 'GET unless the document says otherwise' },
        ...URL_ARGUMENTS,
        body: { type: 'object', description: 'the JSON body of a POST or PATCH', additionalProperties: true },
      },
      ['method', 'url'],
    ),
  },
  requests: {
    name: REQUESTS_GET,
    description: `Sends a GET request to the specified URL, as requests.get of Python does. ${SEARCH_DOCS} shows the URLs. Answers the \`status\`, \`headers\` and \`body\`.`,
    parameters: closedObject(
      { ...URL_ARGUMENTS, timeout: { type: 'number', description: 'how many seconds to wait' } },
      ['url'],
    ),
  },
};

function searchSpecs(toolsetSize: number): readonly ToolSpec[] {
  return [
    {
      name: SEARCH_TOOLS,
      description:
        `Finds tools among ${toolsetSize}, the best match first, with their descriptions and parameters. Search again in ` +
        'other words when none of them fits.',
      parameters: searchParameters(
        'what is wanted, in plain words: the question itself, or what a tool should do',
        'how many tools to show',
      ),
    },
    {
      name: CALL_TOOL,
      description: `Calls a tool that ${SEARCH_TOOLS} has found and answers what it answers.`,
      parameters: closedObject(
        {
          name: { type: 'string', description: `the tool's name, as ${SEARCH_TOOLS} shows it` },
          arguments: {
            type: 'object',
            description: "the tool's arguments, by the names of its parameters",
            additionalProperties: true,
          },
        },
        ['name', 'arguments'],
      ),
    },
  ];
}

export const searchAnswer = z.object({
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  ),
});

export function foundTools(args: unknown, search: (query: string, limit: number) => readonly ToolSpec[]) {
  const read = searchArguments.safeParse(numbersAsNumbers(args));
  if (!read.success) return problemAnswer(invalidArguments(read.error).toProblem());
  const found = search(read.data.query, read.data.limit);
  const tools = found.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ tools }) };
}

/** Converts `limit` to a plain number where the parser kept its digits. */
export function numbersAsNumbers(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || !('limit' in args)) return args;
  const { limit } = args;
  return isLosslessNumber(limit) ? { ...args, limit: Number(limit.value) } : args;
}

export function requireWrappedCall(args: unknown): WrappedCall {
  const read = wrappedCall.safeParse(args);
  if (read.success) return read.data;
  throw invalidArguments(read.error);
}

export function invalidArguments({ issues }: z.ZodError): HttpProblem {
  const errors = issues.map(({ path, message }) => ({
    field: path.join('.') || 'body',
    code: 'invalid',
    message,
  }));
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new HttpProblem('INVALID_PARAMETERS', detail, { errors });
}
