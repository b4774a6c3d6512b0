import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';
import { z } from 'zod';
import type { TaskPart } from '../../contracts/prediction.ts';
import type { Call } from '../../contracts/sample.ts';

/** How a model is to choose its words. A field that is not given is left to the provider. */
export const decoding = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(1).optional(),
  max_tokens: z.number().int().positive().optional(),
  seed: z.number().int().optional(),
  stop: z.array(z.string().min(1)).max(16).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  /** Whether one turn may hold several calls. */
  parallel_tool_calls: z.boolean().optional(),
  response_format: z.enum(['text', 'json']).optional(),
});
export type Decoding = z.infer<typeof decoding>;

/** Opaque data that a provider wants back with the next request: signatures of reasoning, ids. */
export type ProviderMetadata = SharedV3ProviderMetadata;

/** A piece of what a model said. `arguments` is the text as the model wrote it, valid JSON or not. */
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

/** What became of a call, as the model reads it. */
export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly failed: boolean;
}

/** One message of a conversation. */
export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

/**
 * How an agent will read a reply. Sent to no provider; scripted models write their lines by it.
 *
 * - `tools`: native calls until the answer is text. `native_calls`: one reply of native calls.
 * - `structured`: one JSON object with calls, by the schema that the request has.
 * - `json_list` … `nested`: one reply of text that holds the whole sequence, as model families write it.
 * - `react`: one turn of thought, action and input; `sql_react`: the same with SQL as input. `sql`: one SELECT.
 *   `virtual_sql`: one in which scalar APIs are tables. `program`: one program in JavaScript.
 */
export const REPLY_FORMATS = [
  'tools',
  'native_calls',
  'structured',
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
] as const;
export type ReplyFormat = (typeof REPLY_FORMATS)[number];

/** A tool as a model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** JSON Schema of what it answers, where a prompt tells it. */
  readonly output?: Readonly<Record<string, unknown>>;
}

/** Which attempt a request belongs to. Never sent to a provider; scripted models choose their lines by it. */
export interface RequestOrigin {
  readonly sampleId: string;
  readonly epoch: number;
  /** Completions asked for before in this attempt. */
  readonly turn: number;
  readonly format: ReplyFormat;
  /** What the reply should answer: none where nothing can be called. */
  readonly due: readonly TaskPart[];
  /** A call of the farm as the tools on offer have it, whatever they are called there. */
  readonly offeredCall: (call: NamedCall) => NamedCall;
}

type NamedCall = Pick<Call, 'name' | 'arguments'>;

/** One request for a completion: a conversation, or a text that is continued as it stands. */
export interface ModelRequest {
  readonly prompt: { readonly messages: readonly Message[] } | { readonly text: string };
  readonly tools: readonly ModelTool[];
  /** JSON Schema of the reply, where it is to be JSON; a provider that takes none is told by the prompt alone. */
  readonly replySchema?: Readonly<Record<string, unknown>>;
  readonly decoding: Decoding;
  readonly origin: RequestOrigin;
}

/** Tokens of one completion; null where the provider does not tell. */
export interface Usage {
  /** All of the prompt, cached ones included. */
  readonly input: number | null;
  /** All that was written, reasoning included. */
  readonly output: number | null;
  readonly cached_input: number | null;
  readonly cache_write: number | null;
  readonly reasoning: number | null;
}

/** Why a model stopped. `refused`: the model itself would not answer; `content_filter`: its provider would not let it. */
export type StopReason = 'stop' | 'length' | 'calls' | 'refused' | 'content_filter' | 'other';

export interface Completion {
  readonly parts: readonly AssistantPart[];
  readonly stop: StopReason;
  readonly usage: Usage;
  /** As the provider reports it; null when it does not. */
  readonly model: string | null;
  readonly fingerprint: string | null;
  /** What the provider left out of the request, such as a temperature that the model does not take. */
  readonly warnings: readonly string[];
  /** For how long the provider asks to be left alone, since nothing of its quota remains; in milliseconds. */
  readonly holdMs?: number;
}

/**
 * A model behind some provider. `complete` makes one request and never repeats it: what to do about a failure is for
 * the caller to decide. It throws ModelError and nothing else, except when `signal` is aborted.
 */
export interface Model {
  /** `<provider>/<name>` */
  readonly id: string;
  /** `completions`: takes a text; `chat`: takes messages. */
  readonly transport: 'chat' | 'completions';
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

/** The calls of a completion, in order. */
export function callsOf({ parts }: Pick<Completion, 'parts'>): Extract<AssistantPart, { kind: 'call' }>[] {
  return parts.filter((part) => part.kind === 'call');
}

/** A parameter of a tool, as far as agents without a model look at it. */
export interface ToolParameter {
  readonly name: string;
  /** The first of the types that the schema allows. */
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  /** What it may be, where the schema lists that. */
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
