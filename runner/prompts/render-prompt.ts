import type { Message } from '../model/message.ts';
import type { ModelRequest } from '../model/model.ts';
import { fill } from './fill.ts';
import type { PromptTemplate, Section } from './prompt-pack.ts';

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
