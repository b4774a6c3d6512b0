import { domainPath } from '../../../contracts/domain-path.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import type { ListOptions } from '../../../contracts/list-options.ts';
import type { Problem } from '../../../contracts/problem.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import type { Task } from '../../../contracts/task.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { didYouMean, nearestNames } from '../../base/nearest.ts';
import { seededOrder } from '../../base/seeded-order.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations/registry.ts';
import type { ObjectSchema } from '../../domain/live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { type ExamNames, subjectOf } from '../exam-names/exam-names.ts';
import { hideSplit } from '../exam-names/hide-split.ts';
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
  /** In an exam: what stands for whatever names the split. */
  readonly names: ExamNames | null;
}

/** What a list says of where its tools come from. */
export interface ListOrigin {
  readonly split: string;
  readonly db: string;
  /** undefined for a list of a whole domain. */
  readonly sampleId: string | undefined;
  /** What the domain is about, for people. */
  readonly title: string;
  /** Of the domain, below the list's own: `/v1/<split>/<db>`, in an exam `/v1/<alias>`. */
  readonly path: string;
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
  /** As the agent is told. */
  readonly origin: ListOrigin;
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
    const key = source.names?.key ?? null;
    const drawn = shortlist([...toolset.keys()], gold, options, scope, key);
    const offered = inOrder(drawn, toolset, source, options);
    const presented = offered.map((name) => ({ name, ...(toolset.get(name) as PresentedTool) }));
    this.source = source;
    this.origin = originOf(source);
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

  /** Whether tools, or what surrounds them, are called otherwise than in the farm. */
  get isRenamed(): boolean {
    return this.options.obfuscate || this.source.names !== null;
  }

  /** As what an MCP server of the list introduces itself. */
  get serverInfo(): { readonly name: string; readonly title: string } {
    const { db, title } = this.origin;
    return this.source.names ? { name: db, title } : { name: 'rookery', title: `rookery: ${title}` };
  }

  /** The address of an endpoint, as an agent calls it below the list's own. */
  shownPath(path: string): string {
    const real = domainPath(this.source.service.split, this.source.service.db);
    return path.startsWith(`${real}/`) ? this.origin.path + path.slice(real.length) : path;
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
    const { names: examNames, service } = this.source;
    const alias = this.#real.get(shownName)?.alias;
    if (!alias) return examNames ? hideSplit(problem, service, this.origin.db) : problem;
    if (problem.code === 'UNKNOWN_TOOL') {
      // A getter of a column that the table has not; what would be suggested are names.
      return new HttpProblem('UNKNOWN_TOOL', `${shownName} does not fit this data source.`).toProblem();
    }
    const names = { tools: this.#shown, args: alias.args };
    const hidden = obfuscateProblem(problem, names, this.source.startTables);
    return examNames ? hideSplit(hidden, service, this.origin.db) : hidden;
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
 * name, or in an exam as its key draws them. A shortlist of real names has been shuffled already.
 */
function inOrder(
  names: readonly string[],
  toolset: ReadonlyMap<string, PresentedTool>,
  source: ListSource,
  { obfuscate, seed }: ListOptions,
): readonly string[] {
  const numberOf = (name: string) => toolset.get(name)?.alias?.number ?? 0;
  if (obfuscate) return [...names].sort((a, b) => numberOf(a) - numberOf(b));
  if (names.length < toolset.size) return names;
  const { formulation, names: examNames } = source;
  if (examNames) return seededOrder(names, seed, `order ${scopeOf(source)}`, (name) => name, examNames.key);
  return FORMULATIONS[formulation].calls === 'single' ? [...names].sort() : names;
}

function originOf({ service, task, names }: ListSource): ListOrigin {
  const { split, db, title } = service;
  const sampleId = task?.sample_id;
  if (!names) return { split, db, sampleId, title, path: domainPath(split, db) };
  const alias = names.domain(service);
  return {
    split: names.split(split),
    db: alias,
    sampleId: sampleId === undefined ? undefined : names.sample(sampleId),
    title: subjectOf(service),
    path: `/v1/${alias}`,
  };
}

/** What the names of an obfuscated list depend on, besides the seed. */
export function scopeOf({ service, formulation, startTables }: ListSource): string {
  return [service.split, service.db, formulation, ...startTables].join('/');
}
