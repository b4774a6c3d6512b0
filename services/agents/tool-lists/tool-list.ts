import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import type { ListOptions } from '../../../contracts/list-options.ts';
import type { Problem } from '../../../contracts/problem.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import type { Task } from '../../../contracts/task.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { didYouMean, nearestNames } from '../../base/nearest.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations/registry.ts';
import type { ObjectSchema } from '../../domain/live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import type { Alias } from './aliases.ts';
import { withBareHandle } from './bare-handles.ts';
import { checksumOf } from './checksum.ts';
import { obfuscateProblem, realArguments } from './obfuscate.ts';
import type { PresentedTool } from './present-toolset.ts';
import { shortlist } from './shortlist.ts';

/** What a list is made from. */
export interface ListSource {
  readonly service: Service;
  readonly formulation: Formulation;
  /** Handles of the start tables whose columns the tools name. */
  readonly startTables: readonly string[];
  /** null for a list of a whole domain, which has no gold. */
  readonly task: Task | null;
}

/** A call of a tool under the names that the service knows. */
export interface RealCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** The tools that an agent is offered: which, and under which names. */
export class ToolList {
  readonly source: ListSource;
  readonly options: ListOptions;
  /** As the agent sees them. */
  readonly tools: readonly ToolSpec[];
  readonly checksum: string;
  /** How many tools the whole toolset has. */
  readonly toolsetSize: number;
  /** Real names of the tools offered, in the list's order. */
  readonly realNames: readonly string[];
  /** By shown name. */
  readonly #real: ReadonlyMap<string, { readonly name: string; readonly alias: Alias | null }>;
  /** Every tool of the toolset, offered or not, so that no text names any of them. */
  readonly #shown: ReadonlyMap<string, string>;

  constructor(source: ListSource, toolset: ReadonlyMap<string, PresentedTool>, options: ListOptions) {
    const gold = new Set(source.task?.gold_tools);
    const scope = source.task?.sample_id ?? scopeOf(source);
    const offered = inOrder(shortlist([...toolset.keys()], gold, options, scope), toolset, source, options);
    const presented = offered.map((name) => ({ name, ...(toolset.get(name) as PresentedTool) }));
    this.source = source;
    this.options = options;
    this.toolsetSize = toolset.size;
    this.realNames = offered;
    this.tools = presented.map(({ tool }) => tool);
    this.checksum = checksumOf(this.tools);
    this.#real = new Map(presented.map(({ name, alias, tool }) => [tool.name, { name, alias }]));
    this.#shown = new Map([...toolset].map(([name, { tool }]) => [name, tool.name]));
  }

  /** What the tool at a place of the list answers when it is carried out. No checksum covers it. */
  answerSchema(at: number): ObjectSchema {
    const { service, formulation } = this.source;
    return SERVED_FORMULATIONS[formulation].answerSchema(service, this.realNames[at] as string);
  }

  /** The name under which an offered tool is shown; undefined for one that is not offered. */
  shownName(realName: string): string | undefined {
    const shown = this.#shown.get(realName) ?? realName;
    return this.#real.has(shown) ? shown : undefined;
  }

  /**
   * A call as the service takes it. Throws UNKNOWN_TOOL for a tool that is not offered, and INVALID_PARAMETERS for
   * arguments that do not have the list's names.
   */
  realCall(shownName: string, args: unknown): RealCall {
    const tool = this.#real.get(shownName);
    if (!tool) throw this.unknownTool(shownName);
    if (!tool.alias) return { name: tool.name, arguments: args };
    const real = realArguments(args, tool.alias);
    if (real.unknown.length === 0) return { name: tool.name, arguments: real.args };
    const errors = real.unknown.map((name) => {
      const field = name.slice(0, 64);
      return { field, code: 'unknown_parameter', message: `there is no argument ${field}` };
    });
    throw new HttpProblem('INVALID_PARAMETERS', errors.map(({ message }) => message).join('; '), { errors });
  }

  /** A call as the service takes it, or null where `realCall` throws. */
  tryRealCall(shownName: string, args: unknown): RealCall | null {
    try {
      return this.realCall(shownName, args);
    } catch {
      return null;
    }
  }

  /** The text of what a call has made, as the list shows it. */
  shownAnswer(text: string): string {
    const { formulation } = this.source;
    return this.options.obfuscate && FORMULATIONS[formulation].calls === 'chain'
      ? withBareHandle(text)
      : text;
  }

  /** What the service says is wrong with a call, in the names of the list. */
  shownProblem(shownName: string, problem: Problem): Problem {
    const alias = this.#real.get(shownName)?.alias;
    if (!alias) return problem;
    if (problem.code === 'UNKNOWN_TOOL') {
      // A getter of a column that the table has not; what would be suggested are names.
      return new HttpProblem('UNKNOWN_TOOL', `${shownName} does not fit this data source.`).toProblem();
    }
    const names = { tools: this.#shown, args: alias.args };
    return obfuscateProblem(problem, names, this.source.startTables);
  }

  /** UNKNOWN_TOOL, with the nearest names of the list. */
  unknownTool(name: string): HttpProblem {
    const shown = name.slice(0, 80);
    const suggestions = nearestNames(name, this.#real.keys());
    return new HttpProblem('UNKNOWN_TOOL', `There is no tool ${shown}${didYouMean(suggestions)}`, {
      errors: [{ field: 'tool', code: 'unknown_tool', message: `unknown: ${shown}`, suggestions }],
    });
  }
}

/**
 * The order of a list tells nothing: aliases stand by their numbers, which are drawn, and a whole toolset of endpoints by
 * name, since they were made in the order of the questions. A shortlist of real names has been shuffled already.
 */
function inOrder(
  names: readonly string[],
  toolset: ReadonlyMap<string, PresentedTool>,
  { formulation }: ListSource,
  { obfuscate }: ListOptions,
): readonly string[] {
  const numberOf = (name: string) => toolset.get(name)?.alias?.number ?? 0;
  if (obfuscate) return [...names].sort((a, b) => numberOf(a) - numberOf(b));
  const isWhole = names.length === toolset.size;
  return isWhole && FORMULATIONS[formulation].calls === 'single' ? [...names].sort() : names;
}

/** What the names of an obfuscated list depend on, besides the seed. */
export function scopeOf({ service, formulation, startTables }: ListSource): string {
  return [service.split, service.db, formulation, ...startTables].join('/');
}
