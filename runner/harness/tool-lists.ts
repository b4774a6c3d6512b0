import type { ClientTask, Rookery } from '../../client/index.ts';
import { isPlain, type ListOptions } from '../../contracts/list-options.ts';
import type { ModelTool } from '../model/model.ts';

/** A task's tools as offered, and what they are called in truth. */
export interface OfferedTools {
  readonly tools: readonly ModelTool[];
  readonly checksum: string;
  /** Whether the whole toolset is offered. */
  readonly whole: boolean;
  /** Real names by those that are shown; empty where nothing is hidden. */
  readonly real: ReadonlyMap<string, { readonly name: string; readonly args: ReadonlyMap<string, string> }>;
}

/** Lists of tools, asked for once where all tasks of a toolset have the same. */
export class OfferedLists {
  readonly #farm: Rookery;
  readonly #options: ListOptions;
  readonly #known = new Map<string, Promise<OfferedTools>>();

  constructor(farm: Rookery, options: ListOptions) {
    this.#farm = farm;
    this.#options = options;
  }

  of(task: ClientTask): Promise<OfferedTools> {
    if (!isPlain(this.#options)) return this.#fetch(task);
    const key = JSON.stringify([task.db, task.formulation, task.start_tables.map(({ handle }) => handle)]);
    const known = this.#known.get(key) ?? this.#fetch(task);
    this.#known.set(key, known);
    // What failed is asked for again.
    known.catch(() => this.#known.delete(key));
    return known;
  }

  async #fetch({ sample_id }: ClientTask): Promise<OfferedTools> {
    const [list, plain] = await Promise.all([
      this.#farm.tools(sample_id, 'plain', this.#options),
      this.#options.obfuscate
        ? this.#farm.tools(sample_id, 'plain', { ...this.#options, obfuscate: false })
        : null,
    ]);
    // Which tool is which is told to the harness only; the arguments of a tool keep their order.
    const order = new Map(list.real_names?.map((name, at) => [name, at]));
    const real = (plain?.tools ?? []).map(
      ({ name, parameters }): [string, { name: string; args: Map<string, string> }] => {
        const shown = list.tools[order.get(name) ?? -1];
        const shownArguments = namesIn(shown?.parameters);
        const args = namesIn(parameters).map((arg, at): [string, string] => [shownArguments[at] ?? '', arg]);
        return [shown?.name ?? '', { name, args: new Map(args) }];
      },
    );
    return {
      tools: list.tools,
      checksum: list.checksum,
      whole: list.size === list.toolset_size,
      real: new Map(real),
    };
  }
}

function namesIn(parameters: Readonly<Record<string, unknown>> | undefined): string[] {
  const properties = parameters?.properties;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
