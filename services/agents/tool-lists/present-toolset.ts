import type { ListOptions } from '../../../contracts/list-options.ts';
import { mapSchema, type ObjectSchema } from '../../domain/live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { type Alias, makeAliases } from './aliases.ts';
import { obfuscateTool } from './obfuscate.ts';

/** A tool of a toolset as a list shows it. */
export interface PresentedTool {
  readonly tool: ToolSpec;
  /** null where tools keep their names. */
  readonly alias: Alias | null;
}

/** Besides the options, what the names and the order of the tools depend on. */
export interface Presentation {
  readonly scope: string;
  /** In an exam: the names that tools have there, by their real ones. Obfuscated ones have no others. */
  readonly examNames: ReadonlyMap<string, string>;
  /** In an exam: draws obfuscated names. */
  readonly key: string | null;
}

/**
 * Every tool of a toolset as the lists of these options show it, by its real name, in the toolset's order: under its
 * own name, under the one that it has in exams, or obfuscated.
 */
export function presentToolset(
  toolset: readonly ToolSpec[],
  { obfuscate, descriptions, seed }: Pick<ListOptions, 'obfuscate' | 'descriptions' | 'seed'>,
  { scope, examNames, key }: Presentation,
): ReadonlyMap<string, PresentedTool> {
  const aliases = obfuscate ? makeAliases(toolset, seed, scope, key) : null;
  const names = new Map([...(aliases ?? [])].map(([name, alias]) => [name, alias.name]));
  return new Map(
    toolset.map((each) => {
      const alias = aliases?.get(each.name) ?? null;
      const tool = alias ? obfuscateTool(each, alias, names) : renamed(each, examNames);
      return [each.name, { alias, tool: descriptions === 'drop' ? withoutDescriptions(tool) : tool }];
    }),
  );
}

function renamed(tool: ToolSpec, names: ReadonlyMap<string, string>): ToolSpec {
  const name = names.get(tool.name) ?? tool.name;
  return name === tool.name ? tool : { ...tool, name };
}

function withoutDescriptions(tool: ToolSpec): ToolSpec {
  const parameters = mapSchema(tool.parameters, ({ description: _dropped, ...rest }) => rest);
  return { ...tool, description: '', parameters: parameters as ObjectSchema };
}
