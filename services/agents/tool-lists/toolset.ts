import type { ListOptions } from '../../../contracts/list-options.ts';
import type { Service } from '../../../contracts/service.ts';
import { siblingsOf } from '../tool-search/siblings.ts';
import { ToolIndex } from '../tool-search/tool-index.ts';
import type { PlacedTool } from './placed-tool.ts';
import { type Presentation, type PresentedTool, presentToolset } from './present-toolset.ts';

/** The tools that lists are made of, as the lists of the same options show them. */
export class Toolset {
  readonly key: string;
  /** Which toolset it is, whatever the options. */
  readonly scope: string;
  /** By `<db>/<name>`, in the toolset's order. */
  readonly tools: ReadonlyMap<string, PresentedTool>;
  /** The services of the tools. */
  readonly services: readonly Service[];
  /** Keys of the lists that are made of it, which must not outlive it: they hold its tools. */
  readonly lists = new Set<string>();
  #index: ToolIndex | null = null;
  #siblings: ReadonlyMap<PresentedTool, readonly PresentedTool[]> | null = null;

  constructor(key: string, tools: readonly PlacedTool[], options: ListOptions, presentation: Presentation) {
    this.key = key;
    this.tools = presentToolset(tools, options, presentation);
    this.scope = presentation.scope;
    this.services = [...new Set(tools.map(({ service }) => service))];
  }

  /** Made when it is first asked for: most toolsets are never searched. */
  index(): ToolIndex {
    this.#index ??= new ToolIndex([...this.tools.values()]);
    return this.#index;
  }

  /** The others of a tool's domain, the most alike first. */
  siblings(tool: PresentedTool): readonly PresentedTool[] {
    this.#siblings ??= this.#findSiblings();
    return this.#siblings.get(tool) ?? [];
  }

  #findSiblings(): ReadonlyMap<PresentedTool, readonly PresentedTool[]> {
    const all = [...this.tools.values()];
    const nearest = siblingsOf(all);
    return new Map(
      all.map((tool, at) => [tool, (nearest[at] ?? []).map((other) => all[other] as PresentedTool)]),
    );
  }
}
