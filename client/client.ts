import type {
  AgentRunSummary,
  AgentRunView,
  CreatedBatch,
  CreatedRun,
  FoundEndpoints,
  Problem,
  RunAnswer,
  RunRequest,
  RunView,
  ServedCatalog,
  ServedFarm,
  ServedIndex,
  ServedTask,
  ServedTools,
  TaskPage,
  ToolFormats,
} from '../contracts/api.ts';
import type { AnswerVerdict, Reward, Rewards, ServedGold } from '../contracts/judgement.ts';
import { samplePath } from '../contracts/paths.ts';
import type { Formulation } from '../contracts/sample.ts';
import type { TaskSelection } from '../contracts/task.ts';
import type { ListOptions } from '../contracts/toolset-options.ts';

export interface CallResult {
  readonly ok: boolean;
  readonly status: number;
  /** The unparsed body. */
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly body: unknown;
  readonly retryAfter: string | null;
  /** The fault injected into this call; only with the harness key, never shown to an agent. */
  readonly fault: string | null;
}

export type ToolListOf<Format extends keyof ToolFormats> = Omit<ServedTools, 'tools'> & {
  readonly tools: readonly ToolFormats[Format][];
};

/** A response other than 2xx. */
export class RookeryError extends Error {
  readonly status: number;
  /** The farm's problem description; null if the response did not come from the farm. */
  readonly problem: Problem | null;

  constructor(status: number, message: string, problem: Problem | null) {
    super(message);
    this.name = 'RookeryError';
    this.status = status;
    this.problem = problem;
  }

  static of(status: number, text: string): RookeryError {
    const problem = problemOf(text);
    return problem
      ? new RookeryError(status, `${problem.code}: ${problem.detail}`, problem)
      : new RookeryError(status, `${status}: ${text.slice(0, 200)}`, null);
  }
}

/** The problem in a body; null for other bodies, such as a proxy's error page or JSON. */
function problemOf(text: string): Problem | null {
  try {
    const body = JSON.parse(text) as Partial<Problem> | null;
    return typeof body?.code === 'string' && typeof body.detail === 'string' ? (body as Problem) : null;
  } catch {
    return null;
  }
}

export interface ClientOptions {
  /** Sent as `Authorization: Bearer …` to a farm that requires keys. */
  readonly apiKey?: string;
  /** Sent as `X-Harness-Key: …` by the harness, for access to scores, whole records and partial toolsets. */
  readonly harnessKey?: string;
  readonly fetch?: typeof fetch;
}

/** Number of retries if a farm is overloaded, and maximum seconds between them. */
const REPEATS = 4;
const LONGEST_WAIT_S = 10;

export type TaskQuery = Partial<TaskSelection> & { readonly evidence?: boolean };
export type ToolQuery = Partial<ListOptions>;
export type ToolFormat = keyof ToolFormats;

/** A served farm: its tasks, and runs on them. Every method throws RookeryError for an error response. */
export class Rookery {
  readonly #address: string;
  readonly #options: ClientOptions;

  /** `http://127.0.0.1:8080` */
  constructor(address: string, options: ClientOptions = {}) {
    this.#address = address.replace(/\/+$/, '');
    this.#options = options;
  }

  index(): Promise<ServedIndex> {
    return this.get('/');
  }

  /** The farm's identity, and how much of its split it kept. */
  about(): Promise<ServedFarm> {
    return this.get('/farm');
  }

  /** The tables and endpoints of a domain. */
  catalog(db: string): Promise<ServedCatalog> {
    return this.get(`/catalog/${encodeURIComponent(db)}`);
  }

  /** The endpoints that match a search, best first. */
  async findEndpoints(query: string, limit?: number): Promise<FoundEndpoints['endpoints']> {
    const { endpoints } = await this.get<FoundEndpoints>(`/tools${queryOf({ query, limit })}`);
    return endpoints;
  }

  async *tasks(query: TaskQuery = {}): AsyncIterableIterator<ServedTask> {
    let next: string | null = `/tasks${queryOf(query)}`;
    while (next !== null) {
      const page: TaskPage = await this.get(next);
      yield* page.tasks;
      next = page.next;
    }
  }

  task(sampleId: string, query: { readonly evidence?: boolean } = {}): Promise<ServedTask> {
    return this.get(`/tasks/${samplePath(sampleId)}${queryOf(query)}`);
  }

  /** The verdict on an answer by the answer contract; requires the same as `gold`. */
  judge(sampleId: string, answer: unknown): Promise<AnswerVerdict> {
    return this.post(`/tasks/${samplePath(sampleId)}/judgement`, { answer });
  }

  /** The gold of a task; requires a server started with `--score`, and the harness key. */
  gold(sampleId: string): Promise<ServedGold> {
    return this.get(`/tasks/${samplePath(sampleId)}/gold`);
  }

  /** The tools of a domain, or those of one of its start tables. */
  domainTools<F extends ToolFormat>(
    db: string,
    formulation: Formulation,
    format: F,
    { start_table, ...query }: ToolQuery & { readonly start_table?: string } = {},
  ): Promise<ToolListOf<F>> {
    const path = `/tools/${encodeURIComponent(db)}/${formulation}`;
    return this.get(`${path}${queryOf({ ...query, format, start_table })}`);
  }

  /** The tools of a task in a provider's format, outside of any run. */
  tools<F extends ToolFormat>(sampleId: string, format: F, query: ToolQuery = {}): Promise<ToolListOf<F>> {
    return this.get(`/tasks/${samplePath(sampleId)}/tools${queryOf({ ...query, format })}`);
  }

  /** Starts a run on one task. */
  async run(request: Omit<RunRequest, 'select'> & { readonly sample_id: string }): Promise<Run> {
    return new Run(this, await this.post<CreatedRun>('/runs', request));
  }

  /** Creates runs for all selected tasks; each run's clock starts when it is first used. */
  async batch(request: Omit<RunRequest, 'sample_id'>): Promise<Batch> {
    return new Batch(this, await this.post<CreatedBatch>('/runs', { select: {}, ...request }));
  }

  address(path: string): string {
    return `${this.#address}${path}`;
  }

  get<T>(path: string): Promise<T> {
    return this.#request(path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.#request(path, { method: 'POST', body: JSON.stringify(body) });
  }

  /**
   * Sends a request and returns the response, including error responses. If an overloaded farm responds with
   * 503 and Retry-After, the request is retried a few times; an injected fault is returned.
   */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const { apiKey, harnessKey, fetch: given = fetch } = this.#options;
    const headers = new Headers(init.headers);
    if (init.body !== undefined) headers.set('content-type', 'application/json');
    if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`);
    if (harnessKey !== undefined) headers.set('x-harness-key', harnessKey);
    for (let left = REPEATS; ; left--) {
      const answer = await given(this.address(path), { ...init, headers });
      const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
      const passes = answer.status === 503 && seconds >= 0 && !answer.headers.has('x-rookery-fault');
      if (!passes || left === 0) return answer;
      await answer.body?.cancel();
      // With jitter, so that requests that failed together are spread out.
      const wait = Math.min(seconds, LONGEST_WAIT_S) * 1000 * (1 + Math.random() / 4);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async #request<T>(path: string, init?: RequestInit): Promise<T> {
    const answer = await this.send(path, init);
    const text = await answer.text();
    if (!answer.ok) throw RookeryError.of(answer.status, text);
    return JSON.parse(text) as T;
  }
}

/** A run from its agent's view: the question, tools, calls and answer, given only the run's address. */
export class AgentRun {
  /** The root path of the run. */
  readonly base: string;
  readonly #farm: Rookery;

  constructor(farm: Rookery, base: string) {
    this.#farm = farm;
    this.base = base;
  }

  /** `http://127.0.0.1:8080/runs/<id>` */
  static at(address: string, options: Pick<ClientOptions, 'apiKey' | 'fetch'> = {}): AgentRun {
    const at = address.lastIndexOf('/runs/');
    if (at < 0) throw new TypeError(`${address} is not the address of a run: http://…/runs/<id>`);
    return new AgentRun(new Rookery(address.slice(0, at), options), address.slice(at).replace(/\/+$/, ''));
  }

  /** The run's address, for an agent in another process. */
  get address(): string {
    return this.#farm.address(this.base);
  }

  /** The question, the calls so far, and what is left of the budget. */
  read(): Promise<AgentRunView> {
    return this.#farm.get(this.base);
  }

  /** The address for MCP clients. */
  get mcp(): string {
    return this.#farm.address(`${this.base}/mcp`);
  }

  tools<F extends ToolFormat>(format: F): Promise<ToolListOf<F>> {
    return this.#farm.get(`${this.base}/tools?format=${format}`);
  }

  /** Calls a tool by its name in the run's list. A failing call is a result; only the end of the run throws. */
  async call(name: string, args: unknown, view: CallView = {}): Promise<CallResult> {
    const path = `${this.base}/call/${encodeURIComponent(name)}${queryOf(view)}`;
    const answer = await this.#farm.send(path, { method: 'POST', body: JSON.stringify(args) });
    const text = await answer.text();
    const body = parse(text);
    if (answer.status === 409 && (body as Partial<Problem> | undefined)?.code === 'RUN_OVER') {
      throw RookeryError.of(answer.status, text);
    }
    return {
      ok: answer.ok,
      status: answer.status,
      text,
      body,
      retryAfter: answer.headers.get('retry-after'),
      fault: answer.headers.get('x-rookery-fault'),
    };
  }

  /** Submits the answer, which ends the run. */
  answer(answer: unknown, more: Omit<RunAnswer, 'answer'> = {}): Promise<AgentRunSummary> {
    return this.#farm.post(`${this.base}/answer`, { answer, ...more });
  }
}

/** An attempt at one task from the harness's view: its task, record and score. */
export class Run extends AgentRun {
  readonly id: string;
  readonly task: ServedTask;
  readonly #farm: Rookery;

  constructor(farm: Rookery, created: CreatedRun) {
    super(farm, created.base);
    this.#farm = farm;
    this.id = created.run_id;
    this.task = created.task;
  }

  /** The whole record of the run so far; requires the harness key. */
  view(): Promise<RunView> {
    return this.#farm.get(this.base);
  }

  /** The score of a finished run; requires a server started with `--score`, and the harness key. */
  score<T = Record<string, unknown>>(): Promise<T> {
    return this.#farm.get(`${this.base}/score`);
  }

  /** The reward of a finished run; requires a server started with `--score`, and the harness key. */
  async verify(): Promise<Reward> {
    const { rewards } = await this.#farm.post<Rewards>(`${this.base}/verify`, {});
    return rewards[0] as Reward;
  }
}

export class Batch {
  readonly id: string;
  readonly runs: readonly Run[];
  readonly #farm: Rookery;

  constructor(farm: Rookery, created: CreatedBatch) {
    this.#farm = farm;
    this.id = created.batch_id;
    this.runs = created.runs.map((run) => new Run(farm, run));
  }

  /** The score over its finished runs; requires the harness key. */
  score<T = Record<string, unknown>>(): Promise<T> {
    return this.#farm.get(`/runs/${this.id}/score`);
  }

  /** The rewards of its finished runs, and their mean; requires the harness key. */
  verify(): Promise<Rewards> {
    return this.#farm.post(`/runs/${this.id}/verify`, {});
  }
}

/** SLOT and SEL: the part of a result to show. */
export interface CallView {
  readonly preview?: number;
  readonly offset?: number;
  readonly limit?: number;
}

function queryOf(values: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `?${query}` : '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
