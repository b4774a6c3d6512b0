import { z } from 'zod';
import type { Formulation } from '../../contracts/sample.ts';
import {
  type Decoding,
  decoding,
  type Message,
  type ModelRequest,
  REPLY_FORMATS,
  type ReplyFormat,
} from '../models/model.ts';

/** What can be varied about how an agent asks, beside its budget and the list of tools. */
export const agentSettings = z.strictObject({
  /** Whether the model is told the question's evidence. */
  evidence: z.boolean().default(false),
  /** How tools are written into a prompt. */
  tool_style: z.enum(['authors', 'openai', 'openapi']).default('authors'),
  /** `direct`: whether tools stand in the prompt, or in the request's own field. */
  tools_in: z.enum(['prompt', 'field']).default('prompt'),
  /** `direct`: `nested` asks for one expression in place of a list of calls. */
  reply: z.enum(['calls', 'nested']).default('calls'),
  /** Characters of an answer that a model is shown. */
  max_tool_output: z.number().int().min(200).default(16_000),
  /** What becomes of a call whose arguments are no JSON object: told to the model, or the end of the attempt. */
  on_bad_arguments: z.enum(['observe', 'fail']).default('observe'),
  /** SLOT and SEL: rows that an answer previews. */
  preview: z.number().int().min(0).max(100).optional(),
  /** The system message of `tools`, `mcp` and `structured`, in place of the built-in one. */
  system: z.string().optional(),
  /** `nl2sql`, `sql-react`: what the model is told of the database. */
  schema: z.enum(['ddl', 'ddl+descriptions']).default('ddl+descriptions'),
  /** `nl2sql`, `sql-react`: rows of each table that are shown. */
  sample_rows: z.number().int().min(0).max(20).default(0),
  /** Worked examples in a prompt; drawn by the experiment's seed. */
  shots: z.number().int().min(0).max(10).optional(),
});
export type AgentSettings = z.infer<typeof agentSettings>;

/** A text with every `{NAME}` that is known replaced, in one pass: what is filled in is not looked at again. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
}

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

export interface RenderOptions {
  readonly values: Readonly<Record<string, string>>;
  readonly transport: 'chat' | 'completions';
  readonly toolsIn: 'prompt' | 'field';
}

/** A template filled in: as the family's raw text, or as messages of a chat. */
export function renderPrompt(template: PromptTemplate, options: RenderOptions): ModelRequest['prompt'] {
  const said = merge(
    template.sections.filter((section) => options.toolsIn === 'prompt' || !section.onlyWithToolsInPrompt),
  ).map(({ role, text }) => ({ role, text: fill(text, options.values) }));
  if (options.transport === 'chat') return { messages: toMessages(said) };
  const { wrapper } = template;
  if (wrapper === null) return { text: said.map(({ text }) => text).join('\n\n') };
  const parts = said.map(({ role, text }) => {
    const [before, after] = wrapper.roles[role] ?? ['', '\n'];
    return `${before}${text}${after}`;
  });
  return { text: `${wrapper.begin}${parts.join('')}${wrapper.replyBegins}` };
}

type Said = Pick<Section, 'role' | 'text'>;

/** Parts of one section were cut apart where a condition begins. */
function merge(sections: readonly Section[]): Said[] {
  const merged: { role: Section['role']; text: string }[] = [];
  for (const [i, { role, text }] of sections.entries()) {
    const last = merged.at(-1);
    const continues = sections[i - 1]?.onlyWithToolsInPrompt || sections[i]?.onlyWithToolsInPrompt;
    if (last !== undefined && last.role === role && continues) last.text += text;
    else merged.push({ role, text });
  }
  return merged;
}

/** A chat has no role for tools, and some servers take one system message only, at the beginning. */
function toMessages(said: readonly Said[]): Message[] {
  const system = said.filter(({ role }) => role !== 'user').map(({ text }) => text);
  const user = said.filter(({ role }) => role === 'user').map(({ text }) => text);
  return [
    ...(system.length > 0 ? [{ role: 'system' as const, text: system.join('\n\n') }] : []),
    { role: 'user', text: user.join('\n\n') },
  ];
}
