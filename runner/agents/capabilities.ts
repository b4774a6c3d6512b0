import { z } from 'zod';
import { literalPattern } from '../../contracts/wording.ts';
import type { RunConfig } from '../files/run-config.ts';
import type { Agent, CallMode } from './agent.ts';

const capabilities = z.strictObject({
  native: z.boolean(),
  prompt: z.boolean(),
  /** Several native calls in one reply. */
  parallel: z.boolean(),
});
type Capabilities = z.infer<typeof capabilities>;

/** By `<provider>/<name>`, in which `*` is any text, in either case; later rows have precedence. */
export const capabilityTable = z.record(z.string(), capabilities.partial());
export type CapabilityTable = z.infer<typeof capabilityTable>;

/**
 * What models are known to lack. BFCL's list of models (at 6ea57973) asks these of vLLM by prompt only; vLLM's page on
 * tool calling says that Llama 3 makes no parallel calls; Ollama and OpenAI refuse tools for the others.
 */
const KNOWN: CapabilityTable = {
  'vllm/google/gemma-3-*': { native: false },
  'vllm/microsoft/phi-4': { native: false },
  'vllm/deepseek-ai/DeepSeek-R1': { native: false },
  'vllm/nvidia/nemotron-4-340b-instruct': { native: false },
  'vllm/speakleash/Bielik-11B-v2.3-Instruct': { native: false },
  'vllm/watt-ai/watt-tool-*': { native: false },
  'vllm/Team-ACE/ToolACE-2-8B': { native: false },
  'vllm/meta-llama/*Llama-3*': { parallel: false },
  'ollama/gemma3*': { native: false },
  'openai*/o1-mini*': { native: false },
  'openai*/o1-preview*': { native: false },
  'openai-completions/*': { native: false },
};

/** What a model can do by the table and `own`, which has precedence; what is not known is taken to be possible. */
function capabilitiesOf({ model, transport }: RunConfig, own: CapabilityTable): Capabilities {
  const rows = [...Object.entries(KNOWN), ...Object.entries(own)];
  const known = rows.filter(([pattern]) => matches(pattern, model ?? '')).map(([, row]) => row);
  const all: Capabilities = Object.assign({ native: true, prompt: true, parallel: true }, ...known);
  // Raw text has no field for functions.
  return transport === 'completions' ? { ...all, native: false } : all;
}

function matches(pattern: string, name: string): boolean {
  return new RegExp(`^${pattern.split('*').map(literalPattern).join('.*')}$`, 'i').test(name);
}

/** The mode of a run; undefined if its agent has no functions to call, or no model. */
export function modeOf({ settings }: RunConfig, { mode }: Agent): CallMode | undefined {
  return mode === 'either' ? (settings.tools_in === 'field' ? 'native' : 'prompt') : mode;
}

/** Why a run asks for what its model cannot do; undefined if it can. */
export function beyondModel(config: RunConfig, agent: Agent, own: CapabilityTable): string | undefined {
  const mode = modeOf(config, agent);
  const can = capabilitiesOf(config, own);
  if (mode !== undefined && !can[mode]) {
    const how = mode === 'native' ? 'natively' : 'by prompt';
    return `${config.model} does not call functions ${how}, as ${agent.name} asks it to`;
  }
  const isParallel = config.category === 'parallel' || config.category === 'parallel_multiple';
  // Agents that go on after a reply can make one call at a time.
  const inOneReply = agent.mode === 'either' && mode === 'native';
  return isParallel && inOneReply && !can.parallel
    ? `${config.model} does not make several native calls in one reply, as ${config.category} needs`
    : undefined;
}
