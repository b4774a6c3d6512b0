import { createHash } from 'node:crypto';
import type { ClientTask, Rookery, ToolListOf } from '../../client/index.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Category } from '../../contracts/prediction.ts';
import { collectionTools, QUERY_TEXT, QUERY_TOOL, writeQueryText } from '../../contracts/query-tool.ts';
import type { Call } from '../../contracts/sample.ts';
import { ASK_USER } from '../../contracts/scripted-user.ts';
import { countTools, isPlain, type ListOptions } from '../../contracts/toolset-options.ts';
import type { Composition, RunTask } from '../categories/composition.ts';
import type { ModelTool } from '../models/model.ts';
import { Seeded } from '../seeded.ts';

/** Renames arguments, including nested ones; names without an entry are kept. */
export function renameArguments(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameArguments(item, names));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [names.get(key) ?? key, renameArguments(inner, names)]),
  );
}

/** A task's tools as offered, and their real names. */
export interface OfferedTools {
  readonly tools: readonly ModelTool[];
  /** The tools behind the two that replace the list, if their presentation matters; else `tools`. */
  readonly callable: readonly ModelTool[];
  readonly checksum: string;
  readonly whole: boolean;
  /** Whether two tools replace the list. */
  readonly viaSearch: boolean;
  /** Real names by offered names; empty if nothing is renamed. */
  readonly real: ReadonlyMap<string, { readonly name: string; readonly args: ReadonlyMap<string, string> }>;
  /** Whether endpoints have their own addresses, whatever the tools are called. */
  readonly hasPaths: boolean;
}

export interface ListsContext {
  readonly category?: Category | null;
  /** Whether prompts include the tools' output schemas. */
  readonly outputs?: boolean;
}

/** Fetches tool lists, once for all tasks that share one. */
export class OfferedLists {
  readonly #farm: Rookery;
  readonly #options: ListOptions;
  readonly #category: Category | null;
  readonly #outputs: boolean;
  readonly #known = new Map<string, Promise<OfferedTools>>();

  constructor(farm: Rookery, options: ListOptions, { category = null, outputs = false }: ListsContext = {}) {
    this.#farm = farm;
    this.#options = options;
    this.#category = category;
    this.#outputs = outputs;
  }

  async of(task: RunTask): Promise<OfferedTools> {
    if (task.composition !== undefined) return this.#ofParts(task, task.composition);
    const offered = await this.#ofTask(task, this.#options);
    return this.#category === 'chatting' ? only(offered, []) : offered;
  }

  /** The tools of all parts, filled up with others of the domain as the options require. */
  async #ofParts(task: RunTask, { parts, dialogue }: Composition): Promise<OfferedTools> {
    const [first] = parts;
    if (first === undefined) throw new RangeError(`${task.sample_id} is composed of nothing`);
    const whole = wholeList(this.#options);
    // Beside its tools a dialogue has one that asks its user.
    const all = dialogue
      ? await this.#fetch(task, whole)
      : await this.#ofTask({ ...task, sample_id: first.sample_id }, whole);
    const due = new Set([...parts.flatMap(({ tools }) => tools), ...(dialogue ? [ASK_USER] : [])]);
    const isDue = ({ name }: ModelTool) => due.has(all.real.get(name)?.name ?? name);
    const others = all.tools.filter((tool) => !isDue(tool));
    const drawn = new Seeded(this.#options.seed, `tools of ${task.sample_id}`).shuffle(others);
    const more = Math.max(0, countTools(this.#options.tools, all.tools.length) - due.size);
    const chosen = new Set(drawn.slice(0, more));
    return only(
      all,
      all.tools.filter((tool) => isDue(tool) || chosen.has(tool)),
    );
  }

  #ofTask(task: ClientTask, options: ListOptions): Promise<OfferedTools> {
    if (!isPlain(options)) return this.#fetch(task, options);
    const key = JSON.stringify([
      task.db,
      task.formulation,
      task.share,
      task.start_tables.map(({ handle }) => handle),
    ]);
    const known = this.#known.get(key) ?? this.#fetch(task, options);
    this.#known.set(key, known);
    // Failures are not cached.
    known.catch(() => this.#known.delete(key));
    return known;
  }

  async #fetch({ sample_id, formulation }: ClientTask, options: ListOptions): Promise<OfferedTools> {
    const viaSearch = options.via !== 'list';
    // Agents need to know how these are presented.
    const hasVariants = FORMULATIONS[formulation].variants !== undefined;
    const list = await this.#farm.tools(sample_id, 'plain', options);
    const direct: ListOptions = { ...options, via: 'list' };
    const offered =
      !viaSearch || (options.via === 'search' && list.real_names === undefined && !hasVariants)
        ? list
        : await this.#farm.tools(sample_id, 'plain', direct);
    const plain = options.obfuscate
      ? await this.#farm.tools(sample_id, 'plain', { ...direct, obfuscate: false })
      : offered;
    // Only the MCP format has output schemas.
    const withOutputs = this.#outputs ? await this.#farm.tools(sample_id, 'mcp', options) : null;
    const outputs = new Map(withOutputs?.tools.map(({ name, outputSchema }) => [name, outputSchema]));
    return {
      tools: this.#outputs
        ? list.tools.map((tool): ModelTool => ({ ...tool, output: outputs.get(tool.name) ?? {} }))
        : list.tools,
      callable: offered.tools,
      checksum: list.checksum,
      whole: (list.searchable ?? list.size) === list.toolset_size,
      viaSearch,
      real: realNames(offered, plain),
      hasPaths: !options.obfuscate,
    };
  }
}

/** Options under which a farm offers everything: the runner itself decides what to leave out. */
export function wholeList(options: ListOptions): ListOptions {
  return { ...options, tools: '100%', withhold: 'none', distractors: 'domain' };
}

function only(offered: OfferedTools, tools: readonly ModelTool[]): OfferedTools {
  if (tools.length === offered.tools.length) return offered;
  const checksum = createHash('sha256').update(JSON.stringify(tools)).digest('hex');
  return {
    ...offered,
    tools,
    callable: tools,
    checksum,
    whole: false,
  };
}

type PlainList = ToolListOf<'plain'>;

/** Maps offered to real names by position; `open` is the same list with real names. */
function realNames(offered: PlainList, open: PlainList): OfferedTools['real'] {
  const openNames = new Map(
    (open.real_names ?? open.tools.map(({ name }) => name)).map((name, at) => [name, at]),
  );
  return new Map(
    (offered.real_names ?? []).map((name, at) => {
      const shown = offered.tools[at];
      const truth = open.tools[openNames.get(name) ?? -1];
      return [shown?.name ?? '', { name, args: pairNames(shown?.parameters, truth?.parameters) }];
    }),
  );
}

/** Pairs argument names at the same positions of two schemas, including nested ones. */
function pairNames(
  shown: unknown,
  truth: unknown,
  found = new Map<string, string>(),
): ReadonlyMap<string, string> {
  const [mine, theirs] = [propertiesOf(shown), propertiesOf(truth)];
  for (const [at, [name, inner]] of mine.entries()) {
    const [inTruth, other] = theirs[at] ?? [name, undefined];
    found.set(name, inTruth);
    pairNames(inner, other, found);
  }
  const others = innerSchemas(truth);
  for (const [at, inner] of innerSchemas(shown).entries()) pairNames(inner, others[at], found);
  return found;
}

function innerSchemas(schema: unknown): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const items = 'items' in schema ? [schema.items] : [];
  return 'anyOf' in schema && Array.isArray(schema.anyOf) ? [...items, ...schema.anyOf] : items;
}

function propertiesOf(schema: unknown): readonly [string, unknown][] {
  const properties =
    typeof schema === 'object' && schema !== null && 'properties' in schema ? schema.properties : null;
  return typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
}

type NamedCall = Pick<Call, 'name' | 'arguments' | 'path'>;
type Offered = Pick<OfferedTools, 'callable' | 'real' | 'hasPaths'>;

/** Translates a farm's call to the offered tools; a call of a tool that is not offered stays unchanged. */
export function offeredCall(call: NamedCall, offered: Offered): NamedCall {
  return underShownName(call, offered) ?? underShownName(ofOneCollection(call), offered) ?? call;
}

/** The call under the offered tool and argument names; null if its tool is not offered. */
function underShownName(call: NamedCall | null, { callable, real, hasPaths }: Offered): NamedCall | null {
  if (call === null) return null;
  for (const [shown, { name, args }] of real) {
    if (name !== call.name) continue;
    const hidden = new Map([...args].map(([alias, inTruth]) => [inTruth, alias]));
    const given = name === QUERY_TOOL && hidden.has(QUERY_TEXT) ? asText(call) : call.arguments;
    const path = hasPaths && call.path !== undefined ? { path: call.path } : {};
    return { name: shown, arguments: renameArguments(given, hidden) as Call['arguments'], ...path };
  }
  // If some names are not real, a tool of this name may belong to another domain.
  const tool = real.size > 0 ? undefined : callable.find(({ name }) => name === call.name);
  if (tool === undefined) return null;
  return takesText(tool) ? { name: call.name, arguments: asText(call) } : call;
}

/** A call of the query tool as one of its collection's tool; null for other calls. */
function ofOneCollection({ name, arguments: args }: NamedCall): NamedCall | null {
  const { collection_name: collection, ...others } = args;
  if (name !== QUERY_TOOL || typeof collection !== 'string') return null;
  const [own] = collectionTools([collection]).keys();
  return own === undefined ? null : { name: own, arguments: others };
}

function takesText({ name, parameters: { properties } }: ModelTool): boolean {
  return (
    name === QUERY_TOOL && typeof properties === 'object' && properties !== null && QUERY_TEXT in properties
  );
}

function asText({ arguments: args }: NamedCall): Call['arguments'] {
  return { [QUERY_TEXT]: writeQueryText(args) };
}
