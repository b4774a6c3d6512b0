import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { faultIn } from '../../contracts/wording.ts';
import type { ReplyFormat } from '../models/model.ts';
import type { PromptPack, PromptTemplate } from './prompt-pack.ts';
import { readPack } from './read-pack.ts';

/**
 * Opens prompts by the value of `--prompts`: a bundled pack, a folder with a `pack.yaml`, or the authors'
 * `prompts.json`; a suffix `:<family>` chooses the model family. For `bfcl` the suffix is BFCL's format
 * string. Throws PROMPTS_INVALID.
 */
export function openPrompts(text: string): PromptPack {
  if (text === 'bfcl' || text.startsWith('bfcl:')) return bfclPack(text.slice('bfcl:'.length));
  if (existsSync(text)) return isFile(text) ? readAuthorsPrompts(text) : readPack(text);
  const at = text.lastIndexOf(':');
  if (at < 0) return readPack(text);
  const [place, family] = [text.slice(0, at), text.slice(at + 1)];
  return isFile(place) ? readAuthorsPrompts(place, family) : readPack(place, family);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

const authorsFile = z.object({
  sequencing: z.record(z.string(), z.string()),
  router: z.record(z.string(), z.string()),
});

/**
 * Reads the `prompts.json` of Live API-Bench's authors, unchanged: two groups of raw templates by model,
 * `sequencing` for SLOT and SEL, `router` for REST. Throws PROMPTS_INVALID.
 */
export function readAuthorsPrompts(file: string, family?: string): PromptPack {
  let text: string;
  let groups: z.infer<typeof authorsFile>;
  try {
    text = readFileSync(file, 'utf8');
    groups = authorsFile.parse(JSON.parse(text));
  } catch (cause) {
    const fix = 'give {"sequencing": {"<model>": "…"}, "router": {"<model>": "…"}}';
    throw new UserError('PROMPTS_INVALID', file, `holds no prompts; ${fix}`, { cause });
  }
  return {
    name: file,
    hash: createHash('sha256').update(text).digest('hex'),
    decoding: { temperature: 0, max_tokens: 1500, top_p: 1, seed: 123456 },
    shots: (formulation) => (FORMULATIONS[formulation].calls === 'single' ? 0 : 3),
    template(formulation, modelId) {
      const group = groups[FORMULATIONS[formulation].calls === 'single' ? 'router' : 'sequencing'];
      const key =
        family !== undefined && Object.hasOwn(group, family) ? family : nearest(Object.keys(group), modelId);
      const template = key === undefined ? undefined : group[key];
      if (key === undefined || template === undefined) {
        throw new UserError(
          'PROMPTS_INVALID',
          file,
          `no template is for ${family ?? modelId}; it has ${Object.keys(group).join(', ')}`,
        );
      }
      return toTemplate(key, template, FORMULATIONS[formulation].calls === 'single');
    },
  };
}

/** A template without a placeholder for the question becomes the system message, before tools and question. */
function toTemplate(family: string, text: string, isRest: boolean): PromptTemplate {
  const base = { family, wrapper: null, stop: [], reply: replyOf(family, isRest) };
  if (text.includes('{QUERY}')) {
    return { ...base, sections: [{ role: 'user', text, onlyWithToolsInPrompt: false }] };
  }
  return {
    ...base,
    sections: [
      { role: 'system', text, onlyWithToolsInPrompt: false },
      { role: 'system', text: '\n\nAvailable Tools:\n {FUNCTION_STR}', onlyWithToolsInPrompt: true },
      { role: 'user', text: '{QUERY}', onlyWithToolsInPrompt: false },
    ],
  };
}

function replyOf(family: string, isRest: boolean): ReplyFormat {
  if (/qwen/i.test(family)) return 'tool_call_elements';
  if (isRest && /llama|watt/i.test(family)) return 'python_calls';
  return isRest ? 'json_list_without_labels' : 'json_list';
}

/** The key that shares the most words with the model's name. */
function nearest(keys: readonly string[], modelId: string): string | undefined {
  const words = modelId
    .slice(modelId.indexOf('/') + 1)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const scored = keys.map((key) => ({
    key,
    score: words.filter((word) =>
      key
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '')
        .includes(word),
    ).length,
  }));
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best !== undefined && best.score > 0 ? best.key : undefined;
}

/** BFCL's format string, `ret_fmt=python&tool_call_tag=False&func_doc_fmt=json&prompt_fmt=plaintext&style=classic`. */
const format = z.strictObject({
  ret_fmt: z.enum(['python', 'json', 'verbose_xml', 'concise_xml']).default('python'),
  tool_call_tag: z.enum(['True', 'False']).default('False'),
  func_doc_fmt: z.enum(['json', 'python', 'xml']).default('json'),
  prompt_fmt: z.enum(['plaintext', 'markdown']).default('plaintext'),
  style: z.enum(['classic', 'experimental']).default('classic'),
});
type Format = z.infer<typeof format>;

/**
 * BFCL's prompts for models without native tool calls: a system message of five parts, selected by a format
 * string, and the question. Throws PROMPTS_INVALID for an invalid string.
 */
export function bfclPack(text = ''): PromptPack {
  const read = format.safeParse(Object.fromEntries(new URLSearchParams(text)));
  if (!read.success) {
    throw new UserError('PROMPTS_INVALID', `bfcl:${text}`, faultIn(read.error, 'the string'));
  }
  const chosen = read.data;
  const system = systemText(chosen);
  return {
    name: `bfcl:${new URLSearchParams(chosen)}`,
    hash: createHash('sha256').update(system).digest('hex'),
    decoding: { temperature: 0.001 },
    shots: () => 0,
    template: (): PromptTemplate => ({
      family: 'bfcl',
      sections: [
        { role: 'system', text: system, onlyWithToolsInPrompt: true },
        { role: 'user', text: '{QUERY}', onlyWithToolsInPrompt: false },
      ],
      wrapper: null,
      stop: [],
      reply: REPLIES[chosen.ret_fmt],
    }),
  };
}

const REPLIES: Readonly<Record<Format['ret_fmt'], ReplyFormat>> = {
  python: 'python_calls',
  json: 'fenced_json',
  verbose_xml: 'xml_verbose',
  concise_xml: 'xml_concise',
};

function systemText({ ret_fmt, tool_call_tag, func_doc_fmt, prompt_fmt, style }: Format): string {
  const say = STYLES[style];
  const call = tool_call_tag === 'True' ? `<TOOLCALL>${FORMS[ret_fmt]}</TOOLCALL>` : FORMS[ret_fmt];
  const parts: readonly (readonly [string, string])[] = [
    ['Who you are', say.persona],
    ['Task', say.task],
    ['Format of calls', `${say.format}\n${call}\n${say.only}`],
    ['Several turns', say.turns],
    ['Functions', `${say.tools}\n${DOCUMENTS[func_doc_fmt]}`],
  ];
  return prompt_fmt === 'markdown'
    ? parts.map(([title, body]) => `## ${title}\n\n${body}`).join('\n\n')
    : parts.map(([, body]) => body).join('\n');
}

const STYLES = {
  classic: {
    persona: 'You are an expert in composing functions.',
    task: 'You are given a question and a set of functions. Make one or more function calls, as the question needs. If none of the functions can be used, say so. If the question lacks a parameter that a function requires, say so too.',
    format: 'If you call functions, you must write the calls as',
    only: 'You must write nothing else.',
    turns:
      'At each turn, do as much as you can to finish the request within that turn. Go on calling functions until it is done as well as it can be.',
    tools: 'The functions that you can call:',
  },
  experimental: {
    persona: 'You call functions for a user who has a question.',
    task: 'Find out which functions answer the question, and with which arguments. Say so when no function fits, or when an argument is missing.',
    format: 'Calls have this form:',
    only: 'Write the calls and nothing around them.',
    turns: 'Finish what you can in one turn, and go on as long as there is something to call.',
    tools: 'These are the functions:',
  },
} as const;

const FORMS: Readonly<Record<Format['ret_fmt'], string>> = {
  python: '[function_1(argument_1=value_1, argument_2=value_2), function_2(argument_1=value_1)]',
  json: '```json\n[{"function": "function_1", "parameters": {"argument_1": "value_1"}}]\n```',
  verbose_xml:
    '<functions><function name="function_1"><params><param name="argument_1" value="value_1" type="string"/></params></function></functions>',
  concise_xml:
    '<functions><function name="function_1"><param name="argument_1" type="string">value_1</param></function></functions>',
};

const DOCUMENTS: Readonly<Record<Format['func_doc_fmt'], string>> = {
  json: '{FUNCTION_STR}',
  python: '{PYTHON_FUNCTIONS}',
  xml: '{XML_FUNCTIONS}',
};
