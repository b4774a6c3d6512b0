import type { Service } from '../../../contracts/service.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { Bm25 } from './bm25.ts';
import { stemsOf } from './words.ts';

/** A tool to be found. */
export interface IndexedTool {
  /** As it is shown. */
  readonly tool: ToolSpec;
  readonly service: Service;
  /** What the service calls it. */
  readonly name: string;
}

export interface FoundTool {
  /** As it is shown. */
  readonly name: string;
  readonly score: number;
}

const FIELDS = {
  name: { weight: 1, length: 0.5 },
  description: { weight: 1, length: 0.5 },
  parameters: { weight: 0.8, length: 0.5 },
};

/** Finds the tools of a toolset by words. */
export class ToolIndex {
  readonly #names: readonly string[];
  readonly #words: Bm25;

  constructor(tools: readonly IndexedTool[]) {
    this.#names = tools.map(({ tool }) => tool.name);
    this.#words = new Bm25(
      tools.map(({ tool: { name, description, parameters } }) => ({
        name: stemsOf(name),
        description: stemsOf(description),
        parameters: Object.entries(parameters.properties).flatMap(([key, schema]) =>
          stemsOf(`${key} ${schema.description ?? ''}`),
        ),
      })),
      FIELDS,
    );
  }

  /** Every tool, the best match first; equal ones by name. */
  search(query: string): readonly FoundTool[] {
    const words = new Map<string, number>();
    for (const word of stemsOf(query)) words.set(word, Math.min(2, (words.get(word) ?? 0) + 1));
    const scores = this.#words.scores(words);
    return this.#names
      .map((name, at) => ({ name, score: scores[at] ?? 0 }))
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  }
}
