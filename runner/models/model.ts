import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';
import { z } from 'zod';
import type { TaskPart } from '../../contracts/prediction.ts';
import type { Call } from '../../contracts/sample.ts';

/** Sampling parameters. Absent fields are left to the provider. */
export const decoding = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(1).optional(),
  max_tokens: z.number().int().positive().optional(),
  seed: z.number().int().optional(),
  stop: z.array(z.string().min(1)).max(16).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  /** Whether one turn may contain several calls. */
  parallel_tool_calls: z.boolean().optional(),
  /** `schema`, `grammar`: the provider holds a reply to the calls of the tools, by a JSON Schema or a grammar. */
  response_format: z.enum(['text', 'json', 'schema', 'grammar']).optional(),
});
export type Decoding = z.infer<typeof decoding>;

/** What a provider can hold a reply to. */
export type Constraint = 'schema' | 'grammar';

/** What replies are to be held to, so that they are calls of the tools. */
export function constraintOf({ response_format: format }: Decoding): Constraint | undefined {
  return format === 'schema' || format === 'grammar' ? format : undefined;
}

/** Opaque data that a provider expects back with the next request: reasoning signatures, ids. */
export type ProviderMetadata = SharedV3ProviderMetadata;

/** A part of a model's message. `arguments` is the text as written, possibly invalid JSON. */
export type AssistantPart =
  | { readonly kind: 'text'; readonly text: string; readonly metadata?: ProviderMetadata }
  | { readonly kind: 'reasoning'; readonly text: string; readonly metadata?: ProviderMetadata }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
      readonly metadata?: ProviderMetadata;
    };

/** The result of a call, as sent to the model. */
export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly failed: boolean;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

/**
 * The format in which an agent parses a reply. Not sent to providers; scripted models write in this format.
 *
 * - `tools`: native calls until the reply is text. `native_calls`: one reply of native calls.
 * - `structured`: one JSON object with calls, by the schema in the request. `calls_object`: the same with calls alone.
 * - `json_list` … `nested`: one text reply with the whole sequence, in a model family's format.
 * - `react`: one turn of thought, action and input; `sql_react`: the same with SQL as input. `sql`: one
 * SELECT. `virtual_sql`: one with scalar APIs as tables. `program`, `python_program`: one program.
 */
export const REPLY_FORMATS = [
  'tools',
  'native_calls',
  'structured',
  'calls_object',
  'json_list',
  'json_list_without_labels',
  'tool_call_elements',
  'marked_json_list',
  'python_calls',
  'fenced_json',
  'xml_verbose',
  'xml_concise',
  'tagged_json_list',
  'nested',
  'react',
  'sql_react',
  'sql',
  'virtual_sql',
  'program',
  'python_program',
] as const;
export type ReplyFormat = (typeof REPLY_FORMATS)[number];

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** JSON Schema of the response, if a prompt includes it. */
  readonly output?: Readonly<Record<string, unknown>>;
}

/** The attempt that a request belongs to. Not sent to providers; scripted models depend on it. */
export interface RequestOrigin {
  readonly sampleId: string;
  readonly epoch: number;
  /** Number of earlier completions in this attempt. */
  readonly turn: number;
  readonly format: ReplyFormat;
  /** The expected result of the reply; empty if nothing can be called. */
  readonly due: readonly TaskPart[];
  /** Translates a farm's call to the offered tools. */
  readonly offeredCall: (call: NamedCall) => NamedCall;
}

type NamedCall = Pick<Call, 'name' | 'arguments' | 'path'>;

/** One request for a completion: a conversation, or a text to continue verbatim. */
export interface ModelRequest {
  readonly prompt: { readonly messages: readonly Message[] } | { readonly text: string };
  readonly tools: readonly ModelTool[];
  /** JSON Schema of the reply, if it has to be JSON; providers without support rely on the prompt. */
  readonly replySchema?: Readonly<Record<string, unknown>>;
  readonly decoding: Decoding;
  readonly origin: RequestOrigin;
}

/** Token usage of one completion; null if the provider does not report it. */
export interface Usage {
  /** The whole prompt, cached tokens included. */
  readonly input: number | null;
  /** The whole output, reasoning included. */
  readonly output: number | null;
  readonly cached_input: number | null;
  readonly cache_write: number | null;
  readonly reasoning: number | null;
}

/** Why a model stopped. `refused`: the model declined; `content_filter`: its provider blocked the reply. */
export type StopReason = 'stop' | 'length' | 'calls' | 'refused' | 'content_filter' | 'other';

export interface Completion {
  readonly parts: readonly AssistantPart[];
  readonly stop: StopReason;
  readonly usage: Usage;
  /** As reported by the provider; null if it is not. */
  readonly model: string | null;
  readonly fingerprint: string | null;
  /** Parameters that the provider ignored, such as an unsupported temperature. */
  readonly warnings: readonly string[];
  /** How long the provider asks to wait since its quota is exhausted, in milliseconds. */
  readonly holdMs?: number;
}

/**
 * A model at some provider. `complete` makes one request without retries, which are the caller's business. It
 * throws only ModelError, except when `signal` is aborted.
 */
export interface Model {
  /** `<provider>/<name>` */
  readonly id: string;
  /** `completions`: takes a text; `chat`: takes messages. */
  readonly transport: 'chat' | 'completions';
  readonly constraints: readonly Constraint[];
  complete(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
}

export const NO_USAGE: Usage = {
  input: null,
  output: null,
  cached_input: null,
  cache_write: null,
  reasoning: null,
};

/** The text of a completion without its reasoning. */
export function textOf({ parts }: Pick<Completion, 'parts'>): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

export function callsOf({ parts }: Pick<Completion, 'parts'>): Extract<AssistantPart, { kind: 'call' }>[] {
  return parts.filter((part) => part.kind === 'call');
}

/** A tool parameter, as used by agents without a model. */
export interface ToolParameter {
  readonly name: string;
  /** The first type that the schema allows. */
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  /** The allowed values, if the schema lists them. */
  readonly values: readonly unknown[];
}

type Schema = Readonly<Record<string, unknown>>;

/** The parameters of a tool in the schema's order. */
export function parametersOf({ parameters }: Pick<ModelTool, 'parameters'>): ToolParameter[] {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  return Object.entries(asSchema(parameters.properties)).map(([name, schema]) => {
    const inner = asSchema(schema);
    const alternatives = Array.isArray(inner.anyOf) ? inner.anyOf.map(asSchema) : [];
    const all = [inner, ...alternatives];
    const { enum: listed = [] } = all.find((each) => Array.isArray(each.enum)) ?? {};
    return {
      name,
      type: all.map(typeOf).find((type) => type !== null) ?? 'string',
      description: typeof inner.description === 'string' ? inner.description : '',
      required: required.includes(name),
      values: Array.isArray(listed) ? listed : [],
    };
  });
}

function typeOf({ type }: Schema): string | null {
  if (typeof type === 'string') return type;
  return Array.isArray(type) && typeof type[0] === 'string' ? type[0] : null;
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
