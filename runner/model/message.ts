import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';

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
