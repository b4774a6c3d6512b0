import { SERVED_FORMULATIONS } from '../../domain/formulations/registry.ts';
import { anthropicTools, openaiTools } from '../../domain/live-tools/toolset/formats.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import type { ToolList } from './tool-list.ts';

/** Anthropic's own search of tools: every tool is deferred, and its server loads those that its search finds. */
export function anthropicSearch({ offered }: ToolList) {
  return [
    { type: 'tool_search_tool_bm25_20251119' as const, name: 'tool_search_tool_bm25' as const },
    ...anthropicTools(offered).map((tool) => ({ ...tool, defer_loading: true as const })),
  ];
}

/**
 * OpenAI's own search of tools, of its Responses API: every tool is deferred, in namespaces, of which a model sees name
 * and description until it looks into one.
 */
export function openaiSearch(list: ToolList) {
  return [
    { type: 'tool_search' as const },
    ...namespacesOf(list).map(({ name, description, tools }) => ({
      type: 'namespace' as const,
      name,
      description,
      tools: openaiTools(tools).map(({ type, function: rest }) => ({
        type,
        ...rest,
        defer_loading: true as const,
      })),
    })),
  ];
}

interface Namespace {
  readonly name: string;
  readonly description: string;
  readonly tools: ToolSpec[];
}

/** Tools by domain and by the table that they are about. */
function namespacesOf(list: ToolList): readonly Namespace[] {
  const { formulation } = list.source;
  const { obfuscate, descriptions } = list.options;
  const groups = new Map<string, Namespace>();
  const names = new Set<string>();
  for (const tool of list.offered) {
    const { service, name } = list.placed(tool.name);
    const subject = SERVED_FORMULATIONS[formulation].subjectOf(service, name);
    const key = JSON.stringify([service.db, subject]);
    let group = groups.get(key);
    if (!group) {
      const title = list.titleOf(service);
      const about = subject === null ? `the tables of ${title}` : `${subject}, of ${title}`;
      group = {
        name: freeName(obfuscate ? 'group' : (subject ?? formulation), names),
        description: descriptions === 'drop' ? 'Tools.' : `Tools about ${about}.`,
        tools: [],
      };
      groups.set(key, group);
    }
    group.tools.push(tool);
  }
  return [...groups.values()];
}

function freeName(wanted: string, names: Set<string>): string {
  const plain = wanted.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60);
  let name = plain;
  for (let n = 2; names.has(name); n++) name = `${plain}_${n}`;
  names.add(name);
  return name;
}

/** The part of a tool, in any format, that a model reads before it has searched. */
export function shownAtFirst(tool: object): unknown {
  if ('defer_loading' in tool) return null;
  if ('type' in tool && tool.type === 'namespace') return { ...tool, tools: [] };
  return tool;
}
