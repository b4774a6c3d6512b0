import { LRUCache } from 'lru-cache';
import type { FoundEndpoints } from '../../../contracts/api.ts';
import { domainsOf } from '../../../contracts/dialogue.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import { atShare, type HiddenShare, printShare } from '../../../contracts/hybrid.ts';
import { calledHere } from '../../../contracts/package-root.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import type { Endpoint, Service } from '../../../contracts/service.ts';
import type { Task } from '../../../contracts/task.ts';
import { DEFAULT_LIST, isFarmWide, type ListOptions } from '../../../contracts/toolset-options.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { fieldError } from '../../base/arguments.ts';
import { getOrInsert } from '../../base/concurrency.ts';
import { invalidField, problemOfArguments, unknownDomain } from '../../base/http/problem.ts';
import { ExamAliases } from '../aliases.ts';
import type { TaskBook } from '../task-book.ts';
import type { ListAddress, ListSubject } from './list-address.ts';
import { formulationAt, type ListSource, scopeOf, ToolList } from './tool-list.ts';
import { domainTools, farmTools, type PlacedTool, placeOf, Toolset } from './toolset.ts';

interface KeptList {
  readonly list: ToolList;
  readonly toolset: string;
}

/** Approximate memory limit for lists and toolsets, which agents use on every call. */
const LISTS_BYTES = 32 * 1024 * 1024;
const TOOLSETS_BYTES = 64 * 1024 * 1024;

/** All tool lists of a farm; the most recently used are cached. */
export class ToolLists {
  readonly #services: ReadonlyMap<string, Service>;
  readonly #tasks: TaskBook;
  readonly #allowsCode: boolean;
  readonly #lists = new LRUCache<string, KeptList>({ maxSize: LISTS_BYTES, sizeCalculation: bytesOfList });
  readonly #toolsets = new LRUCache<string, Toolset>({
    maxSize: TOOLSETS_BYTES,
    sizeCalculation: bytesOfToolset,
    dispose: ({ lists }) => {
      for (const key of lists) this.#lists.delete(key);
    },
  });

  constructor(services: ReadonlyMap<string, Service>, tasks: TaskBook, allowsCode: boolean) {
    this.#services = services;
    this.#tasks = tasks;
    this.#allowsCode = allowsCode;
  }

  /**
   * `examKey`: the key that draws an exam's names and orders; null: those of the farm. Throws UNKNOWN_TASK,
   * UNKNOWN_DOMAIN, UNKNOWN_HANDLE, and INVALID_PARAMETERS for options that need a task, another formulation or other permissions.
   */
  get({ subject, options }: ListAddress, examKey: string | null): ToolList {
    const key = JSON.stringify([examKey, subject, options]);
    const known = this.#lists.get(key);
    // The lookup also marks the toolset as recently used.
    if (known && this.#toolsets.get(known.toolset)) return known.list;
    const names = examKey === null ? null : new ExamAliases(examKey);
    const source = { ...this.#source(subject), names };
    if (source.task === null && options.withhold === 'gold') {
      const message = 'withhold=gold needs a task: a domain has no gold tools';
      throw invalidField('withhold', 'not_one_of', message);
    }
    requireVariant(source, options);
    this.#requireVia(source, options);
    const toolset = this.#toolset(source, options);
    const list = new ToolList(source, toolset, options);
    toolset.lists.add(key);
    this.#lists.set(key, { list, toolset: toolset.key });
    return list;
  }

  #requireVia({ formulation }: Pick<ListSource, 'formulation'>, { via, obfuscate }: ListOptions): void {
    if (via === 'code' && !this.#allowsCode) {
      const message = calledHere(
        'via=code runs programs that agents write, which this server was not started for: `rookery serve --allow-code`',
      );
      throw invalidField('via', 'not_one_of', message);
    }
    if (via === 'requests' && (formulation !== 'rest' || obfuscate)) {
      const message = 'via=requests sends GET requests to endpoints: it is for REST, without obfuscate';
      throw invalidField('via', 'not_one_of', message);
    }
  }

  /** Forgets all lists, which may offer the tools of the whole farm, when the farm has grown. */
  forget(): void {
    this.#toolsets.clear();
  }

  ofTask(sampleId: string, options: ListOptions, examKey: string | null): ToolList {
    return this.get({ subject: { task: sampleId }, options }, examKey);
  }

  service(db: string): Service {
    const service = this.#services.get(db);
    if (service) return service;
    throw unknownDomain(db, this.#services.keys());
  }

  #source(subject: ListSubject): Omit<ListSource, 'names'> {
    if ('task' in subject) {
      const task = this.#tasks.get(subject.task);
      const startTables = task.start_tables.map(({ handle }) => handle);
      const { formulation, share } = task;
      const services = this.servicesOf(task);
      return { service: services[0], services, formulation, startTables, task, share };
    }
    const { db, formulation, start_tables: startTables } = subject;
    const whole = this.service(db);
    const share = subject.share === undefined ? undefined : requireShare(whole, formulation, subject.share);
    const service = atShare(whole, share);
    for (const handle of startTables) checkStartTable(service, formulation, handle);
    return { service, services: [service], formulation, startTables, task: null, share };
  }

  /** The services whose tools a task has, its own domain's first. Throws UNKNOWN_DOMAIN with the nearest names. */
  servicesOf({ db, turns, share }: Pick<Task, 'db' | 'turns' | 'share'>): readonly [Service, ...Service[]] {
    const [own = db, ...others] = domainsOf(db, turns);
    return [atShare(this.service(own), share), ...others.map((each) => this.service(each))];
  }

  #servicesAt(share: HiddenShare | undefined): Service[] {
    return [...this.#services.values()].map((service) => atShare(service, share));
  }

  #toolset(source: ListSource, options: ListOptions): Toolset {
    const { service, services, formulation, startTables, task, share, names } = source;
    const { obfuscate, descriptions, seed, variant } = options;
    const view = { variant, full: descriptions === 'full' };
    const isWide = isFarmWide(options);
    const scope = isWide ? `${service.split}/*/${formulationAt(source)}` : scopeOf(source);
    const examKey = names?.key ?? null;
    const key = JSON.stringify([scope, descriptions, variant, obfuscate ? seed : null, examKey]);
    const known = this.#toolsets.get(key);
    if (known) return known;
    const tables = [...(task?.start_tables ?? []), ...service.start_tables].filter(({ handle }) =>
      startTables.includes(handle),
    );
    const unique = [...new Map(tables.map((table) => [table.handle, table])).values()];
    const tools = isWide
      ? farmTools(this.#servicesAt(share), formulation, names, view)
      : services.length > 1
        ? farmTools(services, formulation, names, view)
        : domainTools(service, formulation, unique, names, view);
    const toolset = new Toolset(key, tools, options, { scope, key: examKey });
    this.#toolsets.set(key, toolset);
    return toolset;
  }
}

/**
 * Rejects options that do not fit a formulation: variants belong to the one tool that has them; with one tool per
 * collection, a shortlist cannot promise a gold tool; and a language must have a description. Throws
 * INVALID_PARAMETERS.
 */
function requireVariant({ formulation }: Pick<ListSource, 'formulation'>, options: ListOptions): void {
  const { variant, tools, distractors, withhold, descriptions } = options;
  if (variant === 'base') return;
  const message = !FORMULATIONS[formulation].variants?.includes(variant)
    ? `variant=${variant} is for the ${variant === 'apart' ? 'hybrid tools' : 'query tool'}, not for ${FORMULATIONS[formulation].title}`
    : variant === 'apart' && (tools !== '100%' || withhold === 'gold')
      ? 'variant=apart leaves the gold tool out: leave tools and withhold out'
      : variant === 'per-collection' && (tools !== '100%' || distractors === 'farm' || withhold === 'gold')
        ? 'variant=per-collection offers all collections: leave tools, distractors and withhold out'
        : variant === 'dsl' && !['keep', 'full'].includes(descriptions)
          ? 'variant=dsl tells its language in a description: descriptions must be keep or full'
          : null;
  if (message === null) return;
  throw invalidField('variant', 'not_one_of', message);
}

/** Measured: two maps of names; the tools belong to the toolset. */
function bytesOfList({ list }: KeptList): number {
  return 2000 + 100 * (list.offered.length + list.toolsetSize);
}

/** Measured: objects take several times their JSON length. */
function bytesOfToolset({ tools }: Toolset): number {
  return 2000 + 5 * JSON.stringify([...tools.values()].map(({ tool }) => tool)).length;
}

/** The farm's share with that text. Throws INVALID_PARAMETERS if there is none. */
function requireShare({ hidden = [] }: Service, formulation: Formulation, text: string): HiddenShare {
  const own = formulation === 'hybrid' ? hidden : [];
  const found = own.find((share) => printShare(share) === text);
  if (found) return found;
  const known = own.map(printShare);
  const message =
    known.length > 0
      ? `the farm hides no share ${text}: it has ${known.join(', ')}`
      : `share is for hybrid tools, not for ${FORMULATIONS[formulation].title}`;
  throw invalidField('share', 'not_one_of', message, known);
}

function checkStartTable(service: Service, formulation: Formulation, handle: string): void {
  const starts = FORMULATIONS[formulation].calls === 'chain' ? service.start_tables : [];
  const names = starts.map((table) => table.handle);
  if (names.includes(handle)) return;
  const suggestions = nearestNames(handle, names);
  const message = `there is no start table ${handle.slice(0, 80)}${didYouMean(suggestions)}`;
  throw problemOfArguments(fieldError('start_table', 'unknown_handle', message, suggestions));
}

interface Searched {
  readonly services: ReadonlyMap<string, Service>;
  readonly lists: ToolLists;
}

/** The endpoints of all domains that match some words: the search of `via=search`, for people. */
export function findEndpoints(
  { services, lists }: Searched,
  { query, limit }: { readonly query: string; readonly limit: number },
): FoundEndpoints {
  const [db] = services.keys();
  if (db === undefined) return { endpoints: [] };
  const subject = { db, formulation: 'rest' as const, start_tables: [] };
  const list = lists.get({ subject, options: { ...DEFAULT_LIST, scope: 'farm', via: 'search' } }, null);
  return { endpoints: list.search(query, limit).map(({ name }) => described(list.placed(name))) };
}

function described({ service, name: tool }: Pick<PlacedTool, 'service' | 'name'>) {
  // The list was built from these services' endpoints.
  const endpoint = service.endpoints.find(({ operation_id }) => operation_id === tool) as Endpoint;
  const { name, summary, path } = endpoint;
  return { split: service.split, db: service.db, name, summary, path };
}

const RECALL_DEPTHS = [1, 5, 20] as const;

/** How often the gold tool is among the first results, in the order of the depths, and the number of questions. */
export interface Recall {
  readonly questions: number;
  readonly found: readonly number[];
}

export interface SearchRecall {
  readonly tools: number;
  readonly depths: readonly number[];
  readonly question: Recall;
  /** Searching for the question with its evidence, where there is some. */
  readonly evidence: Recall;
  /** Searching for the question, by domain. */
  readonly domains: ReadonlyMap<string, Recall>;
}

type SearchedTask = Pick<Task, 'db' | 'formulation' | 'question' | 'evidence' | 'gold_tools'>;

/** Measures how well `search_tools` finds the tools of tasks with one call. Calls `onTask` after each task. */
export function measureSearch(
  services: Iterable<Service>,
  tasks: readonly SearchedTask[],
  {
    descriptions = DEFAULT_LIST.descriptions,
    onTask = () => {},
  }: { readonly descriptions?: ListOptions['descriptions']; readonly onTask?: () => void } = {},
): SearchRecall {
  const all = [...services];
  const byDomain = new Map(all.map((service) => [service.db, service]));
  const options = { ...DEFAULT_LIST, descriptions };
  const toolset = new Toolset('', farmTools(all, 'rest', null), options, { scope: '', key: null });
  const index = toolset.index();
  const question = new Counter();
  const evidence = new Counter();
  const domains = new Map<string, Counter>();
  for (const task of tasks) {
    const service = byDomain.get(task.db);
    const [name, ...more] = task.gold_tools;
    if (task.formulation !== 'rest' || !service || name === undefined || more.length > 0) continue;
    const shown = toolset.tools.get(placeOf({ service, name }))?.tool.name;
    const rankFor = (query: string) => index.search(query).findIndex((found) => found.name === shown);
    const rank = rankFor(task.question);
    question.add(rank);
    getOrInsert(domains, task.db, () => new Counter()).add(rank);
    if (task.evidence !== '') evidence.add(rankFor(`${task.question} ${task.evidence}`));
    onTask();
  }
  return { tools: toolset.tools.size, depths: RECALL_DEPTHS, question, evidence, domains };
}

class Counter implements Recall {
  questions = 0;
  readonly found: number[] = RECALL_DEPTHS.map(() => 0);

  add(rank: number): void {
    this.questions++;
    for (const [i, depth] of RECALL_DEPTHS.entries()) {
      if (rank >= 0 && rank < depth) this.found[i] = (this.found[i] ?? 0) + 1;
    }
  }
}
