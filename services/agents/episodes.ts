import { z } from 'zod';
import { type RunAnswer, runRequest } from '../../contracts/api.ts';
import type { Reward } from '../../contracts/judgement.ts';
import { type Task, type TaskHead, taskSelection } from '../../contracts/task.ts';
import { listOptions } from '../../contracts/toolset-options.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { guardGold, requireHarness } from '../base/http/roles.ts';
import type { TypedApp } from '../base/http/typed-routes.ts';
import { problemAnswer } from '../domain/domain-calls.ts';
import type { ToolSpec } from '../domain/tools/tool-spec.ts';
import { requireRuns } from './agent-context.ts';
import type { BackendAnswer } from './backend/backend.ts';
import { canaryOf } from './describe-task.ts';
import { MOST_DOUBTS, SUBMIT_ANSWER, submitTool, taskText } from './mcp/submit-answer.ts';
import { rewardsOf } from './runs/export-runs.ts';
import { type CreateContext, createRuns, type LiveRuns } from './runs/live-runs.ts';
import type { CallRecord, RunRecord, Verifier } from './runs/run-store.ts';
import type { ToolList } from './toolsets/tool-list.ts';

/** Adds a protocol's routes. `process`: the number of this process among those that share the farm's runs. */
export type ProtocolRoutes = (app: TypedApp, episodes: Episodes, process: number) => void;

/** A protocol that trainers play episodes over, injected by the command that starts a server. */
export interface Protocol {
  /** Served below `/doors/<name>`, and at the root of its own port. */
  readonly name: string;
  /** Called only where runs are recorded. */
  readonly load: () => Promise<ProtocolRoutes>;
}

export interface EpisodeContext extends Omit<CreateContext, 'now' | 'runId'> {
  /** null: this process records no runs, so there are no episodes. */
  readonly runs: LiveRuns | null;
  readonly verifier?: Verifier | undefined;
}

export const episodeRequest = runRequest
  .omit({ select: true, answer_tool: true, sample_id: true })
  .extend({ sample_id: z.string(), agent: runRequest.shape.agent.default('door') });
export type EpisodeRequest = z.output<typeof episodeRequest>;

export interface StepCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const answerArguments = z.object({
  answer: z.unknown(),
  doubts: z
    .string()
    .transform((text) => text.slice(0, MOST_DOUBTS))
    .nullish(),
});

/**
 * Episodes of any protocol: each is a run that ends with the tool `submit_answer` or with its budget, and shares the
 * run's id. Prompt, tools and reward are the same over every protocol.
 */
export class Episodes {
  readonly #context: EpisodeContext;

  constructor(context: EpisodeContext) {
    this.#context = context;
  }

  get canary(): string {
    return canaryOf(this.#context.farmHash);
  }

  async tasks(selection: z.input<typeof taskSelection>): Promise<readonly TaskHead[]> {
    const { tasks } = this.#context;
    const whole = taskSelection.parse(selection);
    await tasks.read(whole);
    return tasks.select(whole);
  }

  /** Throws UNKNOWN_TASK. */
  task(sampleId: string): Task {
    return this.#context.tasks.get(sampleId);
  }

  /** Begins an episode, under a given id if any. Throws UNKNOWN_TASK, INVALID_PARAMETERS, HARNESS_ONLY, STORAGE_FULL. */
  async begin(
    wanted: EpisodeRequest,
    asker: { readonly isHarness: boolean },
    runId?: string,
  ): Promise<RunRecord> {
    guardGold(asker, { subject: { task: true }, options: wanted });
    if (wanted.faults !== undefined) requireHarness(asker, 'A choice of faults');
    const context = { ...this.#context, now: Date.now(), ...(runId === undefined ? {} : { runId }) };
    const [run] = await createRuns({ ...wanted, answer_tool: true }, context);
    if (!run) throw new Error('a request for one task made no run');
    await this.#runs.add([run], wanted.record);
    return run;
  }

  list({ sample_id, ...options }: EpisodeRequest): ToolList {
    const { lists, examKey } = this.#context;
    return lists.ofTask(sample_id, listOptions.parse(onlyListOptions(options)), examKey);
  }

  /** The prompt and tools of an episode that has not begun. Throws UNKNOWN_TASK, HARNESS_ONLY. */
  offer(
    wanted: EpisodeRequest,
    asker: { readonly isHarness: boolean },
  ): { prompt: string; tools: ToolSpec[] } {
    guardGold(asker, { subject: { task: true }, options: wanted });
    const list = this.list(wanted);
    const prompt = taskText({ list, evidence: wanted.evidence, answerTool: true }) ?? '';
    return { prompt, tools: withSubmit(list) };
  }

  /** The reward of an unrecorded episode, from its calls and answer alone. Throws UNKNOWN_TASK, SCORING_OFF. */
  async judge(
    wanted: EpisodeRequest,
    { calls, answer }: { readonly calls: readonly CallRecord[]; readonly answer: RunAnswer | null },
  ): Promise<Reward> {
    const { verifier } = this.#context;
    if (!verifier) throw new HttpProblem('SCORING_OFF', 'This server holds no gold: start it with --score.');
    const [run] = await createRuns({ ...wanted, answer_tool: true }, { ...this.#context, now: 0 });
    if (!run) throw new Error('a request for one task made no run');
    const { checksum, isWhole, realNames } = this.list(wanted);
    const status = answer === null ? ('open' as const) : ('answered' as const);
    const tools = isWhole ? null : [...realNames];
    // Nothing was changed here, so that changes are judged by making the calls again.
    const episode = { ...run, writes: false, checksum, tools, status, answer };
    const [reward] = await rewardsOf(verifier, { calls: () => [...calls] }, [episode]);
    if (!reward) throw new HttpProblem('SCORING_OFF', `The farm's gold does not have ${wanted.sample_id}`);
    const { run_id: _none, ...rest } = reward;
    return rest;
  }

  async end(id: string, answer: RunAnswer | null): Promise<void> {
    if (!(await this.has(id)) || (await this.run(id)).status !== 'open') return;
    await this.#runs.answer(id, answer ?? { answer: null, error: 'ended without an answer' });
  }

  /** Rejects with UNKNOWN_RUN. */
  run(id: string): Promise<RunRecord> {
    return this.#runs.run(id);
  }

  async has(id: string): Promise<boolean> {
    return (await this.#runs.store.run(id)) !== undefined;
  }

  async steps(id: string): Promise<number> {
    return (await this.#runs.store.usage(id)).calls;
  }

  async prompt(id: string): Promise<string> {
    return taskText(await this.#runs.surface(id)) ?? '';
  }

  async tools(id: string): Promise<ToolSpec[]> {
    return withSubmit((await this.#runs.surface(id)).list);
  }

  /** Carries out a call; an invalid call gets an answer that the model can read. Throws UNKNOWN_RUN. */
  async step(id: string, call: StepCall) {
    const answer = await this.#carryOut(id, call);
    return { answer, isOver: (await this.run(id)).status !== 'open' };
  }

  /** The reward of an episode that is over; null where this process holds no gold. Throws UNKNOWN_RUN. */
  async reward(id: string): Promise<Reward | null> {
    const { verifier } = this.#context;
    if (!verifier) return null;
    const [reward] = await rewardsOf(verifier, this.#runs.store, [await this.run(id)]);
    return reward ?? null;
  }

  async #carryOut(id: string, { name, arguments: args, headers, signal }: StepCall): Promise<BackendAnswer> {
    const surface = await this.#runs.surface(id);
    try {
      if (name === SUBMIT_ANSWER) {
        const { answer = null, doubts = null } = answerArguments.parse(args);
        return await this.#runs.submit(id, { answer, doubts });
      }
      return await surface.call({ name, arguments: args, view: '', ...(headers ? { headers } : {}), signal });
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code === 'STORAGE_FULL') throw problem;
      return problemAnswer(problem.toProblem());
    }
  }

  get #runs(): LiveRuns {
    return requireRuns(this.#context);
  }
}

function withSubmit(list: ToolList): ToolSpec[] {
  const { name, description, inputSchema } = submitTool(list);
  return [...list.tools, { name, description, parameters: inputSchema } as unknown as ToolSpec];
}

function onlyListOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(listOptions.shape).map((name) => [name, options[name]]));
}

/** Rethrows anything that is neither a problem nor about the arguments. */
function asProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof z.ZodError) {
    return new HttpProblem('INVALID_PARAMETERS', `The answer cannot be read: ${error.message}`);
  }
  throw error;
}
