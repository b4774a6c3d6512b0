import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { ReplyFormat } from '../model/reply-format.ts';
import type { PromptPack, PromptTemplate } from './prompt-pack.ts';

const authorsFile = z.object({
  sequencing: z.record(z.string(), z.string()),
  router: z.record(z.string(), z.string()),
});

/**
 * The `prompts.json` of Live API-Bench's authors, as it is: two groups of raw templates by model, `sequencing` for SLOT
 * and SEL, `router` for REST. Throws PROMPTS_INVALID.
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

/** A template without a place for the question is what the system says; tools follow it, and the question is the user's. */
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

/** The key that has the most words of the model's name in it. */
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
