import type { TaskPart } from '../../contracts/composed-task.ts';
import type { Call } from '../../contracts/sample.ts';
import type { Decoding } from './decoding.ts';
import type { AssistantPart, Message } from './message.ts';
import type { ReplyFormat } from './reply-format.ts';

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
