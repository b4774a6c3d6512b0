import { DEFAULT_LIST, type ListOptions } from '../../../contracts/list-options.ts';
import type { Service } from '../../../contracts/service.ts';
import type { Task } from '../../../contracts/task.ts';
import { farmTools } from './placed-tool.ts';
import { placeOf } from './present-toolset.ts';
import { Toolset } from './toolset.ts';

/** How many results are looked at. */
export const RECALL_DEPTHS = [1, 5, 20] as const;

/** For so many questions, how often the gold tool is among the first results of a search; in the order of the depths. */
export interface Recall {
  readonly questions: number;
  readonly found: readonly number[];
}

export interface SearchRecall {
  readonly tools: number;
  /** With the question as the query. */
  readonly question: Recall;
  /** With the question and its evidence, for the questions that have some. */
  readonly evidence: Recall;
  /** With the question, by domain. */
  readonly domains: ReadonlyMap<string, Recall>;
}

type SearchedTask = Pick<Task, 'db' | 'formulation' | 'question' | 'evidence' | 'gold_tools'>;

/**
 * How well `search_tools` finds the tools that tasks of one call need, among all endpoints of the services.
 * `onTask` is told after each task.
 */
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
    const counter = domains.get(task.db) ?? new Counter();
    counter.add(rank);
    domains.set(task.db, counter);
    if (task.evidence !== '') evidence.add(rankFor(`${task.question} ${task.evidence}`));
    onTask();
  }
  return { tools: toolset.tools.size, question, evidence, domains };
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
