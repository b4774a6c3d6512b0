import type { ListOptions } from '../../../contracts/list-options.ts';
import { mapSchema, type ObjectSchema } from '../../domain/live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { type Alias, makeAliases } from './aliases.ts';
import { firstSentence } from './first-sentence.ts';
import { fullDescription } from './full-description.ts';
import { obfuscateTool } from './obfuscate.ts';
import type { PlacedTool } from './placed-tool.ts';

/** A tool of a toolset as a list shows it. */
export interface PresentedTool extends PlacedTool {
  /** As agents see it. */
  readonly tool: ToolSpec;
  /** The name that it would be shown under if names were not hidden. */
  readonly openName: string;
  /** null where tools keep their names. */
  readonly alias: Alias | null;
}

/** Besides the options, what obfuscated names depend on. */
export interface Presentation {
  readonly scope: string;
  /** In an exam: draws them. */
  readonly key: string | null;
}

/** Every tool of a toolset as the lists of these options show it, by `<db>/<name>`, in the toolset's order. */
export function presentToolset(
  toolset: readonly PlacedTool[],
  { obfuscate, descriptions, seed }: Pick<ListOptions, 'obfuscate' | 'descriptions' | 'seed'>,
  { scope, key }: Presentation,
): ReadonlyMap<string, PresentedTool> {
  const specs = toolset.map(({ tool }) => tool);
  const aliases = obfuscate ? makeAliases(specs, seed, scope, key) : null;
  const names = new Map([...(aliases ?? [])].map(([name, alias]) => [name, alias.name]));
  return new Map(
    toolset.map((placed) => {
      const alias = aliases?.get(placed.tool.name) ?? null;
      const tool = alias ? obfuscateTool(placed.tool, alias, names) : placed.tool;
      return [
        placeOf(placed),
        { ...placed, openName: placed.tool.name, alias, tool: described(tool, placed, descriptions) },
      ];
    }),
  );
}

/** `<db>/<name>`: which tool of a farm this is. */
export function placeOf({ service, name }: Pick<PlacedTool, 'service' | 'name'>): string {
  return `${service.db}/${name}`;
}

function described(
  tool: ToolSpec,
  { name, service }: PlacedTool,
  descriptions: ListOptions['descriptions'],
): ToolSpec {
  if (descriptions === 'keep') return tool;
  if (descriptions === 'full') return fullDescription(tool, name, service);
  const shorten = descriptions === 'concise' ? firstSentence : () => '';
  const parameters = mapSchema(tool.parameters, ({ description = '', ...rest }) => {
    const text = shorten(description);
    return text === '' ? rest : { ...rest, description: text };
  });
  return { ...tool, description: shorten(tool.description), parameters: parameters as ObjectSchema };
}
