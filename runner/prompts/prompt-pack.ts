import { z } from 'zod';
import type { Formulation } from '../../contracts/sample.ts';
import { type Decoding, decoding } from '../model/decoding.ts';
import { REPLY_FORMATS, type ReplyFormat } from '../model/reply-format.ts';

/** A part of a prompt, in the order in which parts are said. */
export interface Section {
  readonly role: 'system' | 'tools' | 'user';
  readonly text: string;
  /** Left out when tools stand in the request's own field. */
  readonly onlyWithToolsInPrompt: boolean;
}

/** How a model family marks who speaks, in raw text. */
export interface Wrapper {
  readonly begin: string;
  /** What stands before and after a part of each role. */
  readonly roles: Readonly<Record<string, readonly [string, string]>>;
  readonly replyBegins: string;
}

/** A prompt with places to fill in. */
export interface PromptTemplate {
  readonly family: string;
  readonly sections: readonly Section[];
  /** null: there is no raw form. */
  readonly wrapper: Wrapper | null;
  readonly stop: readonly string[];
  /** How the model is asked to reply. */
  readonly reply: ReplyFormat;
}

/** Prompts for each family of models, and what goes with them. */
export interface PromptPack {
  readonly name: string;
  /** sha256 of all that it was read from. */
  readonly hash: string;
  readonly decoding: Decoding;
  /** Worked examples in a prompt unless told otherwise. */
  shots(formulation: Formulation): number;
  /** Throws PROMPTS_INVALID when there is no template for a model. */
  template(formulation: Formulation, modelId: string): PromptTemplate;
}

const templateFile = z.strictObject({ file: z.string(), reply: z.enum(REPLY_FORMATS) });

/** `pack.yaml` of a folder of prompts. */
export const packFile = z.strictObject({
  name: z.string(),
  description: z.string(),
  decoding: decoding.default({}),
  shots: z.strictObject({ sequencing: z.number().int(), router: z.number().int() }),
  families: z.record(
    z.string(),
    z.strictObject({
      /** Words in a model's name, any of which makes it one of the family; '' is every model. */
      models: z.array(z.string()),
      transport: z.enum(['chat', 'completions']),
      begin: z.string().default(''),
      roles: z.record(z.string(), z.tuple([z.string(), z.string()])).default({}),
      reply_begins: z.string().default(''),
      stop: z.array(z.string()).default([]),
      sequencing: templateFile,
      router: templateFile,
    }),
  ),
});
export type PackFile = z.infer<typeof packFile>;
