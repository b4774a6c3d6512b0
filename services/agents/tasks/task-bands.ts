import type { Service } from '../../../contracts/service.ts';
import type { Task, TaskBand } from '../../../contracts/task.ts';

/** The greatest complexity of each band; anything more complex is hard. */
const MOST: readonly (readonly [TaskBand, number])[] = [
  ['easy', 4],
  ['medium', 8],
];
/** The least pass rate of each measured band; anything lower is hard. */
const LEAST: readonly (readonly [TaskBand, number])[] = [
  ['easy', 2 / 3],
  ['medium', 1 / 3],
];
/** Toolsets up to this size add nothing; each doubling beyond it adds one. */
const SMALL_TOOLSET = 16;

/** Difficulty bands: by measured pass rate, else by the query's constructs, the tools needed and the toolset's size. */
export class TaskBands {
  readonly #services: ReadonlyMap<string, Service>;
  readonly #passRates: ReadonlyMap<string, number>;

  /** `passRates`: the share of attempts that passed, by sample id. */
  constructor(services: ReadonlyMap<string, Service>, passRates: ReadonlyMap<string, number> = new Map()) {
    this.#services = services;
    this.#passRates = passRates;
  }

  /** The bands of a domain's tasks, by sample id. */
  ofDomain(tasks: readonly Task[]): ReadonlyMap<string, TaskBand> {
    const constructs = this.#constructs(tasks);
    return new Map(
      tasks.map((task) => {
        const rate = this.#passRates.get(task.sample_id);
        const band = rate === undefined ? byComplexity(complexityOf(task, constructs)) : byPassRate(rate);
        return [task.sample_id, band];
      }),
    );
  }

  /** By question: the constructs of its endpoint's query, in every formulation. */
  #constructs(tasks: readonly Task[]): ReadonlyMap<Task['question_id'], number> {
    const counted = new Map<string, number>();
    const countOf = (db: string, tool: string) => {
      const key = `${db} ${tool}`;
      const known = counted.get(key);
      if (known !== undefined) return known;
      const endpoint = this.#services.get(db)?.endpoints.find(({ operation_id }) => operation_id === tool);
      const count = endpoint ? countConstructs(endpoint.sql) : 0;
      counted.set(key, count);
      return count;
    };
    return new Map(
      tasks
        .filter(({ formulation }) => formulation === 'rest')
        .map(({ question_id, db, gold_tools }) => [
          question_id,
          Math.max(0, ...gold_tools.map((tool) => countOf(db, tool))),
        ]),
    );
  }
}

/** Constructs, additional tools to call, and doublings of the toolset beyond a small one. */
function complexityOf(task: Task, constructs: ReadonlyMap<Task['question_id'], number>): number {
  const tools = task.gold_tools.length;
  const doublings = Math.max(0, Math.round(Math.log2(Math.max(1, task.toolset.size) / SMALL_TOOLSET)));
  return (constructs.get(task.question_id) ?? tools) + Math.max(0, tools - 1) + doublings;
}

function byComplexity(complexity: number): TaskBand {
  return MOST.find(([, most]) => complexity <= most)?.[0] ?? 'hard';
}

function byPassRate(rate: number): TaskBand {
  return LEAST.find(([, least]) => rate >= least)?.[0] ?? 'hard';
}

/** Constructs that make a query complex, besides joins and subqueries; each counts once. */
const ONCE: readonly RegExp[] = [
  /\bGROUP BY\b/,
  /\bHAVING\b/,
  /\bORDER BY\b/,
  /\b(?:COUNT|SUM|TOTAL|AVG|MIN|MAX|GROUP_CONCAT)\s*\(/,
  /\bDISTINCT\b/,
  /\b(?:UNION|INTERSECT|EXCEPT)\b/,
  /\bOVER\s*\(/,
  /\bCASE\b/,
  /\bCAST\b|[*/] /,
];
const MOST_JOINS = 3;
const MOST_INNER = 2;
const TEXTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;

/** Counts a query's constructs: joins, subqueries (two each), and the other operations on its rows. */
export function countConstructs(sql: string): number {
  const text = sql.replace(TEXTS, ' x ').toUpperCase();
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const joins = Math.min(MOST_JOINS, count(/\bJOIN\b/g));
  const inner = Math.min(MOST_INNER, Math.max(0, count(/\bSELECT\b/g) - 1));
  return joins + 2 * inner + ONCE.filter((pattern) => pattern.test(text)).length;
}
