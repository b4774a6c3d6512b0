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

const LANGUAGES = ['javascript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Prompt settings of an agent, besides its budget and the list of tools. */
export const agentSettings = z.strictObject({
  /** Whether the model gets the question's evidence. */
  evidence: z.boolean().default(false),
  /** Whether the model gets the glossary of the task's domain. */
  glossary: z.boolean().default(false),
  /** The format of tools in a prompt. */
  tool_style: z.enum(['authors', 'openai', 'openapi']).default('authors'),
  /** `direct`: whether tools are in the prompt, or in the request's own field. */
  tools_in: z.enum(['prompt', 'field']).default('prompt'),
  /** `direct`: `nested` asks for one expression instead of a list of calls. */
  reply: z.enum(['calls', 'nested']).default('calls'),
  /** Maximum characters of a result shown to the model. */
  max_tool_output: z.number().int().min(200).default(16_000),
  /** `tools`, `react`: characters of other records of the domain that each answer gets beside its own, as in BFCL's long context. */
  pad_answers: z.number().int().min(1).max(1_000_000).optional(),
  /** How to handle a call whose arguments are not a JSON object: report it to the model, or end the attempt. */
  on_bad_arguments: z.enum(['observe', 'fail']).default('observe'),
  /** SLOT and SEL: preview rows of a result. */
  preview: z.number().int().min(0).max(100).optional(),
  /** The system message of `tools`, `mcp` and `structured`, instead of the built-in one. */
  system: z.string().optional(),
  /** `nl2sql`, `sql-react`: the description of the database. */
  schema: z.enum(['ddl', 'ddl+descriptions']).default('ddl+descriptions'),
  /** `nl2sql`, `sql-react`: sample rows shown of each table. */
  sample_rows: z.number().int().min(0).max(20).default(0),
  /** `imperative`: the language of programs. */
  language: z.enum(LANGUAGES).default('javascript'),
  /** Worked examples in a prompt; drawn by the experiment's seed. */
  shots: z.number().int().min(0).max(10).optional(),
});
export type AgentSettings = z.infer<typeof agentSettings>;

/** Replaces every known `{NAME}` in one pass: inserted text is not scanned again. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
}

/** A part of a prompt, in order. */
export interface Section {
  readonly role: 'system' | 'tools' | 'user';
  readonly text: string;
  /** Whether to omit it if tools are in the request's own field. */
  readonly onlyWithToolsInPrompt: boolean;
}

/** A model family's markers of roles in raw text. */
export interface Wrapper {
  readonly begin: string;
  /** Prefix and suffix of each role's parts. */
  readonly roles: Readonly<Record<string, readonly [string, string]>>;
  readonly replyBegins: string;
}

export interface PromptTemplate {
  readonly family: string;
  readonly sections: readonly Section[];
  /** null: there is no raw form. */
  readonly wrapper: Wrapper | null;
  readonly stop: readonly string[];
  /** The format that the model is asked to reply in. */
  readonly reply: ReplyFormat;
}

/** Prompt templates for each model family. */
export interface PromptPack {
  readonly name: string;
  /** sha256 of all source files. */
  readonly hash: string;
  readonly decoding: Decoding;
  shots(formulation: Formulation): number;
  /** Throws PROMPTS_INVALID if there is no template for a model. */
  template(formulation: Formulation, modelId: string): PromptTemplate;
}

const templateFile = z.strictObject({ file: z.string(), reply: z.enum(REPLY_FORMATS) });

/** `pack.yaml` in a folder of prompts. */
export const packFile = z.strictObject({
  name: z.string(),
  description: z.string(),
  decoding: decoding.default({}),
  shots: z.strictObject({ sequencing: z.number().int(), router: z.number().int() }),
  families: z.record(
    z.string(),
    z.strictObject({
      /** Substrings of a model's name that select the family; '' matches every model. */
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

/** A filled template: as the family's raw text, or as chat messages. */
export function renderPrompt(template: PromptTemplate, options: RenderOptions): ModelRequest['prompt'] {
  const merged = merge(
    template.sections.filter((section) => options.toolsIn === 'prompt' || !section.onlyWithToolsInPrompt),
  ).map(({ role, text }) => ({ role, text: fill(text, options.values) }));
  if (options.transport === 'chat') return { messages: toMessages(merged) };
  const { wrapper } = template;
  if (wrapper === null) return { text: merged.map(({ text }) => text).join('\n\n') };
  const parts = merged.map(({ role, text }) => {
    const [before, after] = wrapper.roles[role] ?? ['', '\n'];
    return `${before}${text}${after}`;
  });
  return { text: `${wrapper.begin}${parts.join('')}${wrapper.replyBegins}` };
}

type Part = Pick<Section, 'role' | 'text'>;

/** Joins parts of one section, which are split where a condition begins. */
function merge(sections: readonly Section[]): Part[] {
  const merged: { role: Section['role']; text: string }[] = [];
  for (const [i, { role, text }] of sections.entries()) {
    const last = merged.at(-1);
    const continues = sections[i - 1]?.onlyWithToolsInPrompt || sections[i]?.onlyWithToolsInPrompt;
    if (last !== undefined && last.role === role && continues) last.text += text;
    else merged.push({ role, text });
  }
  return merged;
}

/** Chats have no role for tools, and some servers accept only one system message, at the beginning. */
function toMessages(parts: readonly Part[]): Message[] {
  const system = parts.filter(({ role }) => role !== 'user').map(({ text }) => text);
  const user = parts.filter(({ role }) => role === 'user').map(({ text }) => text);
  return [
    ...(system.length > 0 ? [{ role: 'system' as const, text: system.join('\n\n') }] : []),
    { role: 'user', text: user.join('\n\n') },
  ];
}
