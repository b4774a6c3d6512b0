import type { Problem } from '../../../contracts/api.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import { type HiddenShare, printShare } from '../../../contracts/hybrid.ts';
import { domainPath } from '../../../contracts/paths.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import { ASK_USER_TOOL } from '../../../contracts/scripted-user.ts';
import type { Service } from '../../../contracts/service.ts';
import type { Task } from '../../../contracts/task.ts';
import { CALL_TOOL, countTools, isFarmWide, type ListOptions } from '../../../contracts/toolset-options.ts';
import { HttpProblem, unknownTool } from '../../base/http/problem.ts';
import { seededOrder } from '../../base/seeded-order.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations.ts';
import type { ObjectSchema, ToolSpec } from '../../domain/tools/tool-spec.ts';
import { type ExamAliases, hideSplit, subjectOf } from '../aliases.ts';
import { documentsOf, documentsTool } from '../search/document-index.ts';
import { isSearchTool, replacingSpecs, requireWrappedCall } from '../search/search-specs.ts';
import { checksumOf } from './list-address.ts';
import { obfuscateProblem, realArguments, withBareHandle } from './obfuscate.ts';
import { type PresentedTool, placeOf, type Toolset, withSibling } from './toolset.ts';

export interface ListSource {
  readonly service: Service;
  /** The domains whose tools these are: for a dialogue, those of all its turns. */
  readonly services: readonly Service[];
  readonly formulation: Formulation;
  /** Handles of the start tables whose columns the tools name. */
  readonly startTables: readonly string[];
  /** null for a list of a whole domain, which has no gold. */
  readonly task: Task | null;
  /** For `hybrid`: the hidden share of the tables; undefined for the service's first one. */
  readonly share: HiddenShare | undefined;
  /** In an exam: aliases of everything that names the split. */
  readonly names: ExamAliases | null;
}

/** The list's description of where its tools come from. */
export interface ListOrigin {
  readonly split: string;
  readonly db: string;
  /** undefined for a list of a whole domain. */
  readonly sampleId: string | undefined;
  readonly title: string;
  /** The domain's path below the list's own: `/v1/<split>/<db>`, in an exam `/v1/<alias>`. */
  readonly path: string;
}

export interface RealCall {
  /** The name in records: the service's own, prefixed with `<db>/` for a tool of another domain than the list's. */
  readonly name: string;
  readonly arguments: unknown;
  /** The service that carries it out, and its name for the tool. */
  readonly service: Service;
  readonly tool: string;
}

/** The tools that an agent is offered, and the names it sees them under. */
export class ToolList {
  readonly source: ListSource;
  readonly options: ListOptions;
  readonly origin: ListOrigin;
  /** The callable tools, as the agent sees them. */
  readonly offered: readonly ToolSpec[];
  /** The listed tools: the offered ones, or two in their place. */
  readonly tools: readonly ToolSpec[];
  readonly checksum: string;
  readonly toolsetSize: number;
  /** Real names of the offered tools, in the list's order. */
  readonly realNames: readonly string[];
  /** Listed tools that no service has. */
  readonly #beside: readonly ToolSpec[];
  readonly #toolset: Toolset;
  readonly #presented: readonly PresentedTool[];
  readonly #byName: ReadonlyMap<string, PresentedTool>;

  constructor(source: ListSource, toolset: Toolset, options: ListOptions) {
    const { service, task } = source;
    const places = [...toolset.tools.keys()];
    const gold = new Set(
      task?.gold_tools.map((name) => (name.includes('/') ? name : placeOf({ service, name }))),
    );
    const isOwn = (place: string) => source.services.some((each) => isOf(place, each));
    const scope = task?.sample_id ?? scopeOf(source);
    const size = options.scope === 'farm' ? places.length : places.filter(isOwn).length;
    const isNear = (place: string) => options.distractors === 'farm' || isOwn(place);
    const chosen = shortlist(places, gold, options, { scope, size, isNear, key: source.names?.key ?? null });
    const presented = chosen.map((place) => toolset.tools.get(place) as PresentedTool);
    this.source = source;
    this.origin = originOf(source);
    this.options = options;
    this.toolsetSize = size;
    this.#toolset = toolset;
    this.#presented = withSiblings(inOrder(presented, toolset, source, options), toolset, options);
    this.offered = this.#presented.map(({ tool }) => tool);
    this.realNames = this.#presented.map((each) => this.#realName(each));
    this.checksum = checksumOf(this.offered);
    const documents = options.documents ? documentsOf(service.catalog) : [];
    this.#beside = [
      ...(task?.user ? [ASK_USER_TOOL] : []),
      ...(documents.length > 0 ? [documentsTool(documents)] : []),
    ];
    this.tools = [...(replacingSpecs(options.via, this.offered.length) ?? this.offered), ...this.#beside];
    this.#byName = new Map(this.#presented.map((each) => [each.tool.name, each]));
  }

  get hasRealNames(): boolean {
    return this.offered.every(({ name }, at) => name === this.realNames[at]);
  }

  get isRenamed(): boolean {
    return this.options.obfuscate || this.source.names !== null;
  }

  get serverInfo(): { readonly name: string; readonly title: string } {
    const { db, title } = this.origin;
    return this.source.names ? { name: db, title } : { name: 'rookery', title: `rookery: ${title}` };
  }

  get isWhole(): boolean {
    return (
      this.offered.length === this.toolsetSize && (this.options.scope === 'farm' || !isFarmWide(this.options))
    );
  }

  titleOf(service: Service): string {
    return this.source.names ? subjectOf(service) : service.title;
  }

  /** The path of a service's endpoint, below the list's own address. */
  shownPath(service: Service, path: string): string {
    const real = domainPath(service.split, service.db);
    return path.startsWith(`${real}/`)
      ? shownDomainPath(service, this.source) + path.slice(real.length)
      : path;
  }

  /**
   * The domain of an address below the list's own, given the segments after `/v1/`, with the segments that remain;
   * undefined where the list has no tools of it.
   */
  domainAt(segments: readonly string[]) {
    for (const service of this.#toolset.services) {
      const length = this.source.names ? 1 : 2;
      const asked = segments.slice(0, length).map(encodeURIComponent).join('/');
      if (`/v1/${asked}` !== shownDomainPath(service, this.source)) continue;
      return { service, title: segments[length - 1] ?? '', path: segments.slice(length) };
    }
    return undefined;
  }

  /** The schema of an offered tool's answers. No checksum covers it. */
  answerSchema(shownName: string): ObjectSchema {
    const { service, name } = this.#byName.get(shownName) as PresentedTool;
    return SERVED_FORMULATIONS[this.source.formulation].answerSchema(service, name);
  }

  /** An offered tool's service, and the service's name for it. Throws UNKNOWN_TOOL. */
  placed(shownName: string): Pick<PresentedTool, 'service' | 'name'> {
    const placed = this.#byName.get(shownName);
    if (!placed) throw this.unknownTool(shownName);
    return placed;
  }

  /** The name that a service's tool is shown under; undefined for one that is not offered. */
  shownName(service: Service, name: string): string | undefined {
    const shown = this.#toolset.tools.get(placeOf({ service, name }))?.tool.name;
    return shown !== undefined && this.#byName.has(shown) ? shown : undefined;
  }

  /** Whether a name is that of `search_tools`, `search_docs` or `search_documents`. */
  isSearch(shownName: string): boolean {
    return isSearchTool(shownName, this.options);
  }

  /** Whether a name is that of `ask_user` or `search_documents`, which are listed beside the tools of services. */
  isBeside(shownName: string): boolean {
    return this.#beside.some(({ name }) => name === shownName);
  }

  search(query: string, limit: number): readonly ToolSpec[] {
    return this.#toolset
      .index()
      .search(query)
      .map(({ name }) => this.#byName.get(name)?.tool)
      .filter((tool) => tool !== undefined)
      .slice(0, limit);
  }

  /**
   * A call as the service takes it. Throws UNKNOWN_TOOL for a tool that is not offered, and INVALID_PARAMETERS for
   * arguments under other names than the list's.
   */
  realCall(shownName: string, args: unknown): RealCall {
    if (this.options.via === 'search' && shownName === CALL_TOOL) {
      const inner = requireWrappedCall(args);
      return this.realCall(inner.name, inner.arguments);
    }
    const tool = this.#byName.get(shownName);
    if (!tool) throw this.unknownTool(shownName);
    const placed = { name: this.#realName(tool), service: tool.service, tool: tool.name };
    if (!tool.alias) return { ...placed, arguments: args };
    const real = realArguments(args, tool.alias);
    if (real.unknown.length === 0) return { ...placed, arguments: real.args };
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

  shownAnswer(text: string): string {
    const { formulation } = this.source;
    return this.options.obfuscate && FORMULATIONS[formulation].calls === 'chain'
      ? withBareHandle(text)
      : text;
  }

  shownProblem(call: RealCall, problem: Problem): Problem {
    const tool = this.#toolset.tools.get(placeOf({ service: call.service, name: call.tool }));
    const alias = this.source.names?.domain(call.service);
    const hide = (told: Problem) => (alias === undefined ? told : hideSplit(told, call.service, alias));
    const saysTooMuch = tool !== undefined && (tool.alias !== null || alias !== undefined);
    if (saysTooMuch && problem.code === 'UNKNOWN_TOOL') {
      // A getter of a column that the table lacks; its suggestions would be names, also of tools that are not offered.
      return new HttpProblem('UNKNOWN_TOOL', `${tool.tool.name} does not fit this data source.`).toProblem();
    }
    if (!tool?.alias) return hide(problem);
    // Every tool of the toolset, offered or not, so that no text names any.
    const tools = new Map([...this.#toolset.tools.values()].map((each) => [each.openName, each.tool.name]));
    return hide(obfuscateProblem(problem, { tools, args: tool.alias.args }, this.source.startTables));
  }

  unknownTool(name: string): HttpProblem {
    return unknownTool(name, this.#byName.keys());
  }

  #realName(tool: Pick<PresentedTool, 'service' | 'name'>): string {
    return tool.service.db === this.source.service.db ? tool.name : placeOf(tool);
  }
}

/**
 * A list's order must reveal nothing: aliases are sorted by their numbers, which are drawn, and a whole toolset of
 * endpoints by name. A shortlist of real names is shuffled already. In an exam its key draws every order, so that none
 * reveals missing tools.
 */
function inOrder(
  tools: readonly PresentedTool[],
  toolset: Toolset,
  { formulation, names }: ListSource,
  { obfuscate, seed }: ListOptions,
): readonly PresentedTool[] {
  if (obfuscate) return [...tools].sort((a, b) => (a.alias?.number ?? 0) - (b.alias?.number ?? 0));
  if (names) return seededOrder(tools, seed, `order ${toolset.scope}`, placeOf, { key: names.key });
  if (tools.length < toolset.tools.size) return tools;
  if (FORMULATIONS[formulation].calls !== 'single') return tools;
  return [...tools].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
}

/** Full descriptions name the most similar offered tool; any other would reveal what is left out. */
function withSiblings(tools: readonly PresentedTool[], toolset: Toolset, { descriptions }: ListOptions) {
  if (descriptions !== 'full') return tools;
  const offered = new Set(tools);
  return tools.map((each) => {
    const sibling = toolset.siblings(each).find((other) => offered.has(other));
    return sibling ? { ...each, tool: withSibling(each.tool, sibling.tool) } : each;
  });
}

function isOf(place: string, { db }: Service): boolean {
  return place.startsWith(`${db}/`);
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

function shownDomainPath(service: Service, { names }: ListSource): string {
  return names ? `/v1/${names.domain(service)}` : domainPath(service.split, service.db);
}

/** The input of an obfuscated list's names, besides the seed. */
export function scopeOf(source: ListSource): string {
  const { service, services, startTables } = source;
  const domains = services.map(({ db }) => db).join('+');
  return [service.split, domains, formulationAt(source), ...startTables].join('/');
}

export function formulationAt({ formulation, share }: Pick<ListSource, 'formulation' | 'share'>): string {
  return share ? `${formulation}@${printShare(share)}` : formulation;
}

export interface Draw {
  readonly scope: string;
  /** The size that shares are relative to; defaults to the toolset's. */
  readonly size?: number;
  /** Tools that are drawn before any other; default: all alike. */
  readonly isNear?: (name: string) => boolean;
  readonly key?: string | null;
}

/**
 * The names of the tools in a shortlist. With a share, a number or a provider's limit: that many, rounded down,
 * including all gold tools even when there are more, the rest drawn without replacement, near ones first, in a shuffled
 * order; with the same seed, a larger list contains a smaller one. The whole toolset keeps its own order. In an exam its key draws
 * too.
 */
export function shortlist(
  names: readonly string[],
  gold: ReadonlySet<string>,
  { tools, withhold, seed }: Pick<ListOptions, 'tools' | 'withhold' | 'seed'>,
  { scope, size = names.length, isNear = () => true, key = null }: Draw,
): readonly string[] {
  const offered = withhold === 'gold' ? names.filter((name) => !gold.has(name)) : names;
  const wanted = countTools(tools, size);
  if (wanted >= offered.length) return offered;
  const kept = offered.filter((name) => gold.has(name));
  const others = seededOrder(
    offered.filter((name) => !gold.has(name)),
    seed,
    `draw ${scope}`,
    (name) => name,
    { key },
  );
  const nearFirst = [...others.filter(isNear), ...others.filter((name) => !isNear(name))];
  const drawn = nearFirst.slice(0, Math.max(0, wanted - kept.length));
  return seededOrder([...kept, ...drawn], seed, `order ${scope}`, (name) => name, { key });
}
